"""Advice: form, sameness under a seed, and that it rests on what the seat may know alone."""

import json
import random
from collections import Counter

import numpy as np
import pytest
from click.testing import CliRunner
from hypothesis import HealthCheck, given, settings
from hypothesis import strategies as st

from advisor import Advisor, Limit
from advisor.arena.pace import Pace
from advisor.cli.main import group
from advisor.errors import AdviceError
from advisor.position import read_position
from advisor.search.knowledge import position_of
from engine import Card, Claim, Deal, RuleSet, View
from engine.kernel.layout import TALLIES
from engine.setup import Setup

ADVISOR = Advisor()
RULES = [
    RuleSet.classic(players=2),
    RuleSet.modern(),
    RuleSet.classic(),
    RuleSet.classic(players=3),
    RuleSet.modern(players=5),
    RuleSet.classic(players=6),
    RuleSet.classic(players=6, partnership=True),
    RuleSet.classic(players=6, undealt="centre", centre_seen_by="nobody"),
    RuleSet.classic(players=2, bluff=True),
]


def a_deal(rules: RuleSet, seed: int, plays: int) -> Deal:
    rng = random.Random(seed)
    deal = Deal.shuffled(rules, seed % rules.players, seed)
    for _ in range(plays):
        if deal.may_claim and rng.random() < 0.5:
            deal.push(rng.choice(deal.legal_cards()), rng.choice(list(Claim)))
        else:
            deal.push(rng.choice(deal.legal_cards()))
    return deal


def another_world(deal: Deal, seat: int, rng: random.Random) -> Deal:
    """Return a deal that *seat* cannot tell from *deal*: all it has not seen is dealt anew."""
    rules, view = deal.rules, deal.view(seat)
    order_of = {card: card for card in _all_cards(deal)}
    known = {card for card in deal.setup.centre if card.face in view.centre}
    known |= {play.card for play in deal.history} | {*deal.hands[seat]}
    known |= {card for card in deal.setup.centre[-deal.setup.centre_up :]} | {*deal.setup.buried}
    if deal.setup.bottom:
        known.add(deal.setup.bottom)
    hidden = [card for card in order_of if card not in known]
    mixed = hidden[:]
    rng.shuffle(mixed)
    order_of.update(zip(hidden, mixed, strict=True))
    setup = deal.setup
    swapped = Setup(
        centre=tuple(order_of[card] for card in setup.centre),
        centre_up=setup.centre_up,
        bottom=setup.bottom,
        buried=setup.buried,
        dealt=tuple(
            tuple(tuple(order_of[card] for card in hand) for hand in hands) for hands in setup.dealt
        ),
        undealt=tuple(order_of[card] for card in setup.undealt),
    )
    again = Deal(rules, deal.dealer, swapped)
    for play in deal.history:
        again.push(play.card, play.claim)
    return again


def _all_cards(deal: Deal) -> list[Card]:
    setup = deal.setup
    hands = [card for hands in setup.dealt for hand in hands for card in hand]
    return [*setup.centre, *hands, *setup.undealt]


@settings(max_examples=60, deadline=None, suppress_health_check=[HealthCheck.too_slow])
@given(
    rules=st.sampled_from([rules for rules in RULES if not rules.bluff and rules.decks == 1]),
    seed=st.integers(0, 10_000),
    share=st.floats(0, 0.99),
)
def test_what_a_seat_may_not_know_never_changes_the_advice(
    rules: RuleSet, seed: int, share: float
) -> None:
    deal = a_deal(rules, seed, int(share * rules.plays))
    seat = deal.turn
    other = another_world(deal, seat, random.Random(seed))
    assert other.view(seat) == deal.view(seat)
    limit = Limit(samples=32, seed=seed)
    first = ADVISOR.advise(deal.view(seat), limit)
    assert ADVISOR.advise(other.view(seat), limit) == first
    assert first.best in deal.hands[seat]


@pytest.mark.parametrize("rules", RULES, ids=str)
def test_a_position_holds_every_card_once_and_all_points(rules: RuleSet) -> None:
    for seed in range(40):
        plays = seed * rules.plays // 40
        deal = a_deal(rules, seed, plays)
        position = position_of(deal.view(deal.turn))
        state = position.start[0]
        start = int(state["left"])
        cards: Counter[int] = Counter()
        for seat in range(rules.players):
            for at in range(int(position.sizes[seat])):
                if at < position.known[seat]:
                    cards[int(state["hands"][seat]) >> (8 * at) & 255] += 1
        cards.update(position.unseen.tolist())
        before = deal.view(deal.turn).deal().history[: rules.plays - start]
        cards.update(play.card.index for play in before if play.card.known)
        tally = int(state["pile"]) + int(state["taken"].sum())
        # Cards counted where they lie, plus those of the hands and the stock, are all cards.
        on_table = tally & 127
        assert on_table + len(position.extra) == rules.centre_size + len(before)
        faces = Counter[int]()
        for card, number in cards.items():
            faces[card % 52] += number
        assert max(faces.values()) <= rules.decks
        assert len(position.ranks) == len(position.unseen)
        assert int(TALLIES[position.unseen].sum()) & 127 == len(position.unseen)


@pytest.mark.parametrize("rules", RULES, ids=str)
def test_the_same_seed_and_samples_give_the_same_answer(rules: RuleSet) -> None:
    for seed in range(3):
        deal = a_deal(rules, seed, rules.plays * seed // 3)
        view = deal.view(deal.turn)
        first = ADVISOR.advise(view, Limit(samples=40, seed=seed))
        assert ADVISOR.advise(view, Limit(samples=40, seed=seed)) == first
        assert first.limit.samples == 40
        assert 1 <= len(first.why) <= 3


def test_the_answer_has_the_form_of_the_interface() -> None:
    deal = a_deal(RULES[0], 5, 9)
    form = ADVISOR.advise(deal.view(deal.turn), Limit(samples=64)).to_json()
    form = json.loads(json.dumps(form))
    assert form.keys() == {"best", "moves", "counts", "opponents", "why", "limit", "exact"}
    assert form["best"] == form["moves"][0]["card"]
    assert form["moves"][0].keys() == {"card", "points", "stderr", "win", "risk"}
    assert form["limit"] == {"time": None, "samples": 64}
    assert set(form["opponents"][0]["has_rank"]) == set(form["counts"]["left"])
    held = 4 - (rules_plays(deal, 1 - deal.turn))
    # The expected number of distinct ranks in a hand is at most the size of the hand.
    assert 0 < sum(form["opponents"][0]["has_rank"].values()) <= held


def rules_plays(deal: Deal, seat: int) -> int:
    return 4 - len(deal.hands[seat])


def test_counts() -> None:
    view, _ = read_position(POSITION)
    counts = ADVISOR.advise(view, Limit(samples=8)).counts.to_json()
    assert counts["seen"] == 1 + 1 + 3 + 3  # the centre's card, the bottom, plays, the hand
    assert (counts["jacks_seen"], counts["jacks_left"]) == (1, 3)
    assert (counts["two_of_clubs"], counts["ten_of_diamonds"]) == ("seen", "unseen")
    assert counts["left"]["9"] == 2  # type: ignore[index]
    assert counts["pile"] == 7
    assert counts["bottom"] == {"card": "KD", "seat": 1}


def test_a_pisti_is_taken_and_said() -> None:
    advice = ADVISOR.advise(read_position(SINGLE)[0], Limit(samples=200))
    assert str(advice.best) == "QH"
    assert advice.why[0] == "It makes a pişti: 10 points."
    assert advice.moves[0].points > advice.moves[1].points + 8
    assert Advisor("tr").advise(read_position(SINGLE)[0], Limit(samples=9)).why[0] == (
        "Pişti yapar: 10 puan."
    )


def test_moves_are_sorted_and_errors_shrink() -> None:
    deal = a_deal(RULES[0], 3, 12)
    few = ADVISOR.advise(deal.view(deal.turn), Limit(samples=50))
    many = ADVISOR.advise(deal.view(deal.turn), Limit(samples=800))
    for advice in (few, many):
        points = [move.points for move in advice.moves]
        assert points == sorted(points, reverse=True)
        assert all(0 <= move.win <= 1 for move in advice.moves)
    assert many.moves[0].stderr < few.moves[0].stderr / 2


def test_what_cannot_be_advised() -> None:
    rules = RULES[0]
    deal = a_deal(rules, 1, 3)
    with pytest.raises(AdviceError, match="not the turn of player 1"):
        ADVISOR.advise(deal.view(1 - deal.turn))
    with pytest.raises(AdviceError, match="over"):
        ADVISOR.advise(a_deal(rules, 1, rules.plays).view(0))
    watched = Deal.watched(rules, 1, centre=deal.setup.centre)
    with pytest.raises(AdviceError, match="hand of player 1; 4"):
        ADVISOR.advise(View.of(watched, 0))
    with pytest.raises(AdviceError, match="limit"):
        Limit(time=0.0)
    with pytest.raises(AdviceError, match="limit"):
        Limit(samples=0)


def test_no_win_is_certain_before_the_end_and_totals_count() -> None:
    deal = a_deal(RULES[0], 4, 10)
    ahead = ADVISOR.advise(View.of(deal, deal.turn, _totals(deal.turn, 140, 20)), Limit(samples=64))
    behind = ADVISOR.advise(
        View.of(deal, deal.turn, _totals(deal.turn, 20, 140)), Limit(samples=64)
    )
    assert ahead.moves[0].win > 0.9 > 0.1 > behind.moves[0].win


def _totals(seat: int, ours: int, theirs: int) -> tuple[int, int]:
    return (ours, theirs) if seat == 0 else (theirs, ours)


@pytest.mark.parametrize("players", [3, 5])
def test_the_chances_of_many_sides_to_win_add_up(players: int) -> None:
    from advisor.search.winning import win_chance

    rules = RuleSet.classic(players=players)
    totals = np.random.default_rng(1).integers(0, 120, (20, players))
    chances = sum(win_chance(rules, side, totals) for side in range(players))
    assert np.allclose(chances, 1.0, atol=0.1)


POSITION = json.dumps(
    {
        "record": {
            "format": "pisti-record/1",
            "rules": {"preset": "classic", "players": 2},
            "deals": [
                {
                    "dealer": 1,
                    "centre": ["??", "??", "??", "7S"],
                    "centre_up": 1,
                    "bottom": "KD",
                    "plays": ["3H", "4C", "9S"],
                }
            ],
        },
        "seat": 1,
        "hand": ["9H", "JS", "2C"],
    }
)
SINGLE = json.dumps(
    {
        "record": {
            "rules": {"preset": "classic", "players": 2},
            "deals": [
                {
                    "dealer": 1,
                    "centre": ["??", "??", "??", "7S"],
                    "bottom": "KD",
                    "plays": ["7H", "4C", "JD", "QD"],
                }
            ],
        },
        "seat": 0,
        "hand": ["3S", "QH"],
    }
)


def test_the_bench_tells_the_first_answer_from_the_others() -> None:
    pace = Pace(0.8, tuple(at / 1000 for at in range(1, 101)))
    assert pace.to_json() == {"first": 0.8, "count": 100, "median": 51, "p95": 96}
    said = CliRunner().invoke(group, ["bench", "advice", "--count", "2", "--json"])
    assert json.loads(said.output).keys() == pace.to_json().keys()
