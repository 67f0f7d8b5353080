"""Fitting how the reader weighs its evidence, on rendered scenes that no training has seen."""

from __future__ import annotations

from collections.abc import Iterable
from dataclasses import asdict, replace
from pathlib import Path
from typing import Final

import numpy as np
from numpy.typing import NDArray

from datasets.labels import Scene
from datasets.scenes import render_scene
from engine.cards import Card
from vision.evidence import Evidence, Reading, gather, weigh
from vision.names import BACK, NONE
from vision.quads import quad_iou
from vision.reader import CardReader, Setting

#: What is tried for each number, in the order in which they are fitted.
_TRIED: Final = {
    "index_weight": (0.3, 0.45, 0.6, 0.75, 0.9, 1.0, 1.15),
    "face_weight": (0.3, 0.45, 0.6, 0.75, 0.9, 1.0, 1.15),
    "extra_weight": (0.0, 0.15, 0.3, 0.5, 0.75),
    "floor": (3e-3, 1e-3, 3e-4, 1e-4),
    "face_floor": (1e-2, 3e-3, 1e-3, 3e-4, 1e-4),
}


def fit_reading(
    weights: Path,
    *,
    setting: Setting = "fast",
    recipe: str = "mix",
    seed: int = 903,
    scenes: int = 150,
) -> dict[str, float]:
    """Return the `Reading` under which the truth of *scenes* rendered scenes is most likely."""
    reader = CardReader(setting, weights, threads=1)
    cases: list[tuple[Evidence, int]] = []
    for number in range(scenes):
        scene = render_scene(recipe, seed, number)
        cards = gather(*reader.look(scene.image))
        cases += [(card, column) for card in cards if (column := truth_of(card, scene)) is not None]
    best = Reading()
    for _ in range(2):
        for name, values in _TRIED.items():
            tried = [replace(best, **{name: value}) for value in values]
            best = min(tried, key=lambda reading: surprise(cases, reading))
    return asdict(best)


def surprise(cases: Iterable[tuple[Evidence, int]], reading: Reading) -> float:
    """Return the mean negative logarithm of the probability given to the truth."""
    chances = [weigh(card, reading)[column] for card, column in cases]
    return float(-np.log(np.maximum(chances, 1e-6)).mean())


def truth_of(card: Evidence, scene: Scene) -> int | None:
    """Return the column of `vision.names` that is right for *card*, None where it is not clear."""
    if card.body is not None:
        overlaps = [quad_iou(card.body.quad, label.quad) for label in scene.cards]
        order = np.argsort(overlaps)[::-1]
        if not len(order) or overlaps[order[0]] < 0.2:
            return NONE
        label = scene.cards[int(order[0])]
        if overlaps[order[0]] < 0.5 or label.visible < 0.25:
            return None
        return Card.parse(label.name).index if label.face_up else BACK
    centre = card.indexes[0].centre
    near = [(_distance(label.quad, centre), label.name) for label in scene.indexes]
    inside = [name for distance, name in near if distance < 0.35]
    if inside:
        return Card.parse(inside[0]).index
    return NONE if all(distance > 1.0 for distance, _ in near) else None


def _distance(quad: NDArray[np.float32], point: NDArray[np.float32]) -> float:
    """Return how far *point* is from the middle of *quad*, in lengths of the quad."""
    return float(np.linalg.norm(quad.mean(0) - point) / max(1.0, np.ptp(quad, axis=0).max()))
