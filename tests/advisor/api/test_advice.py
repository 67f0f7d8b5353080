"""Advice over the API, and games against the computer."""

import json
import re
from concurrent.futures import ThreadPoolExecutor, as_completed
from itertools import islice
from threading import Event
from typing import Any

import httpx
import numpy as np
import pytest
from websockets.sync.client import connect

from advisor.advisor import Advisor
from advisor.api.memories import Memories
from advisor.api.state import parts_of, state_of
from advisor.memory import OpponentMemory
from advisor.session import Begun, Created, Laid, Redone, Session, Undone
from engine import Deal, RuleSet, View, parse_cards
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
        card = running.desk.computer.choose(name, view).card
        assert card is not None
        assert card in view.hand
        deal.play(card)


# What is learned of the others within a match.


def _played(seed: int, plays: int, deals: int = 2) -> Session:
    """A session in which *plays* cards of the last of *deals* shuffled deals were played."""
    session = Session(Created(RuleSet.modern(), dealer=1, me=0))
    for number in range(deals):
        deal = Deal.shuffled(RuleSet.modern(), session.next_dealer, seed + number)
        hands = tuple(
            tuple(card for hands in deal.setup.dealt for card in hands[seat]) for seat in (0, 1)
        )
        session.apply(Begun("person", deal.dealer, deal.setup.centre, 1, hands=hands))
        for _ in range(48 if number < deals - 1 else plays):
            card = deal.legal_cards()[0]
            deal.play(card)
            session.apply(Laid("person", card))
    return session


def over(session: Session) -> list[Deal]:
    return [deal for deal in session.match.deals if deal.is_over]


def test_the_memory_of_a_match_follows_from_its_deals_alone() -> None:
    session = _played(5, 0)
    view = session.view(0)
    memories = Memories()
    learned = memories.of("g", 0, over(session)).evidence(view)
    assert not np.allclose(learned, OpponentMemory().evidence(view))
    # Another server reads the same events.
    again = Session.replay(session.events)
    assert np.array_equal(Memories().of("g", 0, over(again)).evidence(view), learned)
    # One card back is one deal less; it comes again.
    session.apply(Undone())
    session.apply(Undone())
    nothing = memories.of("g", 0, over(session)).evidence(view)
    assert np.allclose(nothing, OpponentMemory().evidence(view))
    session.apply(Redone())
    assert np.array_equal(memories.of("g", 0, over(session)).evidence(view), learned)
    # A game put right is learned from anew.
    session.apply(Undone())
    other = Memories()
    other.of("g", 0, over(_played(8, 0)))
    assert np.allclose(other.of("g", 0, over(session)).evidence(view), nothing)


def test_a_deal_with_unknown_cards_is_no_fault() -> None:
    session = Session(Created(RuleSet.modern(), dealer=1, me=0))
    session.apply(Begun("person", 1, parse_cards("?? ?? ?? 7S")))
    for card in parse_cards("7H 4C"):
        session.apply(Laid("person", card))
    deal = session.match.deals[0]
    Memories().of("g", 0, [deal]).evidence(deal.view(0))


def test_advice_within_a_match_uses_the_memory(
    running: Running, monkeypatch: pytest.MonkeyPatch
) -> None:
    given: list[object] = []
    think = Advisor.think

    def noted(self: Advisor, view: View, limit: Any, memory: Any, doubts: Any) -> Any:
        given.append(memory)
        return think(self, view, limit, memory, doubts)

    monkeypatch.setattr(Advisor, "think", noted)
    session = _played(5, 1)
    game = running.desk.create(session.created, session.events[1:])
    assert running.client.get(f"/games/{game.id}/advice").status_code == 200
    assert given
    assert all(isinstance(memory, OpponentMemory) for memory in given)


# Many ask at once.


def test_many_at_once_are_refused_and_the_hint_comes_all_the_same(
    running: Running, monkeypatch: pytest.MonkeyPatch
) -> None:
    begun, free = Event(), Event()
    think = Advisor.think

    def slow(self: Advisor, view: View, limit: Any, memory: Any, doubts: Any) -> Any:
        begun.set()
        assert free.wait(60)
        return think(self, view, limit, memory, doubts)

    monkeypatch.setattr(Advisor, "think", slow)
    game = running.new_game(me=0, opponent="simple")["game"]
    assert begun.wait(60)

    def ask(number: int) -> httpx.Response:
        return running.client.get(f"/games/{game}/advice", params={"time": 0.01 + number / 1000})

    with ThreadPoolExecutor(24) as pool:
        asked = [pool.submit(ask, number) for number in range(24)]
        refused = [done.result() for done in islice(as_completed(asked, 60), 16)]
        assert [answer.status_code for answer in refused] == [429] * 16
        assert refused[0].json()["key"] == "api.busy"
        assert refused[0].headers["retry-after"] == "1"
        # Everything else is answered meanwhile.
        assert running.client.get("/health").status_code == 200
        free.set()
        assert sorted(each.result().status_code for each in asked) == [200] * 8 + [429] * 16
    assert ask(0).status_code == 200
    assert running.client.get(f"/games/{game}/advice").status_code == 200


@pytest.mark.parametrize("form", ["pisti", "json", "csv"])
def test_an_export_tells_nothing_of_the_computers_cards(running: Running, form: str) -> None:
    client = running.client
    state = running.new_game(me=0, opponent="simple", rules="modern bluff=on")
    path = f"/games/{state['game']}"
    session = running.desk.game(state["game"]).session
    while state["phase"] == "playing":
        deal = session.match.deals[0]
        told = client.get(f"{path}/export", params={"format": form}).text
        hidden = [*deal.hands[1], *deal.setup.centre[:3]]
        hidden += [card for hands in deal.setup.dealt[deal.hand_deal + 1 :] for card in hands[0]]
        # Who captures the centre has looked at it.
        seen = set(state["seen"]) | set(state["hands"][0]["cards"])
        seen |= {str(card) for card in deal.view(0).centre}
        for card in hidden:
            assert str(card) in seen or not re.search(rf"\b{card}\b", told)
        if state["claim"] is not None:
            state = client.post(f"{path}/claims/answer", json={"claim": "accepted"}).json()
        else:
            card = {"card": state["legal"][0]}
            state = client.post(f"{path}/plays", json=card).json()
    told = client.get(f"{path}/export", params={"format": form}).text
    assert "??" not in told


def test_a_deal_of_which_nobody_named_the_open_card(running: Running) -> None:
    client = running.client
    game = running.new_game(me=0, dealer=1)["game"]
    assert client.get(f"/games/{game}/advice").json()["key"] == "match.no_deal"
    client.post(f"/games/{game}/deals", json={"dealer": 1})
    client.put(f"/games/{game}/hand", json={"seat": 0, "cards": ["7H", "JS", "2C", "9D"]})
    answer = client.get(f"/games/{game}/advice", params={"language": "fr"})
    assert (answer.status_code, answer.json()["key"]) == (422, "advise.centre")
    assert "carte visible" in answer.json()["detail"]
    # Who names it gets a hint; and where a Jack has taken it, it is unknown like others.
    named = {"centre": ["??", "??", "??", "7S"]}
    client.put(f"/games/{game}/deals/0/centre", json=named)
    advice = client.get(f"/games/{game}/advice", params={"time": 0.05}).json()
    assert {move["card"] for move in advice["moves"]} == {"7H", "JS", "2C", "9D"}
    client.post(f"/games/{game}/undo")
    for card in ("JS", "4D"):
        assert client.post(f"/games/{game}/plays", json={"card": card}).status_code == 201
    advice = client.get(f"/games/{game}/advice", params={"time": 0.05}).json()
    assert {move["card"] for move in advice["moves"]} == {"7H", "2C", "9D"}
    assert advice["counts"]["pile"] == 1
