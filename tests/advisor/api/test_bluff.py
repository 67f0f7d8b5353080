"""Claimed piştis over the API: at a real table, and whole deals against the computer."""

from __future__ import annotations

from random import Random
from typing import Any

import httpx
import pytest

from advisor.api.computer import Choice
from engine import Claim, Deal, RuleSet, parse_cards
from engine.record import read_record, score_to_json
from tests.advisor.api.conftest import Running

RULES = "modern bluff=on"


def done(answer: httpx.Response) -> dict[str, Any]:
    assert answer.status_code in (200, 201), answer.text
    state: dict[str, Any] = answer.json()
    return state


def key_of(answer: httpx.Response) -> str:
    assert 400 <= answer.status_code < 500, answer.text
    key: str = answer.json()["key"]
    return key


@pytest.fixture
def table(running: Running) -> str:
    """A game at a real table, in which one card lies alone."""
    game = f"/games/{running.new_game(rules=RULES, me=0)['game']}"
    centre = {"centre": ["??", "??", "??", "7S"]}
    done(running.client.post(f"{game}/deals", json=centre))
    for card in ("7H", "4C"):
        state = done(running.client.post(f"{game}/plays", json={"card": card}))
    assert state["may_claim"]
    return game


def test_a_claim_waits_for_its_answer(client: httpx.Client, table: str) -> None:
    state = done(client.post(f"{table}/claims", json={"card": "4D"}))
    assert state["claim"] == {"seat": 0, "answers": 1, "card": "4D"}
    assert (state["turn"], state["legal"], state["may_claim"]) == (1, [], False)
    assert state["hands"][0]["count"] == 2
    assert key_of(client.post(f"{table}/plays", json={"card": "5D"})) == "play.claim_waits"
    assert key_of(client.post(f"{table}/claims", json={"card": "5D"})) == "play.claim_waits"
    assert key_of(client.post(f"{table}/deals", json={})) == "match.deal_not_over"
    state = done(client.post(f"{table}/claims/answer", json={"claim": "challenged"}))
    assert state["claim"] is None
    assert (state["plays"][-1]["card"], state["plays"][-1]["bonus"]) == ("4D", 20)
    state = done(client.post(f"{table}/undo"))
    assert state["claim"] is not None
    state = done(client.post(f"{table}/redo"))
    assert state["plays"][-1]["claim"] == "challenged"


def test_a_card_that_nobody_knows_is_named_when_it_is_turned_over(
    client: httpx.Client, table: str
) -> None:
    answer = f"{table}/claims/answer"
    assert key_of(client.post(answer, json={"claim": "accepted"})) == "play.no_claim"
    done(client.post(f"{table}/claims", json={"card": "??"}))
    challenged = {"claim": "challenged"}
    assert key_of(client.post(answer, json=challenged)) == "play.challenged_unknown"
    state = done(client.post(answer, json={**challenged, "card": "9C"}))
    assert [card for card in state["pile"]["cards"]] == ["4C", "9C"]
    assert state["score"]["deals"][0]["sides"][1]["bonus"] == 20
    done(client.post(f"{table}/undo"))
    state = done(client.post(answer, json={"claim": "accepted"}))
    assert (state["plays"][-1]["card"], state["plays"][-1]["bonus"]) == ("??", 10)


def test_a_claim_that_was_read_wrong_is_put_right(client: httpx.Client, table: str) -> None:
    done(client.post(f"{table}/claims", json={"card": "??"}))
    state = done(client.post(f"{table}/claims/answer", json={"claim": "accepted"}))
    number = len(state["plays"]) - 1
    path = f"{table}/plays/0/{number}"

    def correct(**body: str) -> dict[str, Any]:
        play: dict[str, Any] = done(client.put(path, json=body))["plays"][number]
        return {name: play[name] for name in ("card", "claim", "captured", "bonus", "by")}

    # It was challenged, and the card turned over: a true claim, then a bluff.
    person = {"by": "person"}
    assert correct(card="4D", how="challenged") == {
        "card": "4D", "claim": "challenged", "captured": 2, "bonus": 20, **person
    }  # fmt: skip
    assert correct(card="9C") == {
        "card": "9C", "claim": "challenged", "captured": 0, "bonus": 0, **person
    }  # fmt: skip
    # Nobody claimed anything.
    assert correct(card="9C", how="open") == {
        "card": "9C", "claim": None, "captured": 0, "bonus": 0, **person
    }  # fmt: skip
    assert correct(card="??", how="accepted")["claim"] == "accepted"
    assert key_of(client.put(path, json={"card": "??", "how": "challenged"})) == (
        "play.challenged_unknown"
    )
    assert key_of(client.put(path, json={"card": "9C", "how": "hidden"})) == "api.invalid"
    # Where the pile held more than one card, nobody can have claimed.
    first = client.put(f"{table}/plays/0/0", json={"card": "7H", "how": "accepted"})
    assert key_of(first) == "play.claim_needs_single"
    # It is kept, and undone as one step.
    assert done(client.get(table))["plays"][number]["claim"] == "accepted"
    assert done(client.post(f"{table}/undo"))["plays"][number]["claim"] is None


def test_claims_outside_the_rules_are_refused(running: Running, begun: str) -> None:
    client = running.client
    assert key_of(client.post(f"/games/{begun}/claims", json={"card": "7H"})) == "play.no_bluff"
    game = running.new_game(rules=RULES, me=0, opponent="simple")
    path = f"/games/{game['game']}"
    card = game["hands"][0]["cards"][0]
    assert key_of(client.post(f"{path}/claims", json={"card": card})) == "play.claim_needs_single"
    body = {"card": card, "claim": "accepted"}
    assert key_of(client.post(f"{path}/plays", json=body)) == "session.answer"
    assert client.get(path).json()["plays"] == []


class Person:
    """Plays at random, claims where it may, and answers as it likes.

    Attributes:
        seen: what happened: who claimed and how it was answered.
    """

    def __init__(self, client: httpx.Client, seed: int) -> None:
        self.seen: set[tuple[int, str]] = set()
        self._client, self._rng = client, Random(seed)

    def play(self, state: dict[str, Any]) -> dict[str, Any]:
        """Do one thing; return the state after it and the computer's answers."""
        path = f"/games/{state['game']}"
        if state["claim"] is not None:
            assert state["claim"] == {"seat": 1, "answers": 0, "card": None}
            advice = self._client.get(f"{path}/advice", params={"time": 0.01}).json()
            assert advice["best"] is None
            assert advice["challenge"] in (True, False)
            answer = self._rng.choice(["accepted", "challenged"])
            return done(self._client.post(f"{path}/claims/answer", json={"claim": answer}))
        card = self._rng.choice(state["legal"])
        if state["may_claim"]:
            matching = [one for one in state["legal"] if one[:-1] == state["pile"]["top"][:-1]]
            card = (matching or [card])[0]
            return done(self._client.post(f"{path}/claims", json={"card": card}))
        return done(self._client.post(f"{path}/plays", json={"card": card}))

    def play_deal(self, state: dict[str, Any]) -> dict[str, Any]:
        """Play until the deal is over."""
        while state["phase"] == "playing":
            state = self.play(state)
            for play in state["plays"]:
                if play["claim"] is not None:
                    self.seen.add((play["seat"], play["claim"]))
                hidden = play["claim"] == "accepted" and play["seat"] == 1
                if hidden and state["phase"] == "playing":
                    assert play["card"] == "??"
        return state


def test_whole_deals_against_the_computer(
    running: Running, monkeypatch: pytest.MonkeyPatch
) -> None:
    seen: set[tuple[int, str]] = set()
    for seed in range(60):
        monkeypatch.setattr("advisor.api.desk.secrets.randbits", lambda _, seed=seed: seed)
        person = Person(running.client, seed)
        state = running.new_game(rules=RULES, me=0, opponent="simple")
        state = person.play_deal(state)
        path = f"/games/{state['game']}"
        reading = read_record(running.client.get(f"{path}/export?format=json").content)
        assert not reading.problems
        assert score_to_json(reading.match)["deals"] == state["score"]["deals"]
        assert running.store.load(state["game"]).match.totals == reading.match.totals
        seen |= person.seen
        if len(seen) == 4:
            return
    raise AssertionError(f"only {seen} happened")


def test_the_advisor_plays_a_deal_by_bluff_rules(
    running: Running, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setattr("advisor.api.desk.secrets.randbits", lambda _: 3)
    state = running.new_game(rules=RULES, me=0, opponent="advisor")
    state = Person(running.client, 3).play_deal(state)
    assert len(state["plays"]) == 48


def test_undo_goes_before_what_the_computer_answered(
    running: Running, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setitem(running.desk.computer._policies, "meek", lambda view: (
        Choice(None) if view.claim_waits else Choice(view.hand[0])
    ))  # fmt: skip
    for seed in range(20):
        monkeypatch.setattr("advisor.api.desk.secrets.randbits", lambda _, seed=seed: seed)
        state = running.new_game(rules=RULES, me=0, opponent="meek")
        path = f"/games/{state['game']}"
        while state["phase"] == "playing" and not state["may_claim"]:
            card = {"card": state["legal"][0]}
            state = done(running.client.post(f"{path}/plays", json=card))
        if not state["may_claim"]:
            continue
        before = state
        card = {"card": state["legal"][0]}
        state = done(running.client.post(f"{path}/claims", json=card))
        mine = state["plays"][len(before["plays"])]
        assert (mine["card"], mine["claim"]) == (card["card"], "accepted")
        state = done(running.client.post(f"{path}/undo"))
        assert state["plays"] == before["plays"]
        assert state["hands"] == before["hands"]
        return
    raise AssertionError("nobody could claim")


def test_the_simple_player_challenges_what_cannot_be_true(running: Running) -> None:
    rules = RuleSet.modern(bluff=True)
    deal = Deal.watched(rules, 1, centre=parse_cards("7S 7H 7D 9C"), centre_up=1)
    for card in parse_cards("9H 5C"):
        deal.play(card)
    deal.claim(parse_cards("??")[0])
    deal.reveal(1, parse_cards("5S 5D 5H"))
    assert running.desk.computer.choose("simple", deal.view(1)) == Choice(None, challenge=True)
    deal.undo()
    other = Deal.watched(rules, 1, centre=parse_cards("7S 7H 7D 9C"), centre_up=1)
    for card in parse_cards("9H 5C"):
        other.play(card)
    other.reveal(0, parse_cards("5S 6D 6H"))
    assert running.desk.computer.choose("simple", other.view(0)) == Choice(
        parse_cards("5S")[0], claim=True
    )
    other.claim(parse_cards("5S")[0])
    other.reveal(1, parse_cards("2S 2D 2H"))
    assert running.desk.computer.choose("simple", other.view(1)) == Choice(None)
    other.answer(challenge=False)
    assert other.history[-1].claim is Claim.ACCEPTED
