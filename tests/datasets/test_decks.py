from __future__ import annotations

from pathlib import Path

import numpy as np
import pytest

from datasets.decks import BACK, FACE_SHAPE, load_deck, save_deck
from datasets.indexes import find_index, settle
from datasets.library import library
from engine.cards import deck as all_cards


def test_the_built_in_decks_need_no_cache() -> None:
    decks = library()
    assert len(decks) == 2
    for deck in decks:
        assert deck.levels[0].shape == (BACK + 1, *FACE_SHAPE, 3)
        assert [level.shape[1] for level in deck.levels] == [560, 280, 140]
        assert deck.present == tuple(range(BACK))
        assert all(len(boxes) in {2, 4} for boxes in deck.indexes)


def test_all_faces_of_a_drawn_deck_differ() -> None:
    faces = library()[0].levels[2]
    assert len({face.tobytes() for face in faces}) == BACK + 1


def test_faces_read_the_same_both_ways_but_for_odd_pips() -> None:
    """The indexes of a face are copies of each other turned by 180 degrees."""
    deck = library()[0]
    height, width = FACE_SHAPE
    for card in all_cards():
        face = deck.levels[0][card.index]
        x0, y0, x1, y1 = (
            round(v) for v in np.array(deck.indexes[card.index][0].box) * ([width, height] * 2)
        )
        first = face[y0:y1, x0:x1]
        last = face[::-1, ::-1][y0:y1, x0:x1]
        assert np.abs(first.astype(int) - last).mean() < 3


def test_a_stored_deck_reads_back(tmp_path: Path) -> None:
    deck = library()[1]
    save_deck(tmp_path, deck)
    found = load_deck(tmp_path / deck.name)
    assert found.indexes == deck.indexes
    assert (found.aspect, found.radius, found.present) == (deck.aspect, deck.radius, deck.present)
    for one, other in zip(found.levels, deck.levels, strict=True):
        assert (one == other).all()


def test_an_index_is_found_where_it_was_drawn() -> None:
    deck = library()[0]
    for name in (0, 9, 20, 31, 45):
        box = deck.indexes[name][0].box
        found = find_index(np.array(deck.levels[0][name]), (box[2] + 0.02, box[3] + 0.02))
        assert found == pytest.approx(box, abs=0.02)


def test_no_index_is_found_on_blank_paper() -> None:
    assert find_index(np.full((560, 400, 3), 250, np.uint8), (0.3, 0.4)) is None


def test_settling_repairs_the_odd_box() -> None:
    good = (0.02, 0.03, 0.10, 0.20)
    boxes = {("7", s): good for s in "SHD"} | {("7", "C"): (0.02, 0.15, 0.1, 0.2), ("J", "S"): None}
    settled = settle(boxes)
    assert settled["7", "C"] == pytest.approx(good)
    assert settled["J", "S"] == pytest.approx(good)
    assert settle(boxes, bare_courts=True)["J", "S"] is None
