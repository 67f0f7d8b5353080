"""Proposing where things lie, from one picture of the table before the game."""

from __future__ import annotations

from collections.abc import Iterator, Sequence
from dataclasses import dataclass
from math import sqrt
from typing import Final

import numpy as np

from vision.layout import Layout, Quad, around
from vision.sightings import Sighting
from vision.table.pile import REACH, card_length, middle

#: Sides of the zones in card lengths. The circle around the pile's, which counts, is to be as large
#: as where the pile is found by itself: a larger one takes in the stock and cards on their way.
_PILE: Final = REACH * sqrt(2)
_STOCK: Final = 1.8
#: What is farther from the pile's middle than so many card lengths lies beside it.
_BESIDE: Final = 1.5
#: Share of the picture that is proposed for the table, and for the hand at one of its edges.
_TABLE: Final = 0.92
_HAND: Final = (0.6, 0.26)
#: Where no card shows, a card is taken to be this share of the picture's width.
_CARD: Final = 0.09
#: The hand's zone is to have room for a card: so many card lengths.
_ROOM: Final = 1.2
#: The middle of the picture, near which games are played.
_MIDDLE: Final = (0.5, 0.5)

_Place = tuple[float, float]
#: Left, top, right and bottom of an upright zone, as shares of the picture.
_Box = tuple[float, float, float, float]


@dataclass(frozen=True, slots=True)
class _Scale:
    """How long a card is, as a share of the picture's width and of its height."""

    across: float
    along: float

    def far(self, one: _Place, other: _Place) -> float:
        """Return how far two places are from each other, in card lengths."""
        return float(np.hypot((one[0] - other[0]) / self.across, (one[1] - other[1]) / self.along))

    def square(self, place: _Place, side: float) -> _Box:
        """Return the zone around *place* of that *side*, in card lengths."""
        (left, top), _, (right, bottom), _ = around(place, side * self.across, side * self.along)
        return left, top, right, bottom


def propose(sightings: Sequence[Sighting], size: tuple[int, int]) -> Layout:
    """Return a layout for what one picture (of *size*, width and height) shows.

    The face-up card nearest to the middle is taken for the centre's, another card or a back for
    the stock. Where nothing shows, the zones lie where they usually do; people drag them. No zone
    lies over another, except that all lie on the table.
    """
    width, height = size
    wholes = [card_length(one.quad) for one in sightings if one.whole]
    length = float(np.median(wholes)) if wholes else _CARD * width
    scale = _Scale(length / width, length / height)
    up = [_place(one, size) for one in sightings if one.face_up]
    down = [_place(one, size) for one in sightings if not one.face_up and one.whole]
    pile = _pile(up, down, scale)
    zone = scale.square(pile, _PILE)
    beside = [place for place in (*down, *up) if scale.far(place, pile) > _BESIDE]
    stock = None
    if beside:
        # Where the bottom card shows it is the stock, and no back on its way to a hand.
        shows = {one: any(scale.far(one, card) < 1 for card in up) for one in beside}
        place = min(beside, key=lambda one: (not shows[one], scale.far(one, _MIDDLE)))
        stock = _cut(scale.square(place, _STOCK), zone)
    hand = _hand([zone] if stock is None else [zone, stock], scale)
    return Layout(
        corners=around(_MIDDLE, _TABLE, _TABLE),
        pile=_quad(zone),
        stock=None if stock is None else _quad(stock),
        hand=_quad(hand),
        seats=((0.5, 1.0), (0.5, 0.0)),
    )


def _place(one: Sighting, size: tuple[int, int]) -> _Place:
    x, y = middle(one)
    return x / size[0], y / size[1]


def _pile(up: Sequence[_Place], down: Sequence[_Place], scale: _Scale) -> _Place:
    """Return where the pile lies or is to lie, given the face-up cards and the backs."""
    # A card that shows under a back is the stock's bottom card. A back in the middle is a card of
    # the centre on which none is turned up yet.
    centre = [place for place in up if all(scale.far(place, back) > 1 for back in down)]
    centre += [back for back in down if scale.far(back, _MIDDLE) < 1]
    if centre:
        return min(centre, key=lambda place: scale.far(place, _MIDDLE))
    nearest = min((*down, *up), key=lambda place: scale.far(place, _MIDDLE), default=None)
    room = (_PILE + _STOCK) / 2
    if nearest is None or (gap := scale.far(nearest, _MIDDLE)) >= room:
        return _MIDDLE
    # The stock lies close to the middle: the pile lies beyond it.
    x, y = ((at - of) / gap * room if gap else 0.0 for at, of in zip(_MIDDLE, nearest, strict=True))
    return (nearest[0] + x, nearest[1] + y) if gap else (_MIDDLE[0] + room * scale.across, 0.5)


def _cut(box: _Box, other: _Box) -> _Box:
    """Return the most of *box*, whose middle lies outside *other*, that does not lie over it."""
    return max(_parts(box, other), key=_area)


def _parts(box: _Box, other: _Box) -> Iterator[_Box]:
    """Yield the parts of *box* that lie on each side of *other*."""
    left, top, right, bottom = box
    if min(right, other[2]) <= max(left, other[0]) or min(bottom, other[3]) <= max(top, other[1]):
        yield box
        return
    yield left, top, right, min(bottom, other[1])
    yield left, max(top, other[3]), right, bottom
    yield left, top, min(right, other[0]), bottom
    yield max(left, other[2]), top, right, bottom


def _area(box: _Box) -> float:
    return max(0.0, box[2] - box[0]) * max(0.0, box[3] - box[1])


def _hand(taken: Sequence[_Box], scale: _Scale) -> _Box:
    """Return where a hand is shown: at the lower edge if there is room beside what is *taken*."""
    side, deep = (1 - _HAND[0]) / 2, 1 - _HAND[1]
    edges: list[_Box] = [
        (side, deep, 1 - side, 1.0),
        (deep, side, 1.0, 1 - side),
        (0.0, side, 1 - deep, 1 - side),
        (side, 0.0, 1 - side, 1 - deep),
    ]
    parts = []
    for edge in edges:
        part = edge
        for box in taken:
            part = _cut(part, box)
        if part[2] - part[0] >= _ROOM * scale.across and part[3] - part[1] >= _ROOM * scale.along:
            return part
        parts.append(part)
    return max(parts, key=_area)


def _quad(box: _Box) -> Quad:
    left, top, right, bottom = box
    return (left, top), (right, top), (right, bottom), (left, bottom)
