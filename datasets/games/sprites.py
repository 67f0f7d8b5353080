"""Pictures with see-through parts: hands drawn once, and the layer in which things move.

Colours are premultiplied by opacity: laying one picture over another is then a multiplication and
an addition.
"""

from __future__ import annotations

from typing import Final

import cv2
import numpy as np
from numpy.typing import NDArray

from datasets.canvas import EMPTY, UNIT, Canvas, Window, filled
from datasets.decks import Deck
from datasets.hands import Colour, lay_hand
from datasets.prints import Print

Image = NDArray[np.uint8]
Points = NDArray[np.float32]

#: A hand with its arm: centimetres to the left and right of the fingertips, behind and before them.
HAND_BOX: Final = (-9.0, 9.0, -62.0, 2.0)
_PER_CM: Final = 14
#: Height of the card picture of a sprite.
_CARD_HEIGHT_CM: Final = 8.8


def hand_sprite(rng: np.random.Generator, skin: Colour) -> Image:
    """A hand that points up with its arm below, H x W x 4 premultiplied, over `HAND_BOX`."""
    left, right, back, front = HAND_BOX
    size = (round((right - left) * _PER_CM), round((front - back) * _PER_CM))
    ground = np.full((size[1], size[0], 3), 128, np.uint8)
    canvas = Canvas(ground)
    tip = np.array([-left * _PER_CM, front * _PER_CM])
    lay_hand(canvas, rng, tip, -90.0, _CARD_HEIGHT_CM * _PER_CM * 0.98, skin=skin)
    solid = np.where(canvas.ids == EMPTY, 0, 255).astype(np.uint8)
    alpha = cv2.GaussianBlur(cv2.erode(solid, np.ones((3, 3), np.uint8)), (0, 0), 1.2)
    return premultiplied(canvas.image, np.asarray(alpha, np.uint8))


def card_sprite(deck: Deck, printed: Print, face: int, height: float) -> Image:
    """Card *face* of *deck* about *height* pixels tall, premultiplied."""
    picture = printed.apply(deck.face(face, height))
    tall = round(min(picture.shape[0], max(8.0, 1.15 * height)))
    wide = max(4, round(tall * deck.aspect))
    if tall < picture.shape[0]:
        picture = np.asarray(cv2.resize(picture, (wide, tall), interpolation=cv2.INTER_AREA))
    size = picture.shape[1], picture.shape[0]
    outline = deck.outline * np.array(size, np.float32) - np.float32(0.5)
    return premultiplied(picture, filled(np.asarray(outline, np.float32), size))


def premultiplied(picture: Image, alpha: Image) -> Image:
    """*picture* (H x W x 3) with *alpha* (H x W) as H x W x 4."""
    colour = cv2.multiply(picture, cv2.merge([alpha] * 3), scale=1 / 255)
    return np.asarray(cv2.merge([*cv2.split(colour), alpha]), np.uint8)


class Layer:
    """A see-through picture over a window of the frame."""

    def __init__(self, window: Window) -> None:
        self.window = window
        self.image: Image = np.zeros((window.size[1], window.size[0], 4), np.uint8)

    def lay(self, sprite: Image, quad: Points) -> None:
        """Lay *sprite* so that its corners meet *quad* (4, 2), pixels of the frame."""
        moved = quad - np.array([self.window.left, self.window.top], np.float32)
        low = np.floor(moved.min(axis=0)).astype(int) - 1
        high = np.ceil(moved.max(axis=0)).astype(int) + 2
        part = Window(
            max(0, int(low[0])),
            max(0, int(low[1])),
            min(self.window.size[0], int(high[0])),
            min(self.window.size[1], int(high[1])),
        )
        if part.right <= part.left or part.bottom <= part.top:
            return
        moved = moved - np.array([part.left, part.top], np.float32)
        h, w = sprite.shape[:2]
        source = UNIT * np.array([w, h], np.float32) - np.float32(0.5)
        matrix = cv2.getPerspectiveTransform(source, np.ascontiguousarray(moved - 0.5, np.float32))
        warped = cv2.warpPerspective(
            sprite,
            matrix,
            part.size,
            flags=cv2.INTER_LINEAR,
            borderMode=cv2.BORDER_CONSTANT,
            borderValue=(0, 0, 0, 0),
        )
        self.image[part.part] = over(self.image[part.part], np.asarray(warped, np.uint8))


def over(below: Image, above: Image) -> Image:
    """*above* (H x W x 4, premultiplied) on *below* (H x W x 3 or 4)."""
    keep = cv2.bitwise_not(above[..., 3])
    channels = below.shape[2]
    dimmed = cv2.multiply(np.ascontiguousarray(below), cv2.merge([keep] * channels), scale=1 / 255)
    return np.asarray(cv2.add(dimmed, np.ascontiguousarray(above[..., :channels])), np.uint8)


def window_around(points: Points, size: tuple[int, int], margin: float = 2.0) -> Window | None:
    """The part of a picture of *size* around *points*; None when they lie beside it."""
    low, high = points.min(axis=0) - margin, points.max(axis=0) + margin
    left, top = max(0, int(np.floor(low[0]))), max(0, int(np.floor(low[1])))
    right, bottom = min(size[0], int(high[0]) + 1), min(size[1], int(high[1]) + 1)
    return Window(left, top, right, bottom) if right > left and bottom > top else None
