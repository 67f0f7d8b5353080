"""Who plays: hands reach in from where the players sit, one after the other.

With two players every second card comes from the same side, with three every third, with four every
fourth; so the sides from which hands come repeat after as many plays as there are players.
"""

from __future__ import annotations

from collections.abc import Sequence
from typing import Final

import numpy as np
from numpy.typing import NDArray

from vision.decoder.hands import Hands, Movements, reach, stay
from vision.table.closeups import Closeup

#: So much alike must the sides be after as many plays as there are players, and so much more alike
#: than after another number of plays.
_ALIKE: Final = 0.3
_CLEARLY: Final = 0.25
#: So few plays in all tell nothing.
_FEWEST: Final = 12
#: Hands of one player come from about one side: they differ by about this angle, in radians.
_NEAR: Final = np.radians(20)
#: Players sit at least so far apart, and this share of an even number of plays is each one's.
_APART: Final = np.radians(30)
_SHARE: Final = 0.5
#: So often at least must the next play come from the next seat.
_IN_TURN: Final = 0.6


def sides(seen: Sequence[Closeup], times: Sequence[float]) -> NDArray[np.float64]:
    """Return (n, 2) to which side (right, down) of the pile the hand was that played each card.

    Each is of length 1, or 0 where nothing moved.

    Args:
        seen: the close-ups, in the order of time.
        times: when each card came to lie on the pile, in seconds, in their order.
    """
    movements = Movements([one.time for one in seen], _pulls(seen))
    # Of a deal of which nothing but the centre was seen there are no times.
    before = [-np.inf, *times][: len(times)]
    spans = [reach(last, time) for last, time in zip(before, times, strict=True)]
    found = np.array([movements.between(*span) for span in spans]).reshape(-1, 2)
    lengths = np.linalg.norm(found, axis=1, keepdims=True)
    return np.asarray(found / np.maximum(lengths, 1e-9), np.float64)


def _pulls(seen: Sequence[Closeup]) -> NDArray[np.float64]:
    return np.array([one.pull for one in seen], float).reshape(-1, 2)


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


def find_hands(
    seen: Sequence[Closeup], times: Sequence[Sequence[float]], players: int
) -> Hands | None:
    """Return where the hands of each player come from; None where that is not clear.

    Args:
        seen: the close-ups, in the order of time.
        times: of each deal, when each card came to lie on the pile, in seconds; some may be wrong.
        players: how many play.
    """
    ways = [sides(seen, some) for some in times]
    moved = np.concatenate([*ways, np.zeros((0, 2))])
    moved = moved[np.linalg.norm(moved, axis=1) > 0]
    if len(moved) < _FEWEST:
        return None
    seats = _gathered(moved, players)
    if seats is None:
        return None
    # Anticlockwise round the table: in a picture, downwards is to the right of rightwards.
    seats = seats[np.argsort(-np.arctan2(seats[:, 1], seats[:, 0]))]
    turns = [np.diff(np.argmax(some @ seats.T, axis=1)) % players for some in ways]
    steps = np.concatenate(turns)
    if not len(steps):
        return None
    onwards, backwards = float((steps == 1).mean()), float((steps == players - 1).mean())
    if max(onwards, backwards) < _IN_TURN:
        return None
    if backwards > onwards:
        seats = seats[::-1]
    when = [one.time for one in seen]
    movements = Movements(when, _pulls(seen))
    amounts = [
        movements.amount(*stay(*three))
        for some in times
        for three in zip([-np.inf, *some], some, [*some[1:], np.inf], strict=False)
    ]
    return Hands(when, _pulls(seen), seats, float(np.median(amounts)))


def _gathered(ways: NDArray[np.float64], players: int) -> NDArray[np.float64] | None:
    """Return (players, 2) the sides from which most of the *ways* (n, 2) come; None for fewer."""
    angles = np.arctan2(ways[:, 1], ways[:, 0])
    apart = np.abs((angles[:, None] - angles[None] + np.pi) % (2 * np.pi) - np.pi)
    near = np.exp(-((apart / _NEAR) ** 2) / 2)
    left = np.ones(len(ways))
    seats = []
    for _ in range(players):
        # The densest of what is left, without those around it.
        densest = int((near @ left * left).argmax())
        own = near[densest] * left
        if own.sum() < _SHARE * len(ways) / players:
            return None
        seats.append(own @ ways)
        left = left * (apart[densest] > _APART)
    found = np.array(seats)
    return np.asarray(found / np.linalg.norm(found, axis=1, keepdims=True), np.float64)
