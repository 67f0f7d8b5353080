"""Whether a picture is good enough to read cards in: its light, its focus, and how it is framed.

The thresholds were chosen on photos that read well (from bright phones down to soft webcams) and on
the same photos darkened to 30 %, and blurred by 1.5 and 3 pixels at 960 pixels across; those of
glare on 476 cards in such photos and in recordings, and on the same with reflections added.

A plain table has little contrast of its own. So where cards are seen, light is judged by them.
"""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass
from itertools import pairwise
from typing import Any, Final, Literal

import cv2
import numpy as np
from numpy.typing import NDArray

from engine import Rank
from vision.images import as_bgr8
from vision.sightings import Sighting

Light = Literal["ok", "low", "glare"]
Focus = Literal["ok", "blurred"]
Framing = Literal["ok", "none", "far", "near", "cut"]

#: Pictures are measured with their longer side at most this long, so that numbers compare.
_SIDE: Final = 960
#: Light is low where the whites (98th percentile of the grey values, 0 to 255) are darker. The
#: photos that read well have 150 and more; at 30 % of their light, 45 to 75.
LOW_WHITES: Final = 90.0
#: The same of a table without cards: dark felt has 89 in good light.
LOW_TABLE: Final = 60.0
#: Glare: more than this share of the pixels is burnt out (good photos: up to 6 %) …
BURNT_SHARE: Final = 0.1
#: … or of a card (up to 2 %; a lamp mirrored on it: 14 to 86 %) …
BURNT_CARD: Final = 0.2
#: … or the darkest ink of a card, in the darkest of its colours, is brighter than this share of
#: its paper: a reflection lies over it. In good light it is up to 0.32, under a lamp 0.35 and more.
WASHED_INK: Final = 0.33
#: Aces have too little ink to tell, and so have cards that were hardly read: they may be moving.
_READ_SURELY: Final = 0.9
#: Where nobody looked for cards: a veil lies over the picture when its whites and blacks are no
#: further apart than this, and its blacks are bright.
VEIL_CONTRAST: Final = 60.0
VEIL_BLACKS: Final = 110.0
#: Blurred where fine detail is less than this share of coarse detail, see `_sharpness`: good photos
#: have 0.65 to 1.1, soft webcams 0.48 to 0.54, photos blurred by 3 pixels mostly 0.36 to 0.42.
BLURRED_SHARPNESS: Final = 0.43
#: Cards whose longer side is shorter, in pixels, are named by luck only.
FAR_SIDE: Final = 50.0
#: Cards that are longer than this share of the picture's shorter side leave no room for a table.
NEAR_SHARE: Final = 0.95

_ADVICE: Final[dict[str, str]] = {
    "low": "quality.low",
    "glare": "quality.glare",
    "blurred": "quality.blurred",
    "none": "quality.none",
    "far": "quality.far",
    "near": "quality.near",
    "cut": "quality.cut",
}


@dataclass(frozen=True)
class PictureCheck:
    """What stands in the way of reading a picture.

    Attributes:
        light: ``ok``, ``low``, or ``glare``: burnt out or veiled, the picture or a card in it.
        focus: ``ok`` or ``blurred``.
        framing: ``ok``; ``none``: no card; ``far`` and ``near``: cards too small or too large;
            ``cut``: a card leaves the picture. None where the cards were not given.
        whites: 98th percentile of the grey values, 0 to 255; that of the brightest card, where it
            is brighter.
        burnt: share of the pixels that are burnt out.
        sharpness: fine detail as a share of coarse detail; see `BLURRED_SHARPNESS`.
    """

    light: Light
    focus: Focus
    framing: Framing | None
    whites: float
    burnt: float
    sharpness: float

    @property
    def ok(self) -> bool:
        """Whether nothing stands in the way."""
        return not self.advice

    @property
    def advice(self) -> tuple[str, ...]:
        """Message keys of what to do about it, the most important first; empty if all is well."""
        return tuple(
            _ADVICE[found] for found in (self.light, self.focus, self.framing) if found in _ADVICE
        )


def check_picture(image: NDArray[Any], sightings: Sequence[Sighting] | None = None) -> PictureCheck:
    """Return what stands in the way of reading *image*.

    Args:
        image: H × W × 3 BGR uint8, or what `vision.images.as_bgr8` takes.
        sightings: the cards read in it, to judge light and framing by; without them (None) light
            is that of the whole picture, and framing is not judged.

    Raises:
        ImageError: *image* is no picture.
    """
    image = as_bgr8(image)
    shape = image.shape[:2]
    cards = [] if sightings is None else [_Paper.of(image, one) for one in sightings if one.whole]
    scale = _SIDE / max(shape)
    if scale < 1:
        size = max(1, round(shape[1] * scale)), max(1, round(shape[0] * scale))
        image = np.asarray(cv2.resize(image, size, interpolation=cv2.INTER_AREA), np.uint8)
    grey = cv2.cvtColor(image, cv2.COLOR_BGR2GRAY)
    blacks, whites = (float(value) for value in np.percentile(grey, (2, 98)))
    burnt = float((image.min(axis=2) >= 250).mean())
    sharpness = _sharpness(np.asarray(grey, np.uint8))
    whites = max([whites, *(card.white for card in cards)])
    veiled = sightings is None and whites - blacks < VEIL_CONTRAST and blacks > VEIL_BLACKS
    light: Light = "ok"
    if whites < (LOW_TABLE if sightings is not None and not sightings else LOW_WHITES):
        light = "low"
    elif burnt > BURNT_SHARE or veiled or any(card.glares for card in cards):
        light = "glare"
    return PictureCheck(
        light=light,
        focus="blurred" if sharpness < BLURRED_SHARPNESS else "ok",
        framing=None if sightings is None else _framing(sightings, shape),
        whites=whites,
        burnt=burnt,
        sharpness=sharpness,
    )


@dataclass(frozen=True, slots=True)
class _Paper:
    """How bright a card is: its white, in grey values, and whether something is mirrored on it."""

    white: float
    glares: bool

    @classmethod
    def of(cls, image: NDArray[np.uint8], card: Sighting) -> _Paper:
        """Return what *image* shows of *card*, which lies whole in it."""
        middle = card.quad.mean(axis=0)
        inside = (middle + (card.quad - middle) * 0.94).round().astype(np.int32)
        left, top = np.maximum(inside.min(axis=0), 0).tolist()
        right, bottom = (inside.max(axis=0) + 1).tolist()
        part = image[top:bottom, left:right]
        mask = np.zeros(part.shape[:2], np.uint8)
        if not mask.size:
            return cls(0.0, glares=False)
        cv2.fillConvexPoly(mask, inside - np.array([left, top], np.int32), 1)
        pixels = part[mask > 0]
        if not len(pixels):
            return cls(0.0, glares=False)
        darkest = pixels.min(axis=1)
        ink, paper = np.percentile(darkest, (1, 90)).tolist()
        side = float(np.linalg.norm(card.quad - np.roll(card.quad, -1, axis=0), axis=1).max())
        tells = card.face_up and card.confidence >= _READ_SURELY and side >= FAR_SIDE
        tells = tells and card.card.rank is not Rank.ACE and paper > LOW_WHITES
        washed = tells and ink > WASHED_INK * paper
        burnt = float((darkest >= 250).mean()) > BURNT_CARD
        white = float(np.percentile(pixels @ np.array([0.114, 0.587, 0.299]), 90))
        return cls(white, glares=washed or burnt)


def _sharpness(grey: NDArray[np.uint8]) -> float:
    """Return how strong detail of 1 to 2 pixels is against detail of 2 to 4, at the strongest 1 %.

    It hardly depends on what the picture shows: a sharp edge has both, a blurred one only the
    second.
    """
    blurred = [cv2.GaussianBlur(grey.astype(np.float32), (0, 0), sigma) for sigma in (1, 2, 4)]
    fine, coarse = (float(np.percentile(np.abs(one - two), 99)) for one, two in pairwise(blurred))
    return fine / max(coarse, 2.0)


def _framing(sightings: Sequence[Sighting], shape: tuple[int, ...]) -> Framing:
    cards = [sighting.quad for sighting in sightings if sighting.whole]
    if not cards:
        return "ok" if sightings else "none"
    sides = [
        float(np.linalg.norm(quad - np.roll(quad, -1, axis=0), axis=1).max()) for quad in cards
    ]
    if max(sides) > NEAR_SHARE * min(shape):
        return "near"
    if float(np.median(sides)) < FAR_SIDE:
        return "far"
    slack = 0.1 * float(np.median(sides))
    corners = np.concatenate(cards)
    low, high = corners.min(axis=0), corners.max(axis=0)
    leaves = low.min() < -slack or (high > np.array(shape[::-1]) + slack).any()
    return "cut" if leaves else "ok"
