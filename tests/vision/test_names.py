from __future__ import annotations

import numpy as np
import pytest

from engine.cards import Card, Rank, Suit
from vision.detector import Detection, suppress
from vision.names import BACK, COLUMNS, NONE, Namer, name_indexes
from vision.quads import bounds, box_quad

RANKS = [*(str(rank) for rank in Rank), "none"]
SUITS = [str(suit) for suit in Suit]


class Sure:
    """A network that reads every crop as *rank* of hearts, with *chance*, or as no index."""

    runtime = "test"

    def __init__(self, rank: str, chance: float) -> None:
        self.rank, self.chance = rank, chance

    def run(self, batch: np.ndarray) -> list[np.ndarray]:
        ranks = np.zeros((len(batch), len(RANKS)), np.float32)
        ranks[:, RANKS.index(self.rank)] = self.chance
        ranks[:, RANKS.index("none")] = 1 - self.chance
        suits = np.zeros((len(batch), len(SUITS)), np.float32)
        suits[:, SUITS.index("H")] = 1
        return [ranks, suits]


def name(network: Sure, letters: dict[str, list[float]] | None = None) -> np.ndarray:
    namer = Namer(network, (16, 16), RANKS, SUITS, letters)
    return namer.name(np.zeros((2, 16, 16, 3), np.uint8))


def test_names_are_chances_of_cards_none_and_back() -> None:
    names = name(Sure("7", 0.9))
    assert names.shape == (2, COLUMNS)
    assert names[0, Card.parse("7H").index] == pytest.approx(0.9)
    assert names[0, NONE] == pytest.approx(0.1)
    assert names[0, BACK] == 0
    assert names.sum(1) == pytest.approx(1)


def test_with_other_letters_what_looks_like_an_8_may_be_a_jack() -> None:
    shares = [0.0] * 13
    shares[list(Rank).index(Rank.EIGHT)] = 0.75
    shares[list(Rank).index(Rank.JACK)] = 0.25
    eight, jack = Card.parse("8H").index, Card.parse("JH").index
    names = name(Sure("8", 0.9), {"J": shares})[0]
    assert names[eight] > names[jack] > 0.3
    assert names[:NONE].sum() == pytest.approx(0.9)
    assert name(Sure("8", 0.9))[0, jack] == 0
    # A 7 stays a 7: no letter of this deck looks like one.
    assert name(Sure("7", 0.9), {"J": shares})[0, Card.parse("7H").index] == pytest.approx(0.9)


class Bright(Sure):
    """A network that is the surer that it sees a 7 the brighter a crop is."""

    def run(self, batch: np.ndarray) -> list[np.ndarray]:
        answers = [Sure("7", float(crop.mean()) + 0.5).run(crop[None]) for crop in batch]
        return [np.concatenate(part) for part in zip(*answers, strict=True)]


def index_at(left: float, score: float) -> Detection:
    quad = box_quad(np.array([left, 10, left + 20, 50], np.float32))
    return Detection("index", score, bounds(quad), quad, 1.0)


@pytest.mark.parametrize(("tries", "left"), [(1, 10), (2, 14)])
def test_an_index_read_unsurely_is_read_where_else_it_was_found(tries: int, left: float) -> None:
    image = np.zeros((60, 80, 3), np.uint8)
    image[:, 24:] = 255
    (found,) = suppress([index_at(14, 0.5), index_at(10, 0.8)])
    assert found.box[0] == 10
    namer = Namer(Bright("7", 0), (16, 16), RANKS, SUITS)
    (best,), names = name_indexes(image, [found], namer, (0.5,), tries)
    assert best.box[0] == best.quad[0, 0] == left
    seven = Card.parse("7H").index
    assert names[0, seven] == pytest.approx(0.3 if tries == 1 else 0.5, abs=0.08)


def test_an_index_read_surely_is_left_where_it_was_found() -> None:
    found = suppress([index_at(14, 0.5), index_at(10, 0.8)])
    namer = Namer(Sure("7", 0.9), (16, 16), RANKS, SUITS)
    best, _ = name_indexes(np.zeros((60, 80, 3), np.uint8), found, namer, (1.0,), 4)
    assert best == found
    nothing, names = name_indexes(np.zeros((60, 80, 3), np.uint8), [], namer, (1.0,), 4)
    assert nothing == []
    assert names.shape == (0, COLUMNS)


@pytest.mark.parametrize(("chance", "crops"), [(0.98, 1), (0.9, 6)])
def test_only_an_index_that_is_not_sure_at_a_glance_is_looked_at_again(
    chance: float, crops: int
) -> None:
    class Counted(Sure):
        seen = 0

        def run(self, batch: np.ndarray) -> list[np.ndarray]:
            self.seen += len(batch)
            return super().run(batch)

    network = Counted("7", chance)
    namer = Namer(network, (16, 16), RANKS, SUITS)
    image = np.zeros((60, 80, 3), np.uint8)
    _, names = name_indexes(image, [index_at(14, 0.5)], namer, (1.0, 1.2, 1.4))
    assert network.seen == crops
    assert names[0, Card.parse("7H").index] == pytest.approx(chance)
