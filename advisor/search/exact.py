"""The end of a deal with all cards known: the best play by exhaustive search."""

from __future__ import annotations

from collections.abc import Callable
from functools import cache
from typing import Any

import numpy as np
import numpy.typing as npt

from advisor.search.worlds import Position
from engine.kernel.compiling import compiled, inlined
from engine.kernel.layout import Rules, whole
from engine.kernel.stepping import push, side_points

#: A deal of two sides has at most so many plays in its last hand deal that are searched out.
MOST_PLAYS = 8


@inlined
def is_known(rules: Rules, position: Position, left: int) -> bool:
    """Whether the seat of *position* can tell every card, with *left* plays of two sides left.

    It can where the unseen cards all lie in one hand.
    """
    if rules.sides != 2 or left > MOST_PLAYS:
        return False
    for seat in range(rules.players):
        hidden = position.sizes[seat] - position.known[seat]
        if hidden == len(position.unseen):
            return True
    return False


@inlined
def best_gain(rules: Rules, stack: Any, places: Any, bounds: Any, points: Any) -> float:
    """Return what side 0 gains on side 1 in the whole deal under best play by both.

    Depth first with bounds (alpha-beta), on a stack of positions instead of calls.

    Args:
        rules: rules of two sides.
        stack: `MOST_PLAYS` + 2 states; the position is the first.
        places: room for as many whole numbers.
        bounds: room for as many rows of three numbers.
        points: room for two numbers.
    """
    depth = 0
    places[0] = 0
    bounds[0, 0] = -1e9
    bounds[0, 1] = 1e9
    value = 0.0
    back = False
    while True:
        state = stack[depth]
        if not back and state.left == 0:
            side_points(rules, state, points)
            value = points[0] - points[1]
            back = True
        if back:
            # *value* is that of the position below; it is a choice of the side on turn above.
            if depth == 0:
                return value
            depth -= 1
            above = stack[depth]
            if whole(above.turn) % 2 == 0:
                bounds[depth, 2] = max(bounds[depth, 2], value)
                bounds[depth, 0] = max(bounds[depth, 0], value)
            else:
                bounds[depth, 2] = min(bounds[depth, 2], value)
                bounds[depth, 1] = min(bounds[depth, 1], value)
            places[depth] += 1
            back = False
            if places[depth] >= above.held or bounds[depth, 0] >= bounds[depth, 1]:
                value = bounds[depth, 2]
                back = True
            continue
        if places[depth] == 0:
            bounds[depth, 2] = -1e9 if whole(state.turn) % 2 == 0 else 1e9
        stack[depth + 1] = state
        push(rules, stack[depth + 1], places[depth])
        depth += 1
        places[depth] = 0
        bounds[depth, 0] = bounds[depth - 1, 0]
        bounds[depth, 1] = bounds[depth - 1, 1]


def _solve(rules: Rules, states: Any, stack: Any, gains: Any) -> None:
    """Fill *gains* (state × card of the hand on turn) with what its side gains by each card."""
    places = np.empty(len(stack), np.int64)
    bounds = np.empty((len(stack), 3))
    points = np.empty(2)
    for number in range(len(states)):
        sign = 1.0 if whole(states[number].turn) % 2 == 0 else -1.0
        for place in range(states[number].held):
            stack[0] = states[number]
            push(rules, stack[0], place)
            gains[number, place] = sign * best_gain(rules, stack, places, bounds, points)


@cache
def solve() -> Callable[[Rules, Any, Any, npt.NDArray[np.float64]], None]:
    """Return the machine code of `_solve`."""
    return compiled(_solve, parts=(push,))
