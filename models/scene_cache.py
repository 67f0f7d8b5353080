"""Rendered scenes kept on disk, so that rendering and training need not wait for each other.

A cache is a folder with ``000123.jpg`` and ``000123.json`` for each scene. Scenes are pure
functions of recipe, seed and number, so a cache that was interrupted is continued where it ended
and can be thrown away at any time.
"""

from __future__ import annotations

import json
from collections.abc import Callable
from dataclasses import dataclass
from pathlib import Path
from typing import Any, Final

import cv2
import numpy as np
from numpy.typing import NDArray

from datasets.labels import Scene
from datasets.scenes import render_scene

_QUALITY: Final = 92


@dataclass(frozen=True)
class CachedScene:
    """A scene as the detector's training needs it.

    Attributes:
        image: H × W × 3 BGR uint8.
        quads: (N, 4, 2) float32 pixels.
        classes: (N,) int, positions in `models.detector_net.CLASSES`.
        visible: (N,) float32.
    """

    image: NDArray[np.uint8]
    quads: NDArray[np.float32]
    classes: NDArray[np.int64]
    visible: NDArray[np.float32]


def fill_cache(
    folder: Path,
    recipe: str,
    seed: int,
    numbers: range,
    progress: Callable[[int], None] | None = None,
) -> None:
    """Render the scenes *numbers* of *recipe* and *seed* into *folder*; those there are kept."""
    folder.mkdir(parents=True, exist_ok=True)
    for number in numbers:
        stem = folder / f"{number:06d}"
        if stem.with_suffix(".json").exists():
            continue
        scene = render_scene(recipe, seed, number)
        cv2.imwrite(str(stem) + ".jpg", scene.image, [cv2.IMWRITE_JPEG_QUALITY, _QUALITY])
        # The labels are written last: a scene with labels is whole.
        partial = stem.with_suffix(".part")
        partial.write_text(json.dumps(_labels(scene)), "utf-8")
        partial.rename(stem.with_suffix(".json"))
        if progress:
            progress(number)


def cached_scenes(folder: Path) -> list[Path]:
    """Return the label files of the whole scenes in *folder* and the folders in it."""
    return sorted(folder.rglob("*.json"))


def load_scene(labels: Path) -> CachedScene:
    """Return the scene whose label file is *labels*."""
    image = cv2.imread(str(labels.with_suffix(".jpg")), cv2.IMREAD_COLOR)
    if image is None:
        raise FileNotFoundError(labels.with_suffix(".jpg"))
    found = json.loads(labels.read_text("utf-8"))
    return CachedScene(
        np.asarray(image, np.uint8),
        np.array([thing["quad"] for thing in found], np.float32).reshape(-1, 4, 2),
        np.array([thing["class"] for thing in found], np.int64),
        np.array([thing["visible"] for thing in found], np.float32),
    )


def _labels(scene: Scene) -> list[dict[str, Any]]:
    cards = [
        {"class": 1 if card.face_up else 2, "name": card.name, "visible": float(card.visible),
         "quad": np.round(card.quad.astype(float), 2).tolist()}
        for card in scene.cards
    ]  # fmt: skip
    indexes = [
        {"class": 0, "name": index.name, "visible": float(index.visible),
         "quad": np.round(index.quad.astype(float), 2).tolist()}
        for index in scene.indexes
    ]  # fmt: skip
    return cards + indexes
