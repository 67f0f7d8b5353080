"""A game before the camera, over the API."""

from __future__ import annotations

import sqlite3
import threading
from pathlib import Path
from time import sleep

import cv2
import httpx
import numpy as np
import pytest

from tests.advisor.api.tables import Table
from vision.sources import Status


def test_deals_are_followed_to_their_end(tmp_path: Path) -> None:
    table = Table(tmp_path, seeds=(1, 2))
    try:
        game = table.start()
        table.wait(lambda: table.state(game)["deal"] == 1)
        table.wait(lambda: len(table.state(game)["plays"]) >= 48 + 8)
        _check_deals(table, game)
    finally:
        table.running.close()


def _check_deals(table: Table, game: str) -> None:
    state = table.state(game)
    for deal in (0, 1):
        plays = [play["card"] for play in state["plays"] if play["deal"] == deal]
        assert plays[: 48 if deal == 0 else 6] == table.truth(deal)[: 48 if deal == 0 else 6]
    assert {play["by"] for play in state["plays"]} == {"camera"}
    first = table.client.get(state["plays"][0]["picture"].removeprefix("/api/v1"))
    assert first.headers["content-type"] == "image/jpeg"
    shown = cv2.imdecode(np.frombuffer(first.content, np.uint8), cv2.IMREAD_COLOR)
    assert shown.shape == (180, 320, 3)
    address = state["plays"][0]["picture"].removeprefix("/api/v1")
    small = table.client.get(address, params={"part": "pile"})
    pile = cv2.imdecode(np.frombuffer(small.content, np.uint8), cv2.IMREAD_COLOR)
    assert 20 < pile.shape[0] == pile.shape[1] <= 132
    assert state["camera"]["game"] == game
    assert state["score"]["deals"][0]["exact"]


def test_a_persons_word_stands_and_what_follows_is_read_again(table: Table) -> None:
    game = table.start()
    table.wait(lambda: len(table.cards(game)) >= 8)
    table.script.hold.set()
    seen = table.cards(game)
    ranked = table.client.get(f"/games/{game}/plays/0/3/alternatives").json()
    unplayed = [each["card"] for each in ranked if each["card"] not in seen]
    other = unplayed[-1]
    answer = table.client.put(f"/games/{game}/plays/0/3", json={"card": other})
    assert answer.status_code == 200
    table.script.hold.clear()
    table.wait(lambda: len(table.cards(game)) >= 14)
    after = table.cards(game)
    assert after[3] == other
    assert after[:3] == table.truth()[:3]


def test_what_a_person_takes_back_stays_away(table: Table) -> None:
    game = table.start()
    table.wait(lambda: len(table.cards(game)) >= 6)
    table.script.hold.set()
    sleep(0.2)
    count = len(table.cards(game))
    table.client.post(f"/games/{game}/undo")
    assert len(table.cards(game)) == count - 1
    # The card still lies there, and the camera still sees it.
    still = [table.shown[table.script.number - 1]] * 20
    table.script.shown = [*table.shown[: table.script.number], *still]
    table.script.hold.clear()
    sleep(0.6)
    assert len(table.cards(game)) == count - 1
    table.client.post(f"/games/{game}/redo")
    assert table.cards(game) == table.truth()[:count]


def test_a_play_the_camera_missed_is_entered_by_hand(table: Table) -> None:
    game = table.start()
    table.wait(lambda: len(table.cards(game)) >= 3)
    table.script.hold.set()
    sleep(0.3)
    table.client.post("/sources/current/pause")
    count = len(table.cards(game))
    card = table.truth()[count]
    table.client.post(f"/games/{game}/plays", json={"card": card})
    assert table.state(game)["camera"]["status"] == "paused"
    table.client.post("/sources/current/resume")
    table.script.hold.clear()
    table.wait(lambda: len(table.cards(game)) >= count + 6)
    assert table.cards(game)[: count + 6] == table.truth()[: count + 6]
    assert table.state(game)["plays"][count]["by"] == "person"


def test_a_hand_that_was_mistyped_does_not_hold_up_the_game(table: Table) -> None:
    game = table.start()
    table.wait(lambda: table.state(game)["deal"] == 0)
    table.script.hold.set()
    count = len(table.cards(game))
    held = table.state(game)["hands"][0]["count"]
    # Cards of the stock: none of them is played before the next hand deal.
    wrong = table.truth()[-held:]
    named = table.client.put(f"/games/{game}/hand", json={"seat": 0, "cards": wrong})
    assert named.json()["hands"][0]["cards"] is not None
    table.script.hold.clear()
    table.wait(lambda: len(table.cards(game)) >= count + 8)
    assert table.cards(game)[: count + 8] == table.truth()[: count + 8]
    assert table.state(game)["camera"]["message"] is None


@pytest.mark.parametrize("state", [Status.LOST, Status.FROZEN])
def test_a_camera_that_fails_is_told_and_comes_back(table: Table, state: Status) -> None:
    game = table.start()
    table.wait(lambda: len(table.cards(game)) >= 2)
    table.script.state = state
    table.wait(lambda: table.state(game)["camera"]["status"] == "lost")
    assert table.state(game)["camera"]["message"]
    table.script.state = Status.LIVE
    table.wait(lambda: table.state(game)["camera"]["status"] == "live")
    table.wait(lambda: len(table.cards(game)) >= 6)
    assert table.cards(game)[:6] == table.truth()[:6]


def test_a_camera_that_changes_its_size_is_followed(table: Table) -> None:
    game = table.start()
    table.wait(lambda: len(table.cards(game)) >= 4)
    table.script.size_now = (640, 360)
    table.wait(lambda: len(table.cards(game)) >= 12)
    assert table.cards(game)[:12] == table.truth()[:12]
    assert table.state(game)["camera"]["size"] == [640, 360]


def test_the_evening_goes_on_after_a_restart(tmp_path: Path) -> None:
    table = Table(tmp_path)
    game = table.start()
    table.wait(lambda: len(table.cards(game)) >= 10)
    table.script.hold.set()
    sleep(0.5)
    before = table.state(game)
    table.running.close()
    again = Table(tmp_path)
    try:
        after = again.state(game)
        assert after["plays"][:10] == [play | {"picture": None} for play in before["plays"][:10]]
    finally:
        again.running.close()


def test_two_browsers_editing_at_once(table: Table) -> None:
    """Each change rests on the newest state or is refused; the events still tell the game."""
    game = table.start()
    table.wait(lambda: len(table.cards(game)) >= 4)
    counts = {200: 0, 409: 0, 422: 0}

    def edit(path: str) -> None:
        with httpx.Client(base_url=table.client.base_url, timeout=30) as client:
            for _ in range(15):
                revision = client.get(f"/games/{game}/state").json()["revision"]
                answer = client.post(f"/games/{game}/{path}", json={"revision": revision})
                counts[answer.status_code] += 1

    browsers = [threading.Thread(target=edit, args=(path,)) for path in ("undo", "redo")]
    for browser in browsers:
        browser.start()
    for browser in browsers:
        browser.join(30)
    assert sum(counts.values()) == 30
    assert counts[200] > 0
    kept = table.running.store.load(game)
    with table.running.desk.game(game).lock:
        assert [p.card for p in kept.facts[0].plays][:3] == [
            p.card for p in table.running.desk.game(game).session.facts[0].plays
        ][:3]


def test_what_could_not_be_kept_is_said_and_kept_later(table: Table) -> None:
    game = table.start()
    table.wait(lambda: len(table.cards(game)) >= 2)
    blocked = sqlite3.connect(table.running.folder / "games.db", isolation_level=None)
    blocked.execute("BEGIN EXCLUSIVE")
    table.wait(lambda: table.state(game)["unsaved"])
    blocked.execute("ROLLBACK")
    blocked.close()
    table.script.hold.set()
    table.wait(lambda: not table.state(game)["unsaved"])
    assert table.running.store.load(game).events == table.running.desk.game(game).session.events


def test_a_watched_game_can_be_deleted(table: Table) -> None:
    game = table.start()
    table.wait(lambda: len(table.cards(game)) >= 2)
    assert table.client.delete(f"/games/{game}").status_code == 204
    assert table.client.get("/sources").json()["camera"]["game"] is None
    assert table.client.get(f"/games/{game}").status_code == 404
