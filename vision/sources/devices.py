"""Cameras and streams: a thread keeps the newest frame, and opens again what was lost."""

from __future__ import annotations

import logging
from collections.abc import Callable
from dataclasses import dataclass
from threading import Condition, Event, Thread
from time import perf_counter
from typing import Any, Final

import numpy as np
from numpy.typing import NDArray

from vision.sources.captures import Capture, CaptureFactory, open_capture
from vision.sources.clock import Thinning
from vision.sources.errors import SourceError
from vision.sources.frames import Frame, LiveSource, Status, Timing
from vision.sources.newest import Newest
from vision.sources.scaling import check_largest, resized, scaled_size

logger = logging.getLogger(__name__)

_JOIN: Final = 1.0
_LOOK: Final = 0.25
# Threads that may hang in a driver at one time; a driver that swallows more is left alone.
_MOST_STUCK: Final = 3


@dataclass(frozen=True, slots=True)
class Patience:
    """How long to wait for a camera or stream, all in seconds.

    Attributes:
        opening: for the first picture, before opening fails.
        frozen: without a new picture before the source counts as frozen; if it still sends, but
            always the same picture, it is opened again.
        blocked: in one call of the driver before another attempt is made beside it.
        pause: before the first attempt to open a lost source again; doubled for each further one.
        longest_pause: the most that this pause grows to.
        give_up: without a new picture before the source ends for good; None never gives up.
    """

    opening: float = 10.0
    frozen: float = 5.0
    blocked: float = 15.0
    pause: float = 0.5
    longest_pause: float = 10.0
    give_up: float | None = None


class DeviceSource(LiveSource):
    """A camera or a stream.

    A source that fails or freezes is opened again, at growing intervals, until it is back;
    meanwhile `status` tells, and `problem` holds the loss. Frames carry the seconds since opening
    at which they arrived. Images keep the shape that the source sends and may change it.

    Args:
        address: number of a camera, or address of a stream.
        every: least distance of two frames, in seconds.
        largest: no side of an image is longer than this, in pixels.
        capture: opens the address; OpenCV does by default.
        patience: how long to wait for what.

    Raises:
        SourceError: the source does not answer.
    """

    timing = Timing.CLOCK

    def __init__(
        self,
        address: int | str,
        *,
        name: str | None = None,
        every: float | None = None,
        largest: int | None = None,
        capture: CaptureFactory = open_capture,
        patience: Patience | None = None,
    ) -> None:
        self.name = name or str(address)
        self._open: Callable[[], Capture] = lambda: capture(address)
        self._patience = patience or Patience()
        self._thinning = Thinning(every)
        self._largest = check_largest(largest)
        self._newest = Newest()
        self._state = Condition()
        self._start = self._changed = perf_counter()
        self._size = (0, 0)
        self._mark: object = None
        self._count = 0
        self._failing = False
        self._given_up = False
        self._stuck: list[_Grabber] = []
        self._grabber = _Grabber(self._open, self, self._patience)
        self._grabber.start()
        with self._state:
            self._state.wait_for(lambda: self._count or self._failing, self._patience.opening)
            answered = self._count > 0
        if not answered:
            self.close()
            kind = "source.camera" if isinstance(address, int) else "source.stream"
            raise SourceError(kind, name=self.name)

    @property
    def size(self) -> tuple[int, int]:
        """(width, height) of the newest image."""
        return self._size

    @property
    def status(self) -> Status:
        """How the source is doing now."""
        with self._state:
            if self._newest.ended:
                return Status.ENDED
            if self._failing:
                return Status.LOST
            still = perf_counter() - self._changed
            return Status.FROZEN if still > self._patience.frozen else Status.LIVE

    @property
    def problem(self) -> SourceError | None:
        """The loss of the source, as long as it lasts or once it was given up."""
        if self._given_up or self.status in (Status.LOST, Status.FROZEN):
            return SourceError("source.lost", name=self.name)
        return None

    @property
    def dropped(self) -> int:
        """How many frames gave way to newer ones before anyone fetched them."""
        return self._newest.dropped

    def read(self, timeout: float | None = None) -> Frame | None:
        """Return the newest frame not fetched yet; see `LiveSource.read`."""
        end = float("inf") if timeout is None else perf_counter() + timeout
        while True:
            frame = self._newest.take(max(0.0, min(_LOOK, end - perf_counter())))
            if frame is not None:
                height, width = frame.image.shape[:2]
                size = scaled_size(width, height, self._largest)
                return Frame(resized(frame.image, size), frame.time, frame.number)
            self._look_after()
            if self._newest.ended or perf_counter() >= end:
                return None

    def close(self) -> None:
        """Stop; a thread that hangs in a driver lets go of the device when the driver returns."""
        self._newest.end(keep=False)
        with self._state:
            grabbers = [self._grabber, *self._stuck]
        for grabber in grabbers:
            grabber.stop()
        grabbers[0].join(_JOIN)

    def arrived(self, grabber: _Grabber, image: NDArray[np.uint8]) -> bool:
        """Take *image*; return whether *grabber* should go on, False to open anew or stop."""
        # Noise makes every picture of a real camera differ, on any small part of it.
        mark = image.shape, image[::8, ::8].tobytes()
        now = perf_counter()
        with self._state:
            if grabber is not self._grabber:
                return False
            if mark != self._mark:
                self._mark, self._changed = mark, now
            self._failing = False
            self._size = scaled_size(image.shape[1], image.shape[0], self._largest)
            time = now - self._start
            if self._thinning.wants(time):
                self._newest.put(Frame(image, time, self._count))
            self._count += 1
            self._state.notify_all()
            return now - self._changed <= self._patience.frozen

    def failed(self, grabber: _Grabber) -> None:
        """Note that the source could not be opened or stopped sending."""
        with self._state:
            if grabber is self._grabber:
                self._failing = True
                self._state.notify_all()

    def _look_after(self) -> None:
        """Give up what is lost for too long; start beside a thread that hangs in the driver."""
        now = perf_counter()
        patience = self._patience
        with self._state:
            if patience.give_up is not None and now - self._changed > patience.give_up:
                self._given_up = True
                self._newest.end(keep=False)
                return
            self._stuck = [grabber for grabber in self._stuck if grabber.is_alive()]
            since = self._grabber.busy_since
            if since is None or now - since <= patience.blocked or self._newest.ended:
                return
            if len(self._stuck) >= _MOST_STUCK - 1:
                return
            logger.warning("the driver of %s hangs; opening it again", self.name)
            self._grabber.stop()
            self._stuck.append(self._grabber)
            self._grabber = _Grabber(self._open, self, patience)
            self._grabber.start()


class _Grabber(Thread):
    """Opens a capture and reads it until it fails, over and over, until stopped.

    Attributes:
        busy_since: when the call of the driver that runs now began; None when none runs.
    """

    def __init__(
        self, open_capture: Callable[[], Capture], source: DeviceSource, patience: Patience
    ) -> None:
        super().__init__(name=f"grab {source.name}", daemon=True)
        self.busy_since: float | None = None
        self._open = open_capture
        self._source = source
        self._patience = patience
        self._stop_asked = Event()

    def stop(self) -> None:
        """Ask the thread to end as soon as the driver lets it."""
        self._stop_asked.set()

    def run(self) -> None:
        """Read until stopped."""
        pause = self._patience.pause
        while not self._stop_asked.is_set():
            if self._read_until_loss():
                pause = self._patience.pause
            self._source.failed(self)
            self._stop_asked.wait(pause)
            pause = min(2 * pause, self._patience.longest_pause)

    def _read_until_loss(self) -> bool:
        """Open the source and read it until it fails; return whether a new picture came."""
        came = False
        try:
            self.busy_since = perf_counter()
            capture = self._open()
            try:
                while capture.isOpened() and not self._stop_asked.is_set():
                    self.busy_since = perf_counter()
                    good, image = capture.read()
                    if not good or not _is_picture(image) or not self._source.arrived(self, image):
                        break
                    came = True
            finally:
                self.busy_since = perf_counter()
                capture.release()
        except Exception:
            # Whatever a driver throws, the answer is the same: try again.
            logger.debug("reading %s failed", self._source.name, exc_info=True)
        self.busy_since = None
        return came


def _is_picture(image: Any) -> bool:
    return isinstance(image, np.ndarray) and image.ndim == 3 and image.size > 0
