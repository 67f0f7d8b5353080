"""Where the pile lies."""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass

import numpy as np
from numpy.typing import NDArray

from vision.sightings import Sighting


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
    frames: Sequence[Sequence[Sighting]], *, sure: float = 0.6, reach: float = 1.2
) -> PileZone | None:
    """Return the zone in which the most different cards showed face up; None when none did.

    The pile is the one place of a table where card after card appears: a stock's bottom card, a
    marker card or the score sheet show the same few cards for ever.

    Args:
        frames: the sightings of each frame.
        sure: confidence above which a sighting counts.
        reach: radius of the zone, in card lengths.
    """
    points, cards, sizes = [], [], []
    for sightings in frames:
        for sighting in sightings:
            if sighting.face_up and sighting.confidence >= sure:
                points.append(middle(sighting))
                cards.append(sighting.card.index)
                if sighting.whole:
                    sizes.append(card_length(sighting.quad))
    if not points:
        return None
    places = np.array(points)
    names = np.array(cards)
    length = float(np.median(sizes)) if sizes else _spread(places)
    # One place for each card: where it rested, which is where it was seen most.
    rests = np.array([np.median(places[names == card], axis=0) for card in np.unique(names)])
    crowd = [np.count_nonzero(np.linalg.norm(rests - rest, axis=1) < length) for rest in rests]
    near = rests[np.linalg.norm(rests - rests[int(np.argmax(crowd))], axis=1) < length]
    x, y = near.mean(axis=0)
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
