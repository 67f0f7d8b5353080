"""Stepping card by card comes to the same as playing whole batches."""

from typing import Any

import numpy as np

from engine import RuleSet, kernel
from engine.kernel.compiling import compiled
from engine.kernel.dealing import draw_at, set_keys
from engine.kernel.layout import Rules, whole
from engine.kernel.stepping import push, side_points, view_of
from tests.engine.test_kernel import mingling

RULES = [
    RuleSet.classic(players=2),
    RuleSet.modern(centre_seen_by="all", jack_on_single=10, ten_of_diamonds_bonus=3),
    RuleSet.classic(players=3, no_capture_at_all="nobody", double_pisti=0),
    RuleSet.classic(centre_seen_by="nobody"),
    RuleSet.modern(players=6),
]


def _step(rules: Rules, states: Any, points: Any, plays: Any) -> None:
    for number in range(len(states)):
        state = states[number]
        at = 0
        while state.left > 0:
            view = view_of(rules, state)
            draw = whole(draw_at(state.key, view.left) >> np.uint64(32))
            place = _policy(view, draw)
            plays[number, at] = (view.hand >> (8 * place)) & 255
            at += 1
            push(rules, state, place)
        side_points(rules, state, points[number])


def _policy(view: kernel.SeatView, draw: int) -> int:
    raise NotImplementedError


def test_stepping_plays_as_the_batches_do() -> None:
    from engine.kernel.compiling import inlined

    step = compiled(_step, parts=(mingling,), _policy=inlined(mingling))
    for number, rules in enumerate(RULES):
        compiled_rules = Rules.of(rules)
        count = 400
        states = kernel.from_orders(rules, orders(rules, count, number), 1)
        batch = kernel.play_states(rules, mingling, states, number, record=True)
        set_keys(states, np.uint64(number), 0)
        points = np.zeros((count, rules.sides), np.int64)
        plays = np.zeros((count, rules.plays), np.int64)
        step(compiled_rules, states, points, plays)
        assert batch.plays is not None
        assert (plays == batch.plays).all(), rules
        assert (points == batch.points).all(), rules


def orders(rules: RuleSet, count: int, seed: int) -> list[list[int]]:
    rng = np.random.default_rng(seed)
    return [rng.permutation(rules.cards).tolist() for _ in range(count)]
