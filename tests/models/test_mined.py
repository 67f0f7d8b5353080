"""What the reader finds in scenes is labelled as what is there."""

from __future__ import annotations

import json
from pathlib import Path
from typing import Any

import cv2
import numpy as np
import pytest
from numpy.typing import NDArray

pytest.importorskip("torch")

from models.crop_cache import ROOMY, CropStore, label
from models.mined import SIZES, fill_mined, named_bodies, named_indexes
from models.name_net import FACE, INDEX
from models.train import cut_crops
from vision.detector import Detection
from vision.quads import bounds
from vision.reader import Findings

pytestmark = pytest.mark.train


def quad(left: float, top: float, wide: float, tall: float) -> NDArray[np.float32]:
    right, bottom = left + wide, top + tall
    return np.array([[left, top], [right, top], [right, bottom], [left, bottom]], np.float32)


def thing(kind: int, name: str, where: NDArray[np.float32], visible: float = 1.0) -> dict[str, Any]:
    return {"class": kind, "name": name, "quad": where.tolist(), "visible": visible}


def found(kind: str, where: NDArray[np.float32]) -> Detection:
    return Detection(kind, 0.9, bounds(where), where, 1.0)


THINGS = [
    thing(1, "7H", quad(100, 100, 70, 100)),
    thing(2, "??", quad(300, 100, 70, 100)),
    thing(1, "KS", quad(500, 100, 70, 100), visible=0.2),
    thing(0, "7H", quad(104, 104, 10, 18)),
    thing(0, "KS", quad(504, 104, 10, 18), visible=0.4),
]


@pytest.mark.parametrize(
    ("where", "name"),
    [
        (quad(105, 97, 70, 100), "7H"),
        (quad(300, 110, 66, 100), "back"),
        (quad(600, 300, 70, 100), "none"),
        # A long side is taken for a short one: so it is not to be named. A back looks alike.
        (np.roll(quad(100, 100, 70, 100), 1, axis=0), "none"),
        (np.roll(quad(100, 100, 70, 100), 2, axis=0), "7H"),
        (np.roll(quad(300, 100, 70, 100), 1, axis=0), "back"),
        # Most of a card, and something else: it is not said what it shows.
        (quad(130, 100, 70, 100), None),
        # Too little of the King shows to name it.
        (quad(500, 100, 70, 100), None),
    ],
)
def test_a_body_is_the_card_that_it_lies_on(where: NDArray[np.float32], name: str | None) -> None:
    names = [name for _, name in named_bodies([found("face", where)], THINGS)]
    assert names == ([] if name is None else [name])


def test_a_quad_on_two_cards_is_neither() -> None:
    twins = [thing(1, "2C", quad(0, 0, 70, 100)), thing(1, "3C", quad(8, 0, 70, 100))]
    assert list(named_bodies([found("face", quad(4, 0, 70, 100))], twins)) == []


@pytest.mark.parametrize(
    ("where", "name"),
    [
        (quad(105, 103, 10, 18), "7H"),
        (quad(140, 150, 10, 18), "none"),
        # The sign alone, or more than the index.
        (quad(104, 114, 8, 9), None),
        (quad(95, 95, 30, 40), None),
        # Half covered.
        (quad(504, 104, 10, 18), None),
        # Too small for anybody.
        (quad(30, 30, 4, 6), None),
    ],
)
def test_an_index_is_the_one_at_its_place(where: NDArray[np.float32], name: str | None) -> None:
    names = [name for _, name in named_indexes([found("index", where)], THINGS)]
    assert names == ([] if name is None else [name])


def test_an_index_that_may_be_one_of_two_is_neither() -> None:
    stacked = [thing(0, "7H", quad(104, 104, 10, 18)), thing(0, "KS", quad(107, 106, 10, 18))]
    assert list(named_indexes([found("index", quad(105, 104, 10, 18))], stacked)) == []
    apart = [stacked[0], thing(0, "KS", quad(114, 104, 10, 18))]
    names = [name for _, name in named_indexes([found("index", quad(105, 104, 10, 18))], apart)]
    assert names == ["7H"]


class Finds:
    """Finds the same in every picture."""

    def __init__(self) -> None:
        self.sizes: list[int | None] = []

    def look(self, image: NDArray[np.uint8], *, size: int | None) -> Findings:
        self.sizes.append(size)
        names = np.zeros((1, 54), np.float32)
        index, body = found("index", quad(104, 104, 10, 18)), found("face", quad(101, 99, 70, 100))
        return [index], names, [body], names


def test_crops_are_cut_where_things_are_found(tmp_path: Path) -> None:
    scenes = []
    for number in range(4):
        scenes.append(tmp_path / f"{number}.json")
        scenes[-1].write_text(json.dumps(THINGS), "utf-8")
        cv2.imwrite(str(tmp_path / f"{number}.jpg"), np.full((400, 700, 3), 90, np.uint8))
    scenes.append(tmp_path / "without a picture.json")
    reader = Finds()
    assert fill_mined(scenes, tmp_path / "crops", reader, "table-1") == 2
    assert reader.sizes == [*SIZES, SIZES[0]]
    rng = np.random.default_rng(0)
    faces, indexes = (CropStore(tmp_path / "crops", kind) for kind in ("face", "index"))
    assert (len(faces), len(indexes)) == (4, 4)
    crops, labels = faces.draw(rng, 1)
    assert crops[0].shape[:2] == FACE.size
    assert tuple(labels[0]) == label(FACE, "7H")
    crops, labels = indexes.draw(rng, 1)
    assert crops[0].shape[:2] == (ROOMY, ROOMY)
    assert tuple(labels[0]) == label(INDEX, "7H")


def test_crops_of_what_is_found_are_cut_once_also_where_others_were_cut_before(
    tmp_path: Path,
) -> None:
    scenes = tmp_path / "scenes" / "table-1"
    scenes.mkdir(parents=True)
    for number in range(2):
        (scenes / f"{number}.json").write_text(json.dumps(THINGS), "utf-8")
        cv2.imwrite(str(scenes / f"{number}.jpg"), np.full((400, 700, 3), 90, np.uint8))

    def names() -> set[str]:
        return {path.name for path in (tmp_path / "crops").glob("*.npz")}

    cut_crops(scenes, 1, tmp_path, None)
    before = names()
    assert before
    assert not any("mined" in name for name in before)
    reader = Finds()
    cut_crops(scenes, 1, tmp_path, reader)
    assert names() - before == {"face-mined-table-1-0000.npz", "index-mined-table-1-0000.npz"}
    looked = len(reader.sizes)
    cut_crops(scenes, 1, tmp_path, reader)
    assert len(reader.sizes) == looked
