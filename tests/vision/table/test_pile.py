"""Where the pile lies, and what a frame says of it."""

from dataclasses import replace

import numpy as np
import pytest

from engine import Card
from vision.sightings import Sighting
from vision.table import PileWatcher, find_bottom, find_pile


def sighting(text, x, y, sure=0.95, size=(60, 84), face_up=True):
    width, height = size
    left, top, right, bottom = x - width / 2, y - height / 2, x + width / 2, y + height / 2
    probabilities = np.zeros(52, np.float32)
    if face_up:
        probabilities[Card.parse(text).index] = sure
    return Sighting(
        quad=np.array([[left, top], [right, top], [right, bottom], [left, bottom]], np.float32),
        face_up=face_up,
        probabilities=probabilities,
        certainty=sure,
        visible=1.0,
        box=np.array([left, top, right, bottom], np.float32),
        whole=True,
    )


STOCK = sighting("QH", 150, 300)
BACK = sighting("??", 600, 500, face_up=False)


def table_frames():
    """A pile near (400, 300), the same shown card beside it, and a score sheet read as a card."""
    names = ["7S", "KD", "2C", "10H", "JS", "4D"]
    return [
        [sighting(name, 400 + 7 * n, 300 - 5 * n), STOCK, BACK] for n, name in enumerate(names)
    ] + [[STOCK, BACK]] * 20


def test_the_pile_is_where_card_after_card_appears():
    zone = find_pile(table_frames())
    assert zone.centre == pytest.approx((417.5, 287.5), abs=1)
    assert zone.radius == pytest.approx(1.2 * 84, rel=0.01)
    assert zone.holds(sighting("9C", 440, 280))
    assert not zone.holds(STOCK)


def test_a_table_without_cards_has_no_pile():
    assert find_pile([]) is None
    assert find_pile([[BACK], []]) is None
    assert find_pile([[sighting("7S", 10, 10, sure=0.3)]]) is None


def test_the_bottom_card_is_the_one_that_lies_beside_the_pile_from_the_start():
    zone = find_pile(table_frames())
    assert find_bottom([[STOCK, BACK]] * 6, zone) is Card.parse("QH")
    once = [[sighting("3S", 100, 100)]]
    assert find_bottom(once + [[]] * 6, zone) is None
    assert find_bottom([], zone) is None
    assert find_bottom([[sighting("3S", 417, 287)]], zone) is None


def test_a_look_holds_the_cards_on_the_pile_and_those_near_it():
    zone = find_pile(table_frames())
    seven, far = sighting("7S", 410, 290), sighting("2H", 410, 500)
    look = PileWatcher(zone).look(3.0, [seven, far, STOCK, BACK], 0.7)
    assert look.time == 3.0
    assert look.clear == 0.7
    assert look.lying.shape == (1, 52)
    assert look.lying[0].argmax() == Card.parse("7S").index
    assert look.near[Card.parse("2H").index] == pytest.approx(0.95)
    empty = PileWatcher(zone).look(3.0, [BACK], 1.0)
    assert empty.lying.shape == (0, 52)
    assert not empty.near.any()


def test_a_resting_card_is_news_once():
    watcher = PileWatcher(find_pile(table_frames()), fading=0.5, stale=0.1)
    seven, moved = sighting("7S", 410, 290), sighting("7S", 450, 330)
    news = [watcher.look(n / 5, [seven], 1.0).news[0] for n in range(6)]
    assert news == pytest.approx([1.0, 0.5, 0.25, 0.125, 0.1, 0.1])
    assert watcher.look(1.2, [moved], 1.0).news[0] == 1.0
    assert watcher.look(1.4, [sighting("7H", 450, 330)], 1.0).news[0] == 1.0


def test_what_lies_beside_the_pile_for_a_while_is_not_on_its_way_to_it():
    # A hand that is shown lies there; another card comes nearer from look to look.
    watcher = PileWatcher(find_pile(table_frames()))
    for n in range(8):
        shown, comes = sighting("2H", 410, 500), sighting("9C", 640 - 30 * n, 290)
        look = watcher.look(n / 5, [shown, comes], 1.0)
        assert look.near[Card.parse("9C").index] == pytest.approx(0.95)
        assert look.near[Card.parse("2H").index] == pytest.approx(0.95 * 0.5**n, abs=0.01)
    # Hidden by a hand for some seconds, it lies there still.
    later = watcher.look(5.0, [sighting("2H", 410, 500)], 1.0)
    assert later.near[Card.parse("2H").index] < 0.05


def test_a_hand_that_is_shown_is_not_the_pile():
    # Four large cards side by side, surely read; they are played one by one to a pile far away, of
    # which every other card is read.
    hands = [["4H", "5H", "3H", "8S"], ["10S", "JD", "2S", "AH"], ["QD", "10D", "7D", "6D"]]
    frames = []
    for number, hand in enumerate(hands):
        for played in range(4):
            row = [sighting(card, 500 + 55 * n, 600, size=(80, 100))
                   for n, card in enumerate(hand[played:])]  # fmt: skip
            other = ["AD", "2H", "AS", "4D", "5S", "9H", "7S", "9D", "KH", "2C", "5D", "JC"]
            on_pile = [sighting(other[4 * number + played], 660 + 9 * played, 350)]
            if played % 2:
                on_pile.append(sighting(hand[played - 1], 652, 355))
            frames += [row, row, row + on_pile[:1], row + on_pile[1:]]
    zone = find_pile(frames, size=(1280, 720))
    assert zone.centre == pytest.approx((665, 352), abs=15)


def test_a_corner_tells_less_than_a_card():
    zone = find_pile(table_frames())
    x, y = zone.centre
    card, corner = sighting("7S", x, y), replace(sighting("KD", x + 30, y + 40), whole=False)
    look = PileWatcher(zone).look(3.0, [card, corner], 1.0)
    assert look.news.tolist() == [1.0, 0.5]


def test_a_centre_that_lies_face_down_is_told():
    zone = find_pile(table_frames())
    x, y = zone.centre
    back = sighting("??", x, y, sure=0.75, face_up=False)
    assert PileWatcher(zone).look(0.0, [back, STOCK], 1.0).down == pytest.approx(0.75)
    # Not while hands move, not beside the pile, not under a card that is face up.
    assert PileWatcher(zone).look(0.0, [back], 0.4).down == 0
    assert PileWatcher(zone).look(0.0, [BACK], 1.0).down == 0
    assert PileWatcher(zone).look(0.0, [back, sighting("7S", x + 5, y)], 1.0).down == 0
    # Such looks are kept, though they show no card.
    watcher = PileWatcher(zone)
    for n in range(30):
        watcher.look(n / 10, [back], 1.0)
    assert len(watcher.looks()) == 30
