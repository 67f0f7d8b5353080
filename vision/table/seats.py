"""How many play: hands reach in from where the players sit, one after the other.

With two players every second card comes from the same side, with three every third, with four every
fourth; so the sides from which hands come repeat after as many plays as there are players.
"""

from __future__ import annotations

from bisect import bisect_left, bisect_right
from collections.abc import Sequence
from itertools import pairwise
from typing import Final

import numpy as np
from numpy.typing import NDArray

from vision.table.closeups import Closeup

#: A hand reaches in from so many seconds before its card lies, and is seen so long after.
_BEFORE: Final = 0.9
_AFTER: Final = 0.5
#: So much alike must the sides be after as many plays as there are players, and so much more alike
#: than after another number of plays.
_ALIKE: Final = 0.3
_CLEARLY: Final = 0.25
#: So few plays in all tell nothing.
_FEWEST: Final = 12


def sides(seen: Sequence[Closeup], times: Sequence[float]) -> NDArray[np.float64]:
    """Return (n, 2) to which side (right, down) of the pile the hand was that played each card.

    Each is of length 1, or 0 where nothing moved.

    Args:
        seen: the close-ups, in the order of time.
        times: when each card came to lie on the pile, in seconds, in their order.
    """
    at = [one.time for one in seen]
    sums = np.cumsum([(0.0, 0.0), *(one.pull for one in seen)], axis=0)
    middles = [-np.inf, *((a + b) / 2 for a, b in pairwise(times)), np.inf]
    found = np.zeros((len(times), 2))
    for number, time in enumerate(times):
        begin = max(time - _BEFORE, middles[number])
        end = min(time + _AFTER, middles[number + 1])
        found[number] = sums[bisect_right(at, end)] - sums[bisect_left(at, begin)]
    lengths = np.linalg.norm(found, axis=1, keepdims=True)
    return np.asarray(found / np.maximum(lengths, 1e-9), np.float64)


def repeats(ways: NDArray[np.float64], after: int) -> float:
    """Return how much alike *ways* (n, 2) are to those *after* so many places, about -1 to 1."""
    centred = ways - ways.mean(axis=0)
    spread = float((centred**2).sum(axis=1).mean())
    return float((centred[after:] * centred[:-after]).sum(axis=1).mean()) / max(spread, 1e-9)


def count_players(
    seen: Sequence[Closeup], times: Sequence[Sequence[float]], numbers: Sequence[int]
) -> int | None:
    """Return how many play; None where that cannot be told.

    Args:
        seen: the close-ups, in the order of time.
        times: of each deal, when each card came to lie on the pile, in seconds.
        numbers: how many it may be.
    """
    deals = [sides(seen, some) for some in times if len(some) >= _FEWEST]
    if not deals:
        return None
    shares = np.array([len(ways) for ways in deals]) / sum(len(ways) for ways in deals)
    alike = {
        number: float(shares @ [repeats(ways, number) for ways in deals]) for number in numbers
    }
    for number in sorted(numbers):
        # After twice as many plays as there are players the sides are the same again.
        rivals = [alike[other] for other in numbers if other % number]
        if alike[number] >= max(_ALIKE, *(rival + _CLEARLY for rival in rivals)):
            return number
    return None
