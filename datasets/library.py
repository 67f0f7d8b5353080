"""The decks at hand: those of the cache, or a few drawn by code where it has none."""

from __future__ import annotations

from functools import lru_cache
from typing import Final

import numpy as np

from datasets.decks import Deck, decks_dir, load_deck
from datasets.drawn import drawn_deck

#: Decks that no training picture shows; the stress set has no others. Every so-manieth drawn deck
#: and these of the artwork.
_HELD_OUT_EVERY: Final = 13
_HELD_OUT: Final = ("gnome-anglo_poker", "clipart-simple")
#: How many decks are drawn on the spot without a cache.
_BUILT_IN: Final = 2


@lru_cache(maxsize=1)
def library() -> tuple[Deck, ...]:
    """Every deck of the cache in the order of their names; the built-in ones when it has none."""
    found = sorted(path.parent for path in decks_dir().glob("*/deck.json"))
    if found:
        return tuple(load_deck(path) for path in found)
    return tuple(drawn_deck(number, ()) for number in range(_BUILT_IN))


@lru_cache(maxsize=2)
def decks_for(judging: bool) -> tuple[Deck, ...]:
    """The decks to train on, or those held out for *judging*; without a cache they are the same."""
    if len(library()) == _BUILT_IN:
        return library()
    return tuple(deck for deck in library() if _held_out(deck.name) == judging)


def _held_out(name: str) -> bool:
    if name.startswith("drawn-"):
        return int(name.removeprefix("drawn-")) % _HELD_OUT_EVERY == 0
    return name in _HELD_OUT


def pick_deck(rng: np.random.Generator, judging: bool = False) -> Deck:
    """One of the decks; those that serve 2 to 10 only come half as often."""
    decks = decks_for(judging)
    while True:
        deck = decks[int(rng.integers(len(decks)))]
        if deck.letters != "other" or rng.random() < 0.5:
            return deck
