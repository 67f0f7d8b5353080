"""Playing worlds to the end: what each card of the hand comes to."""

from __future__ import annotations

from collections.abc import Callable
from functools import cache
from typing import Any, Final

import numpy as np
import numpy.typing as npt

from advisor.policies.linear import chance_of, heaviest
from advisor.search.worlds import Position, fill, place_of, shuffle
from engine.kernel import card_at, rank_of
from engine.kernel.compiling import compiled, inlined
from engine.kernel.dealing import draw_at
from engine.kernel.layout import JACK, Rules, whole
from engine.kernel.stepping import push, side_points, view_of
from engine.rules import HAND_SIZE

Floats = npt.NDArray[np.float64]

#: Random numbers of one world: the plays take those up to 127, by the plays left.
_SHUFFLE: Final = 128
_MODEL: Final = 300
_PICK: Final = 400


@inlined
def play_out(
    rules: Rules, state: Any, seat: int, rows: Any, models: Any, key: Any, room: Any
) -> None:
    """Play *state* to the end of the deal.

    Args:
        rules: the rule set.
        state: the position; it is changed.
        seat: the seat that is advised; its side plays by row 0 of *rows*.
        rows: weights, one player a row.
        models: for each seat the row it plays by.
        key: where the random numbers start.
        room: room for four numbers.
    """
    side = seat % rules.sides
    while state.left > 0:
        turn = whole(state.turn)
        row = 0 if turn % rules.sides == side else models[turn]
        view = view_of(rules, state)
        draw = whole(draw_at(key, view.left) >> np.uint64(32))
        push(rules, state, heaviest(rules.cards, view, draw, rows[row], room))


@inlined
def replay(
    rules: Rules, state: Any, position: Position, rows: Any, models: Any, room: Any
) -> float:
    """Play the plays of *position* on *state*; return how likely the others made theirs.

    Args:
        rules: the rule set.
        state: a world at the start of the hand deal; it is changed.
        position: the position.
        rows: weights, one player a row.
        models: for each seat the row it is believed to play by.
        room: room for four numbers.
    """
    weight = 1.0
    for card in position.plays:
        turn = whole(state.turn)
        if turn != position.seat:
            view = view_of(rules, state)
            weight *= chance_of(rules.cards, view, card, rows[models[turn]], room)
        push(rules, state, place_of(whole(state.hands[turn]), whole(state.held), card))
    return weight


@inlined
def draw_models(rules: Rules, seat: int, prior: Any, key: Any, models: Any) -> None:
    """Draw a row for every seat other than *seat*, by *prior* (seats × rows, running sums)."""
    for other in range(rules.players):
        models[other] = 0
        if other != seat:
            chance = whole(draw_at(key, _MODEL + other) >> np.uint64(32)) / 4294967296.0
            last = prior.shape[1] - 1
            at = 0
            while at < last and prior[other, at] <= chance:
                at += 1
            models[other] = at


def _believe(
    rules: Rules,
    position: Position,
    rows: Floats,
    prior: Floats,
    keys: npt.NDArray[np.uint64],
    worlds: Any,
    models: npt.NDArray[np.int64],
    weights: Floats,
) -> None:
    """Fill *worlds* with worlds as they stand now, their *models* and likelihoods *weights*."""
    unseen = position.unseen.copy()
    room = np.empty(HAND_SIZE)
    first_free = 0
    for at in range(len(position.ranks)):
        if position.ranks[at] >= 0:
            first_free = at + 1
    for number in range(len(worlds)):
        worlds[number] = position.start[0]
        state = worlds[number]
        key = keys[number]
        state.key = key
        shuffle(unseen, position.ranks, first_free, key, _SHUFFLE)
        fill(rules, position, unseen, state)
        draw_models(rules, position.seat, prior, key, models[number])
        weights[number] = replay(rules, state, position, rows, models[number], room)


def _evaluate(
    rules: Rules,
    seat: int,
    rows: Floats,
    worlds: Any,
    models: npt.NDArray[np.int64],
    scratch: Any,
    points: Floats,
    next_takes: Floats,
) -> None:
    """Play every card of the hand in every world, and the world to its end.

    Args:
        rules: the rule set.
        seat: the seat on turn, which is advised.
        rows: weights, one player a row.
        worlds: the worlds.
        models: the row of each seat in each world.
        scratch: room for one state.
        points: filled: world × card × side, the points of the whole deal.
        next_takes: filled: world × card × 2, whether the next seat captures the pile, and by a
            pişti.
    """
    room = np.empty(HAND_SIZE)
    side = seat % rules.sides
    for number in range(len(worlds)):
        key = worlds[number].key
        for card in range(worlds[number].held):
            scratch[0] = worlds[number]
            state = scratch[0]
            push(rules, state, card)
            if state.left > 0 and state.pile > 0:
                turn = whole(state.turn)
                row = 0 if turn % rules.sides == side else models[number, turn]
                view = view_of(rules, state)
                draw = whole(draw_at(key, view.left) >> np.uint64(32))
                place = heaviest(rules.cards, view, draw, rows[row], room)
                rank = rank_of(card_at(view.hand, place))
                next_takes[number, card, 0] = rank == JACK or rank == rank_of(view.top)
                bonus = whole(state.bonus[turn % rules.sides])
                push(rules, state, place)
                next_takes[number, card, 1] = whole(state.bonus[turn % rules.sides]) > bonus
            play_out(rules, state, seat, rows, models[number], key, room)
            side_points(rules, state, points[number, card])


@cache
def believe() -> Callable[..., None]:
    """Return the machine code of `_believe`."""
    return compiled(_believe, parts=(chance_of, fill, push))


@cache
def evaluate() -> Callable[..., None]:
    """Return the machine code of `_evaluate`."""
    return compiled(_evaluate, parts=(chance_of, fill, push))


def keys_of(seed: int, start: int, count: int) -> npt.NDArray[np.uint64]:
    """Return the keys of worlds *start* and following under *seed* (SplitMix64 of both)."""
    with np.errstate(over="ignore"):
        mixed = (np.arange(start, start + count, dtype=np.uint64) + np.uint64(1)) * np.uint64(
            0x9E3779B97F4A7C15
        ) + np.uint64(seed & 0xFFFFFFFFFFFFFFFF) * np.uint64(0xD1342543DE82EF95)
        mixed = (mixed ^ (mixed >> np.uint64(30))) * np.uint64(0xBF58476D1CE4E5B9)
        mixed = (mixed ^ (mixed >> np.uint64(27))) * np.uint64(0x94D049BB133111EB)
        return mixed ^ (mixed >> np.uint64(31))
