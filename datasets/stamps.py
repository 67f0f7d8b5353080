"""Cut-outs of things that lie on tables: fruit, cups, tools, coins."""

from __future__ import annotations

from functools import lru_cache
from typing import Final

import cv2
import numpy as np
from numpy.typing import NDArray

from datasets.assets import asset_dir, cache_dir, has_asset

Image = NDArray[np.uint8]

_SIDE: Final = 192
_FOLDERS: Final = ("food", "household", "hobbies", "symbols/money", "clothes", "sports", "medical")


def store_stamps() -> None:
    """Write the cut-outs of the fetched package to the cache, at one size."""
    if not has_asset("tuxpaint-stamps"):
        return
    target = cache_dir() / "stamps"
    target.mkdir(parents=True, exist_ok=True)
    root = asset_dir("tuxpaint-stamps") / "usr/share/tuxpaint/stamps"
    for folder in _FOLDERS:
        for path in sorted((root / folder).rglob("*.png")):
            stored = target / f"{'-'.join(path.relative_to(root).with_suffix('').parts)}.npy"
            if stored.exists():
                continue
            picture = cv2.imread(str(path), cv2.IMREAD_UNCHANGED)
            if picture is not None and picture.ndim == 3 and picture.shape[2] == 4:
                scale = _SIDE / max(picture.shape[:2])
                small = cv2.resize(picture, None, fx=scale, fy=scale, interpolation=cv2.INTER_AREA)
                np.save(stored, small)


@lru_cache(maxsize=1)
def stamps() -> tuple[Image, ...]:
    """Every cut-out of the cache, H x W x 4 BGRA; none without one."""
    paths = sorted((cache_dir() / "stamps").glob("*.npy"))
    return tuple(np.load(path, mmap_mode="r") for path in paths)


def turned(stamp: Image, size: float, angle: float, squash: float) -> tuple[Image, Image]:
    """*stamp* turned by *angle* degrees, its longer side *size* pixels, its height squashed.

    Returns:
        The picture (H x W x 3) and its mask (H x W).
    """
    height, width = stamp.shape[:2]
    scale = size / max(height, width)
    side = int(size * 1.5) + 2
    turn = np.array(cv2.getRotationMatrix2D((width / 2, height / 2), angle, scale), np.float64)
    turn[:, 2] += side / 2 - np.array([width / 2, height / 2])
    turn[1] *= squash
    box = (side, max(2, round(side * squash)))
    small = np.ascontiguousarray(stamp)
    if scale < 0.6:
        # Shrink first, so that no detail aliases.
        shrunk = (max(2, round(width * scale * 1.2)), max(2, round(height * scale * 1.2)))
        small = np.asarray(cv2.resize(small, shrunk, interpolation=cv2.INTER_AREA), np.uint8)
        turn[:, :2] *= [width / shrunk[0], height / shrunk[1]]
    warped = cv2.warpAffine(small, turn, box, flags=cv2.INTER_LINEAR)
    return np.ascontiguousarray(warped[..., :3]), np.ascontiguousarray(warped[..., 3])
