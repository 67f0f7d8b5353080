"""The decks at hand: those of the cache, or a few drawn by code where it has none."""

from __future__ import annotations

from functools import lru_cache
from typing import Final

import numpy as np

from datasets.decks import Deck, decks_dir, load_deck
from datasets.drawn import drawn_deck

#: How many decks are drawn on the spot without a cache.
_BUILT_IN: Final = 2


@lru_cache(maxsize=1)
def library() -> tuple[Deck, ...]:
    """Every deck of the cache in the order of their names; the built-in ones when it has none."""
    found = sorted(path.parent for path in decks_dir().glob("*/deck.json"))
    if found:
        return tuple(load_deck(path) for path in found)
    return tuple(drawn_deck(number, ()) for number in range(_BUILT_IN))


def pick_deck(rng: np.random.Generator) -> Deck:
    """One of the decks at hand; those that serve 2 to 10 only come half as often."""
    decks = library()
    while True:
        deck = decks[int(rng.integers(len(decks)))]
        if deck.letters != "other" or rng.random() < 0.5:
            return deck
