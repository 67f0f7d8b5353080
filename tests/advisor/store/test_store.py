"""The store: what it keeps, and what it does when the file or the disk fails it."""

from __future__ import annotations

import json
import os
import random
import signal
import sqlite3
import subprocess
import sys
from pathlib import Path
from time import sleep

import pytest

from advisor.errors import StoreError
from advisor.session import Begun, Created, Event, HandSet, Laid, Session, Undone, event_to_json
from advisor.store import FILE, Keeper, ServerLock, Store, player_totals
from advisor.store.schema import STEPS, VERSION
from engine import Deal, RuleSet, parse_cards

NAMES = ("Ayşe", "Mehmet")


def game(plays: str = "7H 4C JS") -> Session:
    session = Session(Created(RuleSet.modern(), NAMES, dealer=1, me=0, date="2026-11-30"))
    session.apply(Begun("person", 1, parse_cards("?? ?? ?? 7S")))
    session.apply(HandSet("person", 0, parse_cards("7H JS 2C 9D")))
    for card in parse_cards(plays):
        session.apply(Laid("camera", card, None, 1.5, 0.9))
    return session


def keep(store: Store, name: str, session: Session) -> None:
    store.append(name, 0, session.events, session)


@pytest.fixture
def store(tmp_path: Path):  # type: ignore[no-untyped-def]
    made = Store.open(tmp_path)
    assert made.notice is None
    yield made
    made.close()


def test_games_read_back(store: Store) -> None:
    session = game()
    session.apply(Undone())
    keep(store, "one", session)
    again = store.load("one")
    assert again.events == session.events
    assert again.record() == session.record()
    with pytest.raises(StoreError) as caught:
        store.load("two")
    assert caught.value.key == "store.no_game"


def test_events_are_appended_in_their_order_or_not_at_all(store: Store) -> None:
    session = game()
    keep(store, "one", session)
    more: list[Event] = [Undone(), Laid("person", parse_cards("9D")[0])]
    for event in more:
        session.apply(event)
    store.append("one", len(session.events) - 2, more, session)
    assert store.load("one").events == session.events
    with pytest.raises(StoreError) as caught:
        store.append("one", 2, more, session)
    assert caught.value.key == "store.changed"
    assert store.load("one").events == session.events


def test_games_are_listed_newest_first_with_totals(store: Store) -> None:
    for name in "abc":
        keep(store, name, game())
        sleep(0.01)
    games, count = store.games(limit=2)
    assert ([each.id for each in games], count) == (["c", "b"], 3)
    assert games[0].summary["names"] == list(NAMES)
    assert games[0].summary["totals"] == [1, 0]
    players = player_totals(store.games()[0])
    assert [(each.name, each.games, each.won, each.points) for each in players] == [
        ("Ayşe", 3, 0, 3),
        ("Mehmet", 3, 0, 0),
    ]
    store.delete("c")
    assert store.games()[1] == 2
    with pytest.raises(StoreError):
        store.delete("c")


def test_won_matches_count_for_the_players_side(store: Store) -> None:
    rules = RuleSet.modern(target=1)
    session = Session(Created(rules, NAMES, dealer=1))
    deal = Deal.shuffled(rules, 1, 2)
    session.apply(Begun("person", 1, (*parse_cards("?? ?? ??"), deal.setup.centre[-1])))
    while not deal.is_over:
        card = deal.legal_cards()[0]
        deal.play(card)
        session.apply(Laid("person", card))
    keep(store, "one", session)
    winner = session.match.winner
    assert winner is not None
    won = {each.name: each.won for each in player_totals(store.games()[0])}
    assert won == {NAMES[winner]: 1, NAMES[1 - winner]: 0}


def test_settings(store: Store) -> None:
    assert store.setting("theme") is None
    store.set_setting("theme", {"dark": ["ş", 1]})
    store.set_setting("theme", {"dark": ["ş", 2]})
    assert store.setting("theme") == {"dark": ["ş", 2]}


# Older and newer files.


@pytest.mark.parametrize("version", range(VERSION))
def test_an_older_file_is_brought_up_to_date(tmp_path: Path, version: int) -> None:
    session = game()
    file = sqlite3.connect(tmp_path / FILE)
    for step in STEPS[:version]:
        for statement in step:
            file.execute(statement)
    if version:
        file.execute("INSERT INTO games (id, begun) VALUES ('old', '2025-01-01')")
        texts = [json.dumps(event_to_json(event)) for event in session.events]
        rows = [("old", at, "then", text) for at, text in enumerate(texts)]
        file.executemany("INSERT INTO events VALUES (?, ?, ?, ?)", rows)
    file.execute(f"PRAGMA user_version = {version}")
    file.commit()
    file.close()
    store = Store.open(tmp_path)
    assert store.notice is None
    if version:
        assert store.load("old").events == session.events
        (listed,) = store.games()[0]
        assert listed.begun == "2025-01-01"
    keep(store, "new", session)
    store.close()
    store = Store.open(tmp_path)
    assert store.load("new").events == session.events
    store.close()


def test_a_newer_file_is_left_alone(tmp_path: Path) -> None:
    Store.open(tmp_path).close()
    file = sqlite3.connect(tmp_path / FILE)
    file.execute(f"PRAGMA user_version = {VERSION + 1}")
    file.commit()
    file.close()
    before = (tmp_path / FILE).read_bytes()
    store = Store.open(tmp_path)
    assert store.notice is not None
    assert store.notice.key == "store.newer"
    keep(store, "one", game())
    store.close()
    assert (tmp_path / FILE).read_bytes() == before


# What can go wrong.


@pytest.mark.parametrize("damage", ["text", "torn", "holes"])
def test_a_damaged_file_is_put_aside_and_what_can_be_read_is_saved(
    tmp_path: Path, damage: str
) -> None:
    store = Store.open(tmp_path)
    session = game()
    for number in range(60):
        keep(store, f"g{number:02}", session)
    store.close()
    path = tmp_path / FILE
    data = bytearray(path.read_bytes())
    if damage == "text":
        data[:] = b"this is no database at all, but somebody's letter" * 200
    elif damage == "torn":
        del data[len(data) // 2 :]
    else:
        middle = len(data) // 2 // 4096 * 4096
        data[middle : middle + 8192] = bytes(8192)
    path.write_bytes(data)
    store = Store.open(tmp_path)
    assert store.notice is not None
    assert store.notice.key == "store.damaged"
    aside = tmp_path / str(store.notice.values["path"])
    assert aside.read_bytes()[: len(data)] == data
    games, count = store.games(limit=100)
    assert count == store.notice.values["count"]
    assert (count == 0) == (damage == "text")
    for each in games:
        saved = store.load(each.id).events
        assert saved == session.events[: len(saved)]
    keep(store, "new", session)
    store.close()
    store = Store.open(tmp_path)
    assert store.notice is None
    assert store.load("new").events == session.events
    store.close()


def test_a_locked_file_is_said_and_nothing_is_lost(tmp_path: Path, monkeypatch) -> None:  # type: ignore[no-untyped-def]
    monkeypatch.setattr("advisor.store.store.PATIENCE", 50)
    store = Store.open(tmp_path)
    session = game("7H")
    keeper = Keeper(store, "one", session)
    keeper.keep()
    other = sqlite3.connect(tmp_path / FILE, isolation_level=None)
    other.execute("BEGIN EXCLUSIVE")
    session.apply(Laid("person", parse_cards("4C")[0]))
    keeper.keep()
    assert keeper.problem is not None
    assert (keeper.problem.key, keeper.waiting) == ("store.locked", 1)
    session.apply(Laid("person", parse_cards("JS")[0]))
    other.execute("ROLLBACK")
    other.close()
    keeper.keep()
    assert (keeper.problem, keeper.waiting) == (None, 0)
    assert store.load("one").events == session.events
    store.close()


def test_a_full_disk_is_said_and_nothing_is_lost(tmp_path: Path) -> None:
    store = Store.open(tmp_path)
    session = game()
    keeper = Keeper(store, "one", session)
    keeper.keep()
    with store._writing() as connection:
        pages = connection.exec_driver_sql("PRAGMA page_count").scalar_one()
        connection.exec_driver_sql(f"PRAGMA max_page_count = {pages}")
    long = Session(Created(RuleSet.modern(), ("x" * 8000, "y")))
    other = Keeper(store, "two", long)
    other.keep()
    assert other.problem is not None
    assert (other.problem.key, other.waiting) == ("store.full", 1)
    with store._writing() as connection:
        connection.exec_driver_sql("PRAGMA max_page_count = 100000")
    other.keep()
    assert (other.problem, other.waiting) == (None, 0)
    assert store.load("two").created.names[1] == "y"
    assert store.load("one").events == session.events
    store.close()


def test_where_nothing_can_be_written_the_evening_goes_on(tmp_path: Path) -> None:
    blocked = tmp_path / "file"
    blocked.write_text("in the way", encoding="utf-8")
    store = Store.open(blocked / "data")
    assert store.notice is not None
    assert store.notice.key == "store.readonly"
    keep(store, "one", game())
    assert store.load("one").events
    store.close()


_WRITER = """
import sys
from pathlib import Path
from advisor.session import Begun, Created, Laid, Session, Undone, Redone
from advisor.store import Keeper, Store
from engine import RuleSet, parse_cards
store = Store.open(Path(sys.argv[1]))
session = Session(Created(RuleSet.modern(), ("a", "b"), dealer=1))
keeper = Keeper(store, "g", session)
session.apply(Begun("person", 1, parse_cards("?? ?? ?? 7S")))
keeper.keep()
print(len(session.events), flush=True)
for card in parse_cards("7H 4C JS 9D"):
    session.apply(Laid("person", card))
while True:
    session.apply(Undone())
    session.apply(Redone())
    keeper.keep()
    assert keeper.problem is None
    print(len(session.events), flush=True)
"""


@pytest.mark.parametrize("seed", range(4))
def test_killed_at_any_instant_nothing_confirmed_is_lost(tmp_path: Path, seed: int) -> None:
    process = subprocess.Popen(
        [sys.executable, "-c", _WRITER, str(tmp_path)], stdout=subprocess.PIPE, encoding="utf-8"
    )
    assert process.stdout is not None
    process.stdout.readline()
    sleep(random.Random(seed).uniform(0.02, 0.4))
    os.kill(process.pid, getattr(signal, "SIGKILL", signal.SIGTERM))
    told = [line for line in process.stdout.read().splitlines(keepends=True) if line.endswith("\n")]
    process.wait()
    process.stdout.close()
    confirmed = int(told[-1]) if told else 2
    store = Store.open(tmp_path)
    assert store.notice is None
    kept = store.load("g").events
    assert len(kept) in (confirmed, confirmed + 2, confirmed + 6)
    assert store.load("g").revision == len(kept)
    store.close()


# What happens to the file while it is used.


def held(folder: Path) -> sqlite3.Connection:
    """Another program that holds the file of games and lets nobody else in."""
    other = sqlite3.connect(folder / FILE, isolation_level=None)
    other.execute("PRAGMA locking_mode = EXCLUSIVE")
    other.execute("BEGIN EXCLUSIVE")
    other.execute("CREATE TABLE IF NOT EXISTS held (x)")
    return other


def test_a_file_that_is_held_at_the_start_is_used_when_it_is_free(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setattr("advisor.store.store.PATIENCE", 50)
    before = Store.open(tmp_path)
    keep(before, "old", game())
    before.set_setting("theme", "dark")
    before.set_setting("names", ["a"])
    before.close()
    other = held(tmp_path)
    store = Store.open(tmp_path)
    assert (store.notice and store.notice.key, store.path) == ("store.locked", None)
    session = game("7H")
    keeper = Keeper(store, "new", session)
    keeper.keep()
    store.set_setting("names", ["b"])
    assert not store.recover()
    other.close()
    assert store.recover()
    assert (store.notice, store.path) == (None, tmp_path / FILE)
    session.apply(Laid("person", parse_cards("4C")[0]))
    keeper.keep()
    assert keeper.problem is None
    store.close()
    again = Store.open(tmp_path)
    assert again.load("new").events == session.events
    assert again.load("old").events == game().events
    assert (again.setting("theme"), again.setting("names")) == ("dark", ["b"])
    again.close()


def test_a_folder_that_comes_later_is_used(tmp_path: Path) -> None:
    blocked = tmp_path / "data"
    blocked.write_text("in the way", encoding="utf-8")
    store = Store.open(blocked)
    keep(store, "one", game())
    assert not store.recover()
    blocked.unlink()
    assert store.recover()
    assert store.load("one").events == game().events
    store.close()
    again = Store.open(blocked)
    assert again.load("one").events == game().events
    again.close()


@pytest.mark.skipif(sys.platform == "win32", reason="a file in use stays there")
@pytest.mark.parametrize("instead", ["nothing", "another", "older", "junk", "no folder"])
def test_a_file_that_is_taken_away_costs_no_open_game(tmp_path: Path, instead: str) -> None:
    folder = tmp_path / "data"
    store = Store.open(folder)
    session = game("7H 4C")
    keeper = Keeper(store, "one", session)
    keeper.keep()
    if instead == "older":
        copy = sqlite3.connect(tmp_path / "copy")
        with sqlite3.connect(folder / FILE) as source:
            source.backup(copy)
        source.close()
        copy.close()
    session.apply(Laid("person", parse_cards("JS")[0]))
    keeper.keep()
    (folder / FILE).unlink()
    if instead == "another":
        other = Store(tmp_path / "other")
        keep(other, "two", game())
        other.close()
        (tmp_path / "other").replace(folder / FILE)
    elif instead == "older":
        (tmp_path / "copy").replace(folder / FILE)
    elif instead == "junk":
        (folder / FILE).write_bytes(b"no database " * 1000)
    elif instead == "no folder":
        for each in folder.iterdir():
            each.unlink()
        folder.rmdir()
    session.apply(Undone())
    keeper.keep()
    assert (keeper.problem, keeper.waiting) == (None, 0)
    assert store.notice is not None
    assert store.notice.key == "store.gone"
    assert store.load("one").events == session.events
    store.close()
    again = Store.open(folder)
    assert again.load("one").events == session.events
    assert again.games()[1] == (2 if instead == "another" else 1)
    again.close()


def test_events_that_somebody_else_has_kept_are_found(tmp_path: Path) -> None:
    store, other = Store.open(tmp_path), Store.open(tmp_path)
    session = game()
    keeper = Keeper(store, "one", session)
    keeper.keep()
    keeper.check()
    theirs = other.load("one")
    theirs.apply(Undone())
    Keeper(other, "one", theirs, kept=len(session.events)).keep()
    with pytest.raises(StoreError) as caught:
        keeper.check()
    assert caught.value.key == "store.changed"
    other.delete("one")
    with pytest.raises(StoreError):
        keeper.check()
    store.close()
    other.close()


def test_reading_does_not_wait_for_who_writes(tmp_path: Path) -> None:
    store = Store.open(tmp_path)
    keep(store, "one", game())
    other = sqlite3.connect(tmp_path / FILE, isolation_level=None)
    other.execute("BEGIN IMMEDIATE")
    assert store.load("one").events == game().events
    other.close()
    store.close()


def test_one_server_for_a_folder(tmp_path: Path) -> None:
    folder = tmp_path / "data"
    with ServerLock(folder):
        with pytest.raises(StoreError) as caught:
            ServerLock(folder)
        assert caught.value.key == "store.taken"
        ServerLock(tmp_path / "other").close()
    ServerLock(folder).close()
    (tmp_path / "file").write_bytes(b"")
    ServerLock(tmp_path / "file" / "data").close()


def test_the_lock_ends_with_its_program(tmp_path: Path) -> None:
    code = (
        "import sys, time; from pathlib import Path; from advisor.store import ServerLock;"
        "lock = ServerLock(Path(sys.argv[1])); print('held', flush=True); time.sleep(60)"
    )
    process = subprocess.Popen([sys.executable, "-c", code, str(tmp_path)], stdout=subprocess.PIPE)
    assert process.stdout is not None
    process.stdout.readline()
    with pytest.raises(StoreError):
        ServerLock(tmp_path)
    process.kill()
    process.wait()
    process.stdout.close()
    ServerLock(tmp_path).close()
