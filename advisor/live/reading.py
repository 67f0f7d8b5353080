"""What the camera shows: the cards read in the newest pictures, in a thread of its own."""

from __future__ import annotations

import logging
from collections import deque
from collections.abc import Callable, Iterator
from dataclasses import dataclass
from threading import Lock, Thread
from time import perf_counter
from typing import TYPE_CHECKING, Final

from advisor.errors import LiveError
from engine import PistiError
from vision.quality import PictureCheck, check_picture
from vision.sightings import Sighting
from vision.sources import Frame
from vision.table import Glimpse, glimpses

if TYPE_CHECKING:
    import numpy as np
    from numpy.typing import NDArray

    from advisor.live.camera import Camera, Picture
    from vision.table.glimpses import Reads

logger = logging.getLogger(__name__)

#: Least seconds between two pictures that are looked at.
EVERY: Final = 0.15
#: Seconds between two checks of light and focus.
_CHECK_EVERY: Final = 2.0
#: So many pictures are at hand when one of a play is wanted.
_RECENT: Final = 10
#: Weight of the newest reading in the average of how long one takes.
_FRESH: Final = 0.2


@dataclass(frozen=True, slots=True, eq=False)
class Reading:
    """The cards in one picture.

    Attributes:
        picture: the picture.
        sightings: the cards that were read in it, or in an earlier one that looked the same.
    """

    picture: Picture
    sightings: tuple[Sighting, ...]


class TableReader:
    """Reads the pictures of a camera until it ends.

    Args:
        camera: where they come from.
        make_reader: makes what reads cards; called in the reading thread, because it takes a while.
        taken: called, in the reading thread, with each glimpse and its picture.

    Attributes:
        newest: the newest reading; None before the first.
        check: what stands in the way of reading; None before it was looked at.
        done: the number of the newest picture of which everything was made that can be.
        problem: why nothing is read any more; None while all is well.
    """

    def __init__(
        self,
        camera: Camera,
        make_reader: Callable[[], Reads],
        taken: Callable[[Glimpse, Picture], None] = lambda _glimpse, _picture: None,
    ) -> None:
        self.newest: Reading | None = None
        self.check: PictureCheck | None = None
        self.done = 0
        self.problem: PistiError | None = None
        self._camera = camera
        self._make_reader = make_reader
        self._taken = taken
        self._recent: deque[Picture] = deque(maxlen=_RECENT)
        self._lock = Lock()
        self._seconds: float | None = None
        self._checked = -_CHECK_EVERY
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

    def join(self) -> None:
        """Wait until the reading thread has ended; the camera must be closed before."""
        self._thread.join(5)

    def _run(self) -> None:
        try:
            reader = _Timed(self._make_reader(), self._note)
            for glimpse in glimpses(self._frames(), reader):
                picture = self._recent[-1]
                self.newest = Reading(picture, glimpse.sightings)
                self._look_after(picture, glimpse)
                self._taken(glimpse, picture)
                self.done = picture.number
        except PistiError as error:
            self.problem = error
        except Exception as error:
            # The picture is still shown; the page says that it is not read.
            logger.exception("reading %s failed", self._camera.name)
            self.problem = LiveError("live.reading", reason=f"{type(error).__name__}: {error}")

    def _frames(self) -> Iterator[Frame]:
        for picture in self._camera.pictures(every=EVERY):
            with self._lock:
                self._recent.append(picture)
            yield Frame(picture.image, picture.time, picture.number)

    def _look_after(self, picture: Picture, glimpse: Glimpse) -> None:
        if picture.time - self._checked >= _CHECK_EVERY:
            self._checked = picture.time
            self.check = check_picture(picture.image, glimpse.sightings)

    def _note(self, seconds: float) -> None:
        before = self._seconds
        self._seconds = seconds if before is None else before + _FRESH * (seconds - before)


class _Timed:
    """A reader whose time is taken."""

    def __init__(self, reader: Reads, note: Callable[[float], None]) -> None:
        self._reader = reader
        self._note = note

    def read(self, image: NDArray[np.uint8]) -> list[Sighting]:
        begun = perf_counter()
        sightings = self._reader.read(image)
        self._note(perf_counter() - begun)
        return sightings
