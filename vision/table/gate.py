"""Which frames are worth reading: those in which something changed where the pile lies.

Reading a frame costs far more than looking whether anything changed. While something moves, every
second frame or so is read, since a capture can be one quick movement; once it rests, it is read
again twice, so that a resting card is seen more than once; then now and then.
"""

from __future__ import annotations

from dataclasses import dataclass
from typing import Final

import cv2
import numpy as np
from numpy.typing import NDArray

#: Width of the small grey pictures that are compared, for a whole frame.
_SMALL: Final = 320
#: Grey levels by which a few neighbouring pixels must differ for something to have changed.
_CHANGED: Final = 6.0
#: With this share of the zone moving, a frame tells nothing of what lies at rest.
_ALL_MOVING: Final = 0.5


@dataclass(frozen=True, slots=True)
class Region:
    """A part of a picture in pixels; right and bottom are one past the last."""

    left: int
    top: int
    right: int
    bottom: int

    @classmethod
    def around(cls, centre: tuple[float, float], half: float, size: tuple[int, int]) -> Region:
        """The square of side 2 × *half* around *centre*, cut to a picture of *size*."""
        x, y = centre
        left, top = max(0, int(x - half)), max(0, int(y - half))
        right, bottom = min(size[0], int(x + half) + 1), min(size[1], int(y + half) + 1)
        return cls(min(left, right - 1), min(top, bottom - 1), right, bottom)

    def cut(self, image: NDArray[np.uint8]) -> NDArray[np.uint8]:
        """Return a copy of this part of *image*."""
        return np.ascontiguousarray(image[self.top : self.bottom, self.left : self.right])


class Gate:
    """Decides frame after frame whether it is to be read.

    Args:
        region: the part of the picture that counts.
        width: width of the frames in pixels.
        moving: least seconds between frames that are read while something moves.
        confirm: seconds after the last change at which a resting table is read again.
        rest: seconds after which it is read although nothing changed.

    Attributes:
        motion: how much of the region moved between the last two frames, 0 to 1.
        pull: to which side (right, down) of the region's middle that was: from -1 to 1 where it all
            moved on one border. A hand reaches in from where its player sits.
    """

    def __init__(
        self,
        region: Region,
        width: int,
        *,
        moving: float = 0.125,
        confirm: tuple[float, ...] = (0.2, 0.6),
        rest: float = 2.0,
    ) -> None:
        self.motion = 0.0
        self.pull = np.zeros(2)
        self._region = region
        self._scale = min(1.0, _SMALL / width)
        self._moving, self._confirm, self._rest = moving, confirm, rest
        self._before: NDArray[np.float32] | None = None
        self._read: NDArray[np.float32] | None = None
        self._read_at = -np.inf
        self._again: list[float] = []

    def turn_to(self, region: Region) -> None:
        """Watch another part from now on; it is read at once."""
        self._region = region
        self._before = self._read = None

    def wants(self, image: NDArray[np.uint8], time: float) -> bool:
        """Return whether the frame *image* at *time* (seconds) is to be read."""
        small = self._small(image)
        moved = 0.0
        self.pull = np.zeros(2)
        if self._before is not None:
            difference = np.abs(small - self._before)
            moved = float(difference.max())
            moving = difference > _CHANGED
            self.motion = min(1.0, float(moving.mean()) / _ALL_MOVING)
            self.pull = _pull(moving)
        self._before = small
        changed = self._read is None or float(np.abs(small - self._read).max()) > _CHANGED
        since = time - self._read_at
        wanted = since >= self._rest
        if changed:
            # A little slack, since times of frames are rounded.
            wanted = moved < _CHANGED or since >= self._moving - 0.01
            if wanted:
                self._again = [time + seconds for seconds in self._confirm]
        elif self._again and time >= self._again[0] and moved < _CHANGED:
            wanted = True
            self._again.pop(0)
        if wanted:
            self._read, self._read_at = small, time
        return wanted

    def _small(self, image: NDArray[np.uint8]) -> NDArray[np.float32]:
        region, scale = self._region, self._scale
        part = image[region.top : region.bottom, region.left : region.right]
        size = (
            max(4, round(part.shape[1] * scale)),
            max(4, round(part.shape[0] * scale)),
        )
        small = cv2.resize(part, size, interpolation=cv2.INTER_AREA)
        grey = cv2.cvtColor(small, cv2.COLOR_BGR2GRAY).astype(np.float32)
        return np.asarray(cv2.blur(grey, (5, 5)), np.float32)


def _pull(moving: NDArray[np.bool_]) -> NDArray[np.float64]:
    """Return to which side (right, down) of the middle of a picture something is *moving*."""
    height, width = moving.shape
    columns, rows = moving.mean(axis=0), moving.mean(axis=1)
    return np.array(
        [
            columns @ np.linspace(-1, 1, width) / width,
            rows @ np.linspace(-1, 1, height) / height,
        ]
    )
