"""Sizes of pictures: scaled down to a largest side, fitted into a fixed size."""

from __future__ import annotations

import cv2
import numpy as np
from numpy.typing import NDArray


def check_largest(largest: int | None) -> int | None:
    """Return *largest*.

    Raises:
        ValueError: it is not a positive number of pixels.
    """
    if largest is not None and largest < 1:
        raise ValueError(f"largest must be at least 1 pixel, got {largest!r}")
    return largest


def scaled_size(width: float, height: float, largest: int | None) -> tuple[int, int]:
    """Return (width, height) with the same shape and no side over *largest* pixels."""
    scale = 1.0 if largest is None else min(1.0, largest / max(width, height))
    return max(1, round(width * scale)), max(1, round(height * scale))


def resized(image: NDArray[np.uint8], size: tuple[int, int]) -> NDArray[np.uint8]:
    """Return *image* (H × W × 3) stretched to *size*, (width, height)."""
    if image.shape[1::-1] == size:
        return image
    smaller = size[0] * size[1] < image.shape[0] * image.shape[1]
    method = cv2.INTER_AREA if smaller else cv2.INTER_LINEAR
    return np.asarray(cv2.resize(image, size, interpolation=method), np.uint8)


def fitted(image: NDArray[np.uint8], size: tuple[int, int]) -> NDArray[np.uint8]:
    """Return *image* (H × W × 3) as large as fits into *size*, (width, height), on black."""
    height, width = image.shape[:2]
    if (width, height) == size:
        return image
    scale = min(size[0] / width, size[1] / height)
    inner = max(1, round(width * scale)), max(1, round(height * scale))
    left, top = (size[0] - inner[0]) // 2, (size[1] - inner[1]) // 2
    canvas = np.zeros((size[1], size[0], 3), np.uint8)
    canvas[top : top + inner[1], left : left + inner[0]] = resized(image, inner)
    return canvas
