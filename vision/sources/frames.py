"""What every source of pictures hands over, and what it can be asked."""

from __future__ import annotations

from abc import ABC, abstractmethod
from dataclasses import dataclass
from enum import Enum
from types import TracebackType
from typing import TYPE_CHECKING, Self

from vision.sources.errors import SourceError

if TYPE_CHECKING:
    import numpy as np
    from numpy.typing import NDArray


@dataclass(frozen=True, slots=True, eq=False)
class Frame:
    """One picture of a source.

    Attributes:
        image: H × W × 3, BGR, uint8, upright.
        time: seconds since the beginning of the source; later frames have later times.
        number: place of the picture in the source, from 0. Pictures that were passed over count.
    """

    image: NDArray[np.uint8]
    time: float
    number: int


class Timing(Enum):
    """Where the times of a source's frames come from."""

    STAMPS = "stamps"  # the file's own time stamps
    EXIF = "exif"  # when each picture was taken
    RATE = "rate"  # so many pictures a second
    CLOCK = "clock"  # when each picture arrived


class Source(ABC):
    """Pictures in order of time: an iterator of `Frame`, to be used in a ``with`` block.

    Attributes:
        name: what to call the source before users; passwords in addresses are left out.
        timing: where the frames' times come from.
        is_live: pictures come at their own pace and those that nobody fetched in time are gone.
    """

    name: str
    timing: Timing
    is_live: bool = False

    @property
    @abstractmethod
    def size(self) -> tuple[int, int]:
        """(width, height) of the images in pixels.

        All images of a recorded source have this size. A live source may change it; then this is
        the size of its newest image.
        """

    @property
    def duration(self) -> float | None:
        """How long the source lasts, in seconds; None when unknown."""
        return None

    @property
    @abstractmethod
    def problem(self) -> SourceError | None:
        """What went wrong so far: damage, an early end, a loss. None when nothing did."""

    @abstractmethod
    def close(self) -> None:
        """Let go of files, devices and threads; the iteration ends. May be called again."""

    @abstractmethod
    def __next__(self) -> Frame: ...

    def __iter__(self) -> Self:
        return self

    def __enter__(self) -> Self:
        return self

    def __exit__(
        self,
        kind: type[BaseException] | None,
        error: BaseException | None,
        traceback: TracebackType | None,
    ) -> None:
        self.close()


class Recording(Source):
    """A source that is read at the reader's own pace, from any time on."""

    @abstractmethod
    def seek(self, time: float, number: int = 0) -> None:
        """Go on with the first frame at or after *time* (seconds), which is called *number*.

        A frame's time and number bring back that frame and all that follow it. Times may be
        rounded to milliseconds. On a closed source nothing happens.
        """

    @abstractmethod
    def skip_until(self, time: float) -> None:
        """Hand over nothing before *time*, in seconds; what is passed over counts as frames."""


class Status(Enum):
    """How a live source is doing."""

    LIVE = "live"  # new pictures come
    FROZEN = "frozen"  # no picture, or always the same one, for a while
    LOST = "lost"  # the source failed; it is opened again and again
    ENDED = "ended"  # closed, played to its end, or given up


class LiveSource(Source):
    """A source with a pace of its own, of which only the newest frame is kept."""

    is_live = True

    @property
    @abstractmethod
    def status(self) -> Status:
        """How the source is doing now. May be asked from any thread."""

    @property
    @abstractmethod
    def dropped(self) -> int:
        """How many frames so far gave way to newer ones before anyone fetched them."""

    @abstractmethod
    def read(self, timeout: float | None = None) -> Frame | None:
        """Return the newest frame not fetched yet, waiting for one if need be.

        None when none came within *timeout* seconds, or when the source has ended.
        """

    def __next__(self) -> Frame:
        frame = self.read()
        if frame is None:
            raise StopIteration
        return frame
