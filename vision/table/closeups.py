"""From the frames of a recording to close-ups: what was read around the pile, where it is worth it.

Only the part of the picture around the pile is read, larger than a whole frame would be.
"""

from __future__ import annotations

from collections import deque
from collections.abc import Iterable, Iterator, Sequence
from concurrent.futures import Future, ThreadPoolExecutor
from dataclasses import dataclass, replace
from functools import partial
from itertools import takewhile
from typing import Final, Protocol

import numpy as np
from numpy.typing import NDArray

from vision.sightings import Sighting
from vision.sources import Frame
from vision.sources.frames import Recording
from vision.table.fusing import fuse
from vision.table.gate import Gate, Region
from vision.table.pile import PileZone

#: Half the side of the square that is read, in radii of the pile's zone.
_READ: Final = 1.95
#: What is watched for changes, in radii of the pile's zone.
_WATCHED: Final = 1.3
#: Pixels to which that square is scaled for the detector; for a close look also to the second.
READ_SIZE: Final = 416
_LARGE_SIZE: Final = 640
#: Seconds after which a table at rest is read again, in a close look.
_REST_CLOSELY: Final = 0.5
#: Sightings are taken from this confidence on: what they may be is carried on, not cut off.
LEAST: Final = 0.12
#: Frames that are read at the same time, and that wait at most.
WORKERS: Final = 2
_WAITING: Final = 6


class ReadsParts(Protocol):
    """What reads the cards in a part of a picture, as `vision.reader.CardReader`."""

    def read(
        self, image: NDArray[np.uint8], *, size: int | None = None, least: float | None = None
    ) -> list[Sighting]:
        """Return the cards in *image*."""
        ...


@dataclass(frozen=True, slots=True)
class Closeup:
    """What one frame that was read showed.

    Attributes:
        time: seconds.
        sightings: the cards in it, in pixels of the whole frame.
        motion: how much of the pile's surroundings moved since the frame before, 0 to 1.
    """

    time: float
    sightings: tuple[Sighting, ...]
    motion: float


def closeups(
    frames: Iterable[Frame],
    zone: PileZone,
    reader: ReadsParts,
    size: tuple[int, int],
    *,
    closely: bool = False,
) -> Iterator[Closeup | float]:
    """Yield a close-up of each frame worth reading; of the others, their times.

    Only the part of the picture around the pile is read, by two threads at a time, while further
    frames are decoded.

    Args:
        frames: the frames, in the order of time.
        zone: where the pile lies.
        reader: what reads cards; it must stand being called from two threads.
        size: (width, height) of the frames.
        closely: whether every frame in which something moves is read, and each at two scales.
    """
    region = Region.around(zone.centre, _READ * zone.radius, size)
    watched = Region.around(zone.centre, _WATCHED * zone.radius, size)
    if closely:
        gate = Gate(watched, size[0], moving=0.0, rest=_REST_CLOSELY)
        scales: tuple[int, ...] = (READ_SIZE, _LARGE_SIZE)
    else:
        gate, scales = Gate(watched, size[0]), (READ_SIZE,)
    waiting: deque[tuple[float, float, Future[Sequence[Sighting]] | None]] = deque()
    with ThreadPoolExecutor(WORKERS) as pool:
        for frame in frames:
            job = None
            if gate.wants(frame.image, frame.time):
                job = pool.submit(_read, reader, region.cut(frame.image), scales)
            waiting.append((frame.time, gate.motion, job))
            while waiting and (waiting[0][2] is None or waiting[0][2].done() or _full(waiting)):
                yield _closeup(*waiting.popleft(), region)
        while waiting:
            yield _closeup(*waiting.popleft(), region)


def look_again(
    source: Recording, zone: PileZone, reader: ReadsParts, spans: Sequence[tuple[float, float]]
) -> Iterator[Closeup]:
    """Yield close-ups of parts of a recording, looked at closely.

    Args:
        source: the recording.
        zone: where the pile lies.
        reader: what reads cards; it must stand being called from two threads.
        spans: the parts: begin and end in seconds, in the order of time.
    """
    for begin, end in spans:
        source.seek(begin)
        frames = takewhile(partial(_is_before, end), source)
        for seen in closeups(frames, zone, reader, source.size, closely=True):
            if isinstance(seen, Closeup):
                yield seen


def _is_before(end: float, frame: Frame) -> bool:
    return frame.time <= end


def _read(
    reader: ReadsParts, image: NDArray[np.uint8], scales: Sequence[int]
) -> Sequence[Sighting]:
    first, *others = (reader.read(image, size=scale, least=LEAST) for scale in scales)
    fused: Sequence[Sighting] = first
    for other in others:
        fused = fuse(fused, other)
    return fused


def _full(waiting: Iterable[tuple[float, float, Future[Sequence[Sighting]] | None]]) -> bool:
    return sum(job is not None for _, _, job in waiting) > _WAITING


def _closeup(
    time: float, motion: float, job: Future[Sequence[Sighting]] | None, region: Region
) -> Closeup | float:
    if job is None:
        return time
    corner = np.array([region.left, region.top], np.float32)
    moved = tuple(
        replace(one, quad=one.quad + corner, box=one.box + np.tile(corner, 2))
        for one in job.result()
    )
    return Closeup(time, moved, motion)
