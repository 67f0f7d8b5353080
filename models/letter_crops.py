"""Crops of corner indexes with the letters of German and French decks, for the index network.

Few artwork decks have them, so few scenes do: here decks are drawn for them, and cards that are
taken for them (an 8 for a B, a 10 for a D) beside.
"""

from __future__ import annotations

from dataclasses import replace
from pathlib import Path
from typing import Final

import cv2
import numpy as np
from numpy.typing import NDArray

from datasets.decks import Deck
from datasets.drawn import court_lenders, design, draw_face
from datasets.library import library
from datasets.optics import photograph
from engine.cards import Rank, deck
from models.crop_cache import ROOM, ROOMY, SHARD, label, save_shard
from models.name_net import INDEX

Image = NDArray[np.uint8]

#: Numbers of the decks: beyond those of scenes, before those of `models.fit_letters`.
_DECKS: Final = range(200, 320)
_COURTS: Final = (Rank.JACK, Rank.QUEEN, Rank.KING)
_ALIKE: Final = (Rank.TEN, Rank.EIGHT, Rank.SIX, Rank.NINE, Rank.ACE)
#: Crops that are made of one picture of a card, in other light and at other sizes.
_EACH: Final = 5
#: Heights of the indexes in pixels.
_TALL: Final = (9.0, 48.0)


def render_letters(folder: Path, seed: int, shards: range) -> None:
    """Render *shards* of index crops into *folder*; shards that are there are kept."""
    folder.mkdir(parents=True, exist_ok=True)
    for shard in shards:
        path = folder / f"index-letters{seed}-{shard:04d}.npz"
        if path.exists():
            continue
        rng = np.random.default_rng([seed, shard, 7])
        lenders = court_lenders(library())
        crops = np.zeros((SHARD, ROOMY, ROOMY, 3), np.uint8)
        labels = np.zeros((SHARD, 2), np.int16)
        for i in range(0, SHARD, _EACH):
            face, box, name = _card(rng, lenders)
            for n in range(i, i + _EACH):
                crops[n], labels[n] = _crop(face, box, rng), label(INDEX, name)
        save_shard(path, crops, labels)


def _card(
    rng: np.random.Generator, lenders: tuple[Deck, ...]
) -> tuple[Image, NDArray[np.float64], str]:
    """Return a card's face, the box of its first index in pixels, and its name."""
    letters = "german" if rng.random() < 0.7 else "french"
    plan = replace(design(int(rng.choice(_DECKS)), 0), letters=letters)
    ranks = _COURTS if rng.random() < 0.75 else _ALIKE
    rank = ranks[int(rng.integers(len(ranks)))]
    card = [one for one in deck() if one.rank is rank][int(rng.integers(4))]
    lender = lenders[int(rng.integers(len(lenders)))] if lenders and rng.random() < 0.7 else None
    face, boxes = draw_face(card, plan, lender)
    return face, np.array(boxes[0].box) * np.tile(face.shape[1::-1], 2), str(card)


def _crop(face: Image, box: NDArray[np.float64], rng: np.random.Generator) -> Image:
    """Return the index in *box* of *face*, photographed small, as scenes' crops show it."""
    tall = float(np.exp(rng.uniform(*np.log(_TALL))))
    zoom = np.full(2, tall / (box[3] - box[1])) * (1.0, rng.uniform(0.65, 1.0))
    if rng.random() < 0.5:
        zoom = zoom[::-1]
    side = int(np.ceil(ROOM * float(((box[2:] - box[:2]) * zoom).max())))
    shrink = max(1, int(1 / zoom.max()))
    size = (face.shape[1] // shrink, face.shape[0] // shrink)
    small = cv2.resize(face, size, interpolation=cv2.INTER_AREA)
    left = zoom * face.shape[1::-1] / size
    centre = (box[:2] + box[2:]) / 2 * zoom + rng.normal(0, 0.03, 2) * tall
    matrix = np.array([[left[0], 0, side / 2 - centre[0]], [0, left[1], side / 2 - centre[1]]])
    table = tuple(float(v) for v in rng.uniform(10, 220, 3))
    view = cv2.warpAffine(
        small, matrix, (side, side), borderMode=cv2.BORDER_CONSTANT, borderValue=table
    )
    seen = photograph(np.asarray(view, np.uint8), rng, reach=max(0.4, 0.07 * tall))
    return np.asarray(cv2.resize(seen, (ROOMY, ROOMY), interpolation=cv2.INTER_LINEAR), np.uint8)
