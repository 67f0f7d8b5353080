from __future__ import annotations

import cv2
import numpy as np
import pytest

from datasets.crops import face_crop, index_crop, stranger_view
from engine.cards import Card


def test_crops_are_functions_of_seed_and_index() -> None:
    for source in (index_crop, face_crop):
        first, again = source(4, 9), source(4, 9)
        assert first[1] == again[1]
        assert first[0].tobytes() == again[0].tobytes()
        assert source(5, 9)[0].tobytes() != first[0].tobytes()


def test_crops_have_the_promised_size_and_names() -> None:
    names = set()
    for number in range(60):
        crop, name = index_crop(1, number)
        assert crop.shape == (64, 64, 3)
        assert crop.dtype == np.uint8
        names.add(name)
    assert "none" in names
    assert all(Card.parse(name).known for name in names - {"none"})
    names = set()
    for number in range(150):
        crop, name = face_crop(1, number)
        assert crop.shape == (128, 96, 3)
        assert crop.dtype == np.uint8
        names.add(name)
    assert {"none", "back"} <= names
    assert all(Card.parse(name).known for name in names - {"none", "back"})


@pytest.mark.parametrize("source", [index_crop, face_crop])
def test_crops_show_something(source: object) -> None:
    """Most crops of cards have contrast: the label is not about an empty picture."""
    assert callable(source)
    stds = []
    for number in range(80):
        crop, name = source(2, number)
        if name not in {"none", "back"}:
            stds.append(float(crop.std()))
    assert np.median(stds) > 15


def test_cards_of_other_games_lie_within_their_pictures() -> None:
    for number in range(8):
        image, quad = stranger_view(np.random.default_rng([3, number]))
        again, _ = stranger_view(np.random.default_rng([3, number]))
        assert image.tobytes() == again.tobytes()
        assert quad.shape == (4, 2)
        assert (quad > 0).all()
        assert (quad < image.shape[0]).all()
        outside = np.ones(image.shape[:2], np.uint8)
        cv2.fillConvexPoly(outside, quad.round().astype(np.int32), 0)
        # The card differs from the table around it.
        gap = np.abs(image[outside == 0].mean(0) - image[outside == 1].mean(0)).max()
        assert gap > 1
