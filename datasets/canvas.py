"""A picture on which cards and things are laid, with a map of what is visible where."""

from __future__ import annotations

from dataclasses import dataclass
from typing import Final

import cv2
import numpy as np
from numpy.typing import NDArray

Image = NDArray[np.uint8]
Points = NDArray[np.float32]

#: Value of the id map where no card is; other things hide cards with `COVER`.
EMPTY: Final = -1
COVER: Final = -2


@dataclass(frozen=True)
class Shadow:
    """A soft shadow: how dark (0 to 1), shifted by pixels, blurred by pixels."""

    strength: float
    shift: tuple[float, float]
    blur: float


class Canvas:
    """A picture in the making.

    Attributes:
        image: H x W x 3, BGR.
        ids: H x W, which card is seen at each pixel (`EMPTY`, `COVER` or the card's number).
    """

    def __init__(self, image: Image) -> None:
        self.image = image
        self.ids = np.full(image.shape[:2], EMPTY, np.int16)

    def lay(
        self,
        picture: Image,
        alpha: Image,
        quad: Points,
        number: int = COVER,
        shadow: Shadow | None = None,
    ) -> None:
        """Lay *picture* (h x w x 3) of shape *alpha* (h' x w') so that its corners meet *quad*.

        What lies beyond the frame is cut off.
        """
        window = self._window(quad, shadow)
        if window is None:
            return
        left, top, right, bottom = window
        small = picture
        shape = fit(alpha, quad)
        size = (right - left, bottom - top)
        origin = np.array([left, top], np.float32)
        mask = _warp(shape, quad - origin, size)
        target = self.image[top:bottom, left:right]
        if shadow is not None:
            _darken(target, mask, shadow)
        warped = _warp(small, quad - origin, size, cv2.BORDER_REPLICATE)
        _blend(target, warped, mask)
        self.ids[top:bottom, left:right][mask > 127] = number

    def stamp(
        self, mask: Image, colour: Image, corner: tuple[int, int], shadow: Shadow | None = None
    ) -> None:
        """Lay a thing of shape *mask* (h x w) and *colour* (h x w x 3) with its top-left pixel at
        *corner* (x, y); it hides the cards below."""
        height, width = mask.shape
        x, y = corner
        left, top = max(0, x), max(0, y)
        right, bottom = min(self.image.shape[1], x + width), min(self.image.shape[0], y + height)
        if right <= left or bottom <= top:
            return
        part = (slice(top - y, bottom - y), slice(left - x, right - x))
        target = self.image[top:bottom, left:right]
        shape = np.ascontiguousarray(mask[part])
        if shadow is not None:
            _darken(target, shape, shadow)
        _blend(target, np.ascontiguousarray(colour[part]), shape)
        self.ids[top:bottom, left:right][shape > 127] = COVER

    def visible(self, quad: Points, number: int) -> float:
        """The part (0 to 1) of the area of *quad* in which the card *number* is seen."""
        low = np.floor(quad.min(axis=0)).astype(int)
        high = np.ceil(quad.max(axis=0)).astype(int) + 1
        size = high - low
        if (size > 8192).any() or (size < 1).any():
            return 0.0
        scale = 4 if size.max() < 64 else 1
        inside = np.zeros((size[1] * scale, size[0] * scale), np.uint8)
        shifted = np.rint((quad - low + 0.5) * scale * 16 - 8).astype(np.int32)
        cv2.fillConvexPoly(inside, shifted, 1, cv2.LINE_8, 4)
        total = int(np.count_nonzero(inside))
        if total == 0:
            return 0.0
        height, width = self.ids.shape
        left, top = max(0, low[0]), max(0, low[1])
        right, bottom = min(width, high[0]), min(height, high[1])
        if right <= left or bottom <= top:
            return 0.0
        seen = (self.ids[top:bottom, left:right] == number).astype(np.uint8)
        if scale > 1:
            seen = np.kron(seen, np.ones((scale, scale), np.uint8))
        part = inside[
            (top - low[1]) * scale : (bottom - low[1]) * scale,
            (left - low[0]) * scale : (right - low[0]) * scale,
        ]
        return int(np.count_nonzero(part & seen)) / total

    def _window(self, quad: Points, shadow: Shadow | None) -> tuple[int, int, int, int] | None:
        """The part of the picture that laying on *quad* touches: left, top, right, bottom."""
        low, high = quad.min(axis=0) - 1, quad.max(axis=0) + 2
        if shadow is not None:
            margin = 2 * shadow.blur
            shift = np.array(shadow.shift)
            low = np.minimum(low, low + shift) - margin
            high = np.maximum(high, high + shift) + margin
        height, width = self.image.shape[:2]
        left, top = max(0, int(low[0])), max(0, int(low[1]))
        right, bottom = min(width, int(high[0]) + 1), min(height, int(high[1]) + 1)
        return (left, top, right, bottom) if right > left and bottom > top else None


def fit(picture: Image, quad: Points) -> Image:
    """Shrink *picture* to about the size at which *quad* shows it, so that no detail aliases."""
    sides = np.linalg.norm(quad - np.roll(quad, -1, axis=0), axis=1)
    width = max(2, round(float(sides[0] + sides[2]) / 2 * 1.1))
    height = max(2, round(float(sides[1] + sides[3]) / 2 * 1.1))
    h, w = picture.shape[:2]
    size = (min(w, width), min(h, height))
    if size == (w, h):
        return picture
    return np.asarray(cv2.resize(picture, size, interpolation=cv2.INTER_AREA), np.uint8)


def _warp(
    picture: Image, quad: Points, size: tuple[int, int], border: int = cv2.BORDER_CONSTANT
) -> Image:
    h, w = picture.shape[:2]
    source = np.array([[0, 0], [w, 0], [w, h], [0, h]], np.float32) - np.float32(0.5)
    matrix = cv2.getPerspectiveTransform(source, quad - np.float32(0.5))
    warped = cv2.warpPerspective(picture, matrix, size, flags=cv2.INTER_LINEAR, borderMode=border)
    return np.asarray(warped, np.uint8)


def _darken(target: Image, mask: Image, shadow: Shadow) -> None:
    matrix = np.array([[1, 0, shadow.shift[0]], [0, 1, shadow.shift[1]]], np.float64)
    moved = cv2.warpAffine(mask, matrix, (mask.shape[1], mask.shape[0]))
    if shadow.blur > 0.4:
        moved = cv2.GaussianBlur(moved, (0, 0), shadow.blur)
    factor = 255 - np.rint(moved * shadow.strength).astype(np.uint8)
    cv2.multiply(target, cv2.merge([factor] * 3), target, 1 / 255)


def _blend(target: Image, picture: Image, mask: Image) -> None:
    weight = mask.astype(np.float32) * np.float32(1 / 255)
    target[:] = cv2.blendLinear(picture, np.ascontiguousarray(target), weight, 1 - weight)
