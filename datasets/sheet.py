"""Contact sheets: many small pictures with their labels, to be looked at."""

from __future__ import annotations

from collections.abc import Callable
from typing import Final

import cv2
import numpy as np
from numpy.typing import NDArray

from datasets.crops import face_crop, index_crop
from datasets.decks import BACK
from datasets.labels import Scene
from datasets.library import library
from datasets.scenes import render_scene
from engine.cards import Card

Image = NDArray[np.uint8]
Colour = tuple[int, int, int]

_UP: Final[Colour] = (0, 220, 0)
_DOWN: Final[Colour] = (255, 140, 0)
_READABLE: Final[Colour] = (255, 0, 255)
_COVERED: Final[Colour] = (0, 220, 255)
_HAND: Final[Colour] = (0, 0, 255)
#: Cards shown of every deck.
_SAMPLE: Final = ("AS", "10H", "JD", "QC", "KS", "7D", "2C", "9H")


def drawn_labels(scene: Scene) -> Image:
    """The picture of *scene* with all labels drawn in: a dot marks the start of each quad."""
    image = scene.image.copy()
    for hand in scene.hands:
        cv2.polylines(image, [hand.astype(np.int32)], True, _HAND, 1, cv2.LINE_AA)
    for card in scene.cards:
        colour = _UP if card.face_up else _DOWN
        cv2.polylines(image, [card.quad.astype(np.int32)], True, colour, 1, cv2.LINE_AA)
        cv2.circle(image, _pixel(card.quad[0]), 3, _HAND, -1, cv2.LINE_AA)
        text = f"{card.name} {card.visible:.2f}"
        cv2.putText(image, text, _pixel(card.quad.mean(axis=0)), 0, 0.4, colour, 1, cv2.LINE_AA)
    for index in scene.indexes:
        colour = _READABLE if index.visible > 0.8 else _COVERED
        cv2.polylines(image, [index.quad.astype(np.int32)], True, colour, 1, cv2.LINE_AA)
    return image


def _pixel(point: NDArray[np.floating]) -> tuple[int, int]:
    return int(point[0]), int(point[1])


def scene_sheet(recipe: str, seed: int, count: int) -> Image:
    """The first *count* scenes of *recipe* with their labels."""
    tiles = []
    for number in range(count):
        image = drawn_labels(render_scene(recipe, seed, number))
        scale = min(480 / image.shape[1], 360 / image.shape[0])
        small = cv2.resize(image, None, fx=scale, fy=scale, interpolation=cv2.INTER_AREA)
        tiles.append(_framed(np.asarray(small, np.uint8), 360, 480))
    return _grid(tiles, 4)


def crop_sheet(kind: str, seed: int, count: int) -> Image:
    """The first *count* crops of *kind*, "index" or "face", with their names."""
    source: Callable[[int, int], tuple[Image, str]] = index_crop if kind == "index" else face_crop
    tiles = []
    for number in range(count):
        crop, name = source(seed, number)
        tile = cv2.copyMakeBorder(crop, 0, 16, 1, 1, cv2.BORDER_CONSTANT)
        place = (2, tile.shape[0] - 4)
        cv2.putText(tile, name, place, 0, 0.42, (0, 255, 255), 1, cv2.LINE_AA)
        tiles.append(np.asarray(tile, np.uint8))
    return _grid(tiles, 16)


def deck_sheet() -> Image:
    """A few cards and the back of every deck at hand, with the corner indexes marked."""
    rows = []
    for deck in library():
        tiles = []
        for index in [*(Card.parse(name).index for name in _SAMPLE), BACK]:
            face = deck.levels[1][index].copy()
            height, width = face.shape[:2]
            for found in deck.indexes[index] if index != BACK else ():
                x0, y0, x1, y1 = (
                    int(v) for v in np.array(found.box) * [width, height, width, height]
                )
                cv2.rectangle(face, (x0, y0), (x1, y1), _READABLE, 1)
            if index != BACK and index not in deck.present:
                face //= 3
            size = (round(180 * deck.aspect), 180)
            tiles.append(_framed(np.asarray(cv2.resize(face, size), np.uint8), 184, 140))
        row = np.hstack(tiles)
        cv2.putText(row, deck.name, (4, 176), 0, 0.5, (0, 90, 200), 1, cv2.LINE_AA)
        rows.append(row)
    return _grid(rows, 2)


def _framed(tile: Image, height: int, width: int) -> Image:
    framed = np.zeros((height, width, 3), np.uint8)
    framed[: tile.shape[0], : tile.shape[1]] = tile[:height, :width]
    return framed


def _grid(tiles: list[Image], columns: int) -> Image:
    blank = np.zeros_like(tiles[0])
    tiles = tiles + [blank] * (-len(tiles) % columns)
    rows = [np.hstack(tiles[n : n + columns]) for n in range(0, len(tiles), columns)]
    return np.asarray(np.vstack(rows), np.uint8)
