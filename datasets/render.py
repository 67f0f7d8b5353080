"""Writes scenes to a folder: pictures and one line of labels each."""

from __future__ import annotations

import json
import multiprocessing
from collections.abc import Iterator
from pathlib import Path
from typing import Any, Final

import cv2
import numpy as np

from datasets.labels import Scene
from datasets.scenes import render_scene

LABELS: Final = "labels.jsonl"
_QUALITY: Final = 95


def record_of(scene: Scene, image: str) -> dict[str, Any]:
    """The labels of *scene* as a JSON object; *image* is the name of its picture."""
    height, width = scene.image.shape[:2]
    return {
        "image": image,
        "width": width,
        "height": height,
        "cards": [
            {
                "name": card.name,
                "face": "up" if card.face_up else "down",
                "quad": _rounded(card.quad),
                "visible": round(card.visible, 3),
            }
            for card in scene.cards
        ],
        "indexes": [
            {
                "name": index.name,
                "card": index.card,
                "quad": _rounded(index.quad),
                "visible": round(index.visible, 3),
            }
            for index in scene.indexes
        ],
        "hands": [_rounded(hand) for hand in scene.hands],
    }


def _rounded(points: np.ndarray[Any, Any]) -> list[list[float]]:
    return [[round(float(x), 2), round(float(y), 2)] for x, y in points]


def render(
    folder: Path, recipe: str, seed: int, count: int, workers: int = 1
) -> Iterator[tuple[int, int]]:
    """Render scenes 0 to *count* - 1 of *recipe* into *folder*; yields (done, count).

    Scenes that the folder's labels already list are kept, so a stopped run goes on where it was.
    A folder holds one recipe and seed.

    Raises:
        ValueError: the folder holds scenes of another recipe or seed.
    """
    folder.mkdir(parents=True, exist_ok=True)
    _claim(folder, {"recipe": recipe, "seed": seed})
    done = _finished(folder)
    missing = [(str(folder), recipe, seed, n) for n in range(count) if _name(n) not in done]
    finished = count - len(missing)
    yield finished, count
    with (folder / LABELS).open("a", encoding="utf-8") as labels:
        for line in _lines(missing, workers):
            labels.write(line + "\n")
            labels.flush()
            finished += 1
            yield finished, count


def _claim(folder: Path, origin: dict[str, Any]) -> None:
    note = folder / "origin.json"
    if note.is_file():
        found = json.loads(note.read_text(encoding="utf-8"))
        if found != origin:
            raise ValueError(f"{folder} holds scenes of {found}, not of {origin}")
    else:
        note.write_text(json.dumps(origin), encoding="utf-8")


def _finished(folder: Path) -> set[str]:
    """The pictures that the labels list; a last line cut short by a stop is dropped."""
    path = folder / LABELS
    if not path.is_file():
        return set()
    whole = [line for line in path.read_text(encoding="utf-8").splitlines(keepends=True)]
    if whole and not whole[-1].endswith("\n"):
        path.write_text("".join(whole[:-1]), encoding="utf-8")
        whole.pop()
    return {json.loads(line)["image"] for line in whole}


def _name(number: int) -> str:
    return f"{number:06d}.jpg"


def _lines(tasks: list[tuple[str, str, int, int]], workers: int) -> Iterator[str]:
    if workers <= 1:
        yield from map(_render_one, tasks)
        return
    context = multiprocessing.get_context("spawn")
    with context.Pool(workers) as pool:
        yield from pool.imap(_render_one, tasks, chunksize=4)


def _render_one(task: tuple[str, str, int, int]) -> str:
    folder, recipe, seed, number = task
    cv2.setNumThreads(1)
    scene = render_scene(recipe, seed, number)
    name = _name(number)
    cv2.imwrite(str(Path(folder) / name), scene.image, [cv2.IMWRITE_JPEG_QUALITY, _QUALITY])
    return json.dumps(record_of(scene, name))
