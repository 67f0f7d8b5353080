"""Where the pile lies."""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass
from typing import Final

import numpy as np
from numpy.typing import NDArray

from vision.sightings import Sighting

#: Cards nearer to each other than this, in card lengths, lie on one place.
_ONE_PLACE: Final = 0.6


@dataclass(frozen=True, slots=True)
class PileZone:
    """The place of the pile in the picture.

    Attributes:
        centre: (x, y) pixels.
        radius: pixels; a sighting whose middle is nearer belongs to the pile.
    """

    centre: tuple[float, float]
    radius: float

    def holds(self, sighting: Sighting) -> bool:
        """Whether *sighting* lies on the pile."""
        x, y = middle(sighting)
        return bool(np.hypot(x - self.centre[0], y - self.centre[1]) <= self.radius)


def middle(sighting: Sighting) -> tuple[float, float]:
    """Return the middle of the sighting's box, in pixels."""
    left, top, right, bottom = (float(value) for value in sighting.box)
    return (left + right) / 2, (top + bottom) / 2


def find_pile(
    frames: Sequence[Sequence[Sighting]], *, sure: float = 0.6, reach: float = 1.2, enough: int = 1
) -> PileZone | None:
    """Return the zone in which the most different cards lay on one place; None when none did.

    The pile is the one place of a table where card after card lies: a stock's bottom card, a marker
    card or the score sheet show the same for ever, and cards that lie side by side, as a hand that
    is shown, have a place each.

    Args:
        frames: the sightings of each frame.
        sure: confidence above which a sighting counts.
        reach: radius of the zone, in card lengths.
        enough: how many different cards it takes at least.
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
    for rest in rests:
        lay: dict[int, NDArray[np.float64]] = {}
        for some, place in zip(shown, places, strict=True):
            if len(some):
                far = np.linalg.norm(place - rest, axis=1)
                nearest = int(far.argmin())
                if far[nearest] < _ONE_PLACE * length:
                    lay[some[nearest].card.index] = place[nearest]
        if len(lay) > len(best):
            best = lay
    if len(best) < enough:
        return None
    x, y = np.mean(list(best.values()), axis=0)
    return PileZone((float(x), float(y)), reach * length)


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
