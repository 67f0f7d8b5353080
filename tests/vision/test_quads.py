from __future__ import annotations

import cv2
import numpy as np
import pytest

from vision.quads import (
    flatten,
    holds,
    look_like_cards,
    quad_area,
    quad_from_symmetric,
    quad_iou,
    rectify,
    symmetric_from_quad,
    turned,
)


def card(angle: float, skew: float = 0.0) -> np.ndarray:
    corners = np.array([[-30, -45], [30, -45], [30 + skew, 45], [-30, 45 - skew]], np.float64)
    turn = np.array([[np.cos(angle), np.sin(angle)], [-np.sin(angle), np.cos(angle)]])
    return (corners @ turn + [200, 150]).astype(np.float32)


@pytest.mark.parametrize("angle", np.linspace(0, 2 * np.pi, 17))
@pytest.mark.parametrize("skew", [0.0, 12.0])
def test_a_quad_survives_its_symmetric_form(angle: float, skew: float) -> None:
    quad = card(angle, skew)
    back = quad_from_symmetric(symmetric_from_quad(quad[None]))[0]
    ends = [np.abs(back - np.roll(quad, turn, 0)).max() for turn in (0, 2)]
    assert min(ends) < 1e-3


@pytest.mark.parametrize("angle", [0.0, 0.7, 3.0])
def test_half_a_turn_changes_nothing_in_the_symmetric_form(angle: float) -> None:
    quad = card(angle, 8.0)
    turned = np.roll(quad, 2, axis=0)
    assert symmetric_from_quad(quad[None]) == pytest.approx(
        symmetric_from_quad(turned[None]), abs=1e-3
    )


def test_area_and_overlap() -> None:
    quad = card(0.3)
    assert quad_area(quad) == pytest.approx(60 * 90, rel=1e-4)
    assert quad_iou(quad, quad) == pytest.approx(1.0, rel=1e-3)
    assert quad_iou(quad, quad + 500) == 0.0
    shifted = card(0.0) + np.array([30, 0], np.float32)
    assert quad_iou(card(0.0), shifted) == pytest.approx(1 / 3, rel=1e-3)


def test_rectifying_undoes_a_rotation() -> None:
    image = np.zeros((300, 400, 3), np.uint8)
    quad = card(0.5)
    # Paint the quarter of the card at its first corner.
    middle = quad.mean(0)
    part = np.stack([quad[0], (quad[0] + quad[1]) / 2, middle, (quad[0] + quad[3]) / 2])

    cv2.fillConvexPoly(image, np.round(part).astype(np.int32), (255, 255, 255))
    flat = rectify(image, quad, (96, 64))
    assert flat.shape == (96, 64, 3)
    assert flat[10:38, 8:24].min() > 200
    assert flat[60:90].max() < 60


def test_what_can_be_a_card_is_convex_with_opposite_sides_alike() -> None:
    quads = {
        "card": ([[0, 0], [5, 0], [5, 7], [0, 7]], True),
        "the same anticlockwise": ([[0, 0], [0, 7], [5, 7], [5, 0]], True),
        "card seen from low down": ([[0, 0], [9, -1], [14, 3], [3, 4]], True),
        "bow": ([[0, 0], [5, 7], [5, 0], [0, 7]], False),
        "dented": ([[0, 0], [5, 0], [1, 1], [0, 7]], False),
        "one side short": ([[0, 0], [2, 0], [5, 7], [0, 7]], False),
        "point": ([[1, 1]] * 4, False),
    }
    answers = look_like_cards(np.array([quad for quad, _ in quads.values()], np.float32))
    assert answers.tolist() == [wanted for _, wanted in quads.values()]
    assert look_like_cards(np.zeros((0, 4, 2), np.float32)).shape == (0,)


def test_a_turned_quad_begins_with_a_long_side() -> None:
    upright = card(0.0)[None]
    sides = [np.linalg.norm(np.diff(q[0], axis=0), axis=1)[:2] for q in (upright, turned(upright))]
    assert sides[0][0] < sides[0][1]
    assert sides[1].tolist() == pytest.approx(sides[0][::-1].tolist())
    assert sorted(turned(upright)[0].tolist()) == sorted(upright[0].tolist())


def test_what_a_quad_holds() -> None:
    quad = np.array([[10, 10], [50, 20], [40, 80], [5, 70]], np.float32)
    assert holds(quad, quad.mean(axis=0))
    assert holds(quad, quad[1])
    assert not holds(quad, np.array([50, 79], np.float32))


@pytest.mark.parametrize("shrink", [1, 2, 3, 4])
def test_flattened_fine_or_not_the_light_of_a_card_stays(shrink: int) -> None:
    image = np.zeros((400, 400, 3), np.uint8)
    image[:, ::4] = image[:, 1::4] = 255
    side = 40.0 * shrink
    quad = np.array([[100, 100], [100 + side, 100], [100 + side, 100 + side], [100, 100 + side]])
    target = np.array([[0, 0], [40, 0], [40, 40], [0, 40]], np.float32)
    for fine in (True, False):
        flat = flatten(image, quad.astype(np.float32), (40, 40), target, fine=fine)
        assert flat.shape == (40, 40, 3)
        assert flat.mean() == pytest.approx(127.5, abs=8)
