from __future__ import annotations

from pathlib import Path

import cv2
import numpy as np
from click.testing import CliRunner

from datasets.labels import CardLabel, IndexLabel, Scene
from datasets.scenes import render_scene
from models.stress import due_cards, empty_pictures, evaluate_stress, false_cards, main
from vision.reader import CardReader


class Blind(CardReader):
    """Reads what it is told to."""

    def __init__(self, answers):  # type: ignore[no-untyped-def]
        self.answers = iter(answers)

    def read(self, *_args, **_more):  # type: ignore[no-untyped-def]
        return next(self.answers)


def test_pictures_without_cards_in_which_a_card_is_read_are_told(tmp_path: Path) -> None:
    cv2.imwrite(str(tmp_path / "room.png"), np.full((60, 80, 3), 90, np.uint8))
    (tmp_path / "note.txt").write_text("no picture", "utf-8")
    pictures = list(empty_pictures(2, folder=tmp_path))
    assert [name for name, _ in pictures] == ["negative 0", "negative 1", "room.png"]
    single = CardReader("fast").read(render_scene("single", 5, 8).image)
    count, false = false_cards(Blind([[], single, []]), iter(pictures))
    assert count == 3
    assert list(false) == ["negative 1"]


def test_the_table_counts_cards_that_must_be_read() -> None:
    row = evaluate_stress(Blind([[], []]), ("stress-60-45",), 2)["stress-60-45"]
    due = sum(due_cards(render_scene("stress-60-45", 7001, n))[0].total() for n in range(2))
    assert row["cards"] == due
    assert row["recall"] == 0 if due else 1
    assert 0 <= row["whole"] <= 1


def test_a_small_index_alone_makes_no_card_legible() -> None:
    quad = np.array([[0, 0], [13, 0], [13, 5], [0, 5]], np.float32)
    whole = CardLabel(10 * quad, "7H", True, 0.9)
    covered = CardLabel(10 * quad, "KS", True, 0.2)
    scene = Scene(
        np.zeros((8, 8, 3), np.uint8),
        (whole, covered),
        (IndexLabel(quad, "KS", 1.0, 1), IndexLabel(quad, "7H", 1.0, 0)),
        (),
    )
    assert due_cards(scene) == ({"7H": 1, "KS": 1}, {})
    assert due_cards(scene, 65.0) == ({"7H": 1, "KS": 1}, {})
    assert due_cards(scene, 66.0) == ({"7H": 1}, {"KS": 1})
    row = evaluate_stress(Blind([[]]), ("stress-60-45",), 1)["stress-60-45"]
    assert row["legible"] == 0


def test_the_command_prints_a_table_and_the_share_of_false_cards() -> None:
    table = CliRunner().invoke(main, ["--fast", "--scenes", "1", "--kind", "stress-80-60"])
    assert table.exit_code == 0
    assert "80-60" in table.output
    false = CliRunner().invoke(main, ["--fast", "--negatives", "2"])
    assert false.exit_code == 0
    assert "of 2 pictures without cards" in false.output
