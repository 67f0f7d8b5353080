"""How the index network reads the letters of German and French courts, measured on drawn decks.

The network learns that B, D, V and R stand for courts, but decks that have them are few: it takes
many a B for an 8 and many a D for a 10 or a Q. How often it does is what the reader's option of
letters needs to know; the decks drawn here are in no training.
"""

from __future__ import annotations

from dataclasses import replace
from pathlib import Path
from typing import Final

import cv2
import numpy as np
from numpy.typing import NDArray

from datasets.drawn import design, draw_face
from engine.cards import Rank, deck
from vision.names import NONE, Namer, crop_square
from vision.runtimes import open_network
from vision.weights import Weights

LETTERS: Final = ("german", "french")
_COURTS: Final = (Rank.JACK, Rank.QUEEN, Rank.KING)
#: Numbers of the decks; training has those below 130.
_FIRST: Final = 1000
#: Each letter is taken to be read rightly at least so often, and as any other rank at least …
_RIGHT: Final = 0.2
_ANY: Final = 0.004


def fit_letters(
    weights: Path, decks: int = 60, seed: int = 905
) -> dict[str, dict[str, list[float]]]:
    """Return what `vision.names.Namer` wants as *letters*, for each of `LETTERS`."""
    loaded = Weights.load(weights)
    entry = loaded.manifest["index"]
    height, width = entry["size"]
    network = open_network(loaded.read("index"), "onnx", 1)
    namer = Namer(network, (height, width), list(entry["ranks"]), list(entry["suits"]))
    rng = np.random.default_rng(seed)
    table: dict[str, dict[str, list[float]]] = {}
    for kind in LETTERS:
        crops: dict[Rank, list[NDArray[np.uint8]]] = {rank: [] for rank in _COURTS}
        for number in range(_FIRST, _FIRST + decks):
            plan = replace(design(number, 0), letters=kind)
            for card in deck():
                if card.rank in crops and rng.random() < 0.5:
                    face, boxes = draw_face(card, plan, None)
                    crops[card.rank].append(_crop(face, boxes[0].box, height, rng))
        table[kind] = {str(rank): _shares(namer, rank, some) for rank, some in crops.items()}
    return table


def _crop(
    face: NDArray[np.uint8],
    box: tuple[float, float, float, float],
    size: int,
    rng: np.random.Generator,
) -> NDArray[np.uint8]:
    """Return the index in *box* of *face* as the reader would see it, a little worn."""
    edges = np.array(box) * np.tile(face.shape[1::-1], 2)
    long = float((edges[2:] - edges[:2]).max())
    scale = rng.uniform(16, 48) / long
    small = cv2.resize(face, None, fx=scale, fy=scale, interpolation=cv2.INTER_AREA)
    worn = cv2.GaussianBlur(small, (0, 0), rng.uniform(0.3, 1.2))
    noisy = np.clip(worn + rng.normal(0, 5, worn.shape), 0, 255).astype(np.uint8)
    centre = (edges[:2] + edges[2:]) / 2 * scale + rng.normal(0, 0.03, 2) * long * scale
    side = long * scale * rng.uniform(1.15, 1.35)
    return crop_square(noisy, centre, side, size, rng.normal(0, 0.1))


def _shares(namer: Namer, rank: Rank, crops: list[NDArray[np.uint8]]) -> list[float]:
    names = namer.name(np.stack(crops))[:, :NONE].reshape(len(crops), 4, len(Rank)).sum(1)
    shares = np.maximum(names.mean(0) / names.mean(0).sum(), _ANY)
    place = list(Rank).index(rank)
    shares[place] = max(float(shares[place]), _RIGHT)
    return [round(float(share), 4) for share in shares / shares.sum()]
