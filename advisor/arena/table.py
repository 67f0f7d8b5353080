"""The arena's machine code: whole deals between players of any kind, without Python between."""

from __future__ import annotations

from collections.abc import Callable
from functools import cache
from typing import Any, Final, NamedTuple

import numpy as np
import numpy.typing as npt

from advisor.arena.seen import position_in
from advisor.policies.linear import chance_of, heaviest
from advisor.policies.thumb import thumb
from advisor.policies.value import value_of
from advisor.search.evidence import add_evidence
from advisor.search.exact import best_gain, is_known
from advisor.search.lookahead import evaluate_ahead_part
from advisor.search.playouts import believe_part, evaluate_part
from engine.kernel.compiling import compiled, inlined
from engine.kernel.dealing import draw_at
from engine.kernel.layout import Rules, whole
from engine.kernel.stepping import push, side_points, view_of
from engine.rules import HAND_SIZE

Floats = npt.NDArray[np.float64]
Whole = npt.NDArray[np.int64]

#: Kinds of players.
THUMB: Final = 0
ROW: Final = 1
SEARCH: Final = 2

_SHUFFLE: Final = 128
_WORLD: Final = 500


class Seats(NamedTuple):
    """Who plays where, as arrays by seat.

    Attributes:
        kind: `THUMB`, `ROW` or `SEARCH`.
        number: the rule of thumb, or the row.
        answers: seat × row, the row that a search's own side plays by later against that row.
        worlds: worlds that a search plays out a move.
        drawn: worlds that it draws for each of these.
        weigh: 1 where it weighs worlds by the others' plays.
        plies: how far it plays, as in `evaluate_part`.
        ahead: 1 where it chooses its next card in every play-out too.
        open: 1 where it sees all cards.
        learn: 1 where it learns who the others are, within a match.
        prior: seat × row, the chances of each row where nothing was learned.
        doubt: standard errors by which a search must prefer a card to that of the row.
        temper: how much of each play's evidence counts.
        networks: seat × row × weights of the value network, where `plies` asks for one.
    """

    kind: Whole
    number: Whole
    answers: Whole
    worlds: Whole
    drawn: Whole
    weigh: Whole
    plies: Whole
    ahead: Whole
    open: Whole
    learn: Whole
    prior: Floats
    temper: Floats
    doubt: Floats
    networks: Floats


class Room(NamedTuple):
    """Memory that the deals use one after the other."""

    state: Any
    start: Any
    scratch: Any
    worlds: Any
    models: Whole
    weights: Floats
    points: Floats
    takes: Floats
    stack: Any
    places: Whole
    bounds: Floats
    pair: Floats


@inlined
def _search(
    rules: Rules, room: Room, seats: Seats, rows: Any, prior: Any, plays: Any, count: int, key: Any
) -> int:
    """Return the place that the searching seat on turn plays."""
    state = room.state[0]
    seat = whole(state.turn)
    position = position_in(rules, room.start, state, plays, count, seat, seats.open[seat] > 0)
    if seats.plies[seat] <= 0 and is_known(rules, position, whole(state.left)):
        return _solved(rules, room, seat)
    worlds = seats.worlds[seat]
    drawn = worlds * (seats.drawn[seat] if count else 1)
    keys = np.empty(drawn, np.uint64)
    for number in range(drawn):
        keys[number] = draw_at(key, _WORLD + number)
    weigh = seats.weigh[seat] > 0 and count > 0
    plies = seats.plies[seat]
    worlds_room, models, weights = room.worlds, room.models, room.weights
    believe_part(rules, position, rows, prior, keys, worlds_room, models, weights, weigh, plies)
    chosen = np.arange(worlds)
    if weigh:
        total = 0.0
        for number in range(drawn):
            total += room.weights[number]
        if total > 0:
            step = total / worlds
            mark = 0.5 * step
            running = 0.0
            at = 0
            for number in range(drawn):
                running += room.weights[number]
                while mark < running and at < worlds:
                    chosen[at] = number
                    at += 1
                    mark += step
            while at < worlds:
                chosen[at] = chosen[at - 1]
                at += 1
    answers, networks = seats.answers[seat], seats.networks[seat]
    scratch, points, takes = room.scratch, room.points, room.takes
    if seats.ahead[seat]:
        evaluate_ahead_part(
            rules,
            seat,
            answers,
            rows,
            worlds_room,
            chosen,
            models,
            scratch,
            plies,
            networks,
            points,
            takes,
        )
    else:
        evaluate_part(
            rules,
            seat,
            answers,
            rows,
            worlds_room,
            chosen,
            models,
            scratch,
            plies,
            networks,
            points,
            takes,
        )
    usual = -1
    if seats.doubt[seat] > 0.0:
        row = rows[answers[likeliest(prior[(seat + 1) % rules.players])]]
        luck = whole(key >> np.uint64(32))
        usual = heaviest(rules.cards, view_of(rules, state), luck, row, np.empty(HAND_SIZE))
    # The search holds the hand in the order of the hand deal's start, as the state does.
    return best_of(points[:worlds, : state.held], seat % rules.sides, usual, seats.doubt[seat])


@inlined
def likeliest(running: Any) -> int:
    """Return the row whose chance is largest, of running sums of chances; the first of equals."""
    best = 0
    most = 0.0
    before = 0.0
    for row in range(len(running)):
        # Sums differ in the last digits where chances are equal.
        if running[row] - before > most + 1e-9:
            best = row
            most = running[row] - before
        before = running[row]
    return best


@inlined
def best_of(points: Any, side: int, usual: int, doubt: float) -> int:
    """Return the place that is best for *side* by *points* (world × place × side).

    Where a place is *usual*, another must be better by *doubt* standard errors of the difference.
    """
    worlds, held, sides = points.shape
    gains = np.zeros((worlds, held))
    for number in range(worlds):
        for place in range(held):
            for other in range(sides):
                share = 1.0 if other == side else -1.0 / (sides - 1)
                gains[number, place] += share * points[number, place, other]
    best = max(usual, 0)
    most = 0.0
    for place in range(held):
        total = 0.0
        square = 0.0
        for number in range(worlds):
            better = gains[number, place] - gains[number, max(usual, 0)]
            total += better
            square += better * better
        if usual >= 0:
            total -= doubt * np.sqrt(max(0.0, square - total * total / worlds))
        if total > most:
            most = total
            best = place
    return best


@inlined
def _solved(rules: Rules, room: Room, seat: int) -> int:
    """Return the best place where all cards are known and few plays are left."""
    best = 0
    most = -1e300
    for place in range(room.state[0].held):
        room.stack[0] = room.state[0]
        push(rules, room.stack[0], place)
        gain = best_gain(rules, room.stack, room.places, room.bounds, room.pair)
        if seat % 2:
            gain = -gain
        if gain > most:
            most = gain
            best = place
    return best


@inlined
def running_prior(prior: Any, evidence: Any, out: Any) -> None:
    """Fill *out* with the running sums of the chances, by seat × row, after *evidence*."""
    for seat in range(len(prior)):
        most = -1e300
        for row in range(prior.shape[1]):
            if prior[seat, row] > 0.0:
                most = max(most, evidence[seat, row])
        total = 0.0
        for row in range(prior.shape[1]):
            if prior[seat, row] > 0.0:
                total += prior[seat, row] * np.exp(evidence[seat, row] - most)
            out[seat, row] = total
        for row in range(prior.shape[1]):
            out[seat, row] /= total


def _play_deals(
    rules: Rules,
    states: Any,
    seats: Seats,
    rows: Floats,
    target: int,
    room: Room,
    results: Whole,
    record: Any,
) -> None:
    """Play *states* one after the other; fill *results* with the points of each side.

    Memory of who the others are lasts until a side has *target* points.
    """
    sums = np.empty(HAND_SIZE)
    totals = np.zeros(rules.sides, np.int64)
    evidence = np.zeros((rules.players, len(rows)))
    # What each seat believes of the others: its own prior, what everyone saw.
    beliefs = np.empty((rules.players, rules.players, len(rows)))
    learning = False
    for seat in range(rules.players):
        learning = learning or seats.learn[seat] > 0
    plays = np.empty(HAND_SIZE * rules.players, np.int64)
    stale = True
    for number in range(len(states)):
        room.state[0] = states[number]
        state = room.state[0]
        count = 0
        at = 0
        while state.left > 0:
            if count == 0:
                room.start[0] = state
            if stale:
                for seat in range(rules.players):
                    if seats.kind[seat] == SEARCH:
                        seen = evidence * (seats.learn[seat] * seats.temper[seat])
                        prior = np.empty((rules.players, len(rows)))
                        for other in range(rules.players):
                            prior[other] = seats.prior[seat]
                        running_prior(prior, seen, beliefs[seat])
                stale = False
            seat = whole(state.turn)
            kind = seats.kind[seat]
            draw = draw_at(state.key, state.left)
            if kind == SEARCH:
                place = _search(rules, room, seats, rows, beliefs[seat], plays, count, draw)
            else:
                view = view_of(rules, state)
                luck = whole(draw >> np.uint64(32))
                if kind == ROW:
                    place = heaviest(rules.cards, view, luck, rows[seats.number[seat]], sums)
                else:
                    place = thumb(seats.number[seat], view, luck)
            plays[count] = (whole(state.hands[seat]) >> (8 * place)) & 255
            if record.shape[0]:
                record[number, at] = plays[count]
            at += 1
            count += 1
            push(rules, state, place)
            if count == HAND_SIZE * rules.players:
                count = 0
                if learning:
                    add_evidence(rules, room.start, plays, rows, evidence, room.scratch)
                    stale = True
        side_points(rules, state, results[number])
        over = False
        for side in range(rules.sides):
            totals[side] += results[number, side]
            over = over or totals[side] >= target
        if over:
            totals[:] = 0
            evidence[:] = 0.0
            stale = True


_PARTS: Final = (
    chance_of,
    thumb,
    believe_part,
    position_in,
    evaluate_ahead_part,
    best_gain,
    add_evidence,
    draw_at,
    push,
    value_of,
)


@cache
def play_deals() -> Callable[..., None]:
    """Return the machine code of `_play_deals`."""
    return compiled(_play_deals, parts=_PARTS)
