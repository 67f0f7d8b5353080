"""Where the pile lies."""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass
from typing import Final

import numpy as np
from numpy.typing import NDArray

from vision.sightings import Sighting
from vision.table.move import Move

#: Cards nearer to each other than this, in card lengths, lie on one place.
_ONE_PLACE: Final = 0.6
#: A pile this far from the middle of the picture, in its heights, is half as likely.
_OFF_MIDDLE: Final = 0.35

#: Radius of a pile's zone in card lengths: cards are laid sloppily, but not that far off.
REACH: Final = 1.2


@dataclass(frozen=True, slots=True)
class PileZone:
    """The place of the pile in the picture.

    Attributes:
        centre: (x, y) pixels.
        radius: pixels; a sighting whose middle is nearer belongs to the pile.
    """

    centre: tuple[float, float]
    radius: float

    def moved(self, move: Move) -> PileZone:
        """Return where the zone is seen after the picture's *move*."""
        return PileZone(move.place(self.centre), self.radius * move.zoom)

    def holds(self, sighting: Sighting) -> bool:
        """Whether *sighting* lies on the pile."""
        x, y = middle(sighting)
        return bool(np.hypot(x - self.centre[0], y - self.centre[1]) <= self.radius)


def middle(sighting: Sighting) -> tuple[float, float]:
    """Return the middle of the sighting's box, in pixels."""
    left, top, right, bottom = (float(value) for value in sighting.box)
    return (left + right) / 2, (top + bottom) / 2


def find_pile(
    frames: Sequence[Sequence[Sighting]],
    *,
    sure: float = 0.6,
    reach: float = REACH,
    enough: int = 1,
    size: tuple[int, int] | None = None,
) -> PileZone | None:
    """Return the zone in which the most different cards lay on one place; None when none did.

    The pile is the one place of a table where card after card lies: a stock's bottom card, a marker
    card or the score sheet show the same for ever, and cards that lie side by side, as a hand that
    is shown, have a place each and are seen together, and on the pile later on. A camera is rather
    set up to have the pile in the middle.

    Args:
        frames: the sightings of each frame, in the order of time.
        sure: confidence above which a sighting counts.
        reach: radius of the zone, in card lengths.
        enough: how many different cards it takes at least.
        size: (width, height) of the pictures, where they show all of the table.
    """
    shown = [
        [one for one in sightings if one.face_up and one.confidence >= sure] for sightings in frames
    ]
    places = [np.array([middle(one) for one in some]).reshape(-1, 2) for some in shown]
    points = np.concatenate([*places, np.zeros((0, 2))])
    if not len(points):
        return None
    names = np.array([one.card.index for some in shown for one in some])
    sizes = [card_length(one.quad) for some in shown for one in some if one.whole]
    length = float(np.median(sizes)) if sizes else _spread(points)
    # One place for each card: where it rested, which is where it was seen most.
    rests = [np.median(points[names == card], axis=0) for card in np.unique(names)]
    best: dict[int, NDArray[np.float64]] = {}
    most = 0.0
    for rest in rests:
        lay, worth = _laid(rest, shown, places, length, leaves=size is not None)
        if size is not None:
            far = float(np.hypot(rest[0] - size[0] / 2, rest[1] - size[1] / 2)) / size[1]
            worth /= 1 + (far / _OFF_MIDDLE) ** 2
        if worth > most:
            best, most = lay, worth
    if len(best) < enough:
        return None
    x, y = np.mean(list(best.values()), axis=0)
    return PileZone((float(x), float(y)), reach * length)


def _laid(
    rest: NDArray[np.float64],
    shown: Sequence[Sequence[Sighting]],
    places: Sequence[NDArray[np.float64]],
    length: float,
    *,
    leaves: bool,
) -> tuple[dict[int, NDArray[np.float64]], float]:
    """Return the cards that lay at *rest*, with their places, and how many they count for.

    With *leaves* a card that is seen elsewhere later on does not count: not so in close-ups, which
    show how a captured pile is swept away. One that was never seen without others beside it counts
    for a part.
    """
    lay: dict[int, NDArray[np.float64]] = {}
    worth: dict[int, float] = {}
    for some, place in zip(shown, places, strict=True):
        if not len(some):
            continue
        far = np.linalg.norm(place - rest, axis=1)
        nearest = int(far.argmin())
        for one, distance in zip(some, far, strict=True):
            if leaves and distance > 2 * _ONE_PLACE * length:
                lay.pop(one.card.index, None)
        if far[nearest] < _ONE_PLACE * length:
            card = some[nearest].card.index
            beside = sum(one.whole for one in np.array(some, object)[far < 2 * length]) - 1
            lay[card] = place[nearest]
            worth[card] = max(worth.get(card, 0.0), 1 / (1 + max(0, beside)))
    return lay, sum(worth[card] for card in lay)


def card_length(quad: NDArray[np.float32]) -> float:
    """Return the longest side of a card's quad, in pixels."""
    return float(np.linalg.norm(quad - np.roll(quad, 1, axis=0), axis=1).max())


def _spread(places: NDArray[np.float64]) -> float:
    """Return a length to tell places apart by, where no whole card was seen."""
    return float(np.median(np.abs(places - np.median(places, axis=0)))) * 3 + 1


def overlap(first: NDArray[np.float32], second: NDArray[np.float32]) -> float:
    """Return the intersection over union of two boxes (left, top, right, bottom)."""
    low, high = np.maximum(first[:2], second[:2]), np.minimum(first[2:], second[2:])
    inside = float(np.prod(np.maximum(high - low, 0)))
    areas = [float(np.prod(box[2:] - box[:2])) for box in (first, second)]
    return inside / max(sum(areas) - inside, 1e-9)
