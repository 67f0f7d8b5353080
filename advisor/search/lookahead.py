"""Looking ahead: play-outs in which the advised seat also chooses its next card.

`evaluate_part` lets a row of weights choose all later cards. Here every next card is tried too, and
the seat takes the one that does best in the worlds that then look alike to it. A world's own
result has no say in its choice, so that nothing is chosen by luck and then counted as gain.
"""

from __future__ import annotations

from collections.abc import Callable
from functools import cache
from typing import Any, Final

import numpy as np
import numpy.typing as npt

from advisor.policies.linear import heaviest
from advisor.policies.value import HIDDEN, INPUTS, value_of
from advisor.search.playouts import answer, play_on, settle, stop_at
from engine.kernel import rank_of
from engine.kernel.compiling import compiled, inlined
from engine.kernel.dealing import draw_at
from engine.kernel.layout import POINTS, Rules, whole
from engine.kernel.stepping import push, view_of
from engine.rules import HAND_SIZE

Floats = npt.NDArray[np.float64]

#: How many standard errors better than the row's card another must be to be taken.
SURE: Final = 1.0
#: Ways in which the table can look at the seat's next turn.
_LOOKS: Final = 28


@inlined
def _look(state: Any) -> int:
    """Return how the table looks: empty, or the top card's rank and whether that rank scores."""
    if state.top < 0:
        return 0
    top = whole(state.top)
    return 1 + 2 * rank_of(top) + whole(POINTS[top] > 1)


@inlined
def evaluate_ahead_part(
    rules: Rules,
    seat: int,
    answers: Any,
    rows: Any,
    worlds: Any,
    chosen: Any,
    models: Any,
    scratch: Any,
    plies: int,
    networks: Any,
    points: Any,
    next_takes: Any,
) -> None:
    """Do as `evaluate_part`, with the seat's next card chosen too; *scratch* is two states."""
    room = np.empty(HAND_SIZE)
    inputs = np.empty(INPUTS)
    units = np.empty(HIDDEN)
    side = seat % rules.sides
    following = (seat + 1) % rules.players
    total = len(chosen)
    held = whole(worlds[chosen[0]].held)
    # By world, card and next card: the points of each side; how the table looks then, and the
    # row's choice. Where the seat chooses no more in this hand deal there is one next card.
    ends = np.zeros((total, held, HAND_SIZE, rules.sides))
    looks = np.zeros((total, held), np.int64)
    usual = np.zeros((total, held), np.int64)
    for number in range(total):
        world = chosen[number]
        model = models[world, following]
        own = answers[model]
        key = worlds[world].key
        left = whole(worlds[world].left)
        stop = stop_at(rules, left, plies)
        for card in range(held):
            scratch[0] = worlds[world]
            state = scratch[0]
            push(rules, state, card)
            takes = next_takes[number, card]
            answer(rules, state, side, own, rows, models[world], key, room, stop, takes)
            again = max(stop, left - rules.players)
            play_on(rules, state, seat, own, rows, models[world], key, room, again)
            if held < 3:
                play_on(rules, state, seat, own, rows, models[world], key, room, stop)
                out = ends[number, card, 0]
                settle(rules, state, side, plies, networks[model], inputs, units, out)
                looks[number, card] = -1
                continue
            view = view_of(rules, state)
            draw = whole(draw_at(key, view.left) >> np.uint64(32))
            usual[number, card] = heaviest(rules.cards, view, draw, rows[own], room)
            looks[number, card] = _look(state)
            for second in range(view.held):
                scratch[1] = scratch[0]
                later = scratch[1]
                push(rules, later, second)
                play_on(rules, later, seat, own, rows, models[world], key, room, stop)
                out = ends[number, card, second]
                settle(rules, later, side, plies, networks[model], inputs, units, out)
    _choose(rules, side, held, ends, looks, usual, points)


@inlined
def _gain(side: int, ends: Any) -> float:
    """Return what *side* gains over the mean of the others, from points by side."""
    sides = len(ends)
    rest = 0.0
    for other in range(sides):
        rest += ends[other]
    gain: float = ends[side] - (rest - ends[side]) / (sides - 1)
    return gain


@inlined
def _choose(
    rules: Rules, side: int, held: int, ends: Any, looks: Any, usual: Any, points: Any
) -> None:
    """Write into *points* (world × card × side) the ends that the seat's next choices lead to."""
    total = len(ends)
    # By card, look, usual next card and other next card: how much better the other is, its
    # square, and their sums over worlds.
    better = np.zeros((held, _LOOKS, HAND_SIZE, HAND_SIZE))
    square = np.zeros((held, _LOOKS, HAND_SIZE, HAND_SIZE))
    for number in range(total):
        for card in range(held):
            look = looks[number, card]
            if look < 0:
                continue
            first = usual[number, card]
            base = _gain(side, ends[number, card, first])
            for second in range(held - 1):
                gain = _gain(side, ends[number, card, second]) - base
                better[card, look, first, second] += gain
                square[card, look, first, second] += gain * gain
    for number in range(total):
        for card in range(held):
            look = looks[number, card]
            best = 0
            if look >= 0:
                first = usual[number, card]
                base = _gain(side, ends[number, card, first])
                best, most = first, SURE
                for second in range(held - 1):
                    gain = _gain(side, ends[number, card, second]) - base
                    others = better[card, look, first, second] - gain
                    spread = square[card, look, first, second] - gain * gain
                    if others > 0.0 and spread > 0.0 and others > most * np.sqrt(spread):
                        best, most = second, others / np.sqrt(spread)
            for other in range(rules.sides):
                points[number, card, other] = ends[number, card, best, other]


def _evaluate(
    rules: Rules,
    seat: int,
    answers: npt.NDArray[np.int64],
    rows: Floats,
    worlds: Any,
    chosen: npt.NDArray[np.int64],
    models: npt.NDArray[np.int64],
    scratch: Any,
    plies: int,
    networks: Floats,
    points: Floats,
    next_takes: Floats,
) -> None:
    evaluate_ahead_part(
        rules,
        seat,
        answers,
        rows,
        worlds,
        chosen,
        models,
        scratch,
        plies,
        networks,
        points,
        next_takes,
    )


@cache
def evaluate() -> Callable[..., None]:
    """Return the machine code of `evaluate_ahead_part`."""
    return compiled(_evaluate, parts=(heaviest, value_of, settle, push))
