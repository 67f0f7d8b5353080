"""Finding corner indexes, faces and backs in a picture with one network at one or more scales."""

from __future__ import annotations

from dataclasses import dataclass, replace
from typing import Final

import cv2
import numpy as np
from numpy.typing import NDArray

from vision.quads import (
    box_quad,
    fit_to_boxes,
    look_like_cards,
    quad_from_symmetric,
    quad_iou,
    quad_share,
)
from vision.runtimes import Network

#: Side lengths of an input are multiples of this, the network's coarsest stride.
STRIDE: Final = 32
#: How many quads of repeats a thing keeps.
MOST_OTHERS: Final = 8
#: A body or an index that is longer than this share of the picture's longer side is near.
_NEAR_BODY: Final = 0.38
_NEAR_INDEX: Final = 0.08
#: Where no body has this score, there may be a nearer one that was not found.
_SURE_BODY: Final = 0.6
#: A body shorter than this in pixels of the picture is small: a closer look may pay.
_SMALL: Final = 100.0
#: A closer look shows so much around small cards, in their lengths; enlarges the picture at most so
#: much; and is worth it where it enlarges what was seen so much.
_AROUND: Final = 0.8
_CLOSEST: Final = 1.8
_WORTH: Final = 1.3
_FILL: Final = 114


@dataclass(frozen=True)
class Detection:
    """Something the network found.

    Attributes:
        kind: ``index``, ``face`` or ``back``.
        score: 0 to 1.
        box: (4,) float32 pixels of the picture; left, top, right, bottom.
        quad: (4, 2) float32 pixels, see `vision.sightings.Sighting.quad`.
        visible: visible fraction, 0 to 1.
        others: quads of the same thing as seen at other scales and places, best first.
    """

    kind: str
    score: float
    box: NDArray[np.float32]
    quad: NDArray[np.float32]
    visible: float
    others: tuple[NDArray[np.float32], ...] = ()

    @property
    def centre(self) -> NDArray[np.float32]:
        """The middle of the box."""
        return np.asarray((self.box[:2] + self.box[2:]) / 2, np.float32)

    def moved(self, right: float, down: float) -> Detection:
        """Return the same thing *right* and *down* by so many pixels."""
        by = np.array([right, down], np.float32)
        return replace(
            self,
            box=self.box + np.tile(by, 2),
            quad=self.quad + by,
            others=tuple(quad + by for quad in self.others),
        )

    @property
    def side(self) -> float:
        """The longer side of the box in pixels."""
        return float((self.box[2:] - self.box[:2]).max())


class Detector:
    """The detector network and what its outputs mean.

    Args:
        network: input 1 × 3 × H × W, RGB in 0 to 1; output 1 × C × N: box centre x, y, width,
            height in pixels of the input, a score for each of *classes*, and, where the network
            knows them, the eight numbers of `vision.quads.quad_from_symmetric` and the visible
            fraction.
        classes: what the scores stand for, in order.
        threshold: detections below this score are dropped.
    """

    def __init__(self, network: Network, classes: list[str], threshold: float = 0.3) -> None:
        self._network = network
        self._classes = classes
        self._threshold = threshold

    def find(
        self, image: NDArray[np.uint8], sizes: list[int], near: int | None = None
    ) -> list[Detection]:
        """Return what is found in *image* when its longer side is scaled to each of *sizes*.

        The same thing found at several scales is returned once, the best found first. The image is
        also looked at with its longer side at *near* where a card may be too near to be found at
        the other sizes: where something large is found, or no card at all.
        """
        found = [found for size in sizes for found in self._at_scale(image, size)]
        if near is not None and near not in sizes and _is_near(found, max(image.shape[:2])):
            found += self._at_scale(image, near)
        return suppress(found)

    def look_closer(
        self, image: NDArray[np.uint8], found: list[Detection], size: int
    ) -> list[Detection]:
        """Return *found* in *image* at *size*, with what a closer look at small cards adds.

        Small cards are looked at once more, all of them in one part of the picture that is enlarged
        to as many pixels as the picture had at *size*; not where that would enlarge little.
        """
        long, short = max(image.shape[:2]), min(image.shape[:2])
        bodies = [one for one in found if one.kind != "index"]
        small = [one for one in bodies if one.side < _SMALL]
        if not small:
            return found
        reach = _AROUND * max(one.side for one in small)
        boxes = np.stack([one.box for one in small])
        low = np.maximum(boxes[:, :2].min(0) - reach, 0).astype(int)
        high = np.minimum(boxes[:, 2:].max(0) + reach, image.shape[1::-1]).astype(int)
        part = image[low[1] : high[1], low[0] : high[0]]
        before = size / long
        zoom = min(
            _CLOSEST, float(before * np.sqrt(long * short / (part.shape[0] * part.shape[1])))
        )
        if zoom < _WORTH * before:
            return found
        closer = self._at_scale(part, round(zoom * max(part.shape[:2])))
        moved = [one.moved(*low) for one in closer if not _cut_off(one, part.shape[:2])]
        return suppress(found + moved)

    def _at_scale(self, image: NDArray[np.uint8], size: int) -> list[Detection]:
        batch, scale = letterbox(image, size)
        output = self._network.run(batch)[0][0].T
        count = len(self._classes)
        scores = output[:, 4 : 4 + count]
        best = scores.argmax(1)
        score = scores.max(1)
        keep = np.flatnonzero(score >= self._threshold)
        keep = keep[np.argsort(-score[keep])][:600]
        rows = output[keep]
        boxes = np.concatenate([rows[:, :2] - rows[:, 2:4] / 2, rows[:, :2] + rows[:, 2:4] / 2], 1)
        boxes /= scale
        rest = rows[:, 4 + count :]
        if rest.shape[1]:
            quads = fit_to_boxes(quad_from_symmetric(rest[:, :8] / scale), boxes, image.shape[:2])
            visible = rest[:, 8]
        else:
            quads = np.array([box_quad(box) for box in boxes], np.float32).reshape(-1, 4, 2)
            visible = np.ones(len(rows), np.float32)
        possible = look_like_cards(quads)
        return [
            Detection(kind, float(score[i]), boxes[j], quads[j], float(visible[j]))
            for j, i in enumerate(keep)
            if (kind := self._classes[best[i]]) == "index" or possible[j]
        ]


def _cut_off(one: Detection, shape: tuple[int, ...]) -> bool:
    """Return whether *one* ends at the edge of a part of *shape* (height, width)."""
    return bool(one.box[:2].min() < 1 or (one.box[2:] > np.array(shape[::-1]) - 1).any())


def _is_near(found: list[Detection], long: int) -> bool:
    """Return whether a card may be too near to be found: something large, or no sure body."""
    bodies = [one for one in found if one.kind != "index"]
    indexes = [one.side for one in found if one.kind == "index"]
    if max((one.score for one in bodies), default=0) < _SURE_BODY:
        return True
    large = max(one.side for one in bodies) > _NEAR_BODY * long
    return large or max(indexes, default=0) > _NEAR_INDEX * long


def letterbox(image: NDArray[np.uint8], size: int) -> tuple[NDArray[np.float32], float]:
    """Return *image* as a network's input with the longer side scaled to *size*, and the scale.

    The right and the bottom are padded with grey to multiples of `STRIDE`.
    """
    height, width = image.shape[:2]
    scale = size / max(height, width)
    new_width, new_height = max(1, round(width * scale)), max(1, round(height * scale))
    way = cv2.INTER_AREA if scale < 1 else cv2.INTER_LINEAR
    small = cv2.resize(image, (new_width, new_height), interpolation=way)
    padded = np.full(
        (-(-new_height // STRIDE) * STRIDE, -(-new_width // STRIDE) * STRIDE, 3), _FILL, np.uint8
    )
    padded[:new_height, :new_width] = small
    batch = cv2.dnn.blobFromImage(padded, 1 / 255, swapRB=True)
    return np.asarray(batch, np.float32), float(scale)


def suppress(found: list[Detection]) -> list[Detection]:
    """Return *found* without repeats: of things that are one, the one with the best score stays.

    Two indexes are one where their boxes overlap (IoU > 0.3, or 3/4 of one inside the other), two
    bodies where their quads do (IoU > 0.45, or nearly all of one inside the other), be they faces
    or backs: of two real cards that lie so, the lower one is hidden.
    """
    kept: list[Detection] = []
    boxes = np.empty((len(found), 4), np.float32)
    for one in sorted(found, key=lambda detection: -detection.score):
        known = boxes[: len(kept)]
        shared = np.minimum(known[:, 2:], one.box[2:]) - np.maximum(known[:, :2], one.box[:2])
        for place in np.flatnonzero((shared > 0).all(1)):
            other = kept[place]
            if (other.kind == "index") == (one.kind == "index") and _same(one, other):
                if len(other.others) < MOST_OTHERS:
                    kept[place] = replace(other, others=(*other.others, one.quad))
                break
        else:
            boxes[len(kept)] = one.box
            kept.append(one)
    return kept


def _same(one: Detection, other: Detection) -> bool:
    """Return whether *one* and *other*, whose boxes overlap, are one thing."""
    if one.kind != "index":
        return quad_iou(one.quad, other.quad) > 0.45 or quad_share(one.quad, other.quad) > 0.85
    corner = np.minimum(one.box[2:], other.box[2:]) - np.maximum(one.box[:2], other.box[:2])
    shared = float(corner.prod())
    areas = [float((d.box[2:] - d.box[:2]).prod()) for d in (one, other)]
    return shared / (sum(areas) - shared) > 0.3 or shared / min(areas) > 0.75


def parts(found: list[Detection], *kinds: str) -> list[Detection]:
    """Return those of *found* that are of one of *kinds*."""
    return [detection for detection in found if detection.kind in kinds]
