"""Decks as 52 faces and a back, with the place of every corner index, in the cache.

A deck is a folder with the faces at three sizes (so that a card drawn small needs no large
picture) and a `deck.json`. Faces are opened as memory maps, so many decks cost little memory and
several processes share them.
"""

from __future__ import annotations

import json
from dataclasses import dataclass
from functools import cached_property
from pathlib import Path
from typing import Any, Final

import cv2
import numpy as np
from numpy.typing import NDArray

from datasets.assets import cache_dir

Image = NDArray[np.uint8]
Points = NDArray[np.float32]

#: Height and width of a stored face; the true aspect of the card is `Deck.aspect`.
FACE_SHAPE: Final = (560, 400)
LEVELS: Final = 3
#: Position of the back among the pictures of a deck.
BACK: Final = 52
#: To be raised when stored decks change, so that old caches are rebuilt.
FORMAT: Final = 2


Box = tuple[float, float, float, float]


@dataclass(frozen=True)
class IndexBox:
    """A corner index.

    Attributes:
        box: left, top, right, bottom as fractions of the card.
        upside_down: whether it is printed upside down, as the one at the bottom right is.
    """

    box: Box
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
        letters: "english" (courts J Q K), "german" (B D K), "french" (V D R) or "other".
    """

    name: str
    levels: tuple[Image, ...]
    indexes: tuple[tuple[IndexBox, ...], ...]
    present: tuple[int, ...]
    aspect: float
    radius: float
    letters: str = "english"

    def face(self, index: int, height: float) -> Image:
        """The picture of face *index* at the stored size that suits a height of *height* pixels."""
        level = 0
        while level + 1 < LEVELS and self.levels[level + 1].shape[1] >= 0.8 * height:
            level += 1
        return np.asarray(self.levels[level][index])

    @cached_property
    def outline(self) -> Points:
        """The card's edge, rounded at its corners: (24, 2), fractions of the card."""
        turn = np.linspace(0, np.pi / 2, 6)
        reach = self.radius * np.array([1, self.aspect])
        arc = np.stack([1 - np.cos(turn), 1 - np.sin(turn)], axis=1) * reach
        mirrored = arc[::-1] * (-1, 1) + (1, 0)
        top = np.concatenate([arc, mirrored])
        return np.asarray(np.concatenate([top, 1 - top]), np.float32)


def corner_boxes(box: Box, four_corners: bool) -> tuple[IndexBox, ...]:
    """The indexes of a face whose top-left index is *box*."""
    x0, y0, x1, y1 = box
    upright = [box]
    if four_corners:
        upright.append((1 - x1, y0, 1 - x0, y1))
    turned = [(1 - b[2], 1 - b[3], 1 - b[0], 1 - b[1]) for b in upright]
    return tuple(
        IndexBox(b, flipped) for boxes, flipped in ((upright, False), (turned, True)) for b in boxes
    )


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
        "letters": deck.letters,
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
        record["letters"],
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
