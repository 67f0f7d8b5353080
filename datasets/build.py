"""Turns the fetched artwork into the decks of the cache."""

from __future__ import annotations

from collections.abc import Iterator
from pathlib import Path

import cv2
import numpy as np
from numpy.typing import NDArray

from datasets.artwork import Artwork, artworks
from datasets.decks import BACK, FACE_SHAPE, Deck, IndexBox, levels_of, save_deck
from datasets.indexes import Box, find_index, settle
from engine.cards import Rank, deck

Image = NDArray[np.uint8]


def build_artwork_decks(folder: Path) -> Iterator[str]:
    """Store below *folder* every artwork deck that is fetched and not stored yet; yields names."""
    for art in artworks():
        if not (folder / art.name / "deck.json").is_file():
            save_deck(folder, _deck_of(art))
            yield art.name


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
        faces[BACK] = plain_back(hash_of(art.name))
    boxes = settle(boxes)
    indexes: list[tuple[IndexBox, ...]] = [()] * BACK
    for card in deck():
        box = boxes.get((str(card.rank), str(card.suit)))
        if box:
            indexes[card.index] = corner_boxes(box, art.four_corners)
    numbers = {Rank(str(n)) for n in range(2, 11)}
    present = [c.index for c in deck() if art.english or c.rank in numbers]
    return Deck(
        art.name, levels_of(faces), tuple(indexes), tuple(present), float(aspect), radius=0.055
    )


def hash_of(name: str) -> int:
    """A number that depends on *name* alone."""
    return int.from_bytes(name.encode()[-6:], "big")


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


def plain_back(seed: int) -> Image:
    """A drawn back: a white margin around a lattice in one colour."""
    rng = np.random.default_rng(seed)
    height, width = FACE_SHAPE
    colours = [(40, 30, 170), (130, 50, 30), (50, 90, 30), (60, 60, 60), (110, 40, 90)]
    ink = tuple(int(v) for v in colours[rng.integers(len(colours))])
    back = np.full((height, width, 3), 250, np.uint8)
    margin = int(rng.integers(14, 34))
    inner = np.full((height - 2 * margin, width - 2 * margin, 3), ink, np.uint8)
    step = int(rng.integers(14, 40))
    line = int(rng.integers(1, 5))
    for offset in range(-height, width + height, step):
        cv2.line(inner, (offset, 0), (offset + height, height), (240, 240, 240), line, cv2.LINE_AA)
        cv2.line(inner, (offset, 0), (offset - height, height), (240, 240, 240), line, cv2.LINE_AA)
    if rng.random() < 0.6:
        centre = (inner.shape[1] // 2, inner.shape[0] // 2)
        for radius in range(int(rng.integers(40, 90)), 8, -16):
            cv2.circle(inner, centre, radius, ink, -1, cv2.LINE_AA)
            cv2.circle(inner, centre, radius, (240, 240, 240), 3, cv2.LINE_AA)
    back[margin:-margin, margin:-margin] = inner
    return back
