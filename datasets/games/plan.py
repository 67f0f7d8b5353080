"""Who moves what, and when: what the choreography of a recorded game is made of.

The table is a sequence of states that hold until the next one; hands and the cards they carry are
tracks between them. Positions are table centimetres, the pile in the middle at (0, 0).
"""

from __future__ import annotations

from bisect import bisect_right
from dataclasses import dataclass, field
from math import atan2, cos, degrees, radians, sin
from typing import Final

#: Where the stock lies.
STOCK: Final = (-17.0, 1.5)
#: How far from the pile captured cards are, as a share of the way to the edge of the picture, and
#: how far to the side.
_HEAP_AT: Final = 0.62
_ASIDE: Final = 9.0


@dataclass(frozen=True, slots=True)
class Lying:
    """A card on the table: `Card.index` or `BACK`, its place and turn (degrees)."""

    face: int
    x: float
    y: float
    angle: float


@dataclass(frozen=True, slots=True)
class Heap:
    """The captured cards of a seat: how many, and the cards that mark its piştis."""

    count: int = 0
    markers: tuple[int, ...] = ()


@dataclass(frozen=True, slots=True)
class State:
    """What lies on the table.

    Attributes:
        pile: the cards of the pile, lowest first.
        stock: cards in the stock.
        bottom: the shown bottom card, None when hidden or gone.
        heaps: captured cards by seat.
        shown: cards that lie face up before a seat.
    """

    pile: tuple[Lying, ...]
    stock: int
    bottom: int | None
    heaps: tuple[Heap, ...]
    shown: tuple[Lying, ...] = ()


@dataclass(frozen=True, slots=True)
class Key:
    """Where a hand is at a time; *z* is its height."""

    t: float
    x: float
    y: float
    z: float


@dataclass(frozen=True, slots=True)
class Carried:
    """A card that moves with a hand from *start* to *end*; it lies at *card* when it is at *at*."""

    card: Lying
    at: float
    start: float
    end: float


@dataclass(frozen=True, slots=True)
class Track:
    """A movement: a hand of *seat* (None for a card that glides) along *keys*."""

    seat: int | None
    keys: tuple[Key, ...]
    carried: tuple[Carried, ...] = ()

    def place(self, t: float) -> tuple[float, float, float]:
        """Return (x, y, z) at *t*, held before the first and after the last key."""
        keys = self.keys
        at = bisect_right([key.t for key in keys], t)
        if at == 0 or at == len(keys):
            key = keys[min(at, len(keys) - 1)]
            return key.x, key.y, key.z
        a, b = keys[at - 1], keys[at]
        u = (t - a.t) / max(b.t - a.t, 1e-6)
        u = u * u * (3 - 2 * u)
        return a.x + u * (b.x - a.x), a.y + u * (b.y - a.y), a.z + u * (b.z - a.z)


@dataclass
class Plan:
    """A whole recording.

    Attributes:
        states: (time, state), in order.
        tracks: all movements.
        plays: when each card of each deal touched the pile.
        duration: seconds.
    """

    states: list[tuple[float, State]] = field(default_factory=list)
    tracks: list[Track] = field(default_factory=list)
    plays: list[list[float]] = field(default_factory=list)
    duration: float = 0.0


def seat_way(seat: int, players: int) -> tuple[float, float]:
    """Return the direction of *seat* from the pile; seats run anticlockwise, 0 is near."""
    angle = radians(-90 + 360 * seat / players)
    return cos(angle), sin(angle)


def heap_place(way: tuple[float, float], edge: float) -> tuple[float, float]:
    """Return where the captured cards lie of a seat in direction *way*, *edge* from the border."""
    far = edge * _HEAP_AT
    return way[0] * far - way[1] * _ASIDE, way[1] * far + way[0] * _ASIDE


def facing(way: tuple[float, float]) -> float:
    """Return the turn of a card that stands upright for the seat in direction *way*."""
    return degrees(atan2(-way[1], -way[0])) - 90
