"""The place where one thread leaves frames and others fetch the newest."""

from __future__ import annotations

from threading import Condition

from vision.sources.frames import Frame


class Newest:
    """Holds at most one frame; a newer one replaces it. Safe to use from several threads."""

    def __init__(self) -> None:
        self._changed = Condition()
        self._frame: Frame | None = None
        self._dropped = 0
        self._ended = False

    @property
    def dropped(self) -> int:
        """How many frames were replaced before they were taken."""
        return self._dropped

    @property
    def ended(self) -> bool:
        """Whether no frame will come any more and the last was taken."""
        with self._changed:
            return self._ended and self._frame is None

    def put(self, frame: Frame) -> None:
        """Leave *frame* to be taken; after the end it is ignored."""
        with self._changed:
            if self._ended:
                return
            if self._frame is not None:
                self._dropped += 1
            self._frame = frame
            self._changed.notify()

    def take(self, timeout: float | None) -> Frame | None:
        """Return the frame and remove it; None after *timeout* seconds or at the end."""
        with self._changed:
            self._changed.wait_for(lambda: self._frame is not None or self._ended, timeout)
            frame, self._frame = self._frame, None
            return frame

    def end(self, *, keep: bool) -> None:
        """Let no more frames come; *keep* the one that waits, or drop it."""
        with self._changed:
            self._ended = True
            if not keep:
                self._frame = None
            self._changed.notify_all()
