"""Two readings of one frame, at two scales, made one.

What one scale takes for a single card, another may tell apart; what both see is the surer for it.
"""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import replace
from typing import Final

import numpy as np

from vision.sightings import Sighting
from vision.table.pile import overlap

#: Boxes that overlap this much are of the same card.
_SAME: Final = 0.6


def fuse(first: Sequence[Sighting], second: Sequence[Sighting]) -> list[Sighting]:
    """Return the cards that either reading shows; of those that both show, the mean of the two."""
    left = list(first)
    fused = []
    for one in second:
        other = max(left, key=lambda known: _alike(known, one), default=None)
        if other is None or _alike(other, one) < _SAME:
            fused.append(one)
            continue
        left = [known for known in left if known is not other]
        surer = max(one, other, key=lambda sighting: sighting.confidence)
        mean = np.float32(0.5) * (one.probabilities + other.probabilities)
        fused.append(replace(surer, probabilities=mean))
    return [*left, *fused]


def _alike(one: Sighting, other: Sighting) -> float:
    if (one.face_up, one.whole) != (other.face_up, other.whole):
        return 0.0
    return overlap(one.box, other.box)
