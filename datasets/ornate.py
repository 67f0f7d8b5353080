"""Ornate aces of spades: most printed decks have one large, decorated sign and a maker's name."""

from __future__ import annotations

import cv2
import numpy as np
from numpy.typing import NDArray

from datasets.decks import IndexBox
from datasets.fonts import fonts, letters
from datasets.suits import Style, sign
from engine.cards import Suit

Image = NDArray[np.uint8]
_WORDS = (
    "ACE",
    "Royal",
    "No. 52",
    "CLUB",
    "Palace",
    "Poker",
    "Star",
    "1885",
    "& Co",
    "Linen",
    "IV",
)


def ornate_ace(face: Image, indexes: tuple[IndexBox, ...], seed: int) -> Image:
    """Return the ace of spades *face* with another picture between its *indexes*.

    A large sign with lighter and darker signs, rings, rays and dots in it, at times lines of text
    above and below it, printed in black or another dark ink.
    """
    rng = np.random.default_rng([seed, 54])
    height, width = face.shape[:2]
    art = np.ones((height, width), np.float32)
    middle = (width / 2, height * rng.uniform(0.45, 0.55))
    style = Style.draw(rng)
    tall = height * rng.uniform(0.28, 0.66)
    if rng.random() < 0.35:
        _rays(art, middle, tall * rng.uniform(0.5, 0.75), rng)
    depth = 1.0
    tone = float(rng.uniform(0.0, 0.25))
    for _ in range(int(rng.integers(1, 5))):
        wide = tall * depth * rng.uniform(0.72, 0.86)
        _stamp(art, sign(Suit.SPADES, style), middle, tall * depth, wide, tone)
        tone = float(rng.uniform(0.6, 1.0)) if tone < 0.5 else float(rng.uniform(0.0, 0.4))
        depth *= rng.uniform(0.45, 0.9)
    if rng.random() < 0.6:
        _specks(art, middle, tall * 0.35, rng)
    for side in (-1, 1):
        at = middle[1] + side * (tall / 2 + height * rng.uniform(0.05, 0.12))
        for line in range(int(rng.choice([0, 1, 2], p=[0.4, 0.4, 0.2]))):
            _text(art, (middle[0], at + side * line * 0.05 * height), rng)
    if rng.random() < 0.3:
        turned = float(rng.uniform(-0.5, 0.5)) * 180 if rng.random() < 0.1 else 0.0
        matrix = cv2.getRotationMatrix2D(middle, turned, 1)
        art = cv2.warpAffine(art, matrix, (width, height), borderValue=1.0).astype(np.float32)
    ink = np.full(3, rng.uniform(0, 70))
    if rng.random() < 0.25:
        ink = rng.uniform(0, 120, 3)
    paper = np.percentile(face.reshape(-1, 3)[::7], 85, axis=0)
    result = (art[..., None] * paper + (1 - art[..., None]) * ink).astype(np.float32)
    for index in indexes:
        left, top, right, bottom = index.box
        x0, x1 = (round(x * width) for x in (left - 0.02, right + 0.02))
        y0, y1 = (round(y * height) for y in (top - 0.015, bottom + 0.015))
        rows, columns = slice(max(0, y0), y1), slice(max(0, x0), x1)
        result[rows, columns] = face[rows, columns]
    return np.asarray(np.clip(result, 0, 255), np.uint8)


def _stamp(
    art: NDArray[np.float32], mask: Image, middle: tuple[float, float], tall: float, wide: float,
    tone: float,
) -> None:  # fmt: skip
    """Print *mask* in *tone* (0 ink to 1 paper) around *middle*."""
    size = max(2, round(wide)), max(2, round(tall))
    small = cv2.resize(mask, size, interpolation=cv2.INTER_AREA).astype(np.float32) / 255
    x, y = round(middle[0] - size[0] / 2), round(middle[1] - size[1] / 2)
    x0, y0 = max(0, x), max(0, y)
    x1, y1 = min(art.shape[1], x + size[0]), min(art.shape[0], y + size[1])
    if x0 < x1 and y0 < y1:
        target = art[y0:y1, x0:x1]
        target += (tone - target) * small[y0 - y : y1 - y, x0 - x : x1 - x]


def _rays(
    art: NDArray[np.float32], middle: tuple[float, float], reach: float, rng: np.random.Generator
) -> None:
    count, inner = int(rng.integers(8, 60)), reach * rng.uniform(0.2, 0.8)
    tone, thick = float(rng.uniform(0.1, 0.7)), max(1, round(art.shape[0] * 0.004))
    for angle in np.linspace(0, 2 * np.pi, count, endpoint=False):
        way = np.array([np.cos(angle), np.sin(angle)])
        ends = [tuple(np.rint(middle + way * r).astype(int).tolist()) for r in (inner, reach)]
        cv2.line(art, ends[0], ends[1], tone, thick, cv2.LINE_AA)


def _specks(
    art: NDArray[np.float32], middle: tuple[float, float], reach: float, rng: np.random.Generator
) -> None:
    """Little rings and dots, mirrored left and right."""
    for _ in range(int(rng.integers(4, 40))):
        dx, dy = rng.normal(0, 0.5, 2) * reach
        radius = max(1, round(abs(rng.normal(0, 0.14)) * reach))
        tone = float(rng.choice([rng.uniform(0, 0.3), rng.uniform(0.7, 1)]))
        thick = -1 if rng.random() < 0.4 else max(1, round(art.shape[0] * 0.005))
        for side in (-1, 1):
            at = round(middle[0] + side * dx), round(middle[1] + dy)
            cv2.circle(art, at, radius, tone, thick, cv2.LINE_AA)


def _text(art: NDArray[np.float32], middle: tuple[float, float], rng: np.random.Generator) -> None:
    known = fonts()
    font = known[int(rng.integers(len(known)))] if known else None
    mask = letters(str(rng.choice(_WORDS)), font, int(rng.integers(3)))
    tall = art.shape[0] * rng.uniform(0.02, 0.05)
    wide = min(tall * mask.shape[1] / mask.shape[0] * rng.uniform(0.7, 1.3), 0.5 * art.shape[1])
    _stamp(art, mask, middle, tall, wide, float(rng.uniform(0, 0.4)))
