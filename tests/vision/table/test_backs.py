"""A card that lies face down on the pile's place: what frames say of a claimed pişti."""

from dataclasses import replace

import pytest

from vision.table import PileWatcher, PileZone

from .test_pile import BACK, STOCK, sighting

ZONE = PileZone((400.0, 300.0), 100.0)
LAID = sighting("??", 410, 305, sure=0.8, face_up=False)
SINGLE = sighting("7S", 400, 300)


def watcher():
    return PileWatcher(ZONE, claims=True)


def test_a_card_laid_face_down_is_told_whatever_shows_beside_it():
    look = watcher().look(0.0, [LAID, replace(SINGLE, whole=False), STOCK], 1.0)
    assert (look.back, look.back_news) == (pytest.approx(0.8), 1.0)
    # Not beside the pile, not a corner, and not where nobody claims anything.
    assert watcher().look(0.0, [SINGLE, BACK], 1.0).back == 0
    assert watcher().look(0.0, [replace(LAID, whole=False)], 1.0).back == 0
    plain = PileWatcher(ZONE).look(0.0, [LAID], 1.0)
    assert (plain.back, plain.back_news) == (0.0, 0.0)


def test_a_corner_that_is_taken_for_that_of_the_back_leaves_a_doubt_that_tells():
    doubtful = replace(SINGLE, certainty=0.7)
    assert watcher().look(0.0, [doubtful], 1.0).back == pytest.approx(0.75)
    assert watcher().look(0.0, [SINGLE], 1.0).back == 0
    assert watcher().look(0.0, [replace(SINGLE, certainty=0.4)], 1.0).back == pytest.approx(0.8)


def test_what_has_lain_there_for_long_is_no_news_and_what_comes_is():
    watched = watcher()
    news = [watched.look(step / 5, [LAID], 1.0).back_news for step in range(20)]
    assert news[0] == 1.0
    assert news[:7] == sorted(news[:7], reverse=True)
    assert news[-1] <= 0.02
    other = sighting("??", 340, 260, sure=0.7, face_up=False)
    look = watched.look(4.0, [LAID, other], 1.0)
    assert (look.back, look.back_news) == (pytest.approx(0.7), 1.0)


def test_looks_at_a_back_are_kept_though_nothing_else_is_new():
    watched = watcher()
    for step in range(30):
        watched.look(step / 10, [LAID], 1.0)
    assert len(watched.looks()) == 30
