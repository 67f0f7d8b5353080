"""Training crops cut from cached scenes: what the reader will really be asked to name.

The crops of `datasets.crops` are varied at random; these have the neighbours, shadows, overlaps and
perspectives of whole scenes, and cost nothing once the scenes are rendered.
"""

from __future__ import annotations

import json
from collections.abc import Iterable, Iterator
from pathlib import Path
from typing import Any, Final

import cv2
import numpy as np
from numpy.typing import NDArray

from models.crop_cache import ROOM, ROOMY, ShardWriter, label
from models.name_net import FACE, INDEX, NameKind
from vision.names import crop_square, upright_angle
from vision.quads import rectify

Image = NDArray[np.uint8]

#: Crops of things less visible than this are left out; a person could not name many of them.
_VISIBLE: Final = {"index": 0.75, "face": 0.4}
_SMALLEST: Final = 9.0
#: How far off places of indexes are besides, in pixels.
_UNSURE: Final = 0.4


def shards_from_scenes(
    scenes: Iterable[Path], folder: Path, kind: NameKind, tag: str, seed: int
) -> int:
    """Cut the crops of *kind* from *scenes* (label files) into shards in *folder*.

    The shards' names hold *tag*, which tells those of one set of scenes from those of another.

    Returns:
        How many shards were written.
    """
    rng = np.random.default_rng(seed)
    writer = ShardWriter(folder, f"{kind.name}-upright-{tag}")
    for path in scenes:
        for crop, name in _crops(path, kind, rng):
            writer.add(crop, label(kind, name))
    return writer.close()


def _crops(path: Path, kind: NameKind, rng: np.random.Generator) -> Iterator[tuple[Image, str]]:
    image = cv2.imread(str(path.with_suffix(".jpg")), cv2.IMREAD_COLOR)
    if image is None:
        return
    picture = np.asarray(image, np.uint8)
    things: list[dict[str, Any]] = json.loads(path.read_text("utf-8"))
    for thing in things:
        quad = np.array(thing["quad"], np.float32)
        wanted = (thing["class"] == 0) == (kind is INDEX)
        if (
            not wanted
            or thing["visible"] < _VISIBLE[kind.name]
            or np.ptp(quad, 0).max() < _SMALLEST
        ):
            continue
        if kind is INDEX:
            yield _index(picture, quad, rng), thing["name"]
        else:
            name = thing["name"] if thing["class"] == 1 else "back"
            yield _face(picture, quad, rng), name
    if kind is INDEX:
        yield from _without_index(picture, things, rng)


def _index(image: Image, quad: NDArray[np.float32], rng: np.random.Generator) -> Image:
    low, high = quad.min(0), quad.max(0)
    side = float((high - low).max())
    # Small ones are found less precisely.
    centre = (low + high) / 2 + rng.normal(0, 0.03 * side + _UNSURE, 2)
    return crop_square(image, centre, side * ROOM, ROOMY, upright_angle(quad))


def _face(image: Image, quad: NDArray[np.float32], rng: np.random.Generator) -> Image:
    size = float(np.linalg.norm(quad[0] - quad[2]))
    shift = rng.normal(0, 0.012, 2) * size
    moved = quad + shift + rng.normal(0, rng.choice([0.008, 0.02]), (4, 2)) * size
    if rng.random() < 0.5:
        moved = np.roll(moved, 2, axis=0)
    return rectify(image, moved.astype(np.float32), FACE.size)


def _without_index(
    image: Image, things: list[dict[str, Any]], rng: np.random.Generator
) -> Iterator[tuple[Image, str]]:
    """Yield up to two crops of a scene that hold no index: pips, courts, backs, tables, papers."""
    indexes = [np.array(thing["quad"]) for thing in things if thing["class"] == 0]
    cards = [np.array(thing["quad"]) for thing in things if thing["class"] > 0]
    for _ in range(2):
        if cards and rng.random() < 0.7:
            quad = cards[rng.integers(len(cards))]
            spot = quad[0] + rng.random() * (quad[1] - quad[0]) + rng.random() * (quad[3] - quad[0])
            side = float(np.linalg.norm(quad[0] - quad[1])) * rng.uniform(0.15, 0.4)
        else:
            spot = rng.random(2) * image.shape[1::-1]
            side = rng.uniform(10, 60)
        apart = [
            np.abs(index.mean(0) - spot).max() - np.ptp(index, axis=0).max() / 2
            for index in indexes
        ]
        if side >= _SMALLEST and all(gap > 0.35 * side for gap in apart):
            yield crop_square(image, spot, side * ROOM, ROOMY), "none"
