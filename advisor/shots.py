"""Pictures of plays, cut out of the recording around the pile just after each of them."""

from __future__ import annotations

from collections.abc import Iterable, Iterator, Mapping
from contextlib import suppress
from math import inf
from typing import Final

import cv2
import numpy as np
from numpy.typing import NDArray

from advisor.moments import Moment
from advisor.scorer import LARGEST, Scored
from engine import PistiError
from vision.sources import open_source
from vision.sources.opening import path_of
from vision.table import Region

#: A play: the numbers of its deal and of it in the deal, from 0.
Place = tuple[int, int]

#: Seconds after a play at which its picture is taken. A capture is soon swept away; what stays is
#: shown once the hand has gone, and this long before the next play at the latest.
_CAPTURED: Final = 0.2
_STAYING: Final = 0.9
_BEFORE: Final = 0.3
#: Half the side of a picture, in radii of the pile's zone.
_REACH: Final = 1.1
#: Widths in pixels of a picture in a row of all plays, and of one that is to be looked at.
SMALL: Final = 168
LARGE: Final = 400
_QUALITY: Final = 78


def take_shots(
    scored: Scored, told: Iterable[Moment], widths: Mapping[Place, int]
) -> dict[Place, bytes]:
    """Return the picture of each play as JPEG, by its place.

    A recording that cannot be opened any more has none, nor has a camera or a stream.

    Args:
        scored: the recording.
        told: its plays, in the order of time.
        widths: how wide the pictures of certain plays are, in pixels; the others are `SMALL`.
    """
    found: dict[Place, bytes] = {}
    if path_of(scored.source) is None:
        return found
    with suppress(OSError, PistiError), open_source(scored.source, largest=LARGEST) as frames:
        for moment, wanted in picture_times(told):
            frame = next((frame for frame in frames if frame.time >= wanted), None)
            if frame is None:
                break
            zone = scored.zone_at(wanted)
            region = Region.around(zone.centre, _REACH * zone.radius, scored.size)
            place = moment.deal, moment.play
            found[place] = _packed(region.cut(frame.image), widths.get(place, SMALL))
    return found


def picture_times(told: Iterable[Moment]) -> Iterator[tuple[Moment, float]]:
    """Yield the moments whose times are known, and the seconds at which their pictures are taken.

    Args:
        told: the plays, in the order of time.
    """
    timed = [(moment, moment.t) for moment in told if moment.t is not None]
    for at, (moment, t) in enumerate(timed):
        following = timed[at + 1][1] if at + 1 < len(timed) else inf
        wanted = t + _CAPTURED
        if not moment.captured:
            wanted = max(wanted, min(t + _STAYING, following - _BEFORE))
        yield moment, wanted


def _packed(part: NDArray[np.uint8], width: int) -> bytes:
    """Return *part* of a picture as a JPEG of *width* pixels."""
    size = (width, max(1, round(width * part.shape[0] / part.shape[1])))
    how = cv2.INTER_AREA if part.shape[1] > width else cv2.INTER_CUBIC
    scaled = cv2.resize(part, size, interpolation=how)
    return cv2.imencode(".jpg", scaled, [cv2.IMWRITE_JPEG_QUALITY, _QUALITY])[1].tobytes()
