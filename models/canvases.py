"""Cards cut from cached scenes with room around them, for training on any quad near the true one.

A canvas is a card as its true quad flattens it, at `CANVAS`, with `MARGIN` of its width and height
around it. A quad that is a little off is then a crop of the canvas, so that a network can be taught
both to name a card whose quad is a little off and to say by how much it is off.
"""

from __future__ import annotations

import json
from collections.abc import Iterable, Iterator, Sequence
from pathlib import Path
from typing import Any, Final

import cv2
import numpy as np
from numpy.typing import NDArray

from datasets.crops import card_view, stranger_view
from models.crop_cache import SHARD, ShardWriter, label, save_shard
from models.name_net import FACE
from vision.quads import UNIT_SQUARE, flatten, quad_iou

Image = NDArray[np.uint8]

#: Height and width of a canvas, and what it holds around the card, as a share of the card.
CANVAS: Final = (144, 96)
MARGIN: Final = 0.3
#: The card's corners on a canvas as fractions of it.
CARD: Final = (UNIT_SQUARE + MARGIN) / (1 + 2 * MARGIN)
#: How far quads are off, as shares: shift, scale, turn (radians), slant, each corner by itself.
#: Slants are large: of a card that lies askew and is seen from low down, the quad comes too square.
_SHIFT, _SCALE, _TURN, _SLANT, _CORNER = 0.06, 0.08, 0.09, 0.14, 0.045
#: A card's width by its height, in which turns are turns.
_ASPECT: Final = 0.7
#: Cards that show less, or that are shorter than this in pixels, are left out.
_VISIBLE: Final = 0.35
_SHORTEST: Final = 30.0


def fill_canvases(scenes: Iterable[Path], folder: Path, tag: str) -> int:
    """Cut the canvases of *scenes* (label files) into shards in *folder*; return their number.

    The shards' names hold *tag*.
    """
    writer = ShardWriter(folder, f"canvas-{tag}")
    for path in scenes:
        for crop, name in _canvases(path):
            writer.add(crop, label(FACE, name))
    return writer.close()


def render_canvases(folder: Path, seed: int, shards: range, faces: Sequence[int] | None) -> None:
    """Render *shards* of canvases of single cards into *folder*; shards that are there are kept.

    *faces* are those to choose from, see `datasets.crops.card_view`.
    """
    folder.mkdir(parents=True, exist_ok=True)
    for shard in shards:
        path = folder / f"canvas-r{seed}-{shard:04d}.npz"
        if path.exists():
            continue
        crops = np.zeros((SHARD, *CANVAS, 3), np.uint8)
        labels = np.zeros((SHARD, 2), np.int16)
        for i in range(SHARD):
            rng = np.random.default_rng([seed, shard * SHARD + i, 3])
            image, quad, name = card_view(rng, faces)
            crops[i], labels[i] = canvas(image, quad), label(FACE, name)
        save_shard(path, crops, labels)


def render_strangers(folder: Path, seed: int, shards: range) -> None:
    """Render *shards* of canvases of cards of other games, which are to be named none."""
    folder.mkdir(parents=True, exist_ok=True)
    for shard in shards:
        path = folder / f"blank-r{seed}-{shard:04d}.npz"
        if path.exists():
            continue
        crops = np.zeros((SHARD, *CANVAS, 3), np.uint8)
        labels = np.tile(np.array(label(FACE, "none"), np.int16), (SHARD, 1))
        for i in range(SHARD):
            rng = np.random.default_rng([seed, shard * SHARD + i, 4])
            crops[i] = canvas(*stranger_view(rng))
        save_shard(path, crops, labels)


def _canvases(path: Path) -> Iterator[tuple[Image, str]]:
    image = cv2.imread(str(path.with_suffix(".jpg")), cv2.IMREAD_COLOR)
    if image is None:
        return
    things: list[dict[str, Any]] = json.loads(path.read_text("utf-8"))
    for thing in things:
        quad = np.array(thing["quad"], np.float32)
        if thing["class"] == 0 or thing["visible"] < _VISIBLE:
            continue
        if np.ptp(quad, axis=0).max() >= _SHORTEST:
            name = thing["name"] if thing["class"] == 1 else "back"
            yield canvas(np.asarray(image, np.uint8), quad), name


def fill_blanks(scenes: Iterable[Path], folder: Path, tag: str, seed: int) -> int:
    """Cut quads of *scenes* that are no card into shards in *folder*; return their number.

    Tables, things, hands, and quads that lie across two cards or show a part of one.
    """
    rng = np.random.default_rng(seed)
    writer = ShardWriter(folder, f"blank-{tag}")
    for path in scenes:
        image = cv2.imread(str(path.with_suffix(".jpg")), cv2.IMREAD_COLOR)
        if image is None:
            continue
        things: list[dict[str, Any]] = json.loads(path.read_text("utf-8"))
        cards = [np.array(t["quad"], np.float32) for t in things if t["class"] > 0]
        for _ in range(2):
            quad = _blank(cards, image.shape[:2], rng)
            if all(quad_iou(quad, card) < 0.4 for card in cards):
                writer.add(canvas(np.asarray(image, np.uint8), quad), label(FACE, "none"))
    return writer.close()


def _blank(
    cards: list[NDArray[np.float32]], shape: tuple[int, ...], rng: np.random.Generator
) -> NDArray[np.float32]:
    """Return a quad that is likely no card, as a detector may take for one."""
    if cards and rng.random() < 0.6:
        quad = cards[int(rng.integers(len(cards)))]
        centre = quad.mean(axis=0)
        kind = rng.random()
        if kind < 0.5:
            way = rng.choice([-1, 1], 2) * rng.uniform(0.3, 0.9, 2)
            shift = way[0] * (quad[1] - quad[0]) + way[1] * (quad[3] - quad[0])
            return np.asarray(quad + shift, np.float32)
        zoom = rng.choice([rng.uniform(0.35, 0.6), rng.uniform(1.6, 2.2)])
        corner = quad[int(rng.integers(4))] if zoom < 1 else centre
        return np.asarray(corner + (quad - corner) * zoom, np.float32)
    tall = rng.uniform(40, 200)
    unit = (UNIT_SQUARE - 0.5) * (rng.uniform(0.6, 0.8), 1) + rng.normal(0, 0.04, (4, 2))
    angle = rng.uniform(0, 2 * np.pi)
    turn = np.array([[np.cos(angle), np.sin(angle)], [-np.sin(angle), np.cos(angle)]])
    spread = (unit @ turn) * (1, rng.uniform(0.5, 1)) * tall
    return np.asarray(spread + rng.random(2) * shape[::-1], np.float32)


def canvas(image: Image, quad: NDArray[np.float32]) -> Image:
    """Return the canvas of the card at *quad* in *image*."""
    return flatten(image, quad, CANVAS, CARD * np.array(CANVAS[::-1]))


def off_quad(rng: np.random.Generator, level: float) -> NDArray[np.float32]:
    """Return a quad near the unit square, in card widths and heights; *level* says how far off."""
    quad = (UNIT_SQUARE - 0.5) * np.exp(rng.normal(0, _SCALE * level, 2)) * (_ASPECT, 1)
    angle = rng.normal(0, _TURN * level)
    turn = np.array([[np.cos(angle), np.sin(angle)], [-np.sin(angle), np.cos(angle)]])
    quad = (quad @ turn) / (_ASPECT, 1) + 0.5
    slant = np.eye(2) + np.fliplr(np.diag(rng.normal(0, _SLANT * level, 2)))
    quad = (quad - 0.5) @ slant + 0.5
    quad = quad + rng.normal(0, _SHIFT * level, 2) + rng.normal(0, _CORNER * level, (4, 2))
    return np.asarray(quad, np.float32)


def cut_canvas(
    canvas: Image, quad: NDArray[np.float32], size: tuple[int, int], margin: float = 0.0
) -> Image:
    """Return what *quad* (card widths and heights) shows of *canvas*, with *margin* around it."""
    low, span = CARD[0], CARD[2] - CARD[0]
    source = ((low + quad * span) * canvas.shape[1::-1]).astype(np.float32)
    target = ((UNIT_SQUARE + margin) / (1 + 2 * margin) * size[::-1]).astype(np.float32)
    matrix = cv2.getPerspectiveTransform(source, target)
    return np.asarray(
        cv2.warpPerspective(
            canvas, matrix, size[::-1], flags=cv2.INTER_LINEAR, borderMode=cv2.BORDER_REFLECT
        ),
        np.uint8,
    )
