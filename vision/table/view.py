"""Following the view: by how much the picture is shifted since the camera was bumped or drifts."""

from __future__ import annotations

from typing import Final

import cv2
import numpy as np
from numpy.typing import NDArray

#: Width of the small pictures that are compared.
_SMALL: Final = 240
#: Seconds between two comparisons, and after which a picture takes the place of the one compared
#: with: hands, cards and light change the table over time.
_EVERY: Final = 0.8
_RENEWED: Final = 8.0
#: Shifts up to this share of the picture are looked for.
_REACH: Final = 0.18
#: How much alike (-1 to 1) two pictures must be, one of them shifted; and by how much more than
#: they are unshifted.
_ALIKE: Final = 0.5
_CLEARLY: Final = 0.1
#: Shifts beyond so many small pixels are rare, and a patterned cloth looks alike at many: such a
#: one must be this much more alike than any nearer one, and this much at least.
_NEAR: Final = 6
_FAR_CLEARLY: Final = 0.2
_FAR_ALIKE: Final = 0.6
#: The shift reported changes when the true one differs by this share of the picture's width.
_LEAST: Final = 0.012
#: Two comparisons in a row must agree this well, in small pixels.
_AGREE: Final = 1.0


class View:
    """Follows the shift of the pictures of one camera against the first of them.

    Args:
        width: of the pictures, in pixels.
        shift: the shift of the first picture, where it is known.

    Attributes:
        shift: (right, down) in pixels: where something at rest is seen now, against where it was.
            It changes in steps of about a hundredth of the picture's width.
    """

    def __init__(self, width: int, shift: tuple[float, float] = (0.0, 0.0)) -> None:
        self.shift = shift
        self._scale = min(1.0, _SMALL / width)
        self._least = _LEAST * width
        self._known: NDArray[np.float32] | None = None
        self._known_at = np.array(shift, float)
        self._renewed = -np.inf
        self._looked = -np.inf
        self._guess: NDArray[np.float64] | None = None

    def look(self, image: NDArray[np.uint8], time: float) -> bool:
        """Take in a picture (H × W × 3) of *time*, in seconds; return whether the shift changed."""
        if time - self._looked < _EVERY:
            return False
        self._looked = time
        edges = self._edges(image)
        if self._known is None:
            self._known, self._renewed = edges, time
            return False
        moved = _shift(self._known, edges)
        if moved is None:
            self._guess = None
            return False
        before, self._guess = self._guess, moved
        if before is None or np.abs(before - moved).max() > _AGREE:
            return False
        now = self._known_at + moved / self._scale
        if time - self._renewed >= _RENEWED:
            self._known, self._known_at, self._renewed = edges, now, time
            self._guess = None
        if np.hypot(*(now - self.shift)) < self._least:
            return False
        self.shift = float(now[0]), float(now[1])
        return True

    def _edges(self, image: NDArray[np.uint8]) -> NDArray[np.float32]:
        """Return the small picture's gradients: the same under brighter and darker light."""
        size = round(image.shape[1] * self._scale), round(image.shape[0] * self._scale)
        small = cv2.cvtColor(
            cv2.resize(image, size, interpolation=cv2.INTER_AREA), cv2.COLOR_BGR2GRAY
        )
        grey = cv2.GaussianBlur(small.astype(np.float32), (0, 0), 1.0)
        edges = cv2.magnitude(
            cv2.Sobel(grey, cv2.CV_32F, 1, 0, ksize=3), cv2.Sobel(grey, cv2.CV_32F, 0, 1, ksize=3)
        )
        return np.asarray(edges / max(float(edges.mean()), 1e-6), np.float32)


def _shift(before: NDArray[np.float32], after: NDArray[np.float32]) -> NDArray[np.float64] | None:
    """Return by how much *after* is shifted against *before*; None where that cannot be told."""
    height, width = before.shape
    down, right = round(_REACH * height), round(_REACH * width)
    part = before[down : height - down, right : width - right]
    alike = np.asarray(cv2.matchTemplate(after, part, cv2.TM_CCOEFF_NORMED), np.float32)
    top, left = max(0, down - _NEAR), max(0, right - _NEAR)
    near = alike[top : down + _NEAR + 1, left : right + _NEAR + 1]
    _, best, _, (x, y) = cv2.minMaxLoc(alike)
    _, nearer, _, (near_x, near_y) = cv2.minMaxLoc(near)
    if best < max(nearer + _FAR_CLEARLY, _FAR_ALIKE):
        best, x, y = nearer, left + near_x, top + near_y
    unmoved = float(alike[down, right])
    if best < _ALIKE:
        return None
    if (x, y) != (right, down) and best - unmoved < _CLEARLY:
        return np.zeros(2) if unmoved >= _ALIKE else None
    return np.array([x - right + _between(alike[y], x), y - down + _between(alike[:, x], y)])


def _between(values: NDArray[np.float32], at: int) -> float:
    """Return where between its neighbours the peak *at* lies, -0.5 to 0.5, by a parabola."""
    if not 0 < at < len(values) - 1:
        return 0.0
    low, peak, high = (float(value) for value in values[at - 1 : at + 2])
    bend = low - 2 * peak + high
    return 0.0 if bend >= 0 else float(np.clip((low - high) / (2 * bend), -0.5, 0.5))
