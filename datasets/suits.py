"""The four suit signs as parametric shapes."""

from __future__ import annotations

from dataclasses import dataclass
from functools import lru_cache
from math import pi
from typing import Final

import cv2
import numpy as np
from numpy.typing import NDArray

from engine.cards import Suit

Image = NDArray[np.uint8]

#: Side of the square in which a sign is drawn.
_SIDE: Final = 512


@dataclass(frozen=True)
class Style:
    """How a deck draws its signs, all numbers about 0 to 1."""

    lobes: float
    waist: float
    stem: float
    bulge: float
    width: float

    @classmethod
    def draw(cls, rng: np.random.Generator) -> Style:
        """A likely style."""
        return cls(*(float(v) for v in rng.uniform(0, 1, 5)))


@lru_cache(maxsize=64)
def sign(suit: Suit, style: Style) -> Image:
    """The sign as a mask cropped to its ink, H x W, 0 or 255 inside."""
    mask = np.zeros((_SIDE, _SIDE), np.uint8)
    if suit is Suit.DIAMONDS:
        _polygon(mask, _diamond(style))
    elif suit is Suit.CLUBS:
        _club(mask, style)
    else:
        heart = _heart(style)
        if suit is Suit.SPADES:
            heart = heart * (1, -1) + (0, 0.08)
            _stem(mask, style, 0.2)
        _polygon(mask, heart)
    rows, columns = np.flatnonzero(mask.any(axis=1)), np.flatnonzero(mask.any(axis=0))
    return mask[rows[0] : rows[-1] + 1, columns[0] : columns[-1] + 1]


def _polygon(mask: Image, points: NDArray[np.floating]) -> None:
    """Fill a polygon given in coordinates from -1 to 1, y up."""
    pixels = (points * (1, -1) * 0.46 + 0.5) * _SIDE * 16
    cv2.fillPoly(mask, [np.rint(pixels).astype(np.int32)], 255, cv2.LINE_AA, 4)


def _heart(style: Style) -> NDArray[np.float64]:
    t = np.linspace(0, 2 * pi, 160)
    x = np.sign(np.sin(t)) * np.abs(np.sin(t)) ** (2.2 + 1.2 * style.waist)
    y = (13 * np.cos(t) - (4 + 2.5 * style.lobes) * np.cos(2 * t) - 2 * np.cos(3 * t)) / 16
    y -= np.cos(4 * t) * (0.02 + 0.07 * style.bulge)
    return np.stack([x * (0.72 + 0.28 * style.width), y * 0.95 + 0.1], axis=1)


def _diamond(style: Style) -> NDArray[np.float64]:
    t = np.linspace(0, 1, 24)
    corner_x, corner_y = 0.6 + 0.35 * style.width, 1.0
    edge = np.stack([t * corner_x, (1 - t) * corner_y], axis=1)
    # A positive bend makes the sides hollow, as on most printed decks.
    bend = (style.bulge - 0.25) * 0.22
    edge -= (np.sin(t * pi) * bend)[:, None] * np.array([corner_y, corner_x])
    right = np.concatenate([edge, edge[::-1] * (1, -1)])
    return np.concatenate([right, right[::-1] * (-1, 1)])


def _club(mask: Image, style: Style) -> None:
    radius = 0.36 + 0.1 * style.lobes
    spread = 0.46 + 0.08 * style.width
    for x, y in ((0, 0.52), (-spread, -0.12), (spread, -0.12)):
        turn = np.linspace(0, 2 * pi, 60)
        _polygon(mask, np.stack([x + radius * np.cos(turn), y + radius * np.sin(turn)], axis=1))
    middle = 0.12 + 0.16 * style.bulge
    _polygon(mask, np.array([[-middle, 0.3], [middle, 0.3], [spread, -0.1], [0.1, -0.35],
                             [-0.1, -0.35], [-spread, -0.1]]))  # fmt: skip
    _stem(mask, style, 0.15)


def _stem(mask: Image, style: Style, top: float) -> None:
    t = np.linspace(0, 1, 20)
    foot = 0.22 + 0.3 * style.stem
    neck = 0.05 + 0.06 * style.waist
    half = neck + (foot - neck) * t ** (1.5 + 2.5 * style.bulge)
    y = top - t * (top + 0.98)
    right = np.stack([half, y], axis=1)
    _polygon(mask, np.concatenate([right, right[::-1] * (-1, 1)]))
