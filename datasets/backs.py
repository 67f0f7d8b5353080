"""Backs of cards drawn by code."""

from __future__ import annotations

from typing import Final

import cv2
import numpy as np
from numpy.typing import NDArray

from datasets.decks import FACE_SHAPE

Image = NDArray[np.uint8]

_INKS: Final = (
    (40, 30, 170), (60, 40, 130), (130, 50, 30), (160, 90, 40), (50, 90, 30), (50, 50, 50),
    (110, 40, 90), (30, 90, 150),
)  # fmt: skip


def draw_back(rng: np.random.Generator) -> Image:
    """A back (face-sized, BGR): a margin or none around a lattice, scales, stripes or rings."""
    height, width = FACE_SHAPE
    ink = np.array(_INKS[int(rng.integers(len(_INKS)))], np.float64) * rng.uniform(0.7, 1.3)
    colour = tuple(float(v) for v in ink.clip(0, 255))
    light = (245.0, 245.0, 245.0)
    back = np.full((height, width, 3), 250, np.uint8)
    margin = 0 if rng.random() < 0.2 else int(rng.integers(12, 36))
    inner = np.zeros((height - 2 * margin, width - 2 * margin, 3), np.uint8)
    inner[:] = np.array(colour)
    _pattern(inner, rng, light)
    if rng.random() < 0.6:
        _medallion(inner, rng, colour, light)
    if rng.random() < 0.5:
        rim = int(rng.integers(6, 30))
        corner = (inner.shape[1] - rim, inner.shape[0] - rim)
        cv2.rectangle(inner, (rim, rim), corner, light, int(rng.integers(2, 6)), cv2.LINE_AA)
    back[margin : height - margin, margin : width - margin] = inner
    return back


def _pattern(inner: Image, rng: np.random.Generator, light: tuple[float, float, float]) -> None:
    height, width = inner.shape[:2]
    step = int(rng.integers(12, 44))
    # Enough ink stays between the lines to tell a back from blank paper.
    line = min(int(rng.integers(1, 6)), max(1, step // 6))
    kind = rng.random()
    if kind < 0.45:
        lean = rng.uniform(0.6, 1.8)
        for offset in range(-2 * height, width + 2 * height, step):
            for way in (1, -1):
                end = (round(offset + way * height * lean), height)
                cv2.line(inner, (offset, 0), end, light, line, cv2.LINE_AA)
    elif kind < 0.65:
        for row, y in enumerate(range(0, height + step, step)):
            for x in range((row % 2) * step // 2, width + step, step):
                cv2.circle(inner, (x, y), round(step * 0.42), light, line, cv2.LINE_AA)
    elif kind < 0.8:
        for y in range(0, height, step):
            for x in range(0, width, step):
                if (x // step + y // step) % 2:
                    cv2.rectangle(inner, (x, y), (x + step, y + step), light, -1)
    elif kind < 0.9:
        for y in range(0, height, step):
            cv2.line(inner, (0, y), (width, y), light, line, cv2.LINE_AA)


def _medallion(
    inner: Image,
    rng: np.random.Generator,
    colour: tuple[float, ...],
    light: tuple[float, float, float],
) -> None:
    centres = [(0.5, 0.5)] if rng.random() < 0.7 else [(0.5, 0.28), (0.5, 0.72)]
    radius = rng.uniform(0.12, 0.3) * inner.shape[1]
    for x, y in centres:
        centre = (round(x * inner.shape[1]), round(y * inner.shape[0]))
        for r in np.arange(radius, 6, -radius / rng.integers(2, 6)):
            cv2.circle(inner, centre, round(r), colour, -1, cv2.LINE_AA)
            cv2.circle(inner, centre, round(r), light, 3, cv2.LINE_AA)
