"""Training crops kept on disk as arrays, rendered once and used in many passes."""

from __future__ import annotations

from pathlib import Path
from typing import Final

import cv2
import numpy as np
from numpy.typing import NDArray

from models.name_net import SUITS, NameKind

SHARD: Final = 2000
#: Index crops from scenes stand upright and have room to be turned and shifted: they are `ROOMY`
#: pixels wide, which is `ROOM` times the index's longer side.
ROOM: Final = 1.9
ROOMY: Final = 96


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


class ShardWriter:
    """Gathers crops of one size into shards ``<prefix>-0000.npz`` and so on in a folder."""

    def __init__(self, folder: Path, prefix: str) -> None:
        folder.mkdir(parents=True, exist_ok=True)
        self._folder, self._prefix = folder, prefix
        self._crops: list[NDArray[np.uint8]] = []
        self._labels: list[tuple[int, int]] = []
        self.written = 0

    def add(self, crop: NDArray[np.uint8], label: tuple[int, int]) -> None:
        """Take in one crop and its label."""
        self._crops.append(crop)
        self._labels.append(label)
        if len(self._crops) == SHARD:
            self._write()

    def close(self) -> int:
        """Write what is left, unless it is little beside what was written; return the shards."""
        if len(self._crops) > (SHARD // 4 if self.written else 0):
            self._write()
        return self.written

    def _write(self) -> None:
        path = self._folder / f"{self._prefix}-{self.written:04d}.npz"
        save_shard(path, np.stack(self._crops), np.array(self._labels, np.int16))
        self._crops, self._labels = [], []
        self.written += 1


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
        return sum(len(labels) for _, labels in self._shards.values())

    def draw(
        self, rng: np.random.Generator, count: int
    ) -> tuple[list[NDArray[np.uint8]], NDArray[np.int16]]:
        """Return *count* random crops, of whatever size they were cut, and their labels."""
        shards = list(self._shards.values())
        ends = np.cumsum([len(labels) for _, labels in shards])
        picked = []
        for number in rng.integers(len(self), size=count):
            shard = int(np.searchsorted(ends, number, side="right"))
            picked.append((shard, int(number - ends[shard])))
        crops = [shards[shard][0][n] for shard, n in picked]
        labels = np.stack([shards[shard][1][n] for shard, n in picked])
        return crops, labels
