"""How a decoded picture is to be shown: the display matrix and the shape of its pixels."""

from __future__ import annotations

from collections.abc import Mapping
from dataclasses import dataclass
from fractions import Fraction
from typing import cast

import av
import numpy as np
from av.buffer import Buffer
from numpy.typing import NDArray


@dataclass(frozen=True, slots=True)
class Turn:
    """What makes a stored picture upright: first a mirroring, then quarter turns.

    Attributes:
        quarters: quarter turns anticlockwise, 0 to 3.
        mirrored: whether left and right change places first.
    """

    quarters: int = 0
    mirrored: bool = False

    @property
    def sideways(self) -> bool:
        """Whether width and height change places."""
        return self.quarters % 2 == 1


def turn_of(frame: av.VideoFrame) -> Turn:
    """Return the turn that the display matrix of *frame* asks for; a skewed one is rounded."""
    # PyAV declares this mapping too narrowly.
    data = cast("Mapping[str, Buffer]", frame.side_data).get("DISPLAYMATRIX")
    if data is None:
        return Turn()
    a, b, _, c, d = np.frombuffer(bytes(data), np.int32)[:5].astype(float)
    # The matrix maps (x, y), with y downwards, to (a x + c y, b x + d y).
    mirrored = a * d - b * c < 0
    if mirrored:
        a, b = -a, -b
    return Turn(round(np.degrees(np.arctan2(-b, a)) / 90) % 4, mirrored)


def turned(image: NDArray[np.uint8], turn: Turn) -> NDArray[np.uint8]:
    """Return *image* (H × W × 3) as *turn* wants it."""
    if turn.mirrored:
        image = image[:, ::-1]
    return np.ascontiguousarray(np.rot90(image, turn.quarters))


def shown_size(
    frame: av.VideoFrame, turn: Turn, pixel_shape: Fraction | None
) -> tuple[float, float]:
    """Return (width, height) of *frame* when upright with square pixels.

    Args:
        frame: the stored picture.
        turn: what makes it upright.
        pixel_shape: width to height of one stored pixel; None or 0 when not known.
    """
    width, height = frame.width * float(pixel_shape or 1), float(frame.height)
    return (height, width) if turn.sideways else (width, height)
