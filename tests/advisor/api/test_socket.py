"""The WebSocket: numbers, catching up, beginning anew."""

import asyncio
import json
from typing import Any

import pytest
from websockets.exceptions import ConnectionClosed
from websockets.sync.client import ClientConnection, connect

from advisor.api.hub import Hub, Notice
from engine import Deal, RuleSet
from tests.advisor.api.conftest import Running


def listen(running: Running, since: int | None = None) -> connect:
    query = "" if since is None else f"?since={since}"
    return connect(running.address.replace("http", "ws") + f"api/v1/ws{query}", proxy=None)


def take(socket: ClientConnection, kind: str = "state") -> dict[str, Any]:
    """Return the next notice of *kind*; numbers never go back on the way."""
    last = 0
    while True:
        notice: dict[str, Any] = json.loads(socket.recv(timeout=10))
        assert notice["sequence"] > last
        last = notice["sequence"]
        if notice["type"] == kind:
            return notice


def test_what_happens_is_told_in_order(running: Running, begun: str) -> None:
    with listen(running) as socket:
        first = take(socket)
        assert (first["type"], first["data"]["game"]) == ("state", begun)
        running.client.post(f"/games/{begun}/plays", json={"card": "7H"})
        running.client.post(f"/games/{begun}/undo")
        second, third = take(socket), take(socket)
        assert second["sequence"] == second["data"]["sequence"]
        assert first["sequence"] < second["sequence"] < third["sequence"]
        assert [len(each["data"]["plays"]) for each in (first, second, third)] == [0, 1, 0]


def test_a_client_catches_up(running: Running, begun: str) -> None:
    with listen(running) as socket:
        seen = take(socket)["sequence"]
    running.client.post(f"/games/{begun}/plays", json={"card": "7H"})
    running.client.post(f"/games/{begun}/plays", json={"card": "4C"})
    with listen(running, since=seen) as socket:
        missed = [take(socket), take(socket)]
    assert seen < missed[0]["sequence"] < missed[1]["sequence"]
    assert [len(each["data"]["plays"]) for each in missed] == [1, 2]


def test_a_client_that_begins_anew_has_its_place_among_all_notices(
    running: Running, begun: str
) -> None:
    async def listening() -> list[Notice]:
        subscriber, missed = running.desk.hub.subscribe(None)
        assert missed is None
        await asyncio.to_thread(running.client.post, f"/games/{begun}/plays", json={"card": "7H"})
        await asyncio.to_thread(running.desk.tell_anew, running.desk.game(begun), subscriber)
        await asyncio.to_thread(running.client.post, f"/games/{begun}/plays", json={"card": "4C"})
        states: list[Notice] = []
        while len(states) < 3:
            # A hint may come in between, as soon as it has been thought of.
            notice = await asyncio.wait_for(subscriber.next(), 10)
            if notice and notice.type == "state":
                states.append(notice)
        running.desk.hub.unsubscribe(subscriber)
        return states

    notices = asyncio.run(listening())
    assert [len(each.data["plays"]) for each in notices] == [1, 1, 2]
    numbers = [each.sequence for each in notices]
    assert numbers == sorted(set(numbers)) == [each.data["sequence"] for each in notices]


def test_a_client_from_another_time_begins_anew(running: Running, begun: str) -> None:
    newest = running.desk.hub.sequence
    for since in (3, newest + 100_000):
        with listen(running, since=since) as socket:
            notice = take(socket)
            assert notice["sequence"] >= newest
            assert notice["data"]["game"] == begun


def test_settings_are_told(running: Running) -> None:
    with listen(running, since=running.desk.hub.sequence) as socket:
        settings = running.client.get("/settings").json() | {"sound": False}
        running.client.put("/settings", json=settings)
        assert take(socket, "settings")["data"] == settings


def test_clients_that_leave_are_forgotten(running: Running) -> None:
    for _ in range(20):
        with listen(running):
            pass
    with listen(running) as socket:
        running.client.put("/settings", json={})
        assert take(socket, "settings")
    assert running.desk.hub.subscribers <= 2


def test_a_client_that_does_not_read_is_cut_off(running: Running) -> None:
    async def behind() -> list[Any]:
        hub = Hub()
        subscriber, missed = hub.subscribe(None)
        assert missed is None
        for _ in range(1000):
            hub.publish("camera", lambda sequence: sequence)
        await asyncio.sleep(0)
        got = []
        while (notice := await subscriber.next()) is not None:
            got.append(notice)
        return got

    assert len(asyncio.run(behind())) < 300


def test_what_a_client_sends_means_nothing(
    running: Running, capfd: pytest.CaptureFixture[str]
) -> None:
    address = running.address.replace("http", "ws") + "api/v1/ws"
    with connect(address, proxy=None) as socket:
        for message in ("x", b"\xff\xfe", b"", "[" * 60_000):
            socket.send(message)
        assert socket.ping().wait(20)
        game = running.new_game()["game"]
        while json.loads(socket.recv(timeout=20))["data"].get("game") != game:
            continue
    with connect(address, proxy=None) as socket:
        socket.send("x" * 100_000)
        with pytest.raises(ConnectionClosed):
            list(iter(lambda: socket.recv(timeout=20), None))
    assert running.client.get("/health").status_code == 200
    assert "Traceback" not in capfd.readouterr().err


def follow(before: dict[str, Any], notice: dict[str, Any]) -> dict[str, Any]:
    """Return the state that a notice leads to, as docs/api.md says."""
    since, after = notice["since"], {key: notice[key] for key in notice if key != "since"}
    if since is None:
        return after
    assert before["revision"] == since["revision"]
    kept = since["deal"]
    for name in ("plays", "review"):
        after[name] = [one for one in before[name] if one["deal"] < kept] + after[name]
    deals = before["score"]["deals"][:kept] + after["score"]["deals"]
    return after | {"score": after["score"] | {"deals": deals}}


def test_notices_hold_what_has_changed_and_lead_to_the_state(running: Running) -> None:
    """Two deals, a correction of the first while the second is played, undo and redo."""
    client = running.client
    deals = [Deal.shuffled(RuleSet.classic(players=2), 1 - number, number) for number in (0, 1)]
    made = client.post("/games", json={"rules": "classic players=2", "me": None}).json()
    game, path = made["game"], f"/games/{made['game']}"
    wanted: list[tuple[str, str, dict[str, Any]]] = []
    for deal in deals:
        centre = ["??", "??", "??", str(deal.setup.centre[-1].face)]
        wanted.append(("POST", "/deals", {"centre": centre, "bottom": str(deal.setup.bottom)}))
        while not deal.is_over:
            card = deal.legal_cards()[0]
            deal.play(card)
            wanted.append(("POST", "/plays", {"card": str(card)}))
    # Nobody saw the last play of the first deal, until somebody names it later.
    last = wanted[48][2]["card"]
    wanted[48] = ("POST", "/plays", {"card": "??"})
    wanted.append(("PUT", "/plays/0/47", {"card": last}))
    wanted += 3 * [("POST", "/undo", {})] + 2 * [("POST", "/redo", {})]
    with listen(running, since=running.desk.hub.sequence) as socket:
        state, sizes = made, []
        for method, where, body in wanted:
            answer = client.request(method, path + where, json=body)
            assert answer.status_code < 400, answer.text
            while state["revision"] < answer.json()["revision"]:
                notice = take(socket)["data"]
                assert notice["game"] == game
                state = follow(state, notice)
            sizes.append(len(notice["score"]["deals"]))
            told = client.get(path).json()
            for name in told.keys() - {"sequence", "camera"}:
                assert state[name] == told[name]
    # In the second deal, a notice tells of that one alone.
    assert sizes[49:98] == 49 * [1]
    assert sizes[98] == 2


def test_a_game_from_the_store_goes_on_by_what_has_changed(running: Running, begun: str) -> None:
    running.client.post(f"/games/{begun}/plays", json={"card": "7H"})
    with running.desk._lock:
        del running.desk._games[begun]
    before = running.client.get(f"/games/{begun}").json()
    with listen(running, since=running.desk.hub.sequence) as socket:
        running.client.post(f"/games/{begun}/plays", json={"card": "4C"})
        notice = take(socket)["data"]
    assert notice["since"] == {"revision": before["revision"], "deal": 0}
    assert len(follow(before, notice)["plays"]) == 2
