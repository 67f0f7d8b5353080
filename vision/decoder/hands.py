"""From which side hands reached for the pile: it tells who played, and that somebody did."""

from __future__ import annotations

from bisect import bisect_left, bisect_right
from collections.abc import Sequence
from typing import Final

import numpy as np
from numpy.typing import NDArray

#: A hand reaches in from so many seconds before its card lies, and is seen so long after.
BEFORE: Final = 0.9
AFTER: Final = 0.3
#: Standard deviation of the side from which a player's hands come, in radians.
_SPREAD: Final = np.radians(22)
#: Chance that what moved was something else; the log-probability where nothing moved at all.
_OTHER: Final = 0.08
_STILL: Final = -6.0
#: Movement that may be noise, as a share of a play's.
_NOISE: Final = 0.03
#: A visit of a hand is movement on the side of one player, up to this angle off, in radians, with
#: no other player's in between; with less movement than this share of a play's it is none.
_BESIDE: Final = np.radians(45)
_VISIT: Final = 0.25
_LEAST: Final = 0.01
#: Seconds after which more movement on the same side is another visit.
_APART: Final = 6.0
#: A visit that is over so many seconds before a card lies did not bring it.
_OVER: Final = 0.8
#: A hand that comes mostly plays: this is added to a play's log-probability then. It may come this
#: much before the card of the hand before it lies, in seconds.
_CAME: Final = 2.0
_EARLY: Final = 0.3
#: Log-probability of each visit in which nothing was played; while hands are dealt; of all at most.
_IDLE: Final = -5.0
_IDLE_DEALING: Final = -2.0
_MOST: Final = -40.0


class Hands:
    """Movements around the pile, and the sides where the players sit.

    Args:
        times: of the pictures, in seconds, in their order.
        pulls: (n, 2) to which side (right, down) of the pile there was movement since the picture
            before.
        seats: (players, 2) the side of each player, of length 1, in the order of play.
        usual: how much movement a play mostly makes.
    """

    def __init__(
        self,
        times: Sequence[float],
        pulls: NDArray[np.float64],
        seats: NDArray[np.float64],
        usual: float,
    ) -> None:
        self.players = len(seats)
        self._movements = Movements(times, pulls)
        self._angles = np.arctan2(seats[:, 1], seats[:, 0])
        self._usual = max(usual, 1e-6)
        visits = self._visits(times, pulls)
        self._begins = [begin for begin, _ in visits]
        self._ends = [end for _, end in visits]
        self._known: dict[tuple[float, float], list[float]] = {}

    def _off(self, way: NDArray[np.float64]) -> NDArray[np.float64]:
        """Return by what angle *way* is off the side of each player, in radians."""
        angle = np.arctan2(way[1], way[0])
        return np.asarray(np.abs((angle - self._angles + np.pi) % (2 * np.pi) - np.pi))

    def _visits(
        self, times: Sequence[float], pulls: NDArray[np.float64]
    ) -> list[tuple[float, float]]:
        """Return when hands came and went, of one player after another, in seconds."""
        moved: list[tuple[float, float, int, float]] = []
        for time, pull in zip(times, pulls, strict=True):
            size = float(np.hypot(*pull))
            off = self._off(pull)
            seat = int(off.argmin())
            if size >= _LEAST and off[seat] <= _BESIDE:
                _join(moved, (time, time, seat, size))
        visits: list[tuple[float, float, int, float]] = []
        for visit in moved:
            if visit[3] >= _VISIT * self._usual:
                _join(visits, visit)
        return [visit[:2] for visit in visits]

    def played(self, before: float, time: float) -> list[float]:
        """Return for each player how likely the movement is if he played at *time* (logarithm).

        Args:
            before: when the card before was laid, in seconds; -inf for none.
            time: seconds.
        """
        known = self._known.get((before, time))
        if known is None:
            way = self._movements.between(*reach(before, time))
            size = float(np.hypot(*way))
            off = self._off(way)
            fits = (1 - _OTHER) * np.exp(-((off / _SPREAD) ** 2) / 2) + _OTHER
            moved = size / (size + _NOISE * self._usual)
            came = _CAME if self._came(before, time) else 0.0
            known = (moved * np.log(fits) + (1 - moved) * _STILL + came).tolist()
            self._known[before, time] = known
        return known

    def _came(self, before: float, time: float) -> bool:
        """Whether a hand came between two cards."""
        at = bisect_right(self._begins, before - _EARLY)
        return at < len(self._begins) and self._begins[at] <= time

    def idle(self, before: float, time: float, *, dealt: bool) -> float:
        """Return the log-probability of the visits of hands between two cards.

        Args:
            before: when the card before was laid, in seconds.
            time: when this one was.
            dealt: whether hands were dealt in between.
        """
        count = bisect_left(self._ends, time - _OVER) - bisect_right(self._begins, before)
        return max(_MOST, max(0, count) * (_IDLE_DEALING if dealt else _IDLE))


def _join(
    visits: list[tuple[float, float, int, float]], visit: tuple[float, float, int, float]
) -> None:
    """Add *visit* (begin, end, seat, movement) to *visits*, to the last one if it goes on."""
    if visits and visits[-1][2] == visit[2] and visit[0] - visits[-1][1] < _APART:
        begin, _, seat, size = visits.pop()
        visit = begin, visit[1], seat, size + visit[3]
    visits.append(visit)


class Movements:
    """To which side of the pile there was movement, in any span of time.

    Args:
        times: of the pictures, in seconds, in their order.
        pulls: (n, 2) to which side (right, down) of the pile there was movement since the picture
            before.
    """

    def __init__(self, times: Sequence[float], pulls: NDArray[np.float64]) -> None:
        self._times = list(times)
        sizes = np.hypot(pulls[:, 0], pulls[:, 1])
        self._sizes = np.concatenate([np.zeros(1), np.cumsum(sizes)])
        self._sums = np.concatenate([np.zeros((1, 2)), np.cumsum(pulls.reshape(-1, 2), axis=0)])

    def between(self, begin: float, end: float) -> NDArray[np.float64]:
        """Return the sum of all movement from *begin* to *end*, in seconds: (right, down)."""
        first, last = bisect_left(self._times, begin), bisect_right(self._times, end)
        return np.asarray(self._sums[last] - self._sums[first], np.float64)

    def amount(self, begin: float, end: float) -> float:
        """Return how much movement there was from *begin* to *end*, to whatever side."""
        first, last = bisect_left(self._times, begin), bisect_left(self._times, end)
        return float(self._sizes[last] - self._sizes[first])


def stay(before: float, time: float, after: float) -> tuple[float, float]:
    """Return from when until when the hand that played at *time* comes and goes, in seconds."""
    return max(time - BEFORE, (before + time) / 2), min(time + BEFORE, (time + after) / 2)


def reach(before: float, time: float) -> tuple[float, float]:
    """Return when the hand is seen that played at *time*, after a play *before*, in seconds."""
    return max(time - BEFORE, (before + time) / 2), time + AFTER
