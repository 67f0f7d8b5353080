"""Writing on pictures: text in any of the program's languages, suits, and small playing cards."""

from __future__ import annotations

import unicodedata
from typing import Any, Final

import cv2
import numpy as np
from numpy.typing import NDArray

from engine import Card

Image = NDArray[np.uint8]
Colour = tuple[int, int, int]

_PAPER: Final = (250, 250, 250)
_RED: Final = (40, 30, 200)
_BLACK: Final = (30, 30, 30)
#: The letter of Turkish that does not decompose into a plain letter and a mark.
_FOLDED: Final = str.maketrans("ı", "i")


class Pen:
    """Writes on one picture.

    OpenCV 5 draws all letters; before it, those beyond ASCII lose their marks.

    Args:
        image: H × W × 3 BGR; it is changed.
        height: of a line of text, in pixels.
    """

    def __init__(self, image: Image, height: float) -> None:
        self.image = image
        self.height = height
        self._font: Any = cv2.FontFace("sans") if hasattr(cv2, "FontFace") else None

    def text(self, words: str, place: tuple[float, float], colour: Colour = _PAPER) -> float:
        """Write *words* with their baseline beginning at *place*; return where they end."""
        words = _written(words)
        x, y = round(place[0]), round(place[1])
        if self._font is not None:
            size = round(self.height)
            end: Any = cv2.putText(self.image, words, (x, y), colour, self._font, size, 500)
            return float(end[0][0])
        plain, scale, thick = _plain(words), *self._stroke
        cv2.putText(self.image, plain, (x, y), 0, scale, colour, thick, cv2.LINE_AA)
        return x + float(cv2.getTextSize(plain, 0, scale, thick)[0][0])

    def width(self, words: str) -> float:
        """Return how wide *words* are when they are written."""
        words = _written(words)
        if self._font is not None:
            box: Any = cv2.getTextSize((0, 0), words, (0, 0), self._font, round(self.height), 500)
            return float(box[0] + box[2])
        return float(cv2.getTextSize(_plain(words), 0, *self._stroke)[0][0])

    def card(self, card: Card, place: tuple[float, float]) -> float:
        """Draw a small *card* with its left bottom corner at *place*; return its right edge."""
        x, y, h = round(place[0]), round(place[1]), self.height
        name = str(card.rank) if card.rank else "?"
        wide, tall = round((1.45 + 0.45 * len(name)) * h), round(1.45 * h)
        cv2.rectangle(self.image, (x, y - tall), (x + wide, y), _PAPER, cv2.FILLED)
        cv2.rectangle(self.image, (x, y - tall), (x + wide, y), _BLACK, 1, cv2.LINE_AA)
        suit = str(card.suit) if card.suit else ""
        ink = _RED if suit in ("H", "D") else _BLACK
        self.text(name, (x + 0.15 * h, y - 0.35 * h), ink)
        if suit:
            self.suit(suit, (x + wide - 0.48 * h, y - 0.72 * h), 0.34 * h, ink)
        return float(x + wide)

    def veil(self, corner: tuple[int, int], other: tuple[int, int], share: float = 0.6) -> None:
        """Darken the box between *corner* and *other* so that text can be read on it."""
        part = self.image[corner[1] : other[1], corner[0] : other[0]]
        part[:] = cv2.convertScaleAbs(part, alpha=1 - share)

    @property
    def _stroke(self) -> tuple[float, int]:
        """Scale and thickness of OpenCV's own letters."""
        return self.height / 30, max(1, round(self.height / 14))

    def suit(self, suit: str, middle: tuple[float, float], size: float, ink: Colour) -> None:
        """Draw the sign of *suit* (S, H, D, C) around *middle*; *size* is half its height."""
        x, y = middle
        if suit == "D":
            self._fill(
                [(x, y - 1.2 * size), (x + size, y), (x, y + 1.2 * size), (x - size, y)], ink
            )
            return
        if suit == "C":
            for dx, dy in ((0.0, -0.55), (-0.55, 0.25), (0.55, 0.25)):
                self._disc((x + dx * size, y + dy * size), 0.52 * size, ink)
        else:
            up = -1 if suit == "S" else 1
            for dx in (-0.48, 0.48):
                self._disc((x + dx * size, y - 0.25 * up * size), 0.52 * size, ink)
            tip = y + 1.15 * up * size
            self._fill(
                [(x - size, y - 0.08 * up * size), (x + size, y - 0.08 * up * size), (x, tip)], ink
            )
        if suit != "H":
            foot = y + 1.1 * size
            self._fill([(x, y), (x + 0.35 * size, foot), (x - 0.35 * size, foot)], ink)

    def _disc(self, middle: tuple[float, float], radius: float, ink: Colour) -> None:
        at = (round(middle[0] * 16), round(middle[1] * 16))
        cv2.circle(self.image, at, round(radius * 16), ink, cv2.FILLED, cv2.LINE_AA, 4)

    def _fill(self, points: list[tuple[float, float]], ink: Colour) -> None:
        polygon = np.rint(np.array(points) * 16).astype(np.int32)
        cv2.fillConvexPoly(self.image, polygon, ink, cv2.LINE_AA, 4)


def _written(words: str) -> str:
    """Return *words* without the signs that nobody sees."""
    return "".join(letter for letter in words if unicodedata.category(letter) != "Cf")


def _plain(words: str) -> str:
    """Return *words* in the letters that OpenCV had before version 5."""
    plain = unicodedata.normalize("NFKD", words.translate(_FOLDED))
    return plain.encode("ascii", "ignore").decode()
