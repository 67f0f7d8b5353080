"""Advice over the API, and games against the computer."""

import json
from typing import Any

import httpx
import pytest
from websockets.sync.client import connect

from advisor.api.state import parts_of, state_of
from advisor.session import Begun, Created, Session
from engine import Card, Deal, RuleSet, View
from tests.advisor.api.conftest import Running


def test_advice_is_given(client: httpx.Client, begun: str) -> None:
    answer = client.get(f"/games/{begun}/advice", params={"language": "tr", "time": 0.05}).json()
    assert {move["card"] for move in answer["moves"]} == {"7H", "JS", "2C", "9D"}
    assert answer["best"] == answer["moves"][0]["card"]
    assert answer["why"]
    again = client.get(f"/games/{begun}/advice", params={"language": "tr", "time": 0.05}).json()
    assert again == answer


@pytest.mark.parametrize(
    ("params", "key"),
    [
        ({"seat": 1}, "advise.not_turn"),
        ({"seat": 4}, "advise.seat"),
        ({"seat": 9}, "api.invalid"),
        ({"time": 60}, "api.invalid"),
    ],
)
def test_advice_that_cannot_be(
    client: httpx.Client, begun: str, params: dict[str, Any], key: str
) -> None:
    answer = client.get(f"/games/{begun}/advice", params=params)
    assert (answer.status_code, answer.json()["key"]) == (422, key)


def test_advice_comes_by_itself(running: Running, begun: str) -> None:
    since = running.desk.hub.sequence
    address = running.address.replace("http", "ws") + f"api/v1/ws?since={since}"
    with connect(address, proxy=None) as socket:
        for card in ("7H", "4C"):
            running.client.post(f"/games/{begun}/plays", json={"card": card})
        revision = running.client.get(f"/games/{begun}").json()["revision"]
        while True:
            notice = json.loads(socket.recv(timeout=90))
            # Advice for the state before may come first.
            if notice["type"] == "advice" and notice["data"]["revision"] == revision:
                break
    assert notice["data"]["seat"] == 0
    assert {move["card"] for move in notice["data"]["advice"]["moves"]} == {"JS", "2C", "9D"}


def test_a_game_against_the_computer(running: Running) -> None:
    """The computer answers by itself, shows its cards to nobody, and undo goes past its plays."""
    client = running.client
    state = running.new_game(me=0, opponent="simple", names=["Ayşe"])
    game = state["game"]
    assert client.get(f"/games/{game}/advice", params={"seat": 1}).json()["key"] == "api.own_seat"
    before = state
    while state["phase"] == "playing":
        assert state["turn"] == 0
        hidden = [hand["cards"] for hand in state["hands"] if hand["seat"] != 0]
        assert hidden == [None]
        assert state["pile"]["cards"].count("??") <= 3
        assert len(state["plays"]) % 2 == 0
        mine = state["hands"][0]["cards"]
        assert sorted(state["legal"]) == sorted(mine)
        before = state
        state = client.post(f"/games/{game}/plays", json={"card": mine[0]}).json()
    assert state["phase"] == "deal_over"
    assert sum(side["cards"] for side in state["score"]["deals"][0]["sides"]) == 52
    state = client.post(f"/games/{game}/undo").json()
    assert state["plays"] == before["plays"]
    state = client.post(f"/games/{game}/redo").json()
    assert state["phase"] == "deal_over"
    wrong = client.put(f"/games/{game}/plays/0/0", json={"card": "7S"})
    assert wrong.json()["key"] == "session.dealt"
    state = client.post(f"/games/{game}/deals", json={}).json()
    assert (state["deal"], state["dealer"], state["turn"]) == (1, 0, 0)
    assert len(state["plays"]) == 49


def test_hidden_cards_are_nowhere_in_what_is_told() -> None:
    """Two games that differ only in what the person cannot know look the same."""
    setup = Deal.shuffled(RuleSet.modern(), 1, 5).setup
    mine = [card for hands in setup.dealt for card in hands[0]]
    other = [card for hands in setup.dealt for card in hands[1]]
    told = []
    for theirs, down in ((other, setup.centre[:3]), (other[3:] + other[:3], setup.centre[2::-1])):
        session = Session(Created(RuleSet.modern(), dealer=1, me=0, opponent="simple"))
        hands = (tuple(mine), tuple(theirs))
        session.apply(Begun("person", 1, (*down, setup.centre[3]), 1, hands=hands))
        told.append(state_of(session, parts_of(session)))
    assert told[0] == told[1]


@pytest.mark.parametrize("name", ["advisor", "simple"])
def test_the_computer_plays_cards_it_holds(running: Running, name: str) -> None:
    deal = Deal.shuffled(RuleSet.modern(), 1, 3)
    for _ in range(6):
        view: View = deal.view(deal.turn)
        card: Card = running.desk.computer.choose(name, view)
        assert card in view.hand
        deal.play(card)
