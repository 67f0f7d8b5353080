"""Turns the fetched artwork into the decks of the cache."""

from __future__ import annotations

import zlib
from collections.abc import Iterator
from pathlib import Path

import cv2
import numpy as np
from numpy.typing import NDArray

from datasets.artwork import Artwork, artworks
from datasets.backs import draw_back
from datasets.decks import (
    BACK,
    FACE_SHAPE,
    Deck,
    IndexBox,
    corner_boxes,
    decks_dir,
    levels_of,
    load_deck,
    save_deck,
)
from datasets.drawn import court_lenders, deck_name, drawn_deck
from datasets.fonts import list_fonts
from datasets.indexes import Box, find_index, settle
from datasets.stamps import store_stamps
from datasets.textures import store_textures, store_views
from engine.cards import Rank, deck

Image = NDArray[np.uint8]


def build_all(drawn: int) -> Iterator[str]:
    """Make all that the renderer needs of what is fetched, *drawn* drawn decks too; yields names.

    What is already made is kept.
    """
    store_textures()
    store_views()
    yield "textures"
    store_stamps()
    yield "stamps"
    list_fonts()
    yield "fonts.txt"
    yield from build_artwork_decks(decks_dir())
    yield from build_drawn_decks(decks_dir(), drawn)


def build_artwork_decks(folder: Path) -> Iterator[str]:
    """Store below *folder* every artwork deck that is fetched and not stored yet; yields names."""
    for art in artworks():
        if not (folder / art.name / "deck.json").is_file():
            save_deck(folder, _deck_of(art))
            yield art.name


def build_drawn_decks(folder: Path, count: int) -> Iterator[str]:
    """Store below *folder* the drawn decks 0 to *count* - 1 that are missing; yields names."""
    stored = sorted(path.parent for path in folder.glob("*/deck.json"))
    lenders = court_lenders(tuple(load_deck(path) for path in stored))
    for number in range(count):
        if not (folder / deck_name(number) / "deck.json").is_file():
            save_deck(folder, drawn_deck(number, lenders))
            yield deck_name(number)


def _deck_of(art: Artwork) -> Deck:
    height, width = FACE_SHAPE
    faces = np.full((BACK + 1, height, width, 3), 255, np.uint8)
    boxes: dict[tuple[str, str], Box | None] = {}
    aspect = 0.7
    has_back = False
    for card, picture in art.read():
        face, aspect_found = _flatten(picture, art.trim)
        if not card.known:
            faces[BACK] = face
            has_back = True
            continue
        aspect = aspect_found
        faces[card.index] = face
        boxes[str(card.rank), str(card.suit)] = find_index(face, art.index_area)
    if not has_back:
        faces[BACK] = draw_back(np.random.default_rng(zlib.crc32(art.name.encode())))
    boxes = settle(boxes, art.bare_courts)
    indexes: list[tuple[IndexBox, ...]] = [()] * BACK
    for card in deck():
        box = boxes.get((str(card.rank), str(card.suit)))
        if box:
            indexes[card.index] = corner_boxes(box, art.four_corners)
    numbers = {Rank(str(n)) for n in range(2, 11)}
    present = [c.index for c in deck() if art.letters != "other" or c.rank in numbers]
    levels = levels_of(faces)
    return Deck(art.name, levels, tuple(indexes), tuple(present), float(aspect), 0.055, art.letters)


def _flatten(picture: Image, trim_share: float) -> tuple[Image, float]:
    """Trim *picture* (BGRA) to the card, lay it on paper; the face and its aspect."""
    solid = picture[..., 3] > 128
    rows, columns = np.flatnonzero(solid.any(axis=1)), np.flatnonzero(solid.any(axis=0))
    picture = picture[rows[0] : rows[-1] + 1, columns[0] : columns[-1] + 1]
    trim = round(trim_share * picture.shape[1])
    picture = picture[trim : picture.shape[0] - trim, trim : picture.shape[1] - trim]
    aspect = picture.shape[1] / picture.shape[0]
    h, w = picture.shape[:2]
    edge = picture[h // 3 : -h // 3, round(0.02 * w) : round(0.05 * w), :3]
    paper = np.median(edge.reshape(-1, 3), axis=0)
    alpha = picture[..., 3:].astype(np.float32) / 255
    flat = picture[..., :3] * alpha + paper.astype(np.float32) * (1 - alpha)
    # What lies outside the rounded corner of the drawing becomes paper.
    radius = max(2, round(0.05 * w))
    for y in (slice(0, radius), slice(h - radius, h)):
        for x in (slice(0, radius), slice(w - radius, w)):
            corner = flat[y, x]
            dark = np.abs(corner - paper).max(axis=2) > 40
            corner[dark] = paper
    size = (FACE_SHAPE[1], FACE_SHAPE[0])
    method = cv2.INTER_AREA if h > FACE_SHAPE[0] else cv2.INTER_CUBIC
    resized = cv2.resize(flat.clip(0, 255).astype(np.uint8), size, interpolation=method)
    return np.asarray(resized, np.uint8), aspect
