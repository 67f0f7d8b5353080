"""Training crops where the reader itself finds cards and indexes in cached scenes.

`models.scene_crops` and `models.canvases` cut along the true quads, moved at random. What the
reader asks its networks to name is cut along the quads that it found: they are off in their own
ways, hold two cards at times, and some of them no card at all. Crops of those teach what no random
move does.
"""

from __future__ import annotations

import json
from collections.abc import Iterable, Iterator
from pathlib import Path
from typing import Any, Final, Protocol

import cv2
import numpy as np
from numpy.typing import NDArray

from models.crop_cache import ROOM, ROOMY, ShardWriter, label
from models.name_net import FACE, INDEX
from vision.detector import Detection
from vision.names import crop_square, upright_angle
from vision.quads import bounds, quad_iou, rectify
from vision.reader import Findings

Image = NDArray[np.uint8]
Quad = NDArray[np.float32]

#: Sizes at which pictures are looked at, one for each: as the settings of the reader do.
SIZES: Final = (640, 960, 1280)
#: A quad shows the card that it overlaps so much (intersection over union), and by so much more
#: than any other card; below the last number it shows none.
_SAME: Final = 0.5
_CLEARLY: Final = 0.15
_NONE: Final = 0.25
#: Things that show less are not named.
_VISIBLE: Final = {"index": 0.75, "face": 0.35}
#: An index is found where its middle is off by at most this share of its length, and the length
#: found is the true one within this factor.
_OFF: Final = 0.35
_FACTOR: Final = 1.6
#: What is found further than this from any index, in its own lengths, is none.
_APART: Final = 0.35
_SMALLEST: Final = 8.0


class Finder(Protocol):
    """What finds cards and indexes, see `vision.reader.CardReader.look`."""

    def look(self, image: Image, *, size: int | None) -> Findings:
        """Return indexes and bodies with names."""


def fill_mined(scenes: Iterable[Path], folder: Path, reader: Finder, tag: str) -> int:
    """Cut what *reader* finds in *scenes* (label files) into shards in *folder*.

    The shards' names hold *tag*. Returns how many were written.
    """
    faces = ShardWriter(folder, f"face-mined-{tag}")
    indexes = ShardWriter(folder, f"index-mined-{tag}")
    for number, path in enumerate(scenes):
        image = cv2.imread(str(path.with_suffix(".jpg")), cv2.IMREAD_COLOR)
        if image is None:
            continue
        picture = np.asarray(image, np.uint8)
        found, _, bodies, _ = reader.look(picture, size=SIZES[number % len(SIZES)])
        things: list[dict[str, Any]] = json.loads(path.read_text("utf-8"))
        for quad, name in named_bodies(bodies, things):
            faces.add(rectify(picture, quad, FACE.size), label(FACE, name))
        for one, name in named_indexes(found, things):
            side = one.side * ROOM
            crop = crop_square(picture, one.centre, side, ROOMY, upright_angle(one.quad))
            indexes.add(crop, label(INDEX, name))
    return faces.close() + indexes.close()


def named_bodies(
    bodies: Iterable[Detection], things: list[dict[str, Any]]
) -> Iterator[tuple[Quad, str]]:
    """Yield the quads of *bodies* with what *things* (labels) say they show; unclear ones not.

    A face of which the quad takes a long side for a short one is none: it is not to be named so.
    """
    cards = [thing for thing in things if thing["class"] > 0]
    quads = [np.array(card["quad"], np.float32) for card in cards]
    for body in bodies:
        alike = [quad_iou(body.quad, quad) for quad in quads]
        most, second = sorted([*alike, 0.0, 0.0], reverse=True)[:2]
        if most < _NONE:
            yield body.quad, "none"
            continue
        best = alike.index(most)
        if most >= max(_SAME, second + _CLEARLY) and cards[best]["visible"] >= _VISIBLE["face"]:
            up = cards[best]["class"] == 1
            name = cards[best]["name"] if up else "back"
            yield body.quad, "none" if up and _turned(body.quad, quads[best]) else name


def _turned(quad: Quad, true: Quad) -> bool:
    """Return whether *quad* is nearer to *true* when it is turned by a quarter."""
    off = [float(np.linalg.norm(np.roll(quad, turn, axis=0) - true)) for turn in range(4)]
    return min(off[1], off[3]) < min(off[0], off[2])


def named_indexes(
    found: Iterable[Detection], things: list[dict[str, Any]]
) -> Iterator[tuple[Detection, str]]:
    """Yield the indexes *found* with what *things* (labels) say they are; unclear ones not."""
    indexes = [thing for thing in things if thing["class"] == 0]
    boxes = [bounds(np.array(index["quad"], np.float32)) for index in indexes]
    for one in found:
        if one.side < _SMALLEST:
            continue
        fitting, nearest = [], np.inf
        for index, box in zip(indexes, boxes, strict=True):
            long = float((box[2:] - box[:2]).max())
            off = float(np.linalg.norm(one.centre - (box[:2] + box[2:]) / 2))
            nearest = min(nearest, (off - long / 2) / one.side)
            if off <= _OFF * long and long / _FACTOR < one.side < long * _FACTOR:
                fitting.append(index)
        if len(fitting) == 1 and fitting[0]["visible"] >= _VISIBLE["index"]:
            yield one, fitting[0]["name"]
        elif not fitting and nearest > _APART:
            yield one, "none"
