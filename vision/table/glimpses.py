"""From the frames of a recording to glimpses: what was read, and how much moved.

Reading a frame costs far more than looking whether anything changed, so a frame is read only when
it differs from the last one read, and a table at rest costs next to nothing.
"""

from __future__ import annotations

from collections.abc import Iterable, Iterator
from dataclasses import dataclass
from typing import Final, Protocol

import cv2
import numpy as np
from numpy.typing import NDArray

from vision.sightings import Sighting
from vision.sources import Frame

#: Size of the small grey pictures that are compared: width, height.
_SMALL: Final = (160, 90)
#: Cells in which movement is noted: columns, rows; each covers 5 × 5 small pixels.
GRID: Final = (32, 18)
#: Grey levels by which a cell must differ for something to have moved there; sensor noise, averaged
#: over a cell, stays well below.
MOVED: Final = 3.0


class Reads(Protocol):
    """What reads the cards in a picture, as `vision.reader.CardReader`."""

    def read(self, image: NDArray[np.uint8]) -> list[Sighting]:
        """Return the cards in *image*."""
        ...


@dataclass(frozen=True, slots=True)
class Glimpse:
    """What one frame showed.

    Attributes:
        time: seconds.
        size: (width, height) of the frame in pixels.
        sightings: the cards in it.
        movement: (rows, columns) float32, grey levels; how much each cell of `GRID` differs from
            the frame before.
    """

    time: float
    size: tuple[int, int]
    sightings: tuple[Sighting, ...]
    movement: NDArray[np.float32]

    def movement_near(self, x: float, y: float, radius: float) -> float:
        """Return in what share of the cells within *radius* pixels of (x, y) something moved."""
        columns = (np.arange(GRID[0]) + 0.5) * self.size[0] / GRID[0]
        rows = (np.arange(GRID[1]) + 0.5) * self.size[1] / GRID[1]
        near = np.hypot(columns[None, :] - x, rows[:, None] - y) <= radius
        return float((self.movement[near] > MOVED).mean()) if near.any() else 0.0


def glimpses(frames: Iterable[Frame], reader: Reads, *, rest: float = 1.0) -> Iterator[Glimpse]:
    """Yield a glimpse of each frame.

    Args:
        frames: the frames, in the order of time.
        reader: what reads cards.
        rest: seconds after which a frame is read although nothing changed.
    """
    last_small: NDArray[np.float32] | None = None
    read_small: NDArray[np.float32] | None = None
    read_at = -np.inf
    sightings: tuple[Sighting, ...] = ()
    for frame in frames:
        small = _small(frame.image)
        movement = _cells(small, last_small)
        changed = _cells(small, read_small) > MOVED
        if read_small is None or changed.any() or frame.time - read_at >= rest:
            sightings = tuple(reader.read(frame.image))
            read_small, read_at = small, frame.time
        last_small = small
        height, width = frame.image.shape[:2]
        yield Glimpse(frame.time, (width, height), sightings, movement)


def _small(image: NDArray[np.uint8]) -> NDArray[np.float32]:
    grey = cv2.cvtColor(cv2.resize(image, _SMALL, interpolation=cv2.INTER_AREA), cv2.COLOR_BGR2GRAY)
    return grey.astype(np.float32)


def _cells(small: NDArray[np.float32], before: NDArray[np.float32] | None) -> NDArray[np.float32]:
    """Return the mean difference in each cell; all zero where there is nothing before."""
    if before is None:
        return np.zeros((GRID[1], GRID[0]), np.float32)
    difference = np.abs(small - before)
    rows, columns = GRID[1], GRID[0]
    cells = difference.reshape(rows, small.shape[0] // rows, columns, small.shape[1] // columns)
    return np.asarray(cells.mean(axis=(1, 3)), np.float32)
