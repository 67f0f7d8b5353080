from __future__ import annotations

import cv2
import numpy as np
import pytest

from vision.errors import ImageError
from vision.quality import check_picture
from vision.sightings import Sighting

SHAPE = (480, 640)


def table() -> np.ndarray:
    """A dark table with white cards that carry sharp black marks."""
    image = np.full((*SHAPE, 3), (60, 90, 40), np.uint8)
    for x in range(40, 600, 150):
        cv2.rectangle(image, (x, 120), (x + 100, 270), (235, 235, 235), -1)
        for y in range(140, 260, 24):
            cv2.putText(image, "7A", (x + 12, y), cv2.FONT_HERSHEY_SIMPLEX, 0.7, (20, 20, 30), 2)
    return image


def card(left: float, top: float, height: float = 150.0) -> Sighting:
    right, bottom = left + 0.7 * height, top + height
    quad = np.array([[left, top], [right, top], [right, bottom], [left, bottom]], np.float32)
    chances = np.zeros(52, np.float32)
    chances[3] = 0.9
    box = np.array([left, top, right, bottom], np.float32)
    return Sighting(quad, True, chances, 0.9, 1.0, box, True)


def test_a_good_picture_needs_no_advice() -> None:
    check = check_picture(table(), [card(40, 120)])
    assert (check.light, check.focus, check.framing) == ("ok", "ok", "ok")
    assert check.ok
    assert check.advice == ()


@pytest.mark.parametrize("size", [(320, 240), (640, 480), (2560, 1920)])
def test_light_is_judged_the_same_at_every_size(size: tuple[int, int]) -> None:
    image = cv2.resize(table(), size)
    assert check_picture(image).light == "ok"
    assert check_picture((image * 0.3).astype(np.uint8)).light == "low"


def test_burnt_out_and_veiled_pictures_have_glare() -> None:
    burnt = table()
    burnt[:200, :300] = 255
    assert check_picture(burnt).light == "glare"
    veiled = (table() * 0.15 + 190).astype(np.uint8)
    assert check_picture(veiled).advice[0] == "quality.glare"


def test_blur_is_noticed_and_sharpness_falls_with_it() -> None:
    sharp = check_picture(table())
    soft, lost = (check_picture(cv2.GaussianBlur(table(), (0, 0), sigma)) for sigma in (1.0, 4.0))
    assert sharp.sharpness > soft.sharpness > lost.sharpness
    assert (sharp.focus, lost.focus) == ("ok", "blurred")
    assert lost.advice == ("quality.blurred",)


@pytest.mark.parametrize(
    ("cards", "framing"),
    [
        ([], "none"),
        ([card(100, 100, 40)], "far"),
        ([card(10, 5, 470)], "near"),
        ([card(100, 100), card(-60, 200)], "cut"),
        ([card(100, 100), card(400, 300)], "ok"),
    ],
)
def test_framing(cards: list[Sighting], framing: str) -> None:
    check = check_picture(table(), cards)
    assert check.framing == framing
    assert check.ok == (framing == "ok")


def test_without_cards_nothing_is_said_about_framing() -> None:
    assert check_picture(table()).framing is None


def test_a_picture_of_one_colour_is_dark_or_veiled_and_never_fails() -> None:
    assert check_picture(np.zeros((10, 10), np.uint8)).light == "low"
    assert check_picture(np.full((1, 1, 3), 200, np.uint8)).light == "glare"
    with pytest.raises(ImageError):
        check_picture(np.zeros((3,), np.uint8))
