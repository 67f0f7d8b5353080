from __future__ import annotations

from dataclasses import replace

import numpy as np
import pytest

from engine.cards import Card
from vision.detector import Detection, suppress
from vision.evidence import Reading, combine
from vision.names import BACK, COLUMNS, NONE
from vision.quads import box_quad

READING = Reading()


def found(kind: str, left: float, top: float, width: float, height: float, score: float = 0.9):  # type: ignore[no-untyped-def]
    box = np.array([left, top, left + width, top + height], np.float32)
    return Detection(kind, score, box, box_quad(box), 0.9)


def named(name: str, sure: float) -> np.ndarray:
    """A distribution with *sure* on *name* (a card, ``none`` or ``back``), the rest spread."""
    row = np.full(COLUMNS, (1 - sure) / (COLUMNS - 1), np.float32)
    column = {"none": NONE, "back": BACK}.get(name)
    row[Card.parse(name).index if column is None else column] = sure
    return row


def rows(*names: tuple[str, float]) -> np.ndarray:
    return np.array([named(*name) for name in names], np.float32).reshape(-1, COLUMNS)


FACE = found("face", 100, 100, 100, 140)
TOP_LEFT = found("index", 104, 106, 14, 28)
BOTTOM_RIGHT = found("index", 182, 206, 14, 28)


def test_a_card_with_both_indexes_and_its_face_is_one_sighting() -> None:
    sightings = combine(
        [TOP_LEFT, BOTTOM_RIGHT], rows(("7H", 0.9), ("7H", 0.6)), [FACE], rows(("7H", 0.7)), READING
    )
    assert [str(s.card) for s in sightings] == ["7H"]
    assert sightings[0].whole
    assert sightings[0].confidence > 0.95
    assert sightings[0].quad == pytest.approx(FACE.quad)


def test_the_face_decides_where_the_index_is_a_smear() -> None:
    sightings = combine([TOP_LEFT], rows(("6H", 0.2)), [FACE], rows(("8H", 0.98)), READING)
    assert [str(s.card) for s in sightings] == ["8H"]


def test_an_index_like_one_that_the_card_has_is_its_own_too() -> None:
    """The quad shows a part of the card, and both indexes are misread, alike."""
    outside = found("index", 212, 240, 14, 28)
    sightings = combine(
        [TOP_LEFT, outside], rows(("JH", 0.9), ("JH", 0.7)), [FACE], rows(("8H", 0.98)), READING
    )
    assert len(sightings) == 1
    sightings = combine(
        [TOP_LEFT, outside], rows(("JH", 0.9), ("QC", 0.7)), [FACE], rows(("8H", 0.98)), READING
    )
    assert [str(s.card) for s in sightings[1:]] == ["QC"]


def test_a_card_without_an_index_is_read_from_its_face_alone() -> None:
    sightings = combine([], rows(), [FACE], rows(("QD", 0.97)), READING)
    assert [str(s.card) for s in sightings] == ["QD"]


def test_an_index_beside_the_body_is_another_card() -> None:
    beside = found("index", 210, 110, 14, 28)
    sightings = combine(
        [TOP_LEFT, beside], rows(("7H", 0.95), ("KS", 0.95)), [FACE], rows(("7H", 0.9)), READING
    )
    assert sorted(str(s.card) for s in sightings) == ["7H", "KS"]
    assert [s.whole for s in sightings if str(s.card) == "KS"] == [False]


def test_two_loose_indexes_of_one_name_are_one_card_only_when_near() -> None:
    near, far = found("index", 182, 206, 14, 28), found("index", 900, 600, 14, 28)
    names = rows(("9C", 0.95), ("9C", 0.95))
    assert len(combine([TOP_LEFT, near], names, [], rows(), READING)) == 1
    assert len(combine([TOP_LEFT, far], names, [], rows(), READING)) == 2


def test_a_back_is_face_down_and_unknown() -> None:
    back = found("back", 100, 100, 100, 140)
    (sighting,) = combine([], rows(), [back], rows(("back", 0.99)), READING)
    assert not sighting.face_up
    assert str(sighting.card) == "??"
    assert sighting.probabilities.sum() == 0
    assert sighting.as_json()["face"] == "down"


def test_what_is_no_card_is_dropped() -> None:
    assert combine([TOP_LEFT], rows(("none", 0.9)), [], rows(), READING) == []
    assert combine([], rows(), [FACE], rows(("none", 0.9)), READING) == []


def test_probabilities_leave_room_for_no_card() -> None:
    (sighting,) = combine([TOP_LEFT], rows(("2S", 0.8)), [], rows(), READING)
    assert sighting.probabilities.shape == (52,)
    assert sighting.probabilities.sum() <= 1.0 + 1e-6
    assert sighting.probabilities.argmax() == Card.parse("2S").index


def test_repeats_of_one_thing_are_suppressed() -> None:
    again = found("index", 105, 107, 14, 28, score=0.5)
    inside = found("index", 106, 108, 6, 12, score=0.8)
    other_kind = found("back", 101, 101, 100, 140, score=0.4)
    kept = suppress([again, TOP_LEFT, inside, BOTTOM_RIGHT, FACE, other_kind])
    assert len(kept) == 3
    assert {d.kind for d in kept} == {"index", "face"}
    assert again not in kept


def test_what_lies_within_a_bare_card_is_its_own() -> None:
    doubtful = rows(("7H", 0.95), ("9H", 0.8))
    alone = combine([TOP_LEFT, BOTTOM_RIGHT], doubtful, [FACE], rows(("7H", 0.9)), READING)
    assert [str(s.card) for s in alone] == ["7H"]


def test_two_certain_indexes_within_one_body_are_two_cards() -> None:
    """The quad spans two cards that overlap."""
    certain = rows(("7H", 1.0), ("AD", 1.0))
    both = combine([TOP_LEFT, BOTTOM_RIGHT], certain, [FACE], rows(("7H", 0.8)), READING)
    assert sorted(str(s.card) for s in both) == ["7H", "AD"]
    # Also where the contradicting one is the surer of the two.
    agreeing = rows(("7H", 0.97), ("AD", 1.0))
    both = combine([TOP_LEFT, BOTTOM_RIGHT], agreeing, [FACE], rows(("7H", 0.8)), READING)
    assert sorted(str(s.card) for s in both) == ["7H", "AD"]


def test_a_certain_index_stands_where_the_body_shows_no_card() -> None:
    for names in (rows(("none", 0.6)), rows(("none", 0.9))):
        (sighting,) = combine([TOP_LEFT], rows(("9S", 0.999)), [FACE], names, READING)
        assert str(sighting.card) == "9S"


@pytest.mark.parametrize(
    ("left", "sure", "count"), [(140, 0.75, 1), (140, 0.99, 2), (210, 0.75, 2)]
)
def test_an_unsure_index_on_a_surer_card_is_a_part_of_its_picture(
    left: float, sure: float, count: int
) -> None:
    loose = found("index", left, 150, 12, 20)
    # Something lies on the card, so that what lies within it need not be its own.
    face = replace(FACE, visible=0.5)
    over = found("back", 100, 190, 100, 140)
    sightings = combine(
        [TOP_LEFT, loose], rows(("KH", 0.95), ("AD", sure)),
        [face, over], rows(("KH", 0.99), ("back", 0.99)), READING,
    )  # fmt: skip
    assert len([s for s in sightings if s.face_up]) == count
    assert any(str(s.card) == "KH" for s in sightings)


def test_an_index_that_can_be_on_a_card_of_its_name_is_that_cards() -> None:
    """Of a card that fills the picture, the quad of the body may show one corner only."""
    large = found("index", 104, 106, 40, 80)
    across, away = found("index", 390, 560, 40, 80), found("index", 990, 560, 40, 80)
    body = [found("face", 100, 100, 120, 160)], rows(("KH", 0.95))
    for other, name, cards in ((across, "KH", 1), (away, "KH", 2), (across, "KD", 2)):
        names = rows(("KH", 0.95), (name, 0.95))
        assert len(combine([large, other], names, *body, READING)) == cards
