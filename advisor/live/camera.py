"""One open source of pictures: a thread that keeps the newest frame, and what is known of it.

Whoever wants pictures waits for the next one; nobody makes anybody else wait. Frames that give way
to newer ones are counted.
"""

from __future__ import annotations

import logging
from collections.abc import Callable, Iterator
from dataclasses import dataclass
from math import inf
from threading import Condition, Event, Thread
from time import monotonic, time_ns
from typing import TYPE_CHECKING, Final, Literal

from vision.sources import SourceError, Status, open_source
from vision.sources.frames import Frame, LiveSource
from vision.sources.paced import PacedSource

if TYPE_CHECKING:
    import numpy as np
    from numpy.typing import NDArray

logger = logging.getLogger(__name__)

CameraStatus = Literal["starting", "waiting", "live", "paused", "lost", "ended"]
Opener = Callable[[str], LiveSource]

#: Pictures larger than this are scaled down: reading and showing them gains nothing.
LARGEST: Final = 1920
_WAIT: Final = 0.25
#: Seconds over which the rate of pictures is taken.
_RATE_OVER: Final = 3.0
#: Seconds between two runs of a recording that is played over and over.
_BETWEEN: Final = 1.0
#: Where the time of a recording that waits begins, in seconds: it ends before the recording begins.
_BEFORE: Final = -86400.0


@dataclass(frozen=True, slots=True, eq=False)
class Picture:
    """One picture of a camera.

    Attributes:
        image: H × W × 3, BGR, uint8.
        time: seconds since the camera was opened, or since the recording's beginning; below 0 while
            that waits. They go on when the camera was lost and came back.
        number: from 1, without gaps.
    """

    image: NDArray[np.uint8]
    time: float
    number: int


def open_live(text: str) -> LiveSource:
    """Open the source that *text* names as a camera.

    Files and folders play in real time, once they are told to `start`.

    Raises:
        SourceError: there is no such source, or nothing can be read from it.
    """
    source = open_source(text, paced=True, held=True, largest=LARGEST)
    assert isinstance(source, LiveSource)
    return source


class Camera:
    """A source of pictures and the thread that takes them.

    Args:
        text: the source, as on the command line.
        loop: play a recording again when it has ended.
        held: let a recording wait at its first picture for `start`.
        opener: opens the source.
        changed: called, from the camera's thread, when `status` has changed.

    Attributes:
        text, loop: as given.
        opened: when it was opened, in milliseconds since 1970; no two have the same.
        name: what to call it.
        paused: whether its pictures are to be read; they are shown all the same.

    Raises:
        SourceError: there is no such source.
    """

    def __init__(
        self,
        text: str,
        *,
        loop: bool = False,
        held: bool = False,
        opener: Opener = open_live,
        changed: Callable[[], None] = lambda: None,
    ) -> None:
        self.text = text
        self.loop = loop
        self.paused = False
        self._opener = opener
        self._changed = changed
        self._source = opener(text)
        if not held:
            self.start()
        self.opened = time_ns() // 1_000_000
        self.name = self._source.name
        self._newest: Picture | None = None
        self._base = 0.0
        self._dropped_before = 0
        self._arrivals: list[float] = []
        self._arrived = Condition()
        self._stop = Event()
        self._ended = False
        self._told: CameraStatus = "starting"
        self._thread = Thread(target=self._capture, name=f"camera {self.name}", daemon=True)
        self._thread.start()

    @property
    def status(self) -> CameraStatus:
        """How it is doing."""
        if self._ended:
            return "ended"
        source = self._source.status
        if source is Status.ENDED:
            return "live" if self.loop and not self._stop.is_set() else "ended"
        if source in (Status.LOST, Status.FROZEN):
            return "lost"
        if self._newest is None:
            return "starting"
        if self._held:
            return "waiting"
        return "paused" if self.paused else "live"

    @property
    def problem(self) -> SourceError | None:
        """What is wrong with it; None when nothing is."""
        return self._source.problem

    @property
    def size(self) -> tuple[int, int] | None:
        """(width, height) of the newest picture; None before the first."""
        newest = self._newest
        return None if newest is None else (newest.image.shape[1], newest.image.shape[0])

    @property
    def dropped(self) -> int:
        """How many frames gave way to newer ones before anyone looked at them."""
        return self._dropped_before + self._source.dropped

    @property
    def rate(self) -> float:
        """Pictures a second, over the last few seconds."""
        with self._arrived:
            now = monotonic()
            recent = [at for at in self._arrivals if now - at <= _RATE_OVER]
        if len(recent) < 2:
            return 0.0
        return (len(recent) - 1) / max(now - recent[0], 1e-3)

    @property
    def newest(self) -> Picture | None:
        """The newest picture."""
        return self._newest

    def wait(self, after: int, timeout: float | None = None) -> Picture | None:
        """Return the newest picture with a number above *after*, waiting for it if need be.

        None when none came within *timeout* seconds, or when the camera has ended.
        """
        with self._arrived:
            self._arrived.wait_for(lambda: self._ended or self._number > after, timeout)
            newest = self._newest
            return newest if newest is not None and newest.number > after else None

    def pictures(self, *, every: float = 0.0) -> Iterator[Picture]:
        """Yield the newest picture each time, until the camera ends; none while it is paused.

        Args:
            every: least seconds between two pictures.
        """
        number, last = 0, -inf
        while not self._ended:
            picture = self.wait(number, _WAIT)
            if picture is None:
                continue
            number = picture.number
            if self.paused or picture.time - last < every - 1e-3:
                continue
            last = picture.time
            yield picture

    def start(self) -> None:
        """Let a recording that waits at its first picture play from there on."""
        if isinstance(self._source, PacedSource):
            self._source.start()

    def close(self) -> None:
        """Stop and let go of the source."""
        self._stop.set()
        self._finish()
        self._source.close()
        self._thread.join(2)

    @property
    def _held(self) -> bool:
        return isinstance(self._source, PacedSource) and self._source.held

    @property
    def _number(self) -> int:
        return self._newest.number if self._newest is not None else 0

    def _capture(self) -> None:
        try:
            while not self._stop.is_set():
                frame = self._source.read(_WAIT)
                if self._held:
                    self._show_first(frame)
                elif frame is not None:
                    self._arrive(frame.image, self._base + frame.time)
                elif self._source.status is Status.ENDED and not self._again():
                    break
                self._tell()
        except Exception:
            # Whatever breaks here, the page must say that the camera is gone.
            logger.exception("the camera %s failed", self.name)
        finally:
            self._finish()
            self._tell()

    def _show_first(self, frame: Frame | None) -> None:
        """Show the first picture of a recording that waits, again and again, as a camera would."""
        newest = self._newest
        image = frame.image if frame is not None else None if newest is None else newest.image
        if image is not None:
            self._arrive(image, _BEFORE if newest is None else min(-_WAIT, newest.time + _WAIT))

    def _arrive(self, image: NDArray[np.uint8], time: float) -> None:
        with self._arrived:
            number = self._number + 1
            self._newest = Picture(image, round(time, 3), number)
            now = monotonic()
            self._arrivals = [at for at in self._arrivals if now - at <= _RATE_OVER]
            self._arrivals.append(now)
            self._arrived.notify_all()

    def _again(self) -> bool:
        """Open a recording again that is to be played over; return whether it goes on."""
        if not self.loop or self._stop.is_set() or self._newest is None:
            return False
        self._dropped_before += self._source.dropped
        self._base = self._newest.time + _BETWEEN
        self._source.close()
        try:
            self._source = self._opener(self.text)
        except SourceError:
            return False
        self.start()
        return True

    def _tell(self) -> None:
        status = self.status
        if status != self._told:
            self._told = status
            self._changed()

    def _finish(self) -> None:
        with self._arrived:
            self._ended = True
            self._arrived.notify_all()
