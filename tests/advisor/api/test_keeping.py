"""What the server does when the file of games is held, changed or used by others."""

from __future__ import annotations

import sqlite3
from pathlib import Path

import pytest
from click.testing import CliRunner

from advisor.cli.main import group
from advisor.session import Laid
from advisor.store import FILE, Keeper, ServerLock, Store
from engine import parse_cards
from tests.advisor.api.conftest import Running

DEAL = {"centre": ["??", "??", "??", "7S"]}


def test_a_game_that_another_program_has_changed_is_asked_for_again(running: Running) -> None:
    game = running.new_game(me=0)["game"]
    path = f"/games/{game}"
    running.client.post(f"{path}/deals", json=DEAL)
    other = Store.open(running.folder)
    theirs = other.load(game)
    keeper = Keeper(other, game, theirs, kept=len(theirs.events))
    theirs.apply(Laid("person", parse_cards("9S")[0]))
    keeper.keep()
    assert keeper.problem is None
    refused = running.client.post(f"{path}/plays", json={"card": "4C"})
    assert (refused.status_code, refused.json()["key"]) == (409, "store.changed")
    state = running.client.get(path).json()
    assert [play["card"] for play in state["plays"]] == ["9S"]
    state = running.client.post(f"{path}/plays", json={"card": "4C"}).json()
    assert [play["card"] for play in state["plays"]] == ["9S", "4C"]
    assert state["unsaved"] is None
    assert len(other.load(game).events) == len(theirs.events) + 1
    other.close()


def test_an_evening_that_begins_with_a_held_file_is_kept_when_it_is_free(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setattr("advisor.store.store.PATIENCE", 50)
    Store.open(tmp_path).close()
    other = sqlite3.connect(tmp_path / FILE, isolation_level=None)
    other.execute("PRAGMA locking_mode = EXCLUSIVE")
    other.execute("BEGIN EXCLUSIVE")
    other.execute("CREATE TABLE held (x)")
    with Running(tmp_path) as running:
        client = running.client
        assert (
            client.get("/health", params={"language": "en"}).json()["store"].startswith("Another")
        )
        state = running.new_game(me=0, names=["Ayşe"])
        assert state["notice"] is not None
        other.close()
        running.desk.retry()
        assert client.get("/health").json()["store"] is None
        path = f"/games/{state['game']}"
        state = client.post(f"{path}/deals", json=DEAL).json()
        assert (state["notice"], state["unsaved"]) == (None, None)
    again = Store.open(tmp_path)
    assert again.load(state["game"]).created.names == ("Ayşe", "")
    again.close()


def test_a_second_server_for_the_same_games_says_so(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setenv("PISTI_DATA", str(tmp_path))
    with ServerLock(tmp_path):
        result = CliRunner().invoke(group, ["--language", "en", "watch", "--port", "0"])
    assert result.exit_code == 1
    assert result.stderr.startswith(f"Another pisti watch uses the games in {tmp_path}; ")
    assert result.stderr.count("\n") == 1
