"""Cameras by name, and a layout that is proposed."""

from itertools import combinations
from pathlib import Path

import numpy as np
import pytest

from advisor.live import cameras
from advisor.live.cameras import CameraName, list_cameras
from advisor.live.proposing import propose
from engine import Card
from vision.sightings import Sighting
from vision.table.pile import card_length


def device(folder: Path, number: int, name: str | None, index: str | None = "0") -> None:
    node = folder / f"video{number}"
    node.mkdir(parents=True)
    if name is not None:
        (node / "name").write_text(name + "\n", encoding="utf-8")
    if index is not None:
        (node / "index").write_text(index + "\n", encoding="utf-8")


def test_linux_names_its_cameras(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr("sys.platform", "linux")
    assert list_cameras(tmp_path / "none") == []
    device(tmp_path, 10, "Ekran kamerası: é")
    device(tmp_path, 2, "USB Camera")
    device(tmp_path, 3, "USB Camera", index="1")
    device(tmp_path, 4, None, index=None)
    assert list_cameras(tmp_path) == [
        CameraName(2, "USB Camera"),
        CameraName(4, "video4"),
        CameraName(10, "Ekran kamerası: é"),
    ]


@pytest.mark.parametrize(
    ("platform", "output", "names"),
    [
        ("darwin", '{"SPCameraDataType": [{"_name": "FaceTime HD"}]}', ["FaceTime HD"]),
        ("darwin", "{}", []),
        ("darwin", "", []),
        ("win32", '["Integrated Camera", "USB"]', ["Integrated Camera", "USB"]),
        ("win32", '"Integrated Camera"', ["Integrated Camera"]),
        ("win32", "", []),
    ],
)
def test_other_systems_tell_theirs(
    monkeypatch: pytest.MonkeyPatch, platform: str, output: str, names: list[str]
) -> None:
    monkeypatch.setattr("sys.platform", platform)
    monkeypatch.setattr(cameras, "_output", lambda _command: output)
    assert [camera.name for camera in list_cameras()] == names


def seen(card: str, x: float, y: float, *, up: bool = True) -> Sighting:
    box = np.array([x - 40, y - 56, x + 40, y + 56], np.float32)
    quad = box[[0, 1, 2, 1, 2, 3, 0, 3]].reshape(4, 2)
    names = np.zeros(52, np.float32)
    if up:
        names[Card.parse(card).index] = 0.9
    return Sighting(quad, up, names, 0.9, 1.0, box, True)


def test_a_layout_is_proposed_around_the_cards() -> None:
    cards = [seen("7S", 700, 400), seen("KD", 300, 380), seen("??", 310, 390, up=False)]
    layout = propose(cards, (1280, 720))
    assert layout.holds("pile", (700 / 1280, 400 / 720))
    assert not layout.holds("pile", (300 / 1280, 380 / 720))
    assert layout.holds("stock", (300 / 1280, 380 / 720))
    circle = layout.pile_circle((1280, 720))
    assert circle is not None
    assert circle[0] == pytest.approx((700, 400), abs=2)
    # As large as where the pile is found by itself: a larger one takes in cards on their way.
    assert circle[1] == pytest.approx(1.2 * card_length(cards[0].quad), rel=0.02)


@pytest.mark.parametrize(
    "cards",
    [
        [],
        [seen("7S", 640, 360)],
        [seen("7S", 640, 600), seen("??", 300, 600, up=False)],
        [seen("QH", 336, 448), seen("??", 370, 384, up=False)],
        [seen("7S", 640, 360), seen("QH", 480, 380), seen("??", 470, 360, up=False)],
        [seen("??", 660, 400, up=False), seen("QH", 620, 440)],
    ],
)
def test_no_proposed_zone_lies_over_another(cards: list[Sighting]) -> None:
    layout = propose(cards, (1280, 720))
    layout.check_room()
    zones = [zone for zone in (layout.pile, layout.stock, layout.hand) if zone is not None]
    for one, other in combinations(zones, 2):
        (left, top), _, (right, bottom), _ = one
        (west, north), _, (east, south), _ = other
        across, along = min(right, east) - max(left, west), min(bottom, south) - max(top, north)
        assert min(across, along) < 1e-6


def test_the_bottom_card_under_the_stock_is_no_pile() -> None:
    layout = propose([seen("QH", 336, 448), seen("??", 370, 384, up=False)], (1280, 720))
    assert layout.holds("stock", (370 / 1280, 384 / 720))
    assert layout.holds("pile", (0.5, 0.5))
    assert not layout.holds("pile", (336 / 1280, 448 / 720))


def test_a_back_in_the_middle_is_the_centre_not_turned_up_yet() -> None:
    layout = propose([seen("??", 650, 370, up=False), seen("AC", 240, 275)], (1280, 720))
    assert layout.holds("pile", (650 / 1280, 370 / 720))
    assert layout.holds("stock", (240 / 1280, 275 / 720))


def test_an_empty_table_has_a_layout_too() -> None:
    layout = propose([], (1280, 720))
    assert layout.holds("pile", (0.5, 0.5))
    assert layout.stock is None
    assert layout.holds("hand", (0.5, 0.9))
