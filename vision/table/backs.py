"""The card that lies face down on the pile's place, with which a pişti is claimed."""

from __future__ import annotations

from collections.abc import Sequence
from typing import Final

import numpy as np
from numpy.typing import NDArray

from vision.sightings import Sighting
from vision.table.pile import PileZone, overlap

#: Boxes that overlap this much are of the same card.
_SAME: Final = 0.6
#: Seconds that it may be hidden and still be the same card.
_HIDDEN: Final = 1.5
#: That a face is up is doubted by less than this as a rule; what a greater doubt is worth.
_DOUBT: Final = 0.08
_MEANS: Final = 2.5
_MOST: Final = 0.8


class BackWatcher:
    """Follows cards that lie face down on the pile's place, whatever shows beside them.

    Args:
        zone: where the pile lies.
    """

    def __init__(self, zone: PileZone) -> None:
        self._zone = zone
        self._tracks: list[tuple[NDArray[np.float32], float, float]] = []

    def look(self, time: float, sightings: Sequence[Sighting]) -> tuple[float, float]:
        """Return how sure it is that such a card lies there, and for how many seconds it has.

        That is the one which came last; (0, 0) where there is none.
        """
        found = [(0.0, 0.0)]
        kept = [track for track in self._tracks if time - track[2] <= _HIDDEN]
        for sighting in sightings:
            sure = _lies(sighting)
            if sure == 0 or not self._zone.holds(sighting):
                continue
            same = [track for track in kept if overlap(track[0], sighting.box) > _SAME]
            begun = min((track[1] for track in same), default=time)
            kept = [track for track in kept if not any(track is other for other in same)]
            kept.append((sighting.box, begun, time))
            found.append((sure, time - begun))
        self._tracks = kept
        return min(found[1:], key=lambda one: (one[1], -one[0]), default=found[0])


def _lies(sighting: Sighting) -> float:
    """Return how sure it is that *sighting* is of a card that lies face down, 0 to 1.

    A corner that shows beside a back is easily taken for its own: then the card is named after that
    corner, but it is far from certain that its face is up.
    """
    if not sighting.whole:
        return 0.0
    if not sighting.face_up:
        return sighting.certainty
    doubt = 1 - sighting.certainty
    return 0.0 if doubt < _DOUBT else min(_MOST, _MEANS * doubt)
