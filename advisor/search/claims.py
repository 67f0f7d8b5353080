"""Claimed piştis (bluff variant): what claiming, accepting and challenging come to."""

from __future__ import annotations

from collections.abc import Callable
from functools import cache
from typing import Any, Final

import numpy as np

from advisor.policies.linear import chance_of
from advisor.search.playouts import play_on
from advisor.search.worlds import fill
from engine.kernel.compiling import compiled
from engine.kernel.layout import RANKS, Rules, whole
from engine.kernel.stepping import lay_claimed, push, side_points
from engine.rules import HAND_SIZE

#: How often a claim is challenged where nothing is known of the player: then a bluff with nothing
#: gains as much as it risks, and no other habit does better against a player who bluffs rightly.
CHALLENGED: Final = 1 / 3
#: How often a player without the rank claims: one false claim for every three true ones, at the
#: usual chance to hold it, makes accepting and challenging equally good.
BLUFFED: Final = 0.12


def _claim(
    rules: Rules,
    seat: int,
    rows: Any,
    worlds: Any,
    models: Any,
    scratch: Any,
    stakes: Any,
    out: Any,
) -> None:
    """Fill *out* (world × card × answer × side) with the points of claiming with each card."""
    room = np.empty(HAND_SIZE)
    for number in range(len(worlds)):
        for card in range(worlds[number].held):
            for answer in range(2):
                scratch[0] = worlds[number]
                state = scratch[0]
                lay_claimed(rules, state, card, stakes[answer], answer == 1)
                key = state.key
                play_on(rules, state, seat, 0, rows, models[number], key, room, 0)
                side_points(rules, state, out[number, card, answer])


def _answer(
    rules: Rules,
    seat: int,
    rows: Any,
    worlds: Any,
    models: Any,
    scratch: Any,
    stakes: Any,
    bluffed: float,
    weights: Any,
    out: Any,
) -> None:
    """Fill *out* (world × answer × side) with the points of answering a claim.

    Every world is weighed by how likely its claimer claims: always with the rank, else with the
    chance *bluffed*, and then with any of the cards.
    """
    room = np.empty(HAND_SIZE)
    for number in range(len(worlds)):
        hand = whole(worlds[number].hands[worlds[number].turn])
        place = whole(worlds[number].key >> np.uint64(20)) % whole(worlds[number].held)
        true = False
        for at in range(worlds[number].held):
            if RANKS[(hand >> (8 * at)) & 255] == RANKS[worlds[number].top]:
                place = at
                true = True
                break
        weights[number, 0] *= 1.0 if true else bluffed
        weights[number, 1] = 1.0 if true else 0.0
        for answer in range(2):
            scratch[0] = worlds[number]
            state = scratch[0]
            lay_claimed(rules, state, place, stakes[answer], answer == 1)
            key = state.key
            play_on(rules, state, seat, 0, rows, models[number], key, room, 0)
            side_points(rules, state, out[number, answer])


@cache
def claim() -> Callable[..., None]:
    """Return the machine code of `_claim`."""
    return compiled(_claim, parts=(chance_of, fill, push, play_on))


@cache
def answer() -> Callable[..., None]:
    """Return the machine code of `_answer`."""
    return compiled(_answer, parts=(chance_of, fill, push, play_on))
