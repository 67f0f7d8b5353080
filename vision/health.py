"""Whether this machine is ready to read cards: runtimes, weights, speed."""

from __future__ import annotations

import importlib.metadata
import time
from dataclasses import dataclass
from typing import Final

import cv2
import numpy as np
from numpy.typing import NDArray

from vision.errors import WeightsError
from vision.reader import CardReader, Setting
from vision.runtimes import openvino_installed
from vision.weights import Weights

#: Size of the picture that is timed, (height, width).
TIMED: Final = (720, 1280)
#: A live table is followed well up to this many milliseconds a reading, and still up to the second.
GOOD_MS: Final = 120.0
FAIR_MS: Final = 350.0


@dataclass(frozen=True)
class PartHealth:
    """One file of weights: its name, whether it is the right one, and its sha256 as stated."""

    part: str
    ok: bool
    sha256: str


def runtime_versions() -> dict[str, str | None]:
    """Return the versions of the runtimes, None for one that is not installed."""
    versions: dict[str, str | None] = {"onnxruntime": importlib.metadata.version("onnxruntime")}
    versions["openvino"] = importlib.metadata.version("openvino") if openvino_installed() else None
    return versions


def check_weights(weights: Weights) -> list[PartHealth]:
    """Return how each file that the manifest of *weights* lists is."""
    found = []
    for part, entry in weights.manifest.items():
        if not isinstance(entry, dict) or "sha256" not in entry:
            continue
        try:
            weights.read(part)
            ok = True
        except WeightsError:
            ok = False
        found.append(PartHealth(part, ok, str(entry["sha256"])))
    return found


def milliseconds(setting: Setting, runs: int = 5) -> float:
    """Return the median time in which a `CardReader` of *setting* reads a picture of 8 cards."""
    reader, image = CardReader(setting), timed_picture()
    reader.read(image)
    times = []
    for _ in range(runs):
        start = time.perf_counter()
        reader.read(image)
        times.append(time.perf_counter() - start)
    return 1000 * float(np.median(times))


def speed_word(ms: float) -> str:
    """Return ``good``, ``fair`` or ``slow``: what to expect of a live reader that takes *ms*."""
    return "good" if ms <= GOOD_MS else "fair" if ms <= FAIR_MS else "slow"


def timed_picture() -> NDArray[np.uint8]:
    """Return a drawn table with eight cards, `TIMED` pixels."""
    image = np.full((*TIMED, 3), (70, 105, 40), np.uint8)
    ranks = ("A", "2", "3", "5", "7", "9", "J", "K")
    for i, rank in enumerate(ranks):
        left, top = 110 + 290 * (i % 4), 90 + 320 * (i // 4)
        ink = (40, 30, 190) if i % 2 else (25, 25, 25)
        card = np.full((224, 160, 3), 246, np.uint8)
        cv2.putText(card, rank, (8, 34), cv2.FONT_HERSHEY_DUPLEX, 1.0, ink, 2, cv2.LINE_AA)
        rhombus = np.array([[0, -10], [8, 0], [0, 10], [-8, 0]])
        cv2.fillConvexPoly(card, rhombus + np.array([18, 54]), ink, cv2.LINE_AA)
        card = np.minimum(card, card[::-1, ::-1])
        cv2.fillConvexPoly(card, 3 * rhombus + np.array([80, 112]), ink, cv2.LINE_AA)
        image[top : top + 224, left : left + 160] = card
    return image
