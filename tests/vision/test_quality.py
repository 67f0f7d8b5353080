from __future__ import annotations

from pathlib import Path

import cv2
import numpy as np
import pytest

from engine import parse_cards
from vision.errors import ImageError
from vision.quality import check_picture
from vision.reader import CardReader
from vision.sightings import Sighting

SHAPE = (480, 640)
SAMPLE = Path(__file__).parents[2] / "advisor" / "samples" / "sample.mp4"


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
    chances[3] = 0.95
    box = np.array([left, top, right, bottom], np.float32)
    return Sighting(quad, True, chances, 1.0, 1.0, box, True)


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


def felt() -> np.ndarray:
    """A plain dark table, as bright as the felt of a recording in good light."""
    return np.full((*SHAPE, 3), (57, 82, 45), np.uint8)


def test_a_plain_table_has_no_glare_and_is_not_dark() -> None:
    assert check_picture(felt(), []).light == "ok"
    assert check_picture((felt() * 0.5).astype(np.uint8), []).light == "low"
    # Light cloth has little contrast too.
    assert check_picture(np.full((*SHAPE, 3), 215, np.uint8), []).light == "ok"
    # One small card on it tells more than all the felt.
    image = felt()
    image[200:260, 300:342] = table()[130:190, 40:82]
    small = check_picture(image, [card(300, 200, 60)])
    assert small.light == "ok"
    assert small.whites == pytest.approx(235, abs=2)
    dim = check_picture((image * 0.3).astype(np.uint8), [card(300, 200, 60)])
    assert dim.light == "low"


@pytest.mark.parametrize(("strength", "light"), [(0, "ok"), (10, "ok"), (110, "glare")])
def test_a_lamp_mirrored_on_one_card_is_glare(strength: int, light: str) -> None:
    image = table()
    spot = np.zeros(SHAPE, np.uint8)
    cv2.ellipse(spot, ((90.0, 195.0), (130.0, 160.0), 0.0), strength, -1)
    image = cv2.add(image, cv2.merge([spot] * 3))
    cards = [card(40, 120), card(190, 120)]
    assert check_picture(image, cards).light == light
    assert check_picture(image, cards[1:]).light == "ok"


def test_a_veil_over_the_cards_is_glare() -> None:
    veiled = (table() * 0.5 + 100).astype(np.uint8)
    assert check_picture(veiled, [card(40, 120)]).light == "glare"
    # What was hardly read may be no card at all, and an Ace has hardly any ink.
    unsure = card(40, 120)
    unsure.probabilities[3] = 0.4
    assert check_picture(veiled, [unsure]).light == "ok"
    ace = card(40, 120)
    ace.probabilities[[3, 0]] = ace.probabilities[[0, 3]]
    assert ace.card is parse_cards("AS")[0]
    assert check_picture(veiled, [ace]).light == "ok"


def test_cards_at_the_edge_are_judged_by_what_shows_of_them() -> None:
    for at in ((-60, -40), (600, 420), (-500, 20), (1000, 1000)):
        assert check_picture(table(), [card(*at)]).light == "ok"


@pytest.mark.parametrize("second", [0.0, 12.0, 40.0])
def test_the_light_of_the_bundled_recording_is_good(second: float) -> None:
    """At its beginning, and when a pile has been taken, there is hardly anything but the felt."""
    film = cv2.VideoCapture(str(SAMPLE))
    film.set(cv2.CAP_PROP_POS_MSEC, 1000 * second)
    read, image = film.read()
    film.release()
    assert read
    check = check_picture(image, CardReader("fast").read(image))
    assert (check.light, check.focus) == ("ok", "ok")


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
