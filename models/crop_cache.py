"""Training crops kept on disk as arrays, rendered once and used in many passes."""

from __future__ import annotations

from collections.abc import Callable
from pathlib import Path
from typing import Final

import cv2
import numpy as np
from numpy.typing import NDArray

from datasets.crops import face_crop, index_crop
from models.name_net import SUITS, NameKind

SHARD: Final = 2000
#: Index crops from scenes stand upright and have room to be turned and shifted: they are `ROOMY`
#: pixels wide, which is `ROOM` times the index's longer side.
ROOM: Final = 1.9
ROOMY: Final = 96


def fill_crops(
    folder: Path,
    kind: NameKind,
    seed: int,
    shards: range,
    progress: Callable[[int], None] | None = None,
) -> None:
    """Render *shards* of `SHARD` crops each into *folder*; shards that are there are kept."""
    folder.mkdir(parents=True, exist_ok=True)
    render = index_crop if kind.name == "index" else face_crop
    for shard in shards:
        path = folder / f"{kind.name}-{seed}-{shard:04d}.npz"
        if path.exists():
            continue
        crops = np.zeros((SHARD, *kind.size, 3), np.uint8)
        labels = np.zeros((SHARD, 2), np.int16)
        for i in range(SHARD):
            crop, name = render(seed, shard * SHARD + i)
            crops[i] = fit(crop, kind.size)
            labels[i] = label(kind, name)
        save_shard(path, crops, labels)
        if progress:
            progress(shard)


def save_shard(path: Path, crops: NDArray[np.uint8], labels: NDArray[np.int16]) -> None:
    """Write a shard whole or not at all."""
    partial = path.with_suffix(".part")
    with partial.open("wb") as file:
        np.savez(file, crops=crops, labels=labels)
    partial.replace(path)


def fit(crop: NDArray[np.uint8], size: tuple[int, int]) -> NDArray[np.uint8]:
    """Return *crop* scaled down to *size* (height, width)."""
    if crop.shape[:2] == size:
        return crop
    return np.asarray(cv2.resize(crop, size[::-1], interpolation=cv2.INTER_AREA), np.uint8)


def label(kind: NameKind, name: str) -> tuple[int, int]:
    """Return (rank, suit) columns of *name*; the suit of ``none`` and ``back`` is -1."""
    if name in ("none", "back"):
        return kind.ranks.index(name), -1
    return kind.ranks.index(name[:-1]), SUITS.index(name[-1])


class CropStore:
    """The shards of a folder whose names begin with one of *prefixes*, in memory.

    `refresh` takes in what has appeared since.
    """

    def __init__(self, folder: Path, *prefixes: str) -> None:
        self._folder, self._prefixes = folder, prefixes
        self._shards: dict[Path, tuple[NDArray[np.uint8], NDArray[np.int16]]] = {}
        self.refresh()

    def refresh(self) -> None:
        """Load the shards that are not loaded yet."""
        for path in sorted(self._folder.glob("*.npz")):
            if path not in self._shards and path.name.split("-", 1)[0] in self._prefixes:
                with np.load(path) as arrays:
                    self._shards[path] = arrays["crops"], arrays["labels"]

    def __len__(self) -> int:
        return len(self._shards) * SHARD

    def draw(
        self, rng: np.random.Generator, count: int
    ) -> tuple[list[NDArray[np.uint8]], NDArray[np.int16]]:
        """Return *count* random crops, of whatever size they were cut, and their labels."""
        shards = list(self._shards.values())
        numbers = rng.integers(len(self), size=count)
        crops = [shards[n // SHARD][0][n % SHARD] for n in numbers]
        labels = np.stack([shards[n // SHARD][1][n % SHARD] for n in numbers])
        return crops, labels
