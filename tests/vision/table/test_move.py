"""Moves of the picture: where something is seen after them, one after the other, and undone."""

import numpy as np
import pytest

from vision.table import STILL, Move, PileZone

from .test_pile import sighting

TURNED = Move.about((320, 180), 30, 1.2).then(Move(10, -5))


def test_a_turn_is_clockwise_as_seen_and_about_its_middle():
    quarter = Move.about((100, 50), 90, 2)
    assert quarter.place((100, 50)) == pytest.approx((100, 50))
    assert quarter.place((110, 50)) == pytest.approx((100, 70))
    assert (quarter.turn, quarter.zoom) == pytest.approx((90, 2))
    assert Move(3, -4).shift == (3, -4)


def test_moves_follow_each_other_and_are_undone():
    both = TURNED.then(Move.about((0, 0), -10, 0.5))
    assert both.place((7, 9)) == pytest.approx(
        Move.about((0, 0), -10, 0.5).place(TURNED.place((7, 9)))
    )
    assert TURNED.back().place(TURNED.place((7, 9))) == pytest.approx((7, 9))
    assert TURNED.then(TURNED.back()).apart(STILL, (640, 360)) < 1e-9
    assert STILL.back() == STILL


def test_a_move_is_its_matrix_and_grows_with_the_picture():
    assert Move.of(TURNED.matrix) == TURNED
    at = TURNED.matrix @ np.array([7, 9, 1])
    assert TURNED.place((7, 9)) == pytest.approx(at)
    x, y = TURNED.place((7, 9))
    assert TURNED.scaled(2).place((14, 18)) == pytest.approx((2 * x, 2 * y))


def test_how_far_apart_moves_are_counts_at_the_worst_corner():
    assert Move(3, 4).apart(STILL, (640, 360)) == pytest.approx(5)
    assert Move.about((0, 0), 0, 1.1).apart(STILL, (640, 0)) == pytest.approx(64)


def test_a_zone_and_a_sighting_go_with_the_picture():
    zone = PileZone((100.0, 60.0), 50.0).moved(TURNED)
    assert zone.centre == pytest.approx(TURNED.place((100, 60)))
    assert zone.radius == pytest.approx(60)
    one = sighting("7S", 100, 60, size=(40, 56))
    back = TURNED.bring_back(one)
    assert (back.box[:2] + back.box[2:]) / 2 == pytest.approx(
        TURNED.back().place((100, 60)), abs=1e-3
    )
    assert back.box[2:] - back.box[:2] == pytest.approx(np.array([40, 56]) / 1.2, rel=1e-4)
    corners = [TURNED.back().place(tuple(corner)) for corner in one.quad.tolist()]
    assert back.quad == pytest.approx(np.array(corners), abs=1e-3)
    assert STILL.bring_back(one).quad == pytest.approx(one.quad)


def test_a_way_is_turned_back_and_keeps_its_length():
    assert Move.about((9, 9), 90, 1.5).unturned(np.array([0.0, 2.0])) == pytest.approx([2.0, 0.0])
    assert Move(5, 5).unturned(np.array([0.3, 0.4])) == pytest.approx([0.3, 0.4])
