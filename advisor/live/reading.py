"""What the camera shows: the cards read in the newest pictures, in a thread of its own."""

from __future__ import annotations

import logging
from collections import deque
from collections.abc import Callable
from dataclasses import dataclass, replace
from threading import Lock, Thread
from time import perf_counter
from typing import TYPE_CHECKING, Final

import numpy as np

from advisor.errors import LiveError
from engine import PistiError
from vision.quality import PictureCheck, check_picture
from vision.sightings import Sighting
from vision.table import STILL, Gate, Move, PileZone, ReadsParts, Region, View

if TYPE_CHECKING:
    from numpy.typing import NDArray

    from advisor.live.camera import Camera, Picture

logger = logging.getLogger(__name__)

#: Least seconds between two pictures that are looked at; few of them are read.
EVERY: Final = 0.06
#: Half the sides of what is read and of what is watched for changes, in radii of the pile's zone.
_READ: Final = 1.95
_WATCHED: Final = 1.3
#: Pixels to which that part of the picture is scaled, and the least confidence of what is read.
_READ_SIZE: Final = 416
_LEAST: Final = 0.12
#: Seconds between two whole pictures that are read while nobody knows where the pile lies.
_WHOLE_EVERY: Final = 0.3
#: Seconds between two checks of light and focus.
_CHECK_EVERY: Final = 2.0
#: Seconds after which a reading says nothing of the newest picture any more; what rests is read
#: every two seconds.
_STALE: Final = 5.0
#: So many pictures are at hand when one of a play is wanted.
_RECENT: Final = 24
#: A card that is fewer pixels wide is none that can be read.
_LEAST_SIDE: Final = 16
#: Weight of the newest reading in the average of how long one takes.
_FRESH: Final = 0.2


@dataclass(frozen=True, slots=True, eq=False)
class Shown:
    """What one picture that was read showed.

    Attributes:
        time: seconds.
        size: (width, height) of the picture.
        sightings: the cards, in pixels of the whole picture, where they would be seen had the
            camera not moved.
        motion: how much of what was watched moved just before, 0 to 1.
    """

    time: float
    size: tuple[int, int]
    sightings: tuple[Sighting, ...]
    motion: float


@dataclass(frozen=True, slots=True, eq=False)
class Reading:
    """The cards in one picture.

    Attributes:
        picture: the picture.
        sightings: the cards that were read in it, or in an earlier one that looked the same, where
            they are seen.
    """

    picture: Picture
    sightings: tuple[Sighting, ...]


def fast_reader() -> ReadsParts:
    """Return the reader for live pictures."""
    from vision.reader import CardReader

    return CardReader("fast")


class TableReader:
    """Reads the pictures of a camera until it ends: where something changed, and around the pile.

    Args:
        camera: where they come from.
        make_reader: makes what reads cards; called in the reading thread, because it takes a while.
        taken: called, in the reading thread, with what each picture that was read shows, from the
            beginning of a recording on.
        zone: returns where the pile lay in the first pictures, as if of a size; None while nobody
            knows.

    Attributes:
        newest: the newest reading; None before the first.
        check: what stands in the way of reading; None before it was looked at.
        done: the number of the newest picture of which everything was made that can be.
        problem: why nothing is read any more; None while all is well.
        size: (width, height) of the newest picture; None before the first.
        move: how it has moved since the first, where the camera was bumped, slips or drifts.
    """

    def __init__(
        self,
        camera: Camera,
        make_reader: Callable[[], ReadsParts],
        taken: Callable[[Shown], None] = lambda _shown: None,
        zone: Callable[[tuple[int, int]], PileZone | None] = lambda _size: None,
    ) -> None:
        self.newest: Reading | None = None
        self.check: PictureCheck | None = None
        self.done = 0
        self.problem: PistiError | None = None
        self.size: tuple[int, int] | None = None
        self.move = STILL
        self._camera = camera
        self._make_reader = make_reader
        self._reader: ReadsParts | None = None
        self._taken = taken
        self._zone = zone
        self._view: View | None = None
        self._watched: tuple[PileZone | None, tuple[int, int], Move] | None = None
        self._recent: deque[Picture] = deque(maxlen=_RECENT)
        self._lock = Lock()
        self._seconds: float | None = None
        self._checked = -np.inf
        self._loaded = self._wanted = False
        self._thread = Thread(target=self._run, name=f"read {camera.name}", daemon=True)
        self._thread.start()

    @property
    def milliseconds(self) -> int | None:
        """How long reading one picture takes; None before the first."""
        return None if self._seconds is None else round(1000 * self._seconds)

    def picture_at(self, time: float) -> Picture | None:
        """Return the recent picture nearest to *time* (seconds); None when there is none."""
        with self._lock:
            recent = list(self._recent)
        return min(recent, key=lambda each: abs(each.time - time), default=None)

    def start(self) -> None:
        """Let a recording that waits play, as soon as its pictures can be read."""
        with self._lock:
            self._wanted = True
            if self._loaded:
                self._camera.start()

    def join(self) -> None:
        """Wait until the reading thread has ended; the camera must be closed before."""
        self._thread.join(5)

    def read_whole(self, picture: Picture) -> list[Sighting]:
        """Return the cards in all of *picture*.

        Raises:
            LiveError: the reader is not ready yet.
        """
        return self._ready().read(picture.image)

    def read_part(self, picture: Picture, quad: NDArray[np.float32]) -> list[Sighting]:
        """Return the cards around *quad* (4 × 2 pixels) in *picture*, in pixels of all of it.

        Raises:
            LiveError: the reader is not ready yet, or no card has room in so small a part.
        """
        reader = self._ready()
        height, width = picture.image.shape[:2]
        left, top = np.floor(quad.min(axis=0)).astype(int).tolist()
        right, bottom = np.ceil(quad.max(axis=0)).astype(int).tolist()
        region = Region(max(0, left), max(0, top), min(width, right), min(height, bottom))
        if min(region.right - region.left, region.bottom - region.top) < _LEAST_SIDE:
            raise LiveError("live.small_zone")
        return _read(reader, picture, region)

    def _ready(self) -> ReadsParts:
        if self._reader is None:
            raise LiveError("live.no_picture")
        return self._reader

    def _run(self) -> None:
        try:
            try:
                self._reader = self._make_reader()
            finally:
                # Also where nothing can be read, what was wanted is shown.
                self._set_loaded()
            for picture in self._camera.pictures(every=EVERY):
                with self._lock:
                    self._recent.append(picture)
                self._follow(picture)
                seen = self._look(picture, self._reader)
                if seen is not None:
                    self.newest = Reading(picture, seen)
                    if picture.time >= 0:
                        self._taken(self._shown(picture, seen))
                self._look_after(picture)
                self.done = picture.number
        except PistiError as error:
            self.problem = error
        except Exception as error:
            # The picture is still shown; the page says that it is not read.
            logger.exception("reading %s failed", self._camera.name)
            self.problem = LiveError("live.reading", reason=f"{type(error).__name__}: {error}")

    def _set_loaded(self) -> None:
        with self._lock:
            self._loaded = True
            if self._wanted:
                self._camera.start()

    def _follow(self, picture: Picture) -> None:
        """Note how *picture* has moved."""
        height, width = picture.image.shape[:2]
        if self._view is None or self.size != (width, height):
            # A camera that changes its resolution goes on to see the same.
            if self.size is not None:
                self.move = self.move.scaled(width / self.size[0])
            self._view = View(width, self.move)
            self.size = width, height
        if self._view.look(picture.image, picture.time):
            self.move = self._view.move

    def _shown(self, picture: Picture, seen: tuple[Sighting, ...]) -> Shown:
        height, width = picture.image.shape[:2]
        still = seen if self.move == STILL else tuple(map(self.move.bring_back, seen))
        return Shown(picture.time, (width, height), still, self._gate.motion)

    def _look(self, picture: Picture, reader: ReadsParts) -> tuple[Sighting, ...] | None:
        """Return the cards that *picture* shows; None where it is not worth reading."""
        height, width = picture.image.shape[:2]
        size = (width, height)
        zone = self._zone(size)
        if self._watched != (zone, size, self.move):
            self._watched = zone, size, self.move
            self._region = Region(0, 0, width, height)
            watched = self._region
            if zone is not None:
                zone = zone.moved(self.move)
                self._region = Region.around(zone.centre, _READ * zone.radius, size)
                watched = Region.around(zone.centre, _WATCHED * zone.radius, size)
            every = 0.125 if zone is not None else _WHOLE_EVERY
            self._gate = Gate(watched, width, moving=every)
        if not self._gate.wants(picture.image, picture.time):
            return None
        begun = perf_counter()
        if zone is None:
            sightings = reader.read(picture.image)
        else:
            sightings = _read(reader, picture, self._region)
        self._note(perf_counter() - begun)
        return tuple(sightings)

    def _look_after(self, picture: Picture) -> None:
        if picture.time - self._checked >= _CHECK_EVERY:
            self._checked = picture.time
            self.check = self.check_of(picture)

    def check_of(self, picture: Picture) -> PictureCheck | None:
        """Return what stands in the way of reading *picture*, a recent one.

        None before the first reading: by a plain table nobody can tell good light from bad.
        """
        newest = self.newest
        if newest is None:
            return None
        if abs(newest.picture.time - picture.time) > _STALE:
            return check_picture(picture.image)
        # The cards lie where they were read, in that very picture; it looks like the newest one.
        return check_picture(newest.picture.image, newest.sightings)

    def _note(self, seconds: float) -> None:
        before = self._seconds
        self._seconds = seconds if before is None else before + _FRESH * (seconds - before)


def _read(reader: ReadsParts, picture: Picture, region: Region) -> list[Sighting]:
    """Return the cards in a part of *picture*, in pixels of all of it."""
    corner = np.array([region.left, region.top], np.float32)
    return [
        replace(one, quad=one.quad + corner, box=one.box + np.tile(corner, 2))
        for one in reader.read(region.cut(picture.image), size=_READ_SIZE, least=_LEAST)
    ]
