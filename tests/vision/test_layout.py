"""The layout of the table: its JSON form, its zones, what it refuses."""

import json
from pathlib import Path
from typing import Any

import numpy as np
import pytest
from hypothesis import given
from hypothesis import strategies as st

from vision.errors import LayoutError
from vision.layout import FORMAT, Layout, around
from vision.table import STILL, Move

UNIT = st.floats(0, 1)
POINT = st.tuples(UNIT, UNIT)
QUAD = st.none() | st.tuples(POINT, POINT, POINT, POINT)
LAYOUT = st.builds(
    Layout,
    corners=QUAD,
    pile=QUAD,
    stock=QUAD,
    hand=QUAD,
    seats=st.lists(POINT, max_size=6).map(tuple),
)


@given(LAYOUT)
def test_the_json_form_reads_back(layout: Layout) -> None:
    assert Layout.from_json(json.loads(json.dumps(layout.to_json()))) == layout


def test_a_file_reads_back(tmp_path: Path) -> None:
    layout = Layout(pile=around((0.5, 0.5), 0.25, 0.5), seats=((0.5, 1.0), (0.5, 0.0)))
    (tmp_path / "table.json").write_text(layout.to_text(), encoding="utf-8")
    assert Layout.load(tmp_path / "table.json") == layout


@pytest.mark.parametrize(
    ("data", "key"),
    [
        ([], "layout.format"),
        (None, "layout.format"),
        ({"format": "pisti-record/1"}, "layout.format"),
        ({"zones": 3}, "layout.zones"),
        ({"zones": []}, "layout.zones"),
        ({"zones": {"pile": []}}, "layout.points"),
        ({"zones": {"pond": None}}, "layout.unknown"),
        ({"cornes": None}, "layout.unknown"),
        ({"corners": [[0, 0], [1, 0], [1, 1]]}, "layout.points"),
        ({"corners": "whole"}, "layout.points"),
        ({"zones": {"pile": [[0, 0], [1, 0], [1, 1], [0, 1.5]]}}, "layout.point"),
        ({"zones": {"pile": [[0, 0], [1, 0], [1, 1], [0, "1"]]}}, "layout.point"),
        ({"zones": {"pile": [[0, 0], [1, 0], [1, 1], [0]]}}, "layout.point"),
        ({"zones": {"pile": [[0, 0], [1, 0], [1, 1], [0, float("nan")]]}}, "layout.point"),
        ({"zones": {"pile": [[10**400, 0], [1, 0], [1, 1], [0, 1]]}}, "layout.point"),
        ({"seats": [[0.5, 0.5]] * 7}, "layout.seats"),
        ({"seats": {}}, "layout.seats"),
        ({"seats": [0.5, 0.5]}, "layout.point"),
    ],
)
def test_what_is_no_layout_is_refused(data: Any, key: str) -> None:
    with pytest.raises(LayoutError) as caught:
        Layout.from_json(data)
    assert caught.value.key == key


@pytest.mark.parametrize("written", [b"", b"{", b"\xff\xfe", b"[" * 100_000, b" " * 200_000])
def test_a_file_that_holds_no_layout_is_refused(tmp_path: Path, written: bytes) -> None:
    path = tmp_path / "table.json"
    path.write_bytes(written)
    with pytest.raises(LayoutError):
        Layout.load(path)


@pytest.mark.parametrize(
    ("written", "part"),
    [
        ('{"zones": {"pile": [[1%s, 0], [1, 0], [1, 1], [0, 1]]}}' % ("0" * 400), "pile"),
        ('{"zones": {"hand": [[%s], [1, 0], [1, 1], [0, 1]]}}' % ("[" * 900 + "]" * 900), "hand"),
        ('{"zones": {"hand": ["a\\nb", [1, 0], [1, 1], [0, 1]]}}', "hand"),
        ('{"zones": {"pile": [[0.5, 0.5], [0.5, 0.5], [0.5, 0.5], [0.5, 0.5]]}}', "pile"),
        ('{"zones": {"stock": [[0, 0], [1, 1], [1, 1], [0, 0]]}}', "stock"),
        ('{"corners": [[0, 0], [1, 1], [1, 0], [0, 1]]}', "corners"),
        ('{"zones": "pile"}', "zones"),
        ('{"seats": 0}', "seats"),
        ("[]", FORMAT),
    ],
)
def test_a_wrong_file_is_told_in_a_sentence_with_its_name_and_the_part(
    tmp_path: Path, written: str, part: str
) -> None:
    path = tmp_path / "table.json"
    path.write_text(written, encoding="utf-8")
    with pytest.raises(LayoutError) as caught:
        Layout.load(path)
    (said,) = str(caught.value).splitlines()
    assert str(path) in said
    assert part in said.replace(str(path), "")
    assert len(said) < len(str(path)) + 200


def test_a_file_may_begin_with_a_byte_order_mark(tmp_path: Path) -> None:
    layout = Layout(pile=around((0.5, 0.5), 0.25, 0.5))
    (tmp_path / "table.json").write_text(layout.to_text(), encoding="utf-8-sig")
    assert Layout.load(tmp_path / "table.json") == layout


def test_what_has_no_room_is_named() -> None:
    line = ((0.1, 0.1), (0.9, 0.9), (0.9, 0.9), (0.1, 0.1))
    layout = Layout(pile=around((0.5, 0.5), 0.02, 0.02), stock=line, hand=((0.5, 0.5),) * 4)
    with pytest.raises(LayoutError, match="stock has no room"):
        layout.check_room()
    with pytest.raises(LayoutError, match="hand has no room"):
        layout.check_room(Layout(stock=line))
    layout.check_room(Layout(stock=line, hand=layout.hand))
    assert layout.with_room() == Layout(pile=layout.pile)


def test_pixels_and_the_circle_of_the_pile() -> None:
    layout = Layout(pile=((0.25, 0.25), (0.75, 0.25), (0.75, 0.75), (0.25, 0.75)))
    quad = layout.pixels("pile", (200, 100))
    assert quad is not None
    assert np.array_equal(quad, [[50, 25], [150, 25], [150, 75], [50, 75]])
    circle = layout.pile_circle((100, 100))
    assert circle is not None
    assert circle == ((50.0, 50.0), pytest.approx(25 * 2**0.5))
    assert layout.pixels("hand", (200, 100)) is None
    assert Layout().pile_circle((100, 100)) is None


@pytest.mark.parametrize("turned", [False, True])
def test_what_a_zone_holds(turned: bool) -> None:
    a, b, c, d = (0.2, 0.1), (0.9, 0.2), (0.7, 0.8), (0.1, 0.6)
    layout = Layout(hand=(d, c, b, a) if turned else (a, b, c, d))
    assert layout.holds("hand", (0.5, 0.5))
    assert layout.holds("hand", (0.2, 0.1))
    assert not layout.holds("hand", (0.9, 0.9))
    assert not layout.holds("hand", (0.1, 0.1))
    assert not layout.holds("pile", (0.5, 0.5))


def test_a_zone_is_cut_at_the_edge_of_the_picture() -> None:
    assert around((0.125, 0.5), 0.5, 0.25) == (
        (0, 0.375),
        (0.375, 0.375),
        (0.375, 0.625),
        (0, 0.625),
    )


def test_a_layout_goes_with_the_picture_and_comes_back() -> None:
    layout = Layout(pile=around((0.5, 0.5), 0.2, 0.2), seats=((0.5, 1.0),))
    move = Move.about((200, 100), 0, 1.5).then(Move(40, 0))
    far = layout.moved(move, (400, 200))
    assert np.array(far.seats) == pytest.approx(np.array([[0.6, 1.25]]))
    back = far.moved(move.back(), (400, 200))
    assert np.array(back.seats) == pytest.approx(np.array([[0.5, 1.0]]))
    moved = far.in_sight()
    assert moved.pile is not None
    assert np.array(moved.pile) == pytest.approx(np.array(around((0.6, 0.5), 0.3, 0.3)))
    assert np.array(moved.seats) == pytest.approx(np.array([[0.6, 1.0]]))
    assert moved.stock is None
    assert layout.moved(STILL, (400, 200)) is layout
    assert Layout.from_json(moved.to_json()) == moved
