"""Fonts for the letters of drawn decks: those of the asset packages, or OpenCV's stroke fonts."""

from __future__ import annotations

from functools import lru_cache
from pathlib import Path
from typing import Final

import cv2
import numpy as np
from numpy.typing import NDArray

from datasets.assets import asset_dir, cache_dir, manifest

Image = NDArray[np.uint8]

#: Of one package no more fonts than this, so that large families do not outweigh the others.
_PER_PACKAGE: Final = 9
_LETTERS: Final = "A234567890JQK1DBVR"
_SIZE: Final = 300
_STROKES: Final = (cv2.FONT_HERSHEY_SIMPLEX, cv2.FONT_HERSHEY_COMPLEX, cv2.FONT_HERSHEY_TRIPLEX)


def list_fonts() -> None:
    """Write the paths of the usable fonts of the fetched packages to the cache."""
    found: list[str] = []
    for asset in manifest():
        if asset.name.startswith("fonts-"):
            paths = sorted(p for p in asset_dir(asset.name).rglob("*") if _usable(p))
            step = max(1, -(-len(paths) // _PER_PACKAGE))
            found += [str(path.relative_to(cache_dir())) for path in paths[::step]]
    (cache_dir() / "fonts.txt").write_text("\n".join(found), encoding="utf-8")


def _usable(path: Path) -> bool:
    if path.suffix.lower() not in {".ttf", ".otf"} or not path.is_file():
        return False
    from fontTools.ttLib import TTFont  # type: ignore[import-untyped]

    with TTFont(path, lazy=True) as font:
        cmap = font.getBestCmap() or {}
    return all(ord(letter) in cmap for letter in _LETTERS)


@lru_cache(maxsize=1)
def fonts() -> tuple[Path, ...]:
    """The fonts listed in the cache; none without one."""
    listed = cache_dir() / "fonts.txt"
    if not listed.is_file():
        return ()
    return tuple(cache_dir() / line for line in listed.read_text(encoding="utf-8").splitlines())


@lru_cache(maxsize=64)
def letters(text: str, font: Path | None, stroke: int = 0) -> Image:
    """*text* as a mask cropped to its ink; *stroke* picks an OpenCV font where *font* is None."""
    if font is None:
        mask = np.zeros((400, 900), np.uint8)
        face = _STROKES[stroke % len(_STROKES)]
        cv2.putText(mask, text, (40, 320), face, 8, 255, 22, cv2.LINE_AA)
    else:
        # Imported here: the decks drawn without a cache do without Pillow.
        from PIL import Image as Pillow
        from PIL import ImageDraw, ImageFont

        picture = Pillow.new("L", (_SIZE * 3, _SIZE * 2))
        pen = ImageDraw.Draw(picture)
        pen.text(
            (_SIZE // 2, _SIZE // 3), text, font=ImageFont.truetype(str(font), _SIZE), fill=255
        )
        mask = np.array(picture)
    rows, columns = np.flatnonzero(mask.any(axis=1)), np.flatnonzero(mask.any(axis=0))
    return np.ascontiguousarray(mask[rows[0] : rows[-1] + 1, columns[0] : columns[-1] + 1])
