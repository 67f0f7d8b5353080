from __future__ import annotations

import numpy as np
import pytest

from datasets.canvas import EMPTY, Canvas
from datasets.scenes import render_scene
from datasets.sweeps import blend, sweep


def square(side: int = 100, low: int = 40, high: int = 60) -> tuple[Canvas, Canvas]:
    """A grey table, and a layer with a white square in the middle as card 3."""
    canvas = Canvas(np.full((side, side, 3), 80, np.uint8))
    layer = Canvas(canvas.image.copy())
    layer.image[low:high, low:high] = 240
    layer.ids[low:high, low:high] = 3
    return canvas, layer


def test_what_moves_is_spread_along_its_way_and_the_table_stays() -> None:
    canvas, layer = square()
    blend(canvas, layer, np.array([18.0, 0.0]), 9)
    row = canvas.image[50, :, 0]
    assert row[50] == 240
    assert (row[:30] == 80).all()
    assert (row[70:] == 80).all()
    assert (np.diff(row[29:50].astype(int)) >= 0).all()
    assert 80 < row[34] < 240
    # Across the way it is as sharp as it was.
    assert canvas.image[39, 50, 0] == 80
    assert canvas.image[41, 50, 0] == 240


def test_labels_are_those_of_the_middle_of_the_way() -> None:
    canvas, layer = square()
    canvas.ids[50, 5] = 1
    blend(canvas, layer, np.array([0.0, 15.0]), 3)
    assert canvas.ids[50, 5] == 1
    assert (canvas.ids == 3).sum() == 400
    assert (canvas.ids[40:60, 40:60] == 3).all()


def test_what_does_not_move_is_laid_as_it_is() -> None:
    canvas, layer = square()
    blend(canvas, layer, np.zeros(2), 2)
    assert (canvas.image == layer.image).all()


def test_a_hand_lies_on_the_cards_or_none() -> None:
    seen = []
    for seed in range(30):
        canvas, layer = square(200, 80, 120)
        quad = np.array([[80, 80], [120, 80], [120, 120], [80, 120]], np.float32)
        hand = sweep(canvas, layer, [quad], 40.0, np.random.default_rng(seed))
        seen.append(len(hand) > 0)
        assert (canvas.ids != EMPTY).any()
    assert 15 <= sum(seen) < 30


def test_a_swept_scene_has_cards_in_motion() -> None:
    scenes = [render_scene("swept", 4, number) for number in range(6)]
    assert sum(len(scene.cards) for scene in scenes) >= 8
    assert any(len(scene.hands) for scene in scenes)
    assert all(0 < card.visible <= 1 for scene in scenes for card in scene.cards)


@pytest.mark.parametrize("number", range(4))
def test_only_the_last_group_moves(number: int) -> None:
    """The others keep the ids of cards that lie still: none is lost."""
    scene = render_scene("swept", 8, number)
    assert len({card.quad.tobytes() for card in scene.cards}) == len(scene.cards)
