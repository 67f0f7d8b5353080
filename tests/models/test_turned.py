"""Quads that take a card's long sides for its short ones are shown in training as well."""

from __future__ import annotations

import numpy as np
import pytest
from numpy.typing import NDArray

pytest.importorskip("torch")

from models.canvases import CANVAS
from models.name_net import FACE, INDEX
from models.train_corners import disturbed
from models.train_names import _to_turn, vary

pytestmark = pytest.mark.train


def halves() -> NDArray[np.uint8]:
    """A canvas whose upper half is white."""
    canvas = np.zeros((*CANVAS, 3), np.uint8)
    canvas[: CANVAS[0] // 2] = 255
    return canvas


@pytest.mark.parametrize("turned", [False, True])
def test_a_turned_canvas_lies_on_its_side(turned: bool) -> None:
    crops = vary([halves()] * 20, np.random.default_rng(1), FACE, turned=np.full(20, turned))
    for crop in crops.astype(float).mean(3):
        upright = abs(crop[:48].mean() - crop[48:].mean())
        aside = abs(crop[:, :32].mean() - crop[:, 32:].mean())
        assert (aside > upright) == turned


def test_only_faces_on_canvases_are_turned_and_few_of_them() -> None:
    rng = np.random.default_rng(2)
    labels = np.array([[3, 1], [14, -1]] * 500, np.int16)
    turned = _to_turn([halves()] * 1000, labels, rng)
    assert 20 < turned[::2].sum() < 65
    assert not turned[1::2].any()
    crop = np.zeros((*INDEX.size, 3), np.uint8)
    assert not _to_turn([crop] * 1000, labels, rng).any()


def test_the_corners_of_a_quad_that_is_right_are_left_alone_however_it_is_turned() -> None:
    _, offsets = disturbed([halves()] * 40, np.random.default_rng(3), level=0.0)
    assert np.abs(offsets).max() < 1e-5
    crops, _ = disturbed([halves()] * 40, np.random.default_rng(3), level=0.0)
    aside = [
        abs(c[:, : c.shape[1] // 2].mean() - c[:, c.shape[1] // 2 :].mean())
        > abs(c[: c.shape[0] // 2].mean() - c[c.shape[0] // 2 :].mean())
        for c in crops.astype(float)
    ]
    assert 0 < sum(aside) < 20
