"""From the frames of a recording to close-ups: what was read around the pile, where it is worth it.

Only the part of the picture around the pile is read, larger than a whole frame would be.
"""

from __future__ import annotations

from collections import deque
from collections.abc import Callable, Iterable, Iterator, Sequence
from concurrent.futures import Future, ThreadPoolExecutor
from dataclasses import dataclass, replace
from functools import partial
from itertools import takewhile
from typing import Final, Protocol

import numpy as np
from numpy.typing import NDArray

from vision.reader import Setting
from vision.sightings import Sighting
from vision.sources import Frame
from vision.sources.frames import Recording
from vision.table.fusing import fuse
from vision.table.gate import Gate, Region
from vision.table.move import STILL, Move
from vision.table.pile import PileZone
from vision.table.view import View

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
#: Seconds that frames wait at most until it is sure whether the camera has moved: as long as three
#: comparisons of the view take; and the bytes that may wait.
_HELD: Final = 2.5
_MOST_HELD: Final = 250_000_000
#: Seconds for which it cannot be told how the picture has moved where hands, cards and light
#: change it: at most 8 in recordings whose camera stays. Beyond these the view is lost.
_LOST: Final = 12.0


class ReadsParts(Protocol):
    """What reads the cards in a part of a picture, as `vision.reader.CardReader`."""

    def read(
        self,
        image: NDArray[np.uint8],
        *,
        size: int | None = None,
        least: float | None = None,
        setting: Setting | None = None,
    ) -> list[Sighting]:
        """Return the cards in *image*."""
        ...


@dataclass(frozen=True, slots=True)
class Closeup:
    """What one frame that was read showed.

    Attributes:
        time: seconds.
        sightings: the cards in it, in pixels of the whole frame, where they would be seen had the
            camera not moved.
        motion: how much of the pile's surroundings moved since the frame before, 0 to 1.
        move: how the picture has moved since the first frame.
        pull: to which side (right, down) of the pile there was movement since the close-up before,
            summed over the frames, as `Gate.pull`.
        lost: when it could last be told how the picture has moved, where that was long before.
    """

    time: float
    sightings: tuple[Sighting, ...]
    motion: float
    move: Move = STILL
    pull: tuple[float, float] = (0.0, 0.0)
    lost: float | None = None


@dataclass(frozen=True, slots=True)
class _Waiting:
    """A frame that is being read, or was not worth it."""

    time: float
    motion: float
    corner: NDArray[np.float32]
    move: Move
    pull: tuple[float, float]
    lost: float | None
    job: Future[Sequence[Sighting]] | None

    @property
    def is_ready(self) -> bool:
        return self.job is None or self.job.done()

    def result(self) -> Closeup | float:
        """Return the close-up, or the time of a frame that was not read."""
        if self.job is None:
            return self.time
        moved = tuple(
            self.move.bring_back(
                replace(one, quad=one.quad + self.corner, box=one.box + np.tile(self.corner, 2))
            )
            for one in self.job.result()
        )
        return Closeup(self.time, moved, self.motion, self.move, self.pull, self.lost)


def closeups(
    frames: Iterable[Frame],
    zone: PileZone,
    reader: ReadsParts,
    size: tuple[int, int],
    *,
    closely: bool = False,
    move: Move = STILL,
) -> Iterator[Closeup | float]:
    """Yield a close-up of each frame worth reading; of the others, their times.

    Only the part of the picture around the pile is read, by two threads at a time, while further
    frames are decoded. Where the camera was bumped, slips or drifts, that part goes with it.

    Args:
        frames: the frames, in the order of time.
        zone: where the pile lies.
        reader: what reads cards; it must stand being called from two threads.
        size: (width, height) of the frames.
        closely: whether every frame in which something moves is read, and each at two scales with
            the accurate setting.
        move: how the picture has moved in the first of these frames.
    """
    view = View(size[0], move)
    region, watched = _parts(zone.moved(move), size)
    if closely:
        gate = Gate(watched, size[0], moving=0.0, rest=_REST_CLOSELY)
        read = partial(_read, reader, scales=(READ_SIZE, _LARGE_SIZE), setting="accurate")
    else:
        gate = Gate(watched, size[0])
        read = partial(_read, reader, scales=(READ_SIZE,), setting="fast")
    waiting: deque[_Waiting] = deque()
    pull = np.zeros(2)
    with ThreadPoolExecutor(WORKERS) as pool:
        for frame, at in _followed(frames, view):
            if at != move:
                move = at
                region, watched = _parts(zone.moved(move), size)
                gate.turn_to(watched)
            job = None
            wanted = gate.wants(frame.image, frame.time)
            pull = pull + move.unturned(gate.pull)
            corner = np.array([region.left, region.top], np.float32)
            if wanted:
                job = pool.submit(read, region.cut(frame.image).copy())
            to = float(pull[0]), float(pull[1])
            lost = view.surely if frame.time - view.surely > _LOST else None
            waiting.append(_Waiting(frame.time, gate.motion, corner, move, to, lost, job))
            if wanted:
                pull = np.zeros(2)
            while waiting and (waiting[0].is_ready or _full(waiting)):
                yield waiting.popleft().result()
        while waiting:
            yield waiting.popleft().result()


def _followed(frames: Iterable[Frame], view: View) -> Iterator[tuple[Frame, Move]]:
    """Yield the frames and how each has moved; they wait until a comparison is sure of that.

    Where the camera has moved meanwhile, those that waited are told so from the first on that fits
    better then.

    Their pictures lie in buffers that are used again, so they are to be copied before the next
    frame is asked for. Pictures that wait each by itself break up the heap: the small things that
    are kept of them come to lie between, and memory grew by 2 MB a second of a recording.
    """
    held: deque[Frame] = deque()
    spare: list[NDArray[np.uint8]] = []
    for frame in frames:
        buffer = spare.pop() if spare else np.empty_like(frame.image)
        np.copyto(buffer, frame.image)
        held.append(replace(frame, image=buffer))
        before = view.move
        moved = view.look(frame.image, frame.time)
        settled = moved or (view.sure and view.looked == frame.time)
        went = not moved
        while held and (settled or _is_long(held)):
            each = held.popleft()
            went = went or view.nearer(each.image, before, view.move) != before
            yield each, view.move if went else before
            spare.append(each.image)
    for each in held:
        yield each, view.move


def _is_long(held: Sequence[Frame]) -> bool:
    """Whether so many frames wait, or for so long, that the first may no longer."""
    most = len(held) * held[0].image.nbytes >= _MOST_HELD
    return most or held[-1].time - held[0].time > _HELD


def _parts(zone: PileZone, size: tuple[int, int]) -> tuple[Region, Region]:
    """Return the part of the picture that is read, and that which is watched for changes."""
    reach = _READ * zone.radius, _WATCHED * zone.radius
    read, watched = (Region.around(zone.centre, far, size) for far in reach)
    return read, watched


def look_again(
    source: Recording,
    zone: PileZone,
    reader: ReadsParts,
    spans: Sequence[tuple[float, float]],
    move_at: Callable[[float], Move] = lambda _time: STILL,
) -> Iterator[Closeup]:
    """Yield close-ups of parts of a recording, looked at closely.

    Args:
        source: the recording.
        zone: where the pile lies.
        reader: what reads cards; it must stand being called from two threads.
        spans: the parts: begin and end in seconds, in the order of time.
        move_at: how the picture has moved at a time, as the first look found.
    """
    for begin, end in spans:
        source.seek(begin)
        frames = takewhile(partial(_is_before, end), source)
        move = move_at(begin)
        for seen in closeups(frames, zone, reader, source.size, closely=True, move=move):
            if isinstance(seen, Closeup):
                yield seen


def _is_before(end: float, frame: Frame) -> bool:
    return frame.time <= end


def _read(
    reader: ReadsParts, image: NDArray[np.uint8], scales: Sequence[int], setting: Setting
) -> Sequence[Sighting]:
    first, *others = (
        reader.read(image, size=scale, least=LEAST, setting=setting) for scale in scales
    )
    fused: Sequence[Sighting] = first
    for other in others:
        fused = fuse(fused, other)
    return fused


def _full(waiting: Iterable[_Waiting]) -> bool:
    return sum(one.job is not None for one in waiting) > _WAITING
