"""Playing worlds to the end: what each card of the hand comes to."""

from __future__ import annotations

from collections.abc import Callable
from functools import cache
from typing import Any, Final

import numpy as np
import numpy.typing as npt

from advisor.policies.linear import chance_of, heaviest
from advisor.policies.value import HIDDEN, INPUTS, value_of
from advisor.search.worlds import Position, fill, place_of, shuffle
from engine.kernel import card_at, rank_of
from engine.kernel.compiling import compiled, inlined
from engine.kernel.dealing import draw_at
from engine.kernel.layout import CARDS_MASK, JACK, Rules, whole
from engine.kernel.reckoning import points_in
from engine.kernel.stepping import push, scored, side_points, view_of
from engine.rules import HAND_SIZE

Floats = npt.NDArray[np.float64]

#: Random numbers of one world: the plays take those up to 127, by the plays left.
_SHUFFLE: Final = 128
_MODEL: Final = 300

#: How far a play-out goes: to the end of the deal, to the end of the hand deal, where a network
#: says what the rest is worth, or so many plays (a number above 0).
TO_THE_END: Final = 0
HAND_DEAL: Final = -1


@inlined
def play_on(
    rules: Rules,
    state: Any,
    seat: int,
    own: int,
    rows: Any,
    models: Any,
    key: Any,
    room: Any,
    stop: int,
) -> None:
    """Play *state* on until *stop* plays are left in the deal.

    Args:
        rules: the rule set.
        state: the position; it is changed.
        seat: the seat that is advised.
        own: the row its side plays by.
        rows: weights, one player a row.
        models: for each other seat the row it plays by.
        key: where the random numbers start.
        room: room for four numbers.
        stop: plays left at which to stop.
    """
    side = seat % rules.sides
    while state.left > stop:
        turn = whole(state.turn)
        row = own if turn % rules.sides == side else models[turn]
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
        models: for each seat the row it is believed to play by, -1 for no belief.
        room: room for four numbers.
    """
    weight = 1.0
    for card in position.plays:
        turn = whole(state.turn)
        if turn != position.seat and models[turn] >= 0:
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


@inlined
def believe_part(
    rules: Rules,
    position: Position,
    rows: Any,
    prior: Any,
    keys: Any,
    worlds: Any,
    models: Any,
    weights: Any,
    weigh: bool,
    plies: int,
) -> None:
    """Fill *worlds* with worlds as they stand now, their *models* and likelihoods *weights*.

    Args:
        rules: the rule set.
        position: what the seat knows.
        rows: weights of players, one a row.
        prior: seats × rows, running sums of the chances of each row.
        keys: where the random numbers of each world start.
        worlds: filled, one state for each key.
        models: filled: world × seat, the row drawn.
        weights: filled: how likely the others' plays in this hand deal are.
        weigh: whether to look at these plays; else all weights are 1.
        plies: how far the worlds will be played, as in `evaluate_part`.
    """
    unseen = position.unseen.copy()
    room = np.empty(HAND_SIZE)
    nobody = np.full(rules.players, -1)
    first_free = 0
    for at in range(len(position.ranks)):
        if position.ranks[at] >= 0:
            first_free = at + 1
    needed = len(unseen)
    if plies == HAND_DEAL:
        # What is dealt later does not matter.
        needed -= position.packets[1] - position.packets[0]
    for number in range(len(keys)):
        worlds[number] = position.start[0]
        state = worlds[number]
        key = keys[number]
        state.key = key
        shuffle(unseen, position.ranks, first_free, needed, key, _SHUFFLE)
        fill(rules, position, unseen, state)
        draw_models(rules, position.seat, prior, key, models[number])
        if weigh:
            weights[number] = replay(rules, state, position, rows, models[number], room)
        else:
            weights[number] = replay(rules, state, position, rows, nobody, room)


@inlined
def evaluate_part(
    rules: Rules,
    seat: int,
    answers: Any,
    rows: Any,
    worlds: Any,
    chosen: Any,
    models: Any,
    scratch: Any,
    plies: int,
    networks: Any,
    points: Any,
    next_takes: Any,
) -> None:
    """Play every card of the hand in every chosen world, and the world on.

    Args:
        rules: the rule set.
        seat: the seat on turn, which is advised.
        answers: by row of the next seat the row that the advised side plays by later.
        rows: weights, one player a row.
        worlds: the worlds.
        chosen: the numbers of those to play, each as often as it is named.
        models: the row of each seat in each world.
        scratch: room for one state.
        plies: how far to play: `TO_THE_END`, `HAND_DEAL` or a number of plays.
        networks: for `HAND_DEAL`, by row of the next seat, weights of `advisor.policies.value`.
        points: filled: chosen world × card × side, the points of the whole deal.
        next_takes: filled: chosen world × card × 2, whether the next seat captures the pile, and
            whether by a pişti.
    """
    room = np.empty(HAND_SIZE)
    inputs = np.empty(INPUTS)
    units = np.empty(HIDDEN)
    side = seat % rules.sides
    following = (seat + 1) % rules.players
    for number in range(len(chosen)):
        world = chosen[number]
        model = models[world, following]
        own = answers[model]
        key = worlds[world].key
        stop = stop_at(rules, whole(worlds[world].left), plies)
        for card in range(worlds[world].held):
            scratch[0] = worlds[world]
            state = scratch[0]
            push(rules, state, card)
            takes = next_takes[number, card]
            answer(rules, state, side, own, rows, models[world], key, room, stop, takes)
            play_on(rules, state, seat, own, rows, models[world], key, room, stop)
            out = points[number, card]
            settle(rules, state, side, plies, networks[model], inputs, units, out)


@inlined
def answer(
    rules: Rules,
    state: Any,
    side: int,
    own: int,
    rows: Any,
    models: Any,
    key: Any,
    room: Any,
    stop: int,
    takes: Any,
) -> None:
    """Let the seat on turn play, and note in *takes* whether it captures, and makes a pişti.

    Where the table is empty or *stop* is reached nothing is played. The rest is as in `play_on`.
    """
    takes[0] = 0.0
    takes[1] = 0.0
    if state.left > stop and state.top >= 0:
        turn = whole(state.turn)
        row = own if turn % rules.sides == side else models[turn]
        view = view_of(rules, state)
        draw = whole(draw_at(key, view.left) >> np.uint64(32))
        place = heaviest(rules.cards, view, draw, rows[row], room)
        rank = rank_of(card_at(view.hand, place))
        takes[0] = rank == JACK or rank == rank_of(view.top)
        bonus = whole(state.bonus[turn % rules.sides])
        push(rules, state, place)
        takes[1] = whole(state.bonus[turn % rules.sides]) > bonus


@inlined
def settle(
    rules: Rules,
    state: Any,
    side: int,
    plies: int,
    network: Any,
    inputs: Any,
    units: Any,
    points: Any,
) -> None:
    """Write what each side has, where a play-out stops, into *points*.

    Args:
        rules: the rule set.
        state: the end of the deal or of a hand deal, or anywhere after so many *plies*.
        side: the advised side.
        plies: as in `evaluate_part`.
        network: what the rest of the deal is worth, after a hand deal.
        inputs: room for the network's inputs.
        units: room for its hidden units.
        points: filled, a number for each side.
    """
    if plies > 0:
        _judge(rules, state, points)
    elif state.left > 0:
        for other in range(2):
            points[other] = scored(state, other)
        gain = value_of(rules, state, side, network, inputs, units)
        points[side] += 0.5 * gain
        points[1 - side] -= 0.5 * gain
    else:
        side_points(rules, state, points)


@inlined
def stop_at(rules: Rules, left: int, plies: int) -> int:
    """Return how many plays are left where a play-out from *left* stops (see `evaluate_part`)."""
    if plies > 0:
        return max(0, left - plies)
    if plies == HAND_DEAL:
        every = HAND_SIZE * rules.players
        return (left - 1) // every * every
    return 0


@inlined
def _judge(rules: Rules, state: Any, points: Any) -> None:
    """Judge a position that is not played to the end, as `pimc16` does.

    To the points so far (without the majority) comes 3·tanh(lead in captured cards / 13) for two
    sides, and a tenth of the points on the table for who captured last.
    """
    for side in range(rules.sides):
        tally = whole(state.taken[side])
        others = 0
        for other in range(rules.sides):
            if other != side:
                others = max(others, whole(state.taken[other]) & CARDS_MASK)
        lead = (tally & CARDS_MASK) - others
        points[side] = scored(state, side)
        points[side] += 1.5 * np.tanh(lead / 13)
        if state.last == side:
            points[side] += 0.1 * points_in(whole(state.pile))


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
    believe_part(rules, position, rows, prior, keys, worlds, models, weights, True, TO_THE_END)


_PARTS: Final = (chance_of, fill, push, value_of)


@cache
def believe() -> Callable[..., None]:
    """Return the machine code of `believe_part`, with the plays weighed."""
    return compiled(_believe, parts=_PARTS)


def keys_of(seed: int, start: int, count: int) -> npt.NDArray[np.uint64]:
    """Return the keys of worlds *start* and following under *seed* (SplitMix64 of both)."""
    with np.errstate(over="ignore"):
        mixed = (np.arange(start, start + count, dtype=np.uint64) + np.uint64(1)) * np.uint64(
            0x9E3779B97F4A7C15
        ) + np.uint64(seed & 0xFFFFFFFFFFFFFFFF) * np.uint64(0xD1342543DE82EF95)
        mixed = (mixed ^ (mixed >> np.uint64(30))) * np.uint64(0xBF58476D1CE4E5B9)
        mixed = (mixed ^ (mixed >> np.uint64(27))) * np.uint64(0x94D049BB133111EB)
        return mixed ^ (mixed >> np.uint64(31))
