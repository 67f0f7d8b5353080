"""Worlds: whole deals that agree with what one seat knows.

A position holds the hand deal's start, some assignment of the cards that the seat has not seen to
the places where they can lie, and the plays since. A world is another assignment, drawn evenly;
which one the position itself holds does not matter, so nothing leaks.
"""

from __future__ import annotations

from typing import Any, NamedTuple

import numpy as np
import numpy.typing as npt

from engine.kernel.compiling import inlined
from engine.kernel.dealing import draw_at
from engine.kernel.layout import RANKS, TALLIES, Rules, States, whole

Whole = npt.NDArray[np.int64]


class Position(NamedTuple):
    """What one seat knows, ready for the search.

    Attributes:
        start: one `STATE`: the hand deal's beginning, or now where the plays cannot be replayed.
        seat: whose knowledge this is; its own cards are all known.
        plays: the cards played since `start`, as `Card.index`.
        sizes: how many cards each seat holds at `start`.
        known: how many of these, the first ones, the seat knows or has seen played since.
        centre: the range of `STATE`'s cards that lie or lay face down in the centre, unknown.
        packets: the range of those that are still to be dealt, unknown.
        extra: for each unknown card that was laid the side that captured it, -1 where it lies on
            the table, -2 on top of it; `start` does not count these cards.
        unseen: the unknown cards in rising order: as many as there are places.
        ranks: for each place the rank its card must have, -1 for any. The places are in the order
            centre, extra, hands by seat, packets.
    """

    start: States
    seat: int
    plays: Whole
    sizes: Whole
    known: Whole
    centre: tuple[int, int]
    packets: tuple[int, int]
    extra: Whole
    unseen: Whole
    ranks: Whole


@inlined
def shuffle(unseen: Any, ranks: Any, first_free: int, needed: int, key: Any, count: int) -> None:
    """Put *unseen* in random order; places before *first_free* get a card of their rank.

    Args:
        unseen: the cards, in any order.
        ranks: the rank each place asks for, -1 for any.
        first_free: places from here on ask for none.
        needed: places from here on may keep any order.
        key: where the random numbers start.
        count: the number of the first of them.
    """
    total = len(unseen)
    for at in range(min(needed, total - 1)):
        bits = whole(draw_at(key, count + at) >> np.uint64(32))
        if at < first_free and ranks[at] >= 0:
            fitting = 0
            for other in range(at, total):
                fitting += RANKS[unseen[other]] == ranks[at]
            wanted = bits * fitting >> 32
            for other in range(at, total):
                if RANKS[unseen[other]] == ranks[at]:
                    if wanted == 0:
                        unseen[at], unseen[other] = unseen[other], unseen[at]
                        break
                    wanted -= 1
            continue
        other = at + (bits * (total - at) >> 32)
        unseen[at], unseen[other] = unseen[other], unseen[at]


@inlined
def fill(rules: Rules, position: Position, unseen: Any, state: Any) -> None:
    """Put *unseen*, in its order, into the unknown places of *state*, a copy of `start`."""
    at = 0
    low, high = position.centre
    tally = 0
    hidden = 0
    for place in range(low, high):
        old = whole(state.cards[place])
        new = unseen[at]
        at += 1
        tally += TALLIES[new] - TALLIES[old]
        hidden += (1 << (4 * RANKS[new])) - (1 << (4 * RANKS[old]))
        state.cards[place] = new
    if high > low:
        state.hidden += hidden
        if state.first < 0:
            state.pile += tally
            state.covered += tally
        else:
            state.taken[state.first] += tally
    for side in position.extra:
        if side >= 0:
            state.taken[side] += TALLIES[unseen[at]]
        else:
            state.pile += TALLIES[unseen[at]]
            if side < -1:
                state.top = unseen[at]
        at += 1
    for seat in range(rules.players):
        known = position.known[seat]
        hand = whole(state.hands[seat]) & ((1 << (8 * known)) - 1)
        for place in range(known, position.sizes[seat]):
            hand |= unseen[at] << (8 * place)
            at += 1
        state.hands[seat] = hand
    low, high = position.packets
    for place in range(low, high):
        state.cards[place] = unseen[at]
        at += 1


@inlined
def place_of(hand: int, held: int, card: int) -> int:
    """Return the place of *card* in *hand*; 0 where it is not there."""
    for place in range(held):
        if (hand >> (8 * place)) & 255 == card:
            return place
    return 0
