"""The last hand deal with all cards known: equal to brute force, and said to be exact."""

import random
from collections.abc import Iterator

import numpy as np
import pytest

from advisor import Advisor, Limit
from advisor.search.exact import MOST_PLAYS, solve
from engine import Deal, RuleSet
from engine.kernel import from_deal
from engine.kernel.layout import STATE, Rules
from engine.scoring import CARD_POINTS

RULES = [
    RuleSet.classic(players=2, centre_seen_by="all"),
    RuleSet.modern(centre_seen_by="all", jack_on_single=10, ten_of_diamonds_bonus=3),
    RuleSet.classic(players=2, double_pisti=0, no_capture_at_all="nobody"),
    RuleSet.classic(players=2),
]


def gain_at_the_end(deal: Deal) -> int:
    """Return what side 0 gains on side 1 in *deal*, which is over."""
    points = [sum(play.bonus for play in deal.history if play.seat == side) for side in (0, 1)]
    counts = [sum(map(len, piles)) for piles in deal.taken]
    for side, piles in enumerate(deal.taken):
        points[side] += sum(CARD_POINTS.get(card, 0) for pile in piles for card in pile)
    if counts[0] != counts[1]:
        points[counts[1] > counts[0]] += deal.rules.majority_points
    return points[0] - points[1]


def brute_force(deal: Deal) -> int:
    """Return what side 0 gains under best play, by looking at every line."""
    if deal.is_over:
        return gain_at_the_end(deal)
    results = []
    turn = deal.turn
    for card in deal.legal_cards():
        deal.push(card)
        results.append(brute_force(deal))
        deal.pop()
    return max(results) if turn == 0 else min(results)


def positions(count: int) -> Iterator[tuple[RuleSet, Deal]]:
    rng = random.Random(5)
    for number in range(count):
        rules = RULES[number % len(RULES)]
        deal = Deal.shuffled(rules, number % 2, number)
        left = 1 + min(rng.randrange(MOST_PLAYS), rng.randrange(MOST_PLAYS))
        while deal.plays_left > left:
            # Mostly captures, so that piles are of all sizes.
            taking = [
                card for card in deal.legal_cards() if deal.top and card.rank is deal.top.rank
            ]
            deal.push(rng.choice(taking or deal.legal_cards()))
        yield rules, deal


def test_equal_to_brute_force_in_2000_positions() -> None:
    stack = np.zeros(MOST_PLAYS + 2, STATE)
    for rules, deal in positions(2000):
        gains = np.zeros((1, 4))
        solve()(Rules.of(rules), from_deal(deal), stack, gains)
        turn = deal.turn
        sign = 1 if turn == 0 else -1
        for place, card in enumerate(deal.legal_cards()):
            deal.push(card)
            assert gains[0, place] == sign * brute_force(deal), deal
            deal.pop()


@pytest.mark.parametrize("rules", RULES[:2], ids=str)
def test_advice_with_all_cards_known_is_exact(rules: RuleSet) -> None:
    rng = random.Random(1)
    for seed in range(4):
        deal = Deal.shuffled(rules, 1, seed)
        while deal.plays_left > 7 - seed:
            deal.push(rng.choice(deal.legal_cards()))
        advice = Advisor().advise(deal.view(deal.turn), Limit(samples=50, seed=seed))
        assert advice.exact
        for move in advice.moves:
            assert move.stderr == 0
            deal.push(move.card)
            sign = 1 if deal.history[-1].seat == 0 else -1
            assert move.points == sign * brute_force(deal)
            deal.pop()


def test_advice_with_cards_unknown_is_not_exact() -> None:
    deal = Deal.shuffled(RULES[3], 1, 2)
    deal.push(deal.legal_cards()[0])
    assert not Advisor().advise(deal.view(1), Limit(samples=8)).exact
