"""What is learned of opponents from hands that are over."""

import numpy as np
import pytest

from advisor import Advisor, Limit, OpponentMemory
from advisor.arena.match import duel, play, shuffled
from advisor.arena.players import Player
from advisor.policies.linear import FEATURES, HOLDS
from advisor.policies.networks import networks_of
from advisor.policies.rows import ANSWERS, NAMED, read_row, row_of
from advisor.policies.thumb import NAMES
from advisor.policies.value import WEIGHTS
from advisor.search.pool import POOL, POOL_NAMES, chances, models_of
from engine import Deal, RuleSet
from engine.cards import deck

RULES = RuleSet.classic(players=2)
CARDS = deck(1)


def deals_between(first: str, second: str, count: int) -> list[Deal]:
    """Return deals that these players played to the end."""
    plays = np.zeros((count, RULES.plays), np.int64)
    play(RULES, [Player.parse(first), Player.parse(second)], count, 5, record=plays)
    deals = []
    for state, cards in zip(shuffled(RULES, count, 5), plays, strict=True):
        order = [CARDS[index] for index in state["cards"][:52]]
        deal = Deal.from_order(RULES, int(state["dealer"]), order)
        for index in cards:
            deal.push(CARDS[index])
        deals.append(deal)
    return deals


@pytest.mark.parametrize("name", ["greedy", "hunter", "counting", "tips"])
def test_it_finds_out_who_plays(name: str) -> None:
    memory = OpponentMemory()
    for deal in deals_between("random", name, 3):
        memory.remember(deal, 0)
    view = Deal.shuffled(RULES, 1, 9).view(0)
    found = chances(2, memory.evidence(view))[1]
    assert np.argmax(found) == POOL_NAMES.index(name)
    assert found.max() > 0.9
    assert np.allclose(found.sum(), 1.0)


def test_what_is_seen_in_this_deal_counts_too() -> None:
    deal = deals_between("random", "greedy", 1)[0]
    for _ in range(10):
        deal.pop()
    memory = OpponentMemory()
    found = chances(2, memory.evidence(deal.view(0)))[1]
    assert not np.allclose(found, chances(2)[1])
    advice = Advisor().advise(deal.view(deal.turn), Limit(samples=20), memory)
    assert advice.best in deal.hands[deal.turn]


def test_the_rows_of_the_rules_of_thumb_play_like_them() -> None:
    for name in ("greedy", "hunter", "counting", "tips"):
        row, thumb = Player.parse(f"row-{name}"), Player.parse(name)
        assert abs(duel(RULES, row, thumb, 4000, 3).mean()) < 0.5
    assert set(NAMES) <= set(NAMED)


def test_hypergeometric_odds() -> None:
    assert HOLDS[10, 3, 4] == pytest.approx(1 - 35 / 210)
    assert HOLDS[4, 4, 1] == 1
    assert HOLDS[40, 0, 4] == 0
    assert len(FEATURES) == 32


@pytest.mark.parametrize("line", ["classic", "classic players=2", "classic players=3"])
def test_every_player_of_the_pool_has_an_answer_and_a_network(line: str) -> None:
    rules = RuleSet.parse(line)
    models, networks = models_of(rules), networks_of(rules)
    assert models.rows.shape[1] == len(FEATURES) + 2
    assert len(models.answers) == len(POOL)
    assert models.answers.max() < len(models.rows)
    assert networks.shape in ((len(POOL), WEIGHTS), (0, 0))
    assert (len(networks) > 0) == (rules.sides == 2)


def test_answers_do_better_than_the_tuned_player() -> None:
    tuned = Player.parse("row-tuned")
    gains = []
    for name in ANSWERS:
        other, answer = Player.parse(name), Player.parse(f"row-against-{name}")
        gains.append(duel(RULES, answer, other, 8000, 7) - duel(RULES, tuned, other, 8000, 7))
    # Each is as good within what luck leaves open; all together are clearly better.
    assert min(gain.mean() for gain in gains) > -0.2
    assert np.mean(gains) > 0.2


def test_rows_read_back() -> None:
    import json

    row = row_of(match=2, lay_risk=-1.5)
    names = (*FEATURES, "noise", "error")
    text = json.dumps(dict(zip(names, row.tolist(), strict=True)))
    assert (read_row(text) == row).all()
