"""Times of frames: strictly increasing, whatever a file says, and thinned out on request."""

from __future__ import annotations

from typing import Final

#: Time stamps are rounded, in some files to milliseconds; so much (seconds) counts as equal.
TOLERANCE: Final = 0.001

_RESTART: Final = 1.0


class Clock:
    """Turns the time stamps of a file into times that strictly increase.

    A missing stamp follows its predecessor by *step* seconds, a repeated one by half of that.
    Where the stamps jump back by more than a second, as in joined recordings, the time goes on.

    Attributes:
        patched: whether a time was made up so far in a way that depends on all frames before it.
    """

    def __init__(self, step: float) -> None:
        self.patched = False
        self._step = step
        self._shift = 0.0
        self._last: float | None = None

    @property
    def last(self) -> float:
        """The last time returned, in seconds; 0 before the first."""
        return self._last or 0.0

    def time(self, stamp: float | None) -> float:
        """Return the time of the next frame, in seconds; *stamp* is what the file says."""
        last = self._last
        if stamp is None:
            self.patched = True
            time = 0.0 if last is None else last + self._step
        else:
            time = stamp + self._shift
            if last is not None and time <= last:
                if last - time > _RESTART:
                    self.patched = True
                    self._shift += last + self._step - time
                    time = last + self._step
                else:
                    time = last + self._step / 2
        self._last = time
        return time


class Thinning:
    """Decides which frames are wanted: none before a time, none too close to the one before.

    Args:
        every: least distance of two wanted frames, in seconds; None wants all.
    """

    def __init__(self, every: float | None) -> None:
        if every is not None and not every >= 0:
            raise ValueError(f"every must not be negative, got {every!r}")
        self._every = every or 0.0
        self._next = -float("inf")

    def restart(self, time: float) -> None:
        """Want the first frame at or after *time*, in seconds."""
        self._next = time

    def hold_until(self, time: float) -> None:
        """Want nothing before *time*, in seconds, and what is due otherwise."""
        self._next = max(self._next, time)

    def wants(self, time: float) -> bool:
        """Return whether the frame at *time*, in seconds, is wanted; if so, the next waits."""
        if time < self._next - TOLERANCE:
            return False
        self._next = time + self._every
        return True
