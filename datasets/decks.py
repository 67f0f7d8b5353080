"""Decks as 52 faces and a back, with the place of every corner index, in the cache.

A deck is a folder with the faces at three sizes (so that a card drawn small needs no large
picture) and a `deck.json`. Faces are opened as memory maps, so many decks cost little memory and
several processes share them.
"""

from __future__ import annotations

import json
from dataclasses import dataclass
from functools import cached_property, lru_cache
from pathlib import Path
from typing import Any, Final

import cv2
import numpy as np
from numpy.typing import NDArray

from datasets.assets import cache_dir

Image = NDArray[np.uint8]

#: Height and width of a stored face; the true aspect of the card is `Deck.aspect`.
FACE_SHAPE: Final = (560, 400)
LEVELS: Final = 3
#: Position of the back among the pictures of a deck.
BACK: Final = 52
#: To be raised when stored decks change, so that old caches are rebuilt.
FORMAT: Final = 1


@dataclass(frozen=True)
class IndexBox:
    """A corner index: left, top, right, bottom as fractions of the card, and whether it is upside
    down as printed (the one at the bottom right)."""

    box: tuple[float, float, float, float]
    upside_down: bool


@dataclass(frozen=True)
class Deck:
    """A deck of 52 faces and a back.

    Attributes:
        name: unique name.
        levels: faces at full, half and quarter size, each 53 x H x W x 3 BGR; 52 is the back.
        indexes: the corner indexes of each of the 52 faces.
        present: the faces that this deck can serve (`Card.index`).
        aspect: width over height of the card.
        radius: corner radius as a fraction of the width.
    """

    name: str
    levels: tuple[Image, ...]
    indexes: tuple[tuple[IndexBox, ...], ...]
    present: tuple[int, ...]
    aspect: float
    radius: float

    def face(self, index: int, height: float) -> Image:
        """The picture of face *index*, at the smallest stored size not below *height* pixels."""
        level = 0
        while level + 1 < len(self.levels) and self.levels[level + 1].shape[1] >= height:
            level += 1
        return self.levels[level][index]

    @cached_property
    def alpha(self) -> Image:
        """The shape of the card, rounded at its corners, at half size: H x W, 0 or 255 inside."""
        height, width = FACE_SHAPE[0] // 2, FACE_SHAPE[1] // 2
        return rounded(height, width, self.radius, self.aspect)


def rounded(height: int, width: int, radius: float, aspect: float) -> Image:
    """A mask of a card with corner radius *radius* (fraction of its width)."""
    scale = 4
    mask = np.zeros((height * scale, width * scale), np.uint8)
    rx = max(1, round(radius * width * scale))
    ry = max(1, round(radius * aspect * height * scale))
    mask[ry:-ry] = 255
    mask[:, rx:-rx] = 255
    for x in (rx, width * scale - 1 - rx):
        for y in (ry, height * scale - 1 - ry):
            cv2.ellipse(mask, (x, y), (rx, ry), 0, 0, 360, 255, -1)
    small = cv2.resize(mask, (width, height), interpolation=cv2.INTER_AREA)
    return np.asarray(small, np.uint8)


def save_deck(folder: Path, deck: Deck) -> None:
    """Write *deck* below *folder*."""
    target = folder / deck.name
    target.mkdir(parents=True, exist_ok=True)
    for level, faces in enumerate(deck.levels):
        np.save(target / f"faces{level}.npy", faces)
    boxes = [[[*map(float, i.box), i.upside_down] for i in face] for face in deck.indexes]
    record = {
        "format": FORMAT,
        "aspect": deck.aspect,
        "radius": deck.radius,
        "present": list(deck.present),
        "indexes": boxes,
    }
    (target / "deck.json").write_text(json.dumps(record), encoding="utf-8")


def load_deck(folder: Path) -> Deck:
    """Open the deck stored in *folder*."""
    record: dict[str, Any] = json.loads((folder / "deck.json").read_text(encoding="utf-8"))
    if record["format"] != FORMAT:
        raise ValueError(f"{folder.name} was stored in an older form; run `datasets fetch`")
    indexes = tuple(
        tuple(IndexBox((b[0], b[1], b[2], b[3]), bool(b[4])) for b in face)
        for face in record["indexes"]
    )
    return Deck(
        folder.name,
        tuple(np.load(folder / f"faces{level}.npy", mmap_mode="r") for level in range(LEVELS)),
        indexes,
        tuple(record["present"]),
        record["aspect"],
        record["radius"],
    )


def levels_of(faces: Image) -> tuple[Image, ...]:
    """The pictures of a deck at full, half and quarter size; *faces* is 53 x H x W x 3."""
    out = [faces]
    while len(out) < LEVELS:
        last = out[-1]
        size = (last.shape[2] // 2, last.shape[1] // 2)
        halved = [cv2.resize(face, size, interpolation=cv2.INTER_AREA) for face in last]
        out.append(np.stack(halved).astype(np.uint8))
    return tuple(out)


def decks_dir() -> Path:
    """The folder of the cache that holds the decks."""
    return cache_dir() / "decks"


@lru_cache(maxsize=1)
def library() -> tuple[Deck, ...]:
    """Every deck of the cache in the order of their names; the built-in ones when it has none."""
    folder = decks_dir()
    found = sorted(path.parent for path in folder.glob("*/deck.json"))
    return tuple(load_deck(path) for path in found)
