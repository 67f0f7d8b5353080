"""The card reader: a picture to sightings."""

from __future__ import annotations

from dataclasses import replace
from pathlib import Path
from typing import Any, Final, Literal

import numpy as np
from numpy.typing import NDArray

from vision.detector import Detection, Detector, parts
from vision.evidence import Reading, combine
from vision.images import as_bgr8
from vision.names import (
    ACCURATE_VIEWS,
    COLUMNS,
    FAST_VIEWS,
    NONE,
    Namer,
    name_faces,
    name_indexes,
)
from vision.runtimes import open_network
from vision.sightings import Sighting
from vision.weights import Weights

#: ``fast`` is what the live reader uses, ``accurate`` takes about five times as long.
Setting = Literal["fast", "accurate"]

#: Indexes and their names, bodies and their names, see `vision.evidence.combine`.
Findings = tuple[list[Detection], NDArray[np.float32], list[Detection], NDArray[np.float32]]

#: How many quads of a body are tried when it is named.
TRIES: Final[dict[Setting, int]] = {"fast": 4, "accurate": 9}

#: Threads of each network: what a laptop can spare while it also decodes video.
THREADS: Final = 2


class CardReader:
    """Reads the cards in pictures.

    Args:
        setting: ``fast`` (one scale) or ``accurate`` (several scales and turns).
        weights: a folder of weights; by default those that ship.
        runtime: one of `vision.runtimes.RUNTIMES`.
        threads: how many threads each network may use.

    Attributes:
        reading: how evidence is weighed.
        runtime: what runs the detector, ``onnx`` or ``openvino``.

    Raises:
        WeightsError: weights that are missing or changed, a runtime that is not installed.

    Example:
        >>> import numpy as np
        >>> CardReader("fast").read(np.zeros((240, 320, 3), np.uint8))
        []
    """

    def __init__(
        self,
        setting: Setting = "accurate",
        weights: Path | str | None = None,
        runtime: str = "onnx",
        threads: int = THREADS,
    ) -> None:
        loaded = Weights.load(weights)
        self.setting: Setting = setting
        entry = loaded.manifest["detector"]
        self._sizes = [int(size) for size in entry["sizes"][setting]]
        sample = (self._sizes[0] * 9 // 16 // 32 * 32, self._sizes[0])
        network = open_network(loaded.read("detector"), runtime, threads, sample)
        self.runtime = network.runtime
        self._detector = Detector(network, list(entry["classes"]), float(entry["threshold"]))
        self._index_namer = _namer(loaded, "index", threads)
        self._face_namer = _namer(loaded, "face", threads) if loaded.has("face") else None
        self.reading = Reading.from_manifest(loaded.manifest.get("reading", {}))

    def read(
        self, image: NDArray[np.uint8], *, size: int | None = None, least: float | None = None
    ) -> list[Sighting]:
        """Return the cards in *image* (H × W × 3 BGR uint8), one sighting for each.

        Args:
            image: the picture, or the part of one that is to be read.
            size: pixels to which its longer side is scaled, once, instead of the setting's sizes.
            least: confidence below which sightings are dropped, instead of the weights' own.

        Raises:
            ImageError: *image* is not such an array.
        """
        reading = self.reading if least is None else replace(self.reading, threshold=least)
        return combine(*self.look(image, size), reading)

    def look(self, image: NDArray[np.uint8], size: int | None = None) -> Findings:
        """Return what `vision.evidence.combine` puts together: indexes and bodies with names."""
        image = as_bgr8(image)
        accurate = self.setting == "accurate"
        found = self._detector.find(image, self._sizes if size is None else [size])
        indexes = parts(found, "index")
        views = ACCURATE_VIEWS if accurate else FAST_VIEWS
        index_names = name_indexes(image, indexes, self._index_namer, views)
        if self._face_namer is None:
            return indexes, index_names, [], np.zeros((0, COLUMNS), np.float32)
        bodies, body_names = name_faces(
            image, parts(found, "face", "back"), self._face_namer, TRIES[self.setting], accurate
        )
        return indexes, index_names, bodies, body_names

    def name_face(self, card: NDArray[np.uint8]) -> NDArray[np.float32]:
        """Return (52,) probabilities for a picture that one flat, upright card fills."""
        sightings = self.read(card)
        total = np.zeros(NONE, np.float32)
        for sighting in sightings:
            total += sighting.probabilities
        return total


def _namer(weights: Weights, part: str, threads: int) -> Namer:
    entry: dict[str, Any] = weights.manifest[part]
    height, width = entry["size"]
    network = open_network(weights.read(part), "onnx", threads)
    return Namer(network, (height, width), list(entry["ranks"]), list(entry["suits"]))
