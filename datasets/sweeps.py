"""Cards in motion: what a camera sees of cards that a hand lays down or sweeps away.

Only what moves is blurred, along its own way, and the table behind it stays sharp. A camera with a
short exposure sees it once, an encoder that mixes frames sees it two or three times.
"""

from __future__ import annotations

from typing import Final

import cv2
import numpy as np
from numpy.typing import NDArray

from datasets.canvas import EMPTY, Canvas
from datasets.hands import lay_hand

Image = NDArray[np.uint8]
Points = NDArray[np.float32]

#: How far cards move while the shutter is open, in heights of a card.
_FARTHEST: Final = 0.45
#: Share of the sweeps in which no hand is seen over the cards.
_THROWN: Final = 0.15


def sweep(
    canvas: Canvas, layer: Canvas, quads: list[Points], size: float, rng: np.random.Generator
) -> Points:
    """Lay what moves, with the hand that moves it, on *canvas*, blurred along its way.

    Args:
        canvas: the table with what lies still.
        layer: a canvas of the same size that holds only what moves.
        quads: the cards on *layer*, in the middle of their way.
        size: height of a card in pixels.
        rng: source of chance.

    Returns:
        The outline of the hand, (N, 2) pixels, empty where none is seen.
    """
    heading = rng.uniform(0, 2 * np.pi)
    hand = np.zeros((0, 2), np.float32)
    if rng.random() >= _THROWN:
        hand = _push(layer, quads, heading, size, rng)
    # Towards the hand or away from it, mostly.
    way = heading + rng.normal(0, 0.5) + np.pi * int(rng.integers(2))
    length = size * _FARTHEST * float(rng.beta(1.1, 2.2))
    count = int(rng.choice([2, 3, 5, 9]))
    blend(canvas, layer, np.array([np.cos(way), np.sin(way)]) * length, count)
    return hand


def _push(
    layer: Canvas, quads: list[Points], heading: float, size: float, rng: np.random.Generator
) -> Points:
    """Lay a hand that points along *heading* and whose fingers are on the cards."""
    way = np.array([np.cos(heading), np.sin(heading)])
    middle = quads[-1].mean(axis=0)
    tip = middle + way * size * rng.uniform(-0.45, 0.25) + rng.normal(0, 0.12, 2) * size
    squash = float(rng.uniform(0.75, 1.0))
    degrees = float(np.degrees(heading))
    return lay_hand(layer, rng, tip, degrees, size * rng.uniform(0.9, 1.25), squash=squash)


def blend(canvas: Canvas, layer: Canvas, way: NDArray[np.floating], count: int) -> None:
    """Lay *layer* on *canvas* as it is seen moving along *way* (pixels), *count* times."""
    shape = (layer.ids != EMPTY).astype(np.float32)
    cover = np.zeros(shape.shape, np.float32)
    sums = np.zeros((*shape.shape, 3), np.float32)
    moving = layer.image * shape[..., None]
    for share in np.linspace(-0.5, 0.5, count):
        matrix = np.array([[1.0, 0.0, way[0] * share], [0.0, 1.0, way[1] * share]])
        cover += cv2.warpAffine(shape, matrix, shape.shape[::-1])
        sums += cv2.warpAffine(moving, matrix, shape.shape[::-1])
    still = canvas.image * (1 - cover / count)[..., None]
    canvas.image = (still + sums / count).round().clip(0, 255).astype(np.uint8)
    canvas.ids = np.where(layer.ids == EMPTY, canvas.ids, layer.ids)
