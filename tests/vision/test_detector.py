from __future__ import annotations

import numpy as np
import pytest

from vision.detector import Detector

CLASSES = ["index", "face", "back"]


class Scripted:
    """A network that finds the same boxes (fractions of the picture) at every size."""

    runtime = "test"

    def __init__(self, boxes: list[tuple[float, ...]]) -> None:
        self.boxes = boxes
        self.sizes: list[int] = []

    def run(self, batch: np.ndarray) -> list[np.ndarray]:
        height, width = batch.shape[2:]
        self.sizes.append(max(height, width))
        rows = np.zeros((len(self.boxes), 4 + len(CLASSES)), np.float32)
        for row, (kind, x, y, w, h, *score) in zip(rows, self.boxes, strict=True):
            row[:4] = np.array([x, y, w, h]) * (width, height, width, height)
            row[4 + int(kind)] = score[0] if score else 0.9
        return [rows.T[None]]


@pytest.fixture
def image() -> np.ndarray:
    return np.zeros((320, 640, 3), np.uint8)


@pytest.mark.parametrize(
    ("boxes", "near"),
    [
        ([(1, 0.5, 0.5, 0.1, 0.3)], False),
        ([(1, 0.5, 0.5, 0.1, 0.3, 0.4)], True),
        ([(1, 0.5, 0.5, 0.5, 0.9)], True),
        ([(0, 0.5, 0.5, 0.1, 0.3), (1, 0.5, 0.5, 0.2, 0.6)], True),
        ([(0, 0.5, 0.5, 0.02, 0.06)], True),
        ([], True),
    ],
    ids=["usual card", "unsure card", "large card", "large index", "no body", "nothing"],
)
def test_near_cards_are_looked_for_where_there_may_be_some(
    image: np.ndarray, boxes: list[tuple[float, ...]], near: bool
) -> None:
    network = Scripted(boxes)
    found = Detector(network, CLASSES).find(image, [640], near=320)
    assert network.sizes == ([640, 320] if near else [640])
    assert len(found) == len(boxes)


def test_boxes_come_back_in_pixels_of_the_picture(image: np.ndarray) -> None:
    network = Scripted([(1, 0.5, 0.5, 0.25, 0.5)])
    (found,) = Detector(network, CLASSES).find(image, [320, 640])
    assert found.kind == "face"
    assert np.abs(found.box - [240, 80, 400, 240]).max() < 1
    moved = found.moved(10, 20)
    assert np.abs(moved.box - found.box - [10, 20, 10, 20]).max() < 1e-4
    assert np.abs(moved.quad - found.quad - [10, 20]).max() < 1e-4


def test_small_cards_are_looked_at_closer(image: np.ndarray) -> None:
    network = Scripted([(1, 0.5, 0.5, 0.06, 0.2)])
    detector = Detector(network, CLASSES)
    first = detector.find(image, [320])
    assert network.sizes == [320]
    found = detector.look_closer(image, first, 320)
    # The part around the card, at most 1.8 times as large as in the picture.
    assert len(network.sizes) == 2
    assert network.sizes[1] <= 1.8 * (64 + 2 * 0.8 * 64) + 32
    assert any(np.abs(one.box - first[0].box).max() < 1 for one in found)
    assert all((one.box >= -1).all() for one in found)


def test_large_cards_and_empty_tables_need_no_closer_look(image: np.ndarray) -> None:
    for boxes in ([], [(1, 0.5, 0.5, 0.3, 0.6)]):
        network = Scripted(boxes)
        detector = Detector(network, CLASSES)
        found = detector.find(image, [640])
        assert detector.look_closer(image, found, 640) == found
        assert network.sizes == [640]
