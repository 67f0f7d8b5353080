from __future__ import annotations

import numpy as np
import pytest

from engine.cards import Card, Rank, Suit
from vision.names import BACK, COLUMNS, NONE, Namer

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
