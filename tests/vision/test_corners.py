from __future__ import annotations

import cv2
import numpy as np
import pytest

from vision.corners import CornerFinder
from vision.quads import UNIT_SQUARE, quad_iou

CARD = np.array([[210, 120], [330, 150], [290, 330], [160, 290]], np.float32)
MARKS = ((255, 0, 0), (0, 255, 0), (0, 0, 255), (255, 255, 0))


class Sighted:
    """A network that sees coloured marks at the card's corners: the answer is exact."""

    runtime = "test"

    def __init__(self, size: tuple[int, int], margin: float, wild: bool = False) -> None:
        self.size, self.margin, self.wild = size, margin, wild

    def run(self, batch: np.ndarray) -> list[np.ndarray]:
        height, width = self.size
        answers = []
        for crop in batch.transpose(0, 2, 3, 1):
            offsets = np.zeros((4, 2), np.float32)
            for i, colour in enumerate(MARKS):
                apart = np.abs(crop - (np.array(colour) / 255 - 0.5)).sum(axis=2)
                ys, xs = np.nonzero(apart < 0.6)
                middle = np.array([xs.mean() / width, ys.mean() / height])
                offsets[i] = middle * (1 + 2 * self.margin) - self.margin - UNIT_SQUARE[i]
            answers.append(offsets.ravel() * (9 if self.wild else 1))
        return [np.array(answers, np.float32)]


@pytest.fixture
def image() -> np.ndarray:
    picture = np.full((420, 560, 3), 127, np.uint8)
    for corner, colour in zip(CARD, MARKS, strict=True):
        cv2.circle(picture, np.rint(corner).astype(int).tolist(), 9, colour, -1)
    return picture


def off(seed: int) -> np.ndarray:
    rng = np.random.default_rng(seed)
    return (CARD + rng.normal(0, 9, (4, 2))).astype(np.float32)


def test_quads_move_to_the_corners(image: np.ndarray) -> None:
    finder = CornerFinder(Sighted((160, 112), 0.25), (160, 112), 0.25)
    guesses = np.stack([off(seed) for seed in range(5)])
    found = finder.find(image, guesses)
    assert found.shape == (5, 4, 2)
    for guess, quad in zip(guesses, found, strict=True):
        assert np.abs(quad - CARD).max() < 4
        assert quad_iou(quad, CARD) > quad_iou(guess, CARD)


def test_a_quad_that_would_be_no_card_stays(image: np.ndarray) -> None:
    finder = CornerFinder(Sighted((160, 112), 0.25, wild=True), (160, 112), 0.25)
    guesses = np.stack([off(seed) for seed in range(5)])
    found = finder.find(image, guesses, rounds=1)
    kept = [np.array_equal(a, b) for a, b in zip(found, guesses, strict=True)]
    assert any(kept)
    assert all(cv2.isContourConvex(quad) for quad in found)


def test_no_quads_need_no_network(image: np.ndarray) -> None:
    finder = CornerFinder(Sighted((160, 112), 0.25), (160, 112), 0.25)
    assert finder.find(image, np.zeros((0, 4, 2), np.float32)).shape == (0, 4, 2)
