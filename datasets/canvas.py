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
#: Fractional bits of the coordinates handed to the polygon filler.
_SHIFT: Final = 4
#: Corners of the unit square, from the top-left.
UNIT: Final = np.array([[0, 0], [1, 0], [1, 1], [0, 1]], np.float32)


@dataclass(frozen=True)
class Shadow:
    """A soft shadow: how dark (0 to 1), shifted by pixels, blurred by pixels."""

    strength: float
    shift: tuple[float, float]
    blur: float


@dataclass(frozen=True)
class Window:
    """A part of a picture, in pixels; right and bottom are one past the last."""

    left: int
    top: int
    right: int
    bottom: int

    @property
    def size(self) -> tuple[int, int]:
        """Width and height."""
        return self.right - self.left, self.bottom - self.top

    @property
    def part(self) -> tuple[slice, slice]:
        """The slices that cut the window out of a picture."""
        return slice(self.top, self.bottom), slice(self.left, self.right)


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
        quad: Points,
        outline: Points,
        number: int = COVER,
        shadow: Shadow | None = None,
    ) -> None:
        """Lay *picture* (h x w x 3) so that its corners meet *quad*, cut to its *outline*.

        Args:
            picture: what is laid.
            quad: (4, 2) pixels.
            outline: (N, 2), a convex polygon in fractions of the picture.
            number: what the id map gets.
            shadow: the shadow it throws on what lies there.
        """
        polygon = unit_to_pixels(outline, quad)
        if shadow is not None:
            self.throw(polygon, shadow)
        window = self._window(polygon, 1)
        if window is None:
            return
        origin = np.array([window.left, window.top], np.float32)
        mask = filled(polygon - origin, window.size)
        warped = _warp(picture, quad - origin, window.size)
        self._blend(window, warped, mask, number)

    def stamp(self, picture: Image, mask: Image, corner: tuple[int, int]) -> None:
        """Lay *picture* (h x w x 3) of shape *mask* (h x w) with its top-left at pixel *corner*.

        It hides the cards below; *corner* is (x, y).
        """
        height, width = mask.shape
        x, y = corner
        window = self._window(np.array([[x, y], [x + width - 1, y + height - 1]], np.float32), 0)
        if window is None:
            return
        part = (
            slice(window.top - y, window.bottom - y),
            slice(window.left - x, window.right - x),
        )
        self._blend(window, np.ascontiguousarray(picture[part]), mask[part], COVER)

    def visible(self, quad: Points, number: int) -> float:
        """The part (0 to 1) of the area of *quad* in which the card *number* is seen."""
        low = np.floor(quad.min(axis=0)).astype(int)
        high = np.ceil(quad.max(axis=0)).astype(int) + 1
        extent = high - low
        if extent.max() > 8192:
            return 0.0
        scale = 4 if extent.max() < 64 else 1
        inside = np.zeros((extent[1] * scale, extent[0] * scale), np.uint8)
        shifted = np.rint(((quad - low + 0.5) * scale - 0.5) * 2**_SHIFT).astype(np.int32)
        cv2.fillConvexPoly(inside, shifted, 1, cv2.LINE_8, _SHIFT)
        total = int(np.count_nonzero(inside))
        window = self._window(quad, 0)
        if total == 0 or window is None:
            return 0.0
        seen = (self.ids[window.part] == number).astype(np.uint8)
        if scale > 1:
            seen = seen.repeat(scale, axis=0).repeat(scale, axis=1)
        top, left = (window.top - low[1]) * scale, (window.left - low[0]) * scale
        part = inside[top : top + seen.shape[0], left : left + seen.shape[1]]
        return int(np.count_nonzero(part & seen[: part.shape[0], : part.shape[1]])) / total

    def _window(self, points: Points, margin: float) -> Window | None:
        """The part of the picture around *points*; None when they lie beside it."""
        low, high = points.min(axis=0) - margin, points.max(axis=0) + margin
        height, width = self.image.shape[:2]
        left, top = max(0, int(np.floor(low[0]))), max(0, int(np.floor(low[1])))
        right, bottom = min(width, int(high[0]) + 1), min(height, int(high[1]) + 1)
        return Window(left, top, right, bottom) if right > left and bottom > top else None

    def throw(self, polygon: Points, shadow: Shadow) -> None:
        """Darken the picture under the shadow of a convex *polygon* (N, 2)."""
        moved = np.asarray(polygon + np.array(shadow.shift), np.float32)
        window = self._window(moved, 2.5 * shadow.blur + 1)
        if window is None:
            return
        # A soft shadow has no detail: draw it small.
        step = max(1, int(shadow.blur / 1.5))
        small = (-(-window.size[0] // step), -(-window.size[1] // step))
        mask = filled(np.asarray((moved - (window.left, window.top)) / step, np.float32), small)
        soft = cv2.GaussianBlur(mask, (0, 0), max(0.3, shadow.blur / step))
        if step > 1:
            soft = cv2.resize(soft, window.size, interpolation=cv2.INTER_LINEAR)
        factor = cv2.bitwise_not(cv2.convertScaleAbs(soft, alpha=shadow.strength))
        target = self.image[window.part]
        cv2.multiply(target, cv2.merge([factor] * 3), target, 1 / 255)

    def _blend(self, window: Window, picture: Image, mask: Image, number: int) -> None:
        weight = mask.astype(np.float32) * np.float32(1 / 255)
        target = self.image[window.part]
        target[:] = cv2.blendLinear(picture, np.ascontiguousarray(target), weight, 1 - weight)
        self.ids[window.part][mask > 127] = number


def filled(polygon: Points, size: tuple[int, int]) -> Image:
    """A mask of a convex *polygon*, its edge smoothed; *size* is (width, height)."""
    mask = np.zeros((size[1], size[0]), np.uint8)
    points = np.rint(polygon.clip(-8000, 8000) * 2**_SHIFT).astype(np.int32)
    cv2.fillConvexPoly(mask, points, 255, cv2.LINE_AA, _SHIFT)
    return mask


def unit_to_pixels(points: Points, quad: Points) -> Points:
    """Where *points* (N, 2), fractions of a picture, lie when its corners meet *quad* (4, 2)."""
    matrix = cv2.getPerspectiveTransform(UNIT, np.ascontiguousarray(quad, np.float32))
    homogeneous = points @ matrix[:, :2].T + matrix[:, 2]
    return np.asarray(homogeneous[:, :2] / homogeneous[:, 2:], np.float32)


def fit(picture: Image, quad: Points) -> Image:
    """Shrink *picture* to about the size at which *quad* shows it, so that no detail aliases."""
    sides = np.sqrt(((quad - quad[[1, 2, 3, 0]]) ** 2).sum(axis=1))
    width, height = (sides[0] + sides[2]) / 2, (sides[1] + sides[3]) / 2
    h, w = picture.shape[:2]
    if w < 1.35 * width and h < 1.35 * height:
        return picture
    size = (min(w, max(2, round(1.1 * width))), min(h, max(2, round(1.1 * height))))
    return np.asarray(cv2.resize(picture, size, interpolation=cv2.INTER_AREA), np.uint8)


def _warp(picture: Image, quad: Points, size: tuple[int, int]) -> Image:
    h, w = picture.shape[:2]
    source = UNIT * np.array([w, h], np.float32) - np.float32(0.5)
    matrix = cv2.getPerspectiveTransform(source, quad - np.float32(0.5))
    warped = cv2.warpPerspective(
        picture, matrix, size, flags=cv2.INTER_LINEAR, borderMode=cv2.BORDER_REPLICATE
    )
    return np.asarray(warped, np.uint8)
