"""Which parts of a recording are looked at again."""

import pytest

from advisor.second_look import doubtful
from engine import Card, RuleSet
from engine.record import DealRecord, PlayRecord, Record

CARDS = ["7H", "6H", "6D", "2C", "KS", "9D"]
TIMES = [10.0, 12.0, 12.5, 20.0, 20.4, 30.0]


def record(*sure):
    plays = tuple(
        PlayRecord(Card.parse(card), t=t, confidence=confidence)
        for card, t, confidence in zip(CARDS, TIMES, sure, strict=True)
    )
    return Record(RuleSet.modern(players=2), deals=(DealRecord(0, (), plays=plays),))


def test_around_each_unsure_play_up_to_its_neighbours():
    assert doubtful(record(1, 1, 1, 1, 1, 1), [], 60) == []
    assert doubtful(record(1, 1, 1, 1, 1, 0.5), [], 60) == [(29.0, 31.0)]
    ((begin, end),) = doubtful(record(1, 1, 0.8, 1, 1, 1), [], 60)
    assert (begin, end) == pytest.approx((11.8, 13.5))


def test_parts_that_touch_are_one():
    ((begin, end),) = doubtful(record(1, 0.6, 0.8, 1, 1, 1), [], 60)
    assert (begin, end) == pytest.approx((11.0, 13.5))


def test_the_least_sure_come_first_where_not_all_fit():
    assert doubtful(record(0.9, 1, 1, 0.3, 1, 0.8), [], 2.5) == [pytest.approx((19.0, 20.6))]


def test_nothing_is_looked_at_twice():
    unsure = record(1, 1, 1, 1, 1, 0.5)
    assert doubtful(unsure, [(29.0, 31.0)], 60) == []
    assert doubtful(unsure, [(20.0, 29.2)], 60) == [(29.0, 31.0)]
