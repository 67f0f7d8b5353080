"""Naming crops: the index by one small network, the whole face by another."""

from __future__ import annotations

from typing import Final

import cv2
import numpy as np
from numpy.typing import NDArray

from engine.cards import Rank, Suit
from vision.detector import Detection
from vision.quads import rectify
from vision.runtimes import Network

#: Columns of a name's distribution: 52 cards in the order of `Card.index`, then no card, then back.
NONE: Final = 52
BACK: Final = 53
COLUMNS: Final = 54

#: Sides of index crops as multiples of the longer side of the index's box.
INDEX_CROPS: Final = (1.1, 1.35)


class Namer:
    """A network that names crops.

    Args:
        network: input N × 3 × H × W, BGR, value / 255 − 0.5; outputs: N × R probabilities of ranks
            and N × S of suits.
        size: (height, width) of the input.
        ranks: what the rank columns mean: text forms of ranks, ``none``, ``back``.
        suits: text forms of suits.
    """

    def __init__(
        self, network: Network, size: tuple[int, int], ranks: list[str], suits: list[str]
    ) -> None:
        self._network = network
        self.size = size
        self._rank_columns = [ranks.index(str(rank)) for rank in Rank]
        self._suit_columns = [suits.index(str(suit)) for suit in Suit]
        self._none = ranks.index("none")
        self._back = ranks.index("back") if "back" in ranks else None

    def name(self, crops: NDArray[np.uint8]) -> NDArray[np.float32]:
        """Return (N, `COLUMNS`) probabilities for (N, H, W, 3) BGR *crops*."""
        result = np.zeros((len(crops), COLUMNS), np.float32)
        if not len(crops):
            return result
        batch = crops.astype(np.float32).transpose(0, 3, 1, 2) / 255 - 0.5
        ranks, suits = self._network.run(np.ascontiguousarray(batch))
        cards = suits[:, self._suit_columns, None] * ranks[:, None, self._rank_columns]
        result[:, :NONE] = cards.reshape(len(crops), NONE)
        result[:, NONE] = ranks[:, self._none]
        if self._back is not None:
            result[:, BACK] = ranks[:, self._back]
        return result


def name_indexes(
    image: NDArray[np.uint8], found: list[Detection], namer: Namer, turns: int
) -> NDArray[np.float32]:
    """Return (N, `COLUMNS`) probabilities for the indexes *found*.

    Each index is cropped at `INDEX_CROPS` and each crop turned by *turns* quarter turns (1, 2 or
    4); the answers are averaged.
    """
    crops = [
        np.rot90(crop, turn)
        for detection in found
        for crop in (
            crop_square(image, detection.centre, detection.side * grow, namer.size[0])
            for grow in INDEX_CROPS
        )
        for turn in range(0, 4, 4 // turns)
    ]
    if not crops:
        return np.zeros((0, COLUMNS), np.float32)
    named = namer.name(np.stack(crops))
    return np.asarray(named.reshape(len(found), -1, COLUMNS).mean(1), np.float32)


def crop_square(
    image: NDArray[np.uint8], centre: NDArray[np.floating], side: float, size: int
) -> NDArray[np.uint8]:
    """Return the square of *side* pixels around *centre*, scaled to *size*; edges are continued."""
    side = max(4.0, side)
    left, top = np.asarray(centre, np.float64) - side / 2
    # A few samples a pixel are averaged where the crop shrinks, so that thin strokes stay.
    factor = int(np.clip(np.ceil(side / size - 0.25), 1, 8))
    zoom = size * factor / side
    matrix = np.array([[zoom, 0, -left * zoom], [0, zoom, -top * zoom]])
    matrix[:, 2] += (zoom - 1) / 2
    crop = cv2.warpAffine(
        image, matrix, (size * factor,) * 2, flags=cv2.INTER_LINEAR, borderMode=cv2.BORDER_REPLICATE
    )
    if factor > 1:
        crop = cv2.resize(crop, (size, size), interpolation=cv2.INTER_AREA)
    return np.asarray(crop, np.uint8)


def name_faces(
    image: NDArray[np.uint8], found: list[Detection], namer: Namer, both_ends: bool
) -> NDArray[np.float32]:
    """Return (N, `COLUMNS`) probabilities for the bodies *found*.

    With *both_ends* each card is also read upside down and the answers are averaged.
    """
    crops = [rectify(image, detection.quad, namer.size) for detection in found]
    if not crops:
        return np.zeros((0, COLUMNS), np.float32)
    stack = np.stack(crops)
    named = namer.name(stack)
    if both_ends:
        upside_down = namer.name(np.ascontiguousarray(stack[:, ::-1, ::-1]))
        named = np.asarray((named + upside_down) / 2, np.float32)
    return named
