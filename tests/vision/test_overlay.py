"""What is drawn on pictures of the table."""

from __future__ import annotations

from itertools import combinations

import cv2
import numpy as np
import pytest

from engine import Card
from vision import overlay
from vision.overlay import draw_sightings
from vision.pen import Pen
from vision.sightings import Sighting


def seen(card: str, x: float, y: float, *, up: bool = True) -> Sighting:
    box = np.array([x - 40, y - 56, x + 40, y + 56], np.float32)
    quad = box[[0, 1, 2, 1, 2, 3, 0, 3]].reshape(4, 2)
    names = np.zeros(52, np.float32)
    if up:
        names[Card.parse(card).index] = 0.9
    return Sighting(quad, up, names, 0.9, 1.0, box, True)


@pytest.mark.parametrize(
    "places",
    [
        [(300, 300)] * 4,
        [(300, 300), (310, 320), (290, 340), (320, 280), (305, 310)],
        [(5, 5), (10, 8), (635, 475), (630, 470)],
        [(40, 470), (60, 470), (80, 470)],
    ],
)
def test_no_name_lies_over_another(
    places: list[tuple[int, int]], monkeypatch: pytest.MonkeyPatch
) -> None:
    drawn: list[tuple[int, int, int, int]] = []
    draw = overlay._Label.draw

    def noted(label: overlay._Label, place: tuple[int, int]) -> None:
        drawn.append((*place, place[0] + label.width, place[1] + label.height))
        draw(label, place)

    monkeypatch.setattr(overlay._Label, "draw", noted)
    cards = [seen(f"{rank}H", x, y) for rank, (x, y) in zip("23456", places, strict=False)]
    picture = draw_sightings(np.zeros((480, 640, 3), np.uint8), cards)
    assert len(drawn) == len(cards)
    for left, top, right, bottom in drawn:
        assert 0 <= left < right <= picture.shape[1]
        assert 0 <= top < bottom <= picture.shape[0]
    for one, other in combinations(drawn, 2):
        across = min(one[2], other[2]) - max(one[0], other[0])
        assert across <= 0 or min(one[3], other[3]) - max(one[1], other[1]) <= 0


def test_names_have_suit_signs_and_backs_a_word(monkeypatch: pytest.MonkeyPatch) -> None:
    written: list[str] = []
    signs: list[str] = []
    monkeypatch.setattr(Pen, "text", lambda _pen, words, *_: written.append(words) or 0.0)
    monkeypatch.setattr(Pen, "suit", lambda _pen, suit, *_: signs.append(suit))
    cards = [seen("10D", 300, 300), seen("??", 100, 300, up=False)]
    draw_sightings(np.zeros((480, 640, 3), np.uint8), cards, back="kapalı")
    assert written == ["10", " 90%", "kapalı"]
    assert signs == ["D"]


@pytest.mark.parametrize("font", [True, False])
def test_the_pen_knows_how_wide_words_are(font: bool, monkeypatch: pytest.MonkeyPatch) -> None:
    if not font:
        monkeypatch.delattr(cv2, "FontFace", raising=False)
    for words in ("10", "kapalı 95%", "dorso"):
        image = np.zeros((60, 300, 3), np.uint8)
        pen = Pen(image, 24)
        pen.text(words, (10, 40), (255, 255, 255))
        right = int(image.any(axis=(0, 2)).nonzero()[0].max())
        assert 10 + pen.width(words) == pytest.approx(right, abs=6)
