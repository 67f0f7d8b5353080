"""The card that lies face down on the pile's place, with which a pişti is claimed."""

from __future__ import annotations

from collections.abc import Sequence
from typing import Final, NamedTuple

import numpy as np
from numpy.typing import NDArray

from vision.sightings import Sighting
from vision.table.pile import PileZone, overlap

#: Boxes that overlap this much are of the same card.
_SAME: Final = 0.6
#: Seconds that it may be hidden and still be the same card.
_HIDDEN: Final = 1.5
#: That a face is up is doubted by less than this as a rule.
_DOUBT: Final = 0.08
#: How sure so many times a greater doubt makes that a card lies face down, and how sure at most.
_MEANS: Final = 2.5
_MOST: Final = 0.8


class _Track(NamedTuple):
    """A card that lies face down, and from when to when it was seen."""

    box: NDArray[np.float32]
    begun: float
    last: float


class BackWatcher:
    """Follows cards that lie face down on the pile's place, whatever shows beside them.

    Args:
        zone: where the pile lies.
    """

    def __init__(self, zone: PileZone) -> None:
        self._zone = zone
        self._tracks: list[_Track] = []

    def look(self, time: float, sightings: Sequence[Sighting]) -> tuple[float, float]:
        """Return how sure it is that such a card lies there, and for how many seconds it has.

        That is the one which came last; (0, 0) where there is none.
        """
        found = []
        kept = [track for track in self._tracks if time - track.last <= _HIDDEN]
        for sighting in sightings:
            sure = _lies(sighting)
            if sure == 0 or not self._zone.holds(sighting):
                continue
            same = [track for track in kept if overlap(track.box, sighting.box) > _SAME]
            begun = min((track.begun for track in same), default=time)
            kept = [track for track in kept if not any(track is other for other in same)]
            kept.append(_Track(sighting.box, begun, time))
            found.append((sure, time - begun))
        self._tracks = kept
        return min(found, key=lambda one: (one[1], -one[0]), default=(0.0, 0.0))


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
