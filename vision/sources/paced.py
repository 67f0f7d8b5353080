"""A recording played as if it were a camera."""

from __future__ import annotations

from threading import Event, Thread
from time import perf_counter
from typing import Final

from vision.sources.errors import SourceError
from vision.sources.frames import Frame, LiveSource, Recording, Status
from vision.sources.newest import Newest

# A frame this late, in seconds, is not worth converting: a newer one is due. But where decoding
# itself cannot keep up, all are late; some are shown nevertheless, and always the end.
_LATE: Final = 0.1
_LONGEST_GAP: Final = 0.5
_JOIN: Final = 5.0


class PacedSource(LiveSource):
    """Plays a recording in real time: each frame comes when it is due, only the newest is kept.

    Args:
        recording: what to play; it belongs to this source from now on and is closed by it.
        held: show the first frame and wait there for `start`; it comes once more then.
    """

    def __init__(self, recording: Recording, *, held: bool = False) -> None:
        self.name = recording.name
        self.timing = recording.timing
        self._recording = recording
        self._newest = Newest()
        self._stop = Event()
        self._started = Event()
        if not held:
            self._started.set()
        self._player = Thread(target=self._play, name=f"play {self.name}", daemon=True)
        self._player.start()

    @property
    def size(self) -> tuple[int, int]:
        """(width, height) of every image."""
        return self._recording.size

    @property
    def duration(self) -> float | None:
        """How long the recording lasts, in seconds; None when unknown."""
        return self._recording.duration

    @property
    def problem(self) -> SourceError | None:
        """What is wrong with the recording, as far as it was played."""
        return self._recording.problem

    @property
    def status(self) -> Status:
        """Live until the last frame was fetched."""
        return Status.ENDED if self._newest.ended else Status.LIVE

    @property
    def dropped(self) -> int:
        """How many frames gave way to newer ones before anyone fetched them."""
        return self._newest.dropped

    @property
    def held(self) -> bool:
        """Whether it waits at its first frame."""
        return not self._started.is_set()

    def start(self) -> None:
        """Play from the first frame on, where it waits there."""
        self._started.set()

    def read(self, timeout: float | None = None) -> Frame | None:
        """Return the newest frame not fetched yet; see `LiveSource.read`."""
        return self._newest.take(timeout)

    def close(self) -> None:
        """Stop playing and close the recording."""
        self._stop.set()
        self._started.set()
        self._newest.end(keep=False)
        self._player.join(_JOIN)

    def _play(self) -> None:
        start: float | None = None
        ending = (self.duration or float("inf")) - _LONGEST_GAP
        try:
            for frame in self._recording:
                if self.held:
                    self._newest.put(frame)
                    self._started.wait()
                if start is None:
                    start = perf_counter()
                if self._stop.wait(max(0.0, frame.time - (perf_counter() - start))):
                    break
                self._newest.put(frame)
                due = perf_counter() - start - _LATE
                self._recording.skip_until(min(due, frame.time + _LONGEST_GAP, ending))
        finally:
            self._newest.end(keep=True)
            self._recording.close()
