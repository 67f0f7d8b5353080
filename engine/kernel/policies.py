"""Policies: which card a seat plays, from what that seat may know.

A policy is a plain function ``policy(view: SeatView, draw: int) -> int`` in the part of Python
that Numba compiles. It returns a place in the hand, from 0 to ``view.held - 1``. *draw* is a
random number from 0 to 2**32 - 1, another one for every play; the draws depend on the seed, the
number of the deal and the plays left, never on the policies, so that policies can be compared on
the same luck.
"""

from __future__ import annotations

from typing import NamedTuple

from engine.kernel.compiling import inlined
from engine.kernel.layout import JACK, POINTS, RANKS, whole
from engine.rules import HAND_SIZE


class SeatView(NamedTuple):
    """What the seat on turn may know, as whole numbers.

    Attributes:
        hand: the seat's cards, one a byte; read it with `card_at`.
        held: how many there are, 1 to 4.
        top: the card on top of the table, -1 when the table is empty.
        pile: number of cards on the table.
        stake: points of those that all players have seen.
        seen: cards of each rank that the seat knows the place of, its own hand included; read it
            with `seen_of`.
        left: plays left in the deal, this one included.
        ours: cards captured by the seat's side.
        took_last: 1 when the seat's side captured last, else 0.
        bottom: the stock's bottom card where it is shown, else -1.
        seat: the seat.
        dealer: the dealer's seat.
        players: number of players.
        covered: cards on the table that nobody has seen.
        next_held: cards in the hand of the seat that plays next, once this card is played.
        next_bottom: 1 when that hand holds the shown bottom card, else 0.
    """

    hand: int
    held: int
    top: int
    pile: int
    stake: int
    seen: int
    left: int
    ours: int
    took_last: int
    bottom: int
    seat: int
    dealer: int
    players: int
    covered: int
    next_held: int
    next_bottom: int


@inlined
def next_hand_size(held: int, until_equal: int, left: int) -> int:
    """Return how many cards the next seat holds once the seat on turn has played.

    Args:
        held: cards in the hand on turn.
        until_equal: seats, the one on turn included, that play until all hands are equal.
        left: plays left in the deal, the coming one included.
    """
    if left == 1:
        return 0
    if until_equal > 1:
        return held
    return held - 1 if held > 1 else HAND_SIZE


@inlined
def holds(hand: int, held: int, card: int) -> int:
    """Return 1 when *card* is one of the *held* cards of *hand*, else 0."""
    for place in range(held):
        if (hand >> (8 * place)) & 255 == card:
            return 1
    return 0


@inlined
def card_at(hand: int, place: int) -> int:
    """Return the `Card.index` of the card at *place* in *hand*."""
    return (hand >> (8 * place)) & 255


@inlined
def rank_of(card: int) -> int:
    """Return the `Rank.index` of *card*."""
    return whole(RANKS[card])


@inlined
def points_of(card: int) -> int:
    """Return the points that *card* counts at the end of the deal."""
    return whole(POINTS[card])


@inlined
def seen_of(seen: int, rank: int) -> int:
    """Return how many cards of *rank* `SeatView.seen` counts."""
    return (seen >> (4 * rank)) & 15


@inlined
def pick(draw: int, count: int) -> int:
    """Return a number from 0 to *count* - 1, all of them equally likely."""
    return (draw * count) >> 32


def random_policy(view: SeatView, draw: int) -> int:
    """Play any card."""
    return pick(draw, view.held)


def first_legal(_view: SeatView, _draw: int) -> int:
    """Play the card that was dealt first."""
    return 0


def greedy(view: SeatView, _draw: int) -> int:
    """Capture with the same rank, else with a Jack, else lay the card that counts least.

    A Jack is laid last of all; of equals the one that was dealt first.
    """
    best = 0
    least = 100
    rank = rank_of(view.top) if view.pile else -1
    for place in range(view.held):
        card = card_at(view.hand, place)
        if rank_of(card) == rank:
            worth = -2
        elif rank_of(card) == JACK:
            worth = -1 if view.pile else 99
        else:
            worth = points_of(card)
        if worth < least:
            least = worth
            best = place
    return best
