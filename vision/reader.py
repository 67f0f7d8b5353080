"""The card reader: a picture to sightings."""

from __future__ import annotations

from dataclasses import replace
from pathlib import Path
from typing import Any, Final, Literal, get_args

import numpy as np
from numpy.typing import NDArray

from vision.corners import CornerFinder
from vision.detector import Detection, Detector, parts, suppress
from vision.evidence import Evidence, Reading, combine, weigh
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
from vision.quads import box_quad, holds, turned
from vision.runtimes import open_network
from vision.sightings import Sighting
from vision.weights import Weights

#: ``fast`` is what the live reader uses, ``accurate`` takes about five times as long.
Setting = Literal["fast", "accurate"]
SETTINGS: Final[tuple[Setting, ...]] = get_args(Setting)

#: The letters of the courts' indexes.
Letters = Literal["english", "german", "french"]

#: Indexes and their names, bodies and their names, see `vision.evidence.combine`.
Findings = tuple[list[Detection], NDArray[np.float32], list[Detection], NDArray[np.float32]]

#: A part of a picture: left, top, right, bottom in pixels.
Region = tuple[float, float, float, float]

#: A region is enlarged at most so much for the detector.
_ENLARGED: Final = 2.0
#: How many quads of a body are tried when it is named, where no network sets them right.
TRIES: Final[dict[Setting, int]] = {"fast": 4, "accurate": 9}
#: How many quads of an index are tried where it is read unsurely.
INDEX_TRIES: Final[dict[Setting, int]] = {"fast": 1, "accurate": 4}

#: In how many steps corners are set right.
ROUNDS: Final[dict[Setting, int]] = {"fast": 2, "accurate": 3}

#: A face that is named less surely, and no index tells of it, is also tried the other way round.
_SURE: Final = 0.9

#: Threads of each network: what a laptop can spare while it also decodes video.
THREADS: Final = 2


class CardReader:
    """Reads the cards in pictures.

    Args:
        setting: ``fast`` (one scale) or ``accurate`` (several scales and turns), where nothing
            else is said for a picture.
        weights: a folder of weights; by default those that ship.
        runtime: one of `vision.runtimes.RUNTIMES`.
        threads: how many threads each network may use.
        letters: which letters the courts carry: J Q K, German B D K, or French V D R.

    Attributes:
        reading: how evidence is weighed.
        runtime: what runs the detector, ``onnx``, ``openvino`` or ``torch``.

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
        letters: Letters = "english",
    ) -> None:
        loaded = Weights.load(weights)
        self.setting: Setting = setting
        entry = loaded.manifest["detector"]
        self._sizes: dict[Setting, list[int]] = {
            one: [int(size) for size in entry["sizes"][one]] for one in SETTINGS
        }
        self._near = int(entry["near"]) if "near" in entry else None
        usual = self._sizes[setting][0]
        sample = (usual * 9 // 16 // 32 * 32, usual)
        suffix = Path(str(entry["file"])).suffix
        network = open_network(loaded.read("detector"), runtime, threads, sample, suffix)
        self.runtime = network.runtime
        self._detector = Detector(network, list(entry["classes"]), float(entry["threshold"]))
        meanings = loaded.manifest.get("letters", {}).get(letters)
        self._index_namer = _namer(loaded, "index", threads, meanings)
        self._face_namer = _namer(loaded, "face", threads) if loaded.has("face") else None
        self._corners = _corners(loaded, threads) if loaded.has("corners") else None
        self.reading = Reading.from_manifest(loaded.manifest.get("reading", {}))

    def read(
        self,
        image: NDArray[np.uint8],
        region: Region | None = None,
        *,
        size: int | None = None,
        least: float | None = None,
        setting: Setting | None = None,
    ) -> list[Sighting]:
        """Return the cards in *image* (H × W × 3 BGR uint8), one sighting for each.

        With a *region* only that part is looked at, and small cards are seen larger. A card that
        leaves it may be read from the part inside, or not at all.

        Args:
            image: the picture, or the part of one that is to be read.
            region: the part to look at; all by default.
            size: pixels to which the longer side is scaled, once, instead of the setting's sizes.
            least: confidence below which sightings are dropped, instead of the weights' own.
            setting: how this picture is read, instead of the reader's own setting.

        Raises:
            ImageError: *image* is not such an array.
        """
        reading = self.reading if least is None else replace(self.reading, threshold=least)
        return combine(*self.look(image, region, size, setting), reading)

    def look(
        self,
        image: NDArray[np.uint8],
        region: Region | None = None,
        size: int | None = None,
        setting: Setting | None = None,
    ) -> Findings:
        """Return what `vision.evidence.combine` puts together: indexes and bodies with names."""
        image = as_bgr8(image)
        setting = setting or self.setting
        accurate = setting == "accurate"
        found = self._find(image, setting, region, size)
        indexes = parts(found, "index")
        views = ACCURATE_VIEWS if accurate else FAST_VIEWS
        tries = INDEX_TRIES[setting]
        indexes, index_names = name_indexes(image, indexes, self._index_namer, views, tries)
        if self._face_namer is None:
            return indexes, index_names, [], np.zeros((0, COLUMNS), np.float32)
        bodies = parts(found, "face", "back")
        if self._corners is not None:
            bodies = self._set_right(image, bodies, ROUNDS[setting])
        bodies, body_names = name_faces(image, bodies, self._face_namer, TRIES[setting], accurate)
        if self._corners is not None:
            known = [one for one, row in zip(indexes, index_names, strict=True) if _is_sure(row)]
            self._try_turned(image, bodies, body_names, known, setting)
        return indexes, index_names, bodies, body_names

    def _find(
        self,
        image: NDArray[np.uint8],
        setting: Setting,
        region: Region | None = None,
        size: int | None = None,
    ) -> list[Detection]:
        """Return what the detector finds in *image*, or in *region* of it."""
        usual_sizes = self._sizes[setting]
        if region is None:
            if size is not None:
                return self._detector.find(image, [size])
            found = self._detector.find(image, usual_sizes, self._near)
            return self._detector.look_closer(image, found, max(usual_sizes))
        height, width = image.shape[:2]
        left, top, right, bottom = (max(0, int(edge)) for edge in region)
        part = image[top : min(height, bottom), left : min(width, right)]
        if not part.size:
            return []
        long, short = max(part.shape[:2]), min(part.shape[:2])
        # As many pixels as for the whole picture, so that a part takes no longer.
        stretch = np.sqrt(min(height, width) / max(height, width) * long / short)
        sizes = [round(min(usual * stretch, _ENLARGED * long)) for usual in usual_sizes]
        sizes = sorted(set(sizes)) if size is None else [size]
        return [one.moved(left, top) for one in self._detector.find(part, sizes)]

    def _set_right(
        self, image: NDArray[np.uint8], bodies: list[Detection], rounds: int
    ) -> list[Detection]:
        """Return *bodies* with their corners where those of the cards are, repeats dropped.

        Other quads of a body are dropped, too: set right, many of them are those of its neighbours.
        """
        assert self._corners is not None
        quads = np.array([body.quad for body in bodies], np.float32).reshape(-1, 4, 2)
        exact = self._corners.find(image, quads, rounds)
        return suppress(
            [replace(body, quad=quad, others=()) for body, quad in zip(bodies, exact, strict=True)]
        )

    def _try_turned(
        self,
        image: NDArray[np.uint8],
        bodies: list[Detection],
        names: NDArray[np.float32],
        known: list[Detection],
        setting: Setting,
    ) -> None:
        """Take the quads and *names* of unsure *bodies* the other way round where that is surer.

        A card that stands upright in the picture is wider than tall when it is seen from low down,
        so that a quad may take its long sides for the short ones. A body that holds one of the
        indexes *known* for sure needs no face.
        """
        assert self._corners is not None
        assert self._face_namer is not None
        unsure = [
            i
            for i, (body, row) in enumerate(zip(bodies, names, strict=True))
            if body.kind == "face"
            and not _is_sure(row)
            and not any(holds(body.quad, index.centre) for index in known)
        ]
        if not unsure:
            return
        other_way = turned(np.stack([bodies[i].quad for i in unsure]))
        exact = self._corners.find(image, other_way, ROUNDS[setting])
        tried = [
            replace(bodies[i], quad=one, others=(two,))
            for i, one, two in zip(unsure, exact, other_way, strict=True)
        ]
        both_ends = setting == "accurate"
        found, rows = name_faces(image, tried, self._face_namer, 2, both_ends)
        for i, body, row in zip(unsure, found, rows, strict=True):
            if row[:NONE].max() > names[i, :NONE].max():
                bodies[i], names[i] = body, row

    def name_face(self, card: NDArray[np.uint8]) -> NDArray[np.float32]:
        """Return (52,) probabilities for a picture that one flat, upright card fills."""
        card = as_bgr8(card)
        height, width = card.shape[:2]
        box = np.array([0, 0, width, height], np.float32)
        whole = Detection("face", 1.0, box, box_quad(box), 1.0)
        found = self._detector.find(card, self._sizes[self.setting], self._near)
        indexes = parts(found, "index")
        indexes, index_names = name_indexes(card, indexes, self._index_namer, ACCURATE_VIEWS)
        evidence = Evidence(indexes, list(index_names), whole)
        if self._face_namer is not None:
            _, names = name_faces(card, [whole], self._face_namer, 1, both_ends=True)
            evidence.body_names = names[0]
        return weigh(evidence, self.reading)[:NONE].astype(np.float32)


def _is_sure(names: NDArray[np.float32]) -> bool:
    """Return whether (`COLUMNS`,) *names* say which card it is."""
    return float(names[:NONE].max()) >= _SURE


def _corners(weights: Weights, threads: int) -> CornerFinder:
    entry: dict[str, Any] = weights.manifest["corners"]
    height, width = entry["size"]
    network = open_network(weights.read("corners"), "onnx", threads)
    return CornerFinder(network, (height, width), float(entry["margin"]))


def _namer(
    weights: Weights, part: str, threads: int, letters: dict[str, list[float]] | None = None
) -> Namer:
    entry: dict[str, Any] = weights.manifest[part]
    height, width = entry["size"]
    network = open_network(weights.read(part), "onnx", threads)
    return Namer(network, (height, width), list(entry["ranks"]), list(entry["suits"]), letters)
