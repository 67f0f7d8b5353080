from __future__ import annotations

import pytest

from models.scoring import (
    PhotoResult,
    ReadCard,
    Score,
    calibration,
    calibration_error,
    confusions,
    score,
)


def photo(truth: str, read: str, *, folder: str = "a", complete: bool = True) -> PhotoResult:
    cards = tuple(ReadCard(code, 0.9) for code in read.split())
    return PhotoResult("p.jpg", folder, tuple(truth.split()), cards, complete)


def test_a_photo_is_compared_as_multisets() -> None:
    result = photo("7H 7H KD", "7H KS 7H 7H")
    assert result.missed == ["KD"]
    assert result.wrong == ["7H", "KS"]
    assert not result.perfect
    assert photo("7H KD", "KD 7H").perfect


@pytest.mark.parametrize(
    ("truth", "read", "precision", "recall", "f1"),
    [
        ("7H KD", "7H KD", 1.0, 1.0, 1.0),
        ("7H KD", "7H", 1.0, 0.5, 2 / 3),
        ("7H", "7H 7H", 0.5, 1.0, 2 / 3),
        ("7H", "", 1.0, 0.0, 0.0),
        ("", "7H", 0.0, 1.0, 0.0),
    ],
)
def test_precision_recall_and_f1(
    truth: str, read: str, precision: float, recall: float, f1: float
) -> None:
    total = Score()
    total.add(truth.split(), read.split(), complete=True)
    assert (total.precision, total.recall, total.f1) == pytest.approx((precision, recall, f1))


def test_where_the_truth_is_not_complete_only_recall_counts() -> None:
    total = score([photo("7H", "7H KD", complete=False)]).codes["all"]
    assert total.recall == 1.0
    assert total.precision == 1.0
    assert total.perfect == 1


def test_ranks_forgive_the_suit() -> None:
    report = score([photo("7H 10D", "7S 10D")])
    assert report.codes["all"].recall == 0.5
    assert report.ranks["all"].recall == 1.0


def test_folders_apart_do_not_count_in_all() -> None:
    report = score([photo("7H", "7H"), photo("8H", "", folder="german")], apart=("german",))
    assert report.codes["all"].photos == 1
    assert report.codes["german"].recall == 0.0


def test_confusions_pair_a_miss_with_what_was_read_instead() -> None:
    table = confusions([photo("6H", "9H"), photo("2C 3D", "2S"), photo("", "AS")])
    assert table == {("6H", "9H"): 1, ("2C", "2S"): 1, ("3D", ""): 1, ("", "AS"): 1}


def test_calibration_error_is_the_gap_of_confidence_and_truth() -> None:
    honest = [(0.75, True), (0.75, True), (0.75, True), (0.75, False)]
    assert calibration_error(honest) == pytest.approx(0.0)
    assert calibration_error([(0.9, False), (0.3, True)]) == pytest.approx(0.8)


def test_a_second_reading_of_a_card_that_is_there_once_is_wrong() -> None:
    assert calibration([photo("7H", "7H 7H")]) == [(0.9, True), (0.9, False)]
