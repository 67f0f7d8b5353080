"""One play at a time on a position in memory, for searches that branch.

`engine.kernel.playing` plays whole deals with everything in registers; what is here does the same
to a record of `STATE`, so that a search can copy it, play a card, and look. The functions are
compiled as parts of what calls them. A test plays both side by side.
"""

from __future__ import annotations

from typing import Any

from engine.kernel.compiling import inlined
from engine.kernel.dealing import hand_from
from engine.kernel.layout import (
    ALL,
    BONUS_MASK,
    CARDS_MASK,
    JACK,
    NOBODY,
    PISTIS,
    RANKS,
    TALLIES,
    Rules,
    whole,
)
from engine.kernel.policies import SeatView, holds, next_hand_size
from engine.kernel.reckoning import pisti_bonus, points_in, ranks_in, without
from engine.rules import HAND_SIZE


@inlined
def view_of(rules: Rules, state: Any) -> SeatView:
    """Return what the seat on turn may know of *state*."""
    seat = whole(state.turn)
    side = seat % rules.sides
    hand = whole(state.hands[seat])
    held = whole(state.held)
    first = whole(state.first)
    seen = whole(state.seen) + ranks_in(hand, held, whole(state.bottom))
    if (first >= 0 and rules.centre_seen_by == ALL) or (
        first == side and rules.centre_seen_by != NOBODY
    ):
        seen += whole(state.hidden)
    following = seat + 1 if seat + 1 < rules.players else 0
    until_equal = whole(state.round)
    return SeatView(
        hand,
        held,
        whole(state.top),
        whole(state.pile) & CARDS_MASK,
        points_in(whole(state.pile) - whole(state.covered)),
        seen,
        whole(state.left),
        whole(state.taken[side]) & CARDS_MASK,
        whole(state.last == side),
        whole(state.bottom),
        seat,
        whole(state.dealer),
        rules.players,
        whole(state.covered) & CARDS_MASK,
        next_hand_size(held, until_equal, whole(state.left)),
        holds(
            whole(state.hands[following]),
            held if until_equal > 1 else held - 1,
            whole(state.bottom),
        ),
    )


@inlined
def push(rules: Rules, state: Any, place: int) -> None:
    """Play the card at *place* of the hand on turn.

    After the last play the last capturer has taken what lay on the table, and `left` is 0.
    """
    seat = whole(state.turn)
    side = seat % rules.sides
    hand = whole(state.hands[seat])
    card = (hand >> (8 * place)) & 255
    state.hands[seat] = without(hand, place)
    rank = whole(RANKS[card])
    if card != state.bottom:
        state.seen += 1 << (4 * rank)
    pile = whole(state.pile)
    top = whole(state.top)
    left = whole(state.left)
    if top >= 0 and (rank == JACK or rank == RANKS[top]):
        if (pile & CARDS_MASK) == 1 and (left > 1 or rules.last_play_pisti):
            state.bonus[side] += pisti_bonus(rules, card, top)
        _capture(state, side, card)
    else:
        state.pile = pile + TALLIES[card]
        state.top = card
    advance(rules, state)


@inlined
def _capture(state: Any, side: int, card: int) -> None:
    """Let *side* take the table with *card*."""
    state.taken[side] += state.pile + TALLIES[card]
    _clear(state)
    state.last = side
    if state.first < 0:
        state.first = side


@inlined
def _clear(state: Any) -> None:
    state.pile = 0
    state.covered = 0
    state.top = -1


@inlined
def advance(rules: Rules, state: Any) -> None:
    """Pass the turn on after a card was laid; deal, or end the deal, where all hands are empty."""
    seat = whole(state.turn)
    left = whole(state.left) - 1
    state.left = left
    seat = seat + 1 if seat + 1 < rules.players else 0
    state.turn = seat
    if state.round > 1:
        state.round -= 1
        return
    state.round = rules.players
    state.held -= 1
    if state.held == 0:
        if left > 0:
            state.held = HAND_SIZE
            packet = rules.centre + rules.plays - left
            for _ in range(rules.players):
                # Hands empty at the dealer, so the seat on turn is the dealer's right.
                state.hands[seat] = hand_from(state.cards, packet)
                packet += HAND_SIZE
                seat = seat + 1 if seat + 1 < rules.players else 0
        else:
            last = whole(state.last)
            if last < 0 and rules.dealer_takes:
                last = whole(state.dealer) % rules.sides
            if last >= 0:
                state.taken[last] += state.pile
                _clear(state)


@inlined
def lay_claimed(rules: Rules, state: Any, place: int, stake: int, challenged: bool) -> None:
    """Lay the card at *place* face down as a claimed pişti, on one card, and have it answered.

    Args:
        rules: the rule set.
        state: the position; exactly one card is on the table.
        place: the card's place in the hand on turn.
        stake: points at stake under this answer.
        challenged: whether the seat before challenges; else it accepts.
    """
    seat = whole(state.turn)
    side = seat % rules.sides
    hand = whole(state.hands[seat])
    card = (hand >> (8 * place)) & 255
    state.hands[seat] = without(hand, place)
    if challenged and card != state.bottom:
        state.seen += 1 << (4 * RANKS[card])
    if challenged and RANKS[card] != RANKS[state.top]:
        state.bonus[(seat + rules.players - 1) % rules.players % rules.sides] += stake
        state.pile += TALLIES[card]
        state.top = card
    else:
        if state.left > 1 or rules.last_play_pisti:
            state.bonus[side] += stake + (1 << PISTIS)
        _capture(state, side, card)
    advance(rules, state)


@inlined
def scored(state: Any, side: int) -> int:
    """Return the points of *side* so far, without the majority."""
    return points_in(whole(state.taken[side])) + (whole(state.bonus[side]) & BONUS_MASK)


@inlined
def side_points(rules: Rules, state: Any, points: Any) -> None:
    """Write the points of each side into *points*: what was scored so far, majority included."""
    most = 0
    with_most = 0
    for side in range(rules.sides):
        cards = whole(state.taken[side]) & CARDS_MASK
        if cards > most:
            most = cards
            with_most = 1
        elif cards == most:
            with_most += 1
    for side in range(rules.sides):
        tally = whole(state.taken[side])
        points[side] = scored(state, side)
        if with_most == 1 and (tally & CARDS_MASK) == most:
            points[side] += rules.majority_points
