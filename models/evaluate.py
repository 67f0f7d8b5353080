"""Judging the reader on a folder of photos with ``labels.jsonl``.

A line of the labels is an object with ``image`` (path within the folder), ``source`` (group),
``cards`` (each with ``code``), ``complete`` and ``index`` (``english``, or another alphabet, which
is reported apart). The group ``crops`` holds single flat cards and is reported apart, too.
"""

from __future__ import annotations

import json
import os
import time
from collections.abc import Callable, Iterator
from concurrent.futures import ProcessPoolExecutor
from dataclasses import dataclass
from functools import partial
from multiprocessing import get_context
from pathlib import Path
from typing import Any, Final

import numpy as np

from engine.cards import deck
from models.gallery import write_gallery
from models.scoring import (
    PhotoResult,
    ReadCard,
    calibration,
    calibration_error,
    confusions,
    score,
)
from vision.images import read_image
from vision.reader import CardReader, Letters, Setting

#: Groups that do not count in ``all``.
APART: Final = ("crops", "overlap-german")

_reader: CardReader | None = None


@dataclass(frozen=True)
class Photo:
    """A line of the labels."""

    path: Path
    image: str
    folder: str
    truth: tuple[str, ...]
    complete: bool


def read_labels(folder: Path) -> list[Photo]:
    """Return the photos that ``labels.jsonl`` in *folder* lists."""
    photos = []
    for line in (folder / "labels.jsonl").read_text("utf-8").splitlines():
        label = json.loads(line)
        codes = tuple(card["code"] for card in label["cards"])
        complete = bool(label.get("complete", True))
        image, source = label["image"], label.get("source", "all-photos")
        photos.append(Photo(folder / image, image, source, codes, complete))
    return photos


def evaluate(
    folder: Path | str,
    *,
    setting: Setting = "accurate",
    letters: Letters = "english",
    weights: Path | str | None = None,
    only: tuple[str, ...] = (),
    stride: int = 1,
    workers: int = 1,
    threads: int = 1,
    out: Path | str | None = None,
    progress: Callable[[int, int], None] | None = None,
) -> dict[str, Any]:
    """Read every photo in *folder* and return the report.

    Args:
        folder: where ``labels.jsonl`` and the photos lie.
        setting: ``fast`` or ``accurate``.
        letters: which letters the courts carry, see `vision.reader.CardReader`.
        weights: folder of weights; by default those that ship.
        only: groups to judge; all by default.
        stride: judge every n-th photo of each group only.
        workers: processes; each takes *threads* threads.
        threads: threads of a process's networks.
        out: a folder for ``report.json`` and ``misses.html``; none by default.
        progress: called with photos done and in all.

    Returns:
        ``{"setting", "codes": {group: score}, "ranks": {group: score}, "confusions": [[truth,
        read, count]], "calibration_error", "ms_per_photo"}``, groups plus ``all``.
    """
    folder = Path(folder)
    photos = read_labels(folder)
    groups = sorted({photo.folder for photo in photos})
    chosen = [
        photo
        for group in groups
        if not only or group in only
        for photo in [p for p in photos if p.folder == group][::stride]
    ]
    results = []
    for done, result in enumerate(
        _read_all(chosen, (setting, weights, threads, letters), workers), 1
    ):
        results.append(result)
        if progress:
            progress(done, len(chosen))
    report = summary(results, setting)
    if out is not None:
        Path(out).mkdir(parents=True, exist_ok=True)
        (Path(out) / "report.json").write_text(json.dumps(report, indent=1), "utf-8")
        write_gallery(Path(out) / "misses.html", folder, results, report)
    return report


def summary(results: list[PhotoResult], setting: str) -> dict[str, Any]:
    """Return the report over *results*, see `evaluate`."""
    scores = score(results, APART)
    counted = [result for result in results if result.folder not in APART]
    table = sorted(confusions(counted).items(), key=lambda item: (-item[1], item[0]))
    return {
        "setting": setting,
        "codes": {name: value.as_json() for name, value in sorted(scores.codes.items())},
        "ranks": {name: value.as_json() for name, value in sorted(scores.ranks.items())},
        "confusions": [[truth, read, count] for (truth, read), count in table],
        "calibration_error": round(calibration_error(calibration(counted)), 4),
        "ms_per_photo": round(1000 * float(np.median([r.seconds for r in results] or [0])), 1),
    }


#: Arguments of a reader: setting, weights, threads, letters.
_Arguments = tuple[Setting, Path | str | None, int, Letters]


def _read_all(photos: list[Photo], how: _Arguments, workers: int) -> Iterator[PhotoResult]:
    if workers == 1:
        reader = _open(how)
        yield from (_read(reader, photo) for photo in photos)
        return
    with ProcessPoolExecutor(workers, get_context("spawn"), partial(_start_worker, how)) as pool:
        yield from pool.map(_read_in_worker, photos, chunksize=4)


def _open(how: _Arguments) -> CardReader:
    setting, weights, threads, letters = how
    return CardReader(setting, weights, threads=threads, letters=letters)


def _start_worker(how: _Arguments) -> None:
    global _reader
    os.environ["OMP_NUM_THREADS"] = str(how[2])
    _reader = _open(how)


def _read_in_worker(photo: Photo) -> PhotoResult:
    if _reader is None:
        raise RuntimeError("the worker was not started by _start_worker")
    return _read(_reader, photo)


def _read(reader: CardReader, photo: Photo) -> PhotoResult:
    image = read_image(photo.path)
    start = time.perf_counter()
    if photo.folder == "crops":
        names = reader.name_face(image)
        cards: tuple[ReadCard, ...] = (ReadCard(str(deck()[names.argmax()]), float(names.max())),)
    else:
        cards = tuple(
            ReadCard(str(sighting.card), sighting.confidence)
            for sighting in reader.read(image)
            if sighting.face_up
        )
    seconds = time.perf_counter() - start
    return PhotoResult(photo.image, photo.folder, photo.truth, cards, photo.complete, seconds)
