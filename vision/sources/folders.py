"""Folders of pictures: in natural order, at the times they were taken or at a fixed rate."""

from __future__ import annotations

import re
from bisect import bisect_left
from itertools import groupby, pairwise
from pathlib import Path
from typing import Final

import numpy as np
from numpy.typing import NDArray

from vision.errors import ImageError
from vision.images import read_image
from vision.sources.clock import TOLERANCE, Thinning
from vision.sources.errors import SourceError
from vision.sources.exif import time_taken
from vision.sources.frames import Frame, Recording, Timing
from vision.sources.scaling import check_largest, fitted, scaled_size

#: Endings of the picture files that are read; all others in a folder are passed over.
SUFFIXES: Final = frozenset({".jpg", ".jpeg", ".png", ".webp", ".bmp", ".tif", ".tiff"})


class FolderSource(Recording):
    """The pictures of one folder, in natural order of their names (``2.jpg`` before ``10.jpg``).

    Where every picture is a JPEG with the time it was taken, and these times agree with the order,
    they are the frames' times (`timing` is `Timing.EXIF`); else the frames follow each other at
    *rate*. Pictures of another size than the first are fitted into it. A broken picture is passed
    over and noted as `problem`.

    Args:
        path: the folder.
        every: least distance of two frames, in seconds.
        largest: no side of an image is longer than this, in pixels.
        rate: pictures a second, where they do not tell when they were taken.

    Raises:
        SourceError: the folder cannot be read, or holds no picture that can be read.
    """

    def __init__(
        self,
        path: Path | str,
        *,
        every: float | None = None,
        largest: int | None = None,
        rate: float = 10.0,
    ) -> None:
        if not rate > 0:
            raise ValueError(f"rate must be over 0 pictures a second, got {rate!r}")
        self.name = str(path)
        self._thinning = Thinning(every)
        check_largest(largest)
        self._paths = _pictures(Path(path))
        taken = _taken_times(self._paths)
        self.timing = Timing.EXIF if taken else Timing.RATE
        self._times = taken or [index / rate for index in range(len(self._paths))]
        self._broken: dict[Path, ImageError] = {}
        self._next = 0
        self._shift = 0
        self._size = self._first_size(largest)

    @property
    def size(self) -> tuple[int, int]:
        """(width, height) of every image."""
        return self._size

    @property
    def duration(self) -> float | None:
        """Seconds from the first picture to the last."""
        return self._times[-1]

    @property
    def problem(self) -> SourceError | None:
        """The pictures that could not be read so far, and why not the first of them."""
        if not self._broken:
            return None
        return SourceError(
            "source.broken_images",
            count=len(self._broken),
            total=len(self._times),
            path=self.name,
            reason=next(iter(self._broken.values())),
        )

    def seek(self, time: float, number: int = 0) -> None:
        """Go on with the first frame at or after *time* (seconds), which is called *number*."""
        self._next = bisect_left(self._times, time - TOLERANCE)
        self._shift = number - self._next
        self._thinning.restart(time)

    def skip_until(self, time: float) -> None:
        """Hand over nothing before *time*, in seconds; what is passed over counts as frames."""
        self._thinning.hold_until(time)

    def close(self) -> None:
        """End the iteration."""
        self._paths = []

    def __next__(self) -> Frame:
        while self._next < len(self._paths):
            index = self._next
            self._next += 1
            path, time = self._paths[index], self._times[index]
            if path in self._broken or not self._thinning.wants(time):
                continue
            image = self._read(path)
            if image is None:
                self._thinning.restart(time)
                continue
            return Frame(fitted(image, self._size), time, index + self._shift)
        raise StopIteration

    def _first_size(self, largest: int | None) -> tuple[int, int]:
        for path in self._paths:
            image = self._read(path)
            if image is not None:
                return scaled_size(image.shape[1], image.shape[0], largest)
        reason = next(iter(self._broken.values()))
        raise SourceError("source.no_image", path=self.name, reason=reason)

    def _read(self, path: Path) -> NDArray[np.uint8] | None:
        """Return the picture H × W × 3, upright by its EXIF data; None, and noted, if broken."""
        try:
            return read_image(path)
        except ImageError as error:
            # With its traceback it would keep the whole file.
            self._broken[path] = error.with_traceback(None)
            return None


def _pictures(folder: Path) -> list[Path]:
    try:
        paths = [
            path
            for path in folder.iterdir()
            if path.suffix.lower() in SUFFIXES and not path.name.startswith(".") and path.is_file()
        ]
    except OSError as error:
        reason = error.strerror or "input error"
        raise SourceError("source.denied", path=str(folder), reason=reason) from None
    if not paths:
        raise SourceError("source.no_images", path=str(folder))
    return sorted(paths, key=_natural)


def _natural(path: Path) -> tuple[list[str | int], str]:
    # Texts and numbers alternate, so two names never compare a text with a number.
    parts = re.split(r"(\d+)", path.name.casefold())
    return [int(part) if part.isdecimal() else part for part in parts], path.name


def _taken_times(paths: list[Path]) -> list[float] | None:
    """Return the times of *paths* from the first on; None if one is missing or out of order."""
    taken = []
    for path in paths:
        time = time_taken(path)
        if time is None:
            return None
        taken.append(time)
    if any(later < earlier for earlier, later in pairwise(taken)):
        return None
    # Cameras round to seconds: pictures of one second are spread over it.
    groups = [(time, len(list(group))) for time, group in groupby(taken)]
    ends = [time for time, _ in groups[1:]] + [float("inf")]
    return [
        time - taken[0] + index * min(1.0, end - time) / count
        for (time, count), end in zip(groups, ends, strict=True)
        for index in range(count)
    ]
