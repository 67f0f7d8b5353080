"""Pictures of a recording's doubtful plays, taken while the recording is at hand."""

from __future__ import annotations

from collections.abc import Iterator
from contextlib import suppress
from dataclasses import dataclass
from itertools import islice
from typing import TYPE_CHECKING, Final

from advisor.live.video import encode, encode_pile
from advisor.moments import CHECK_BELOW, moments
from advisor.scorer import LARGEST
from advisor.shots import picture_times
from engine import PistiError
from vision.sources import open_source
from vision.sources.frames import Recording

if TYPE_CHECKING:
    from advisor.scorer import Scored

#: So many plays have pictures, the first of those that are doubtful.
_MOST: Final = 60


@dataclass(frozen=True, slots=True)
class Still:
    """The picture of a play.

    Attributes:
        t: second of the play in the recording.
        picture: the whole picture, as JPEG.
        pile: the part of it in which the pile lies, small, as JPEG.
    """

    t: float
    picture: bytes
    pile: bytes


def stills(scored: Scored) -> list[Still]:
    """Return pictures of the plays of *scored* that a person should check, by time.

    There are fewer where the recording cannot be opened any more, or ends early.
    """
    found: list[Still] = []
    # The plays can be checked without pictures.
    with suppress(OSError, PistiError), open_source(scored.source, largest=LARGEST) as frames:
        assert isinstance(frames, Recording)
        for t, shown in islice(_doubtful(scored), _MOST):
            frames.seek(shown)
            frame = next(frames, None)
            if frame is None:
                break
            pile = encode_pile(frame.image, scored.zone_at(frame.time))
            found.append(Still(t, encode(frame.image), pile))
    return found


def _doubtful(scored: Scored) -> Iterator[tuple[float, float]]:
    """Yield the plays to check, those listed and those that the page marks.

    Of each the second of the play and that of its picture.
    """
    listed = {(doubt.deal, doubt.play) for doubt in scored.review}
    for moment, shown in picture_times(moments(scored.record)):
        unsure = moment.confidence is not None and moment.confidence < CHECK_BELOW
        if moment.t is not None and (unsure or (moment.deal, moment.play) in listed):
            yield moment.t, shown
