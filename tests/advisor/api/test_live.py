"""A game before the camera, over the API."""

from __future__ import annotations

import sqlite3
import threading
from collections.abc import Callable, Iterator
from pathlib import Path
from time import monotonic, sleep
from typing import Any

import cv2
import httpx
import numpy as np
import pytest

from engine import Deal, RuleSet
from tests.advisor.api.conftest import Running
from tests.advisor.live.scripted import Reader, Script, film
from vision.sources import SourceError, Status

RULES = RuleSet.modern()


class Table:
    """A server with a scripted camera.

    Attributes:
        running: the server.
        deals: the deals that are played before the camera.
        script: the camera, once it is open.
    """

    def __init__(self, folder: Path, seeds: tuple[int, ...] = (1,), idle: float = 30.0) -> None:
        self.deals = [
            Deal.shuffled(RULES, 1 - number % 2, seed) for number, seed in enumerate(seeds)
        ]
        self.shown = list(film(self.deals))
        self.scripts: list[Script] = []
        self.running = Running(folder, make_reader=Reader, idle=idle)
        self.running.station._opener = self.open
        self.client = self.running.client

    @property
    def script(self) -> Script:
        return self.scripts[-1]

    def open(self, text: str) -> Script:
        if text == "nothing":
            raise SourceError("source.missing", path=text)
        script = Script(self.shown)
        script.done = self.done
        self.scripts.append(script)
        return script

    def done(self) -> int | None:
        """Return the newest picture that was read; None where nobody reads now."""
        camera, reading = self.running.station._camera, self.running.station._reading
        return None if reading is None or camera is None or camera.paused else reading.done

    def truth(self, deal: int = 0) -> list[str]:
        return [str(played.card) for played in self.deals[deal].history]

    def start(self) -> str:
        game: str = self.running.new_game(names=["Ayşe", "Mehmet"], me=0)["game"]
        answer = self.client.post("/sources", json={"source": "script", "game": game})
        assert answer.status_code == 201, answer.text
        return game

    def wait(self, what: Callable[[], Any], seconds: float = 90.0) -> Any:
        end = monotonic() + seconds
        while monotonic() < end:
            found = what()
            if found:
                return found
            sleep(0.05)
        raise AssertionError("it did not happen")

    def state(self, game: str) -> dict[str, Any]:
        state: dict[str, Any] = self.client.get(f"/games/{game}/state").json()
        return state

    def cards(self, game: str) -> list[str]:
        return [play["card"] for play in self.state(game)["plays"]]


@pytest.fixture
def table(tmp_path: Path) -> Iterator[Table]:
    made = Table(tmp_path)
    yield made
    made.running.close()


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


# The picture.


def frames(table: Table, count: int, overlay: str = "") -> list[Any]:
    """Return the first *count* pictures of the live video."""
    found = []
    with table.client.stream(
        "GET", "/sources/current/video", params={"overlay": overlay}
    ) as answer:
        assert answer.headers["content-type"].startswith("multipart/x-mixed-replace; boundary=")
        data = b""
        for chunk in answer.iter_bytes():
            data += chunk
            while (head := data.find(b"\r\n\r\n")) >= 0:
                length = int(data[:head].rpartition(b"Content-Length: ")[2])
                if len(data) < head + 4 + length:
                    break
                jpeg, data = data[head + 4 : head + 4 + length], data[head + 6 + length :]
                found.append(cv2.imdecode(np.frombuffer(jpeg, np.uint8), cv2.IMREAD_COLOR))
                if len(found) == count:
                    return found
    return found


def test_the_video_is_live_and_layers_are_drawn(table: Table) -> None:
    table.start()
    plain, drawn = frames(table, 3), frames(table, 3, "boxes,names,zones")
    assert all(frame.shape == (180, 320, 3) for frame in (*plain, *drawn))
    wrong = table.client.get("/sources/current/video", params={"overlay": "smoke"})
    assert wrong.json()["key"] == "api.layer"


def test_fifty_viewers_come_and_go_and_nothing_stays(table: Table) -> None:
    table.start()
    before = threading.active_count()
    errors: list[Exception] = []

    def look() -> None:
        try:
            assert len(frames(table, 2)) == 2
        except Exception as error:
            errors.append(error)

    viewers = [threading.Thread(target=look) for _ in range(50)]
    for viewer in viewers:
        viewer.start()
    for viewer in viewers:
        viewer.join(30)
    assert errors == []
    video = table.running.station._video
    assert video is not None
    table.wait(lambda: video.viewers == 0)
    assert len(table.scripts) == 1
    assert threading.active_count() <= before + 45  # the server's pool of threads stays


def test_the_camera_is_let_go_when_nobody_needs_it(tmp_path: Path) -> None:
    table = Table(tmp_path, idle=0.3)
    try:
        table.client.post("/sources", json={"source": "script"})
        frames(table, 2)
        table.wait(lambda: table.client.get("/sources").json()["camera"]["status"] == "none")
        assert table.script.closed.is_set()
        game = table.start()
        sleep(1.0)
        assert table.state(game)["camera"]["status"] == "live"
        assert not table.script.closed.is_set()
        assert table.client.delete("/sources/current").status_code == 204
        assert table.script.closed.is_set()
    finally:
        table.running.close()


def test_snapshot_check_and_layout(table: Table) -> None:
    client = table.client
    for path in ("snapshot", "video", "check", "layout/proposal"):
        answer = client.get(f"/sources/current/{path}")
        assert (answer.status_code, answer.json()["key"]) == (409, "live.no_source")
    game = table.start()
    table.wait(lambda: len(table.cards(game)) >= 1)
    shown = client.get("/sources/current/snapshot", params={"overlay": "names"})
    assert shown.headers["content-type"] == "image/jpeg"
    check = client.get("/sources/current/check", params={"language": "tr"}).json()
    assert check["light"] in ("ok", "low", "glare")
    assert bool(check["advice"]) == (
        (check["light"], check["focus"], check["framing"]) != ("ok",) * 3
    )
    proposal = client.get("/sources/current/layout/proposal").json()
    assert proposal["zones"]["pile"]
    put = client.put("/sources/current/layout", json=proposal)
    assert put.json() == proposal
    wrong = proposal | {"corners": [[0, 0], [2, 0], [1, 1], [0, 1]]}
    assert client.put("/sources/current/layout", json=wrong).status_code == 422
    # The same source has the same layout again.
    client.post("/sources", json={"source": "script"})
    assert client.get("/sources/current/layout").json() == proposal


def test_the_hand_is_read_in_its_zone(table: Table) -> None:
    game = table.start()
    table.wait(lambda: len(table.cards(game)) >= 1)
    table.script.hold.set()
    read = table.client.post(f"/games/{game}/hand/read")
    assert read.json()["key"] == "live.no_zone"
    table.client.put(
        "/sources/current/layout",
        json={"zones": {"hand": [[0.0, 0.0], [1.0, 0.0], [1.0, 1.0], [0.0, 1.0]]}},
    )
    state = table.state(game)
    hand = [card for card in table.deals[0].setup.dealt[0][0] if str(card) not in table.cards(game)]
    hand = hand[: state["hands"][0]["count"]]
    table.client.post("/sources/current/pause")
    still = [hand] * 10
    table.script.shown = [*table.shown[: table.script.number], *still]
    watched = table.client.put("/sources/current/game", json={"game": None})
    assert watched.json()["game"] is None
    table.client.post("/sources/current/resume")
    table.script.hold.clear()
    newest = table.running.station._newest
    table.wait(lambda: len(newest().sightings) == len(hand))
    table.wait(lambda: {s.card for s in newest().sightings} == set(hand))
    state = table.client.post(f"/games/{game}/hand/read").json()
    assert sorted(state["hands"][0]["cards"]) == sorted(str(card) for card in hand)


def test_a_source_that_is_not_there_leaves_the_one_before(table: Table) -> None:
    game = table.start()
    answer = table.client.post("/sources", json={"source": "nothing"})
    assert (answer.status_code, answer.json()["key"]) == (422, "source.missing")
    assert table.state(game)["camera"]["status"] in ("starting", "live")
    against = table.running.new_game(me=0, opponent="simple")["game"]
    answer = table.client.put("/sources/current/game", json={"game": against})
    assert answer.json()["key"] == "live.computer"


def test_a_watched_game_can_be_deleted(table: Table) -> None:
    game = table.start()
    table.wait(lambda: len(table.cards(game)) >= 2)
    assert table.client.delete(f"/games/{game}").status_code == 204
    assert table.client.get("/sources").json()["camera"]["game"] is None
    assert table.client.get(f"/games/{game}").status_code == 404


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


def test_no_picture_is_written_unless_asked_for(tmp_path: Path) -> None:
    table = Table(tmp_path)
    try:
        game = table.start()
        table.wait(lambda: len(table.cards(game)) >= 3)
    finally:
        table.running.close()
    names = {path.name.split(".db")[0] for path in tmp_path.rglob("*") if path.is_file()}
    assert names == {"games"}


def test_pictures_are_written_where_that_is_switched_on(tmp_path: Path) -> None:
    table = Table(tmp_path)
    try:
        table.client.put("/settings", json={"record_frames": True})
        game = table.start()
        table.wait(lambda: len(table.cards(game)) >= 3)
        table.script.hold.set()
        sleep(0.3)
        shown = [play["picture"] for play in table.state(game)["plays"][:2]]
        before = [table.client.get(path.removeprefix("/api/v1")).content for path in shown]
        table.running.close()
        table = Table(tmp_path)
        after = [table.client.get(path.removeprefix("/api/v1")).content for path in shown]
        assert before == after
        table.client.delete(f"/games/{game}")
        assert not list((tmp_path / "pictures").iterdir())
    finally:
        table.running.close()


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
