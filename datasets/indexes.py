"""Finds the corner index, rank over suit, on the picture of a card face."""

from __future__ import annotations

from typing import Final

import cv2
import numpy as np
from numpy.typing import NDArray

#: How far a channel must lie from the paper's to count as ink.
_INK: Final = 48
#: Ink nearer to the card's edge than this fraction of its width is frame, not index.
_EDGE: Final = 0.004

Box = tuple[float, float, float, float]


def find_index(face: NDArray[np.uint8], area: tuple[float, float]) -> Box | None:
    """Return the box (left, top, right, bottom) of the top-left index as fractions of the card.

    *face* is H x W x 3; *area* is the part of the card, as (width, height) fractions, in which
    all of the index lies. Ink that leaves the area (pips, frames, courts) is not counted. None
    when nothing like a rank over a suit is there.
    """
    height, width = face.shape[:2]
    paper = np.median(face[: height // 3, : width // 3].reshape(-1, 3), axis=0)
    distance = np.abs(face.astype(np.int16) - paper.astype(np.int16)).max(axis=2)
    ink = (distance > _INK).astype(np.uint8)
    count, _, stats, _ = cv2.connectedComponentsWithStats(ink, connectivity=8)
    right, bottom = area[0] * width, area[1] * height
    least = 2e-4 * width * height
    boxes = []
    for left, top, w, h, size in stats[1:count]:
        inside = left + w <= right and top + h <= bottom
        if inside and min(left, top) >= _EDGE * width and size >= least:
            boxes.append((left, top, left + w, top + h))
    if not boxes:
        return None
    array = np.array(boxes)
    x0, y0 = array[:, :2].min(axis=0)
    x1, y1 = array[:, 2:].max(axis=0)
    tall_enough = y1 - y0 > 0.07 * height and (y1 - y0) > 1.1 * (x1 - x0)
    if not tall_enough:
        return None
    return x0 / width, y0 / height, x1 / width, y1 / height


def settle(
    boxes: dict[tuple[str, str], Box | None], bare_courts: bool = False
) -> dict[tuple[str, str], Box | None]:
    """Repair a deck's boxes, keyed by rank and suit.

    A box that is missing or unlike those of the deck becomes the middle one of its rank, or of the
    deck where the rank has no good one; with *bare_courts* J Q K have none.
    """
    found = [box for box in boxes.values() if box]
    if not found:
        return boxes
    top = float(np.median([box[1] for box in found]))
    tall = float(np.median([box[3] - box[1] for box in found]))

    def good(box: Box | None) -> bool:
        return (
            box is not None
            and abs(box[1] - top) < 0.2 * tall
            and abs(box[3] - box[1] - tall) < 0.2 * tall
        )

    best = {key: box for key, box in boxes.items() if box is not None and good(box)}
    settled: dict[tuple[str, str], Box | None] = {}
    for (rank, suit), box in boxes.items():
        if bare_courts and rank in {"J", "Q", "K"}:
            box = None
        elif not good(box):
            peers = [b for (r, _), b in best.items() if r == rank] or list(best.values())
            x0, y0, x1, y1 = (float(v) for v in np.median(np.array(peers), axis=0))
            box = x0, y0, x1, y1
        settled[rank, suit] = box
    return settled
