"""The camera and its picture, over the API."""

from __future__ import annotations

import threading
from pathlib import Path
from time import sleep

from tests.advisor.api.tables import Table, frames
from vision.layout import Layout


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


def test_what_is_to_be_kept_stays_open_until_it_ends(tmp_path: Path) -> None:
    table = Table(tmp_path, idle=0.3)
    try:
        table.running.station.open("script", keep=True)
        frames(table, 1)
        sleep(3.0)  # it is looked at every two seconds
        assert not table.script.closed.is_set()
        assert table.client.get("/sources").json()["camera"]["status"] != "none"
        table.script.closed.set()
        table.wait(lambda: table.client.get("/sources").json()["camera"]["status"] == "none")
    finally:
        table.running.close()


def test_a_source_opened_for_a_look_feeds_no_game(table: Table) -> None:
    game = table.start()
    table.wait(lambda: len(table.cards(game)) >= 3)
    # Whoever loads the page again only looks.
    frames(table, 2)
    before = table.client.get("/sources").json()["camera"]
    assert before["game"] == game
    looked = table.client.post("/sources", json={"source": "script"}).json()
    assert looked["game"] is None
    assert looked["opened"] != before["opened"]
    cards = table.cards(game)
    table.wait(lambda: table.script.number >= 100)
    assert table.cards(game) == cards
    gone_on = table.client.put("/sources/current/game", json={"game": game})
    assert gone_on.json()["game"] == game
    table.wait(lambda: len(table.cards(game)) > len(cards))


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
    flat = proposal | {"zones": {"pile": [[0.5, 0.5]] * 4}}
    answer = client.put("/sources/current/layout", json=flat)
    assert (answer.status_code, answer.json()["key"]) == (422, "layout.flat")
    assert client.get("/sources/current/layout").json() == proposal
    # The same source has the same layout again.
    client.post("/sources", json={"source": "script"})
    assert client.get("/sources/current/layout").json() == proposal


def test_the_hand_is_read_in_its_zone(table: Table) -> None:
    game = table.start()
    table.wait(lambda: len(table.cards(game)) >= 1)
    table.script.hold.set()
    read = table.client.post(f"/games/{game}/hand/read")
    assert read.json()["key"] == "live.no_zone"
    table.running.station.use_layout(Layout(hand=((0.5, 0.5),) * 4))
    read = table.client.post(f"/games/{game}/hand/read")
    assert read.json()["key"] == "live.small_zone"
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
