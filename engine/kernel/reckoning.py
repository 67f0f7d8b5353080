"""What both ways of playing reckon with: `playing`, in registers, and `stepping`, in memory."""

from __future__ import annotations

from engine.kernel.compiling import inlined
from engine.kernel.layout import (
    ACES,
    FOUR_BITS,
    IS_TEN_OF_DIAMONDS,
    JACK,
    JACKS,
    RANKS,
    TENS,
    TWO_BITS,
    TWOS,
    Rules,
)


@inlined
def points_in(tally: int) -> int:
    """Return what the cards of *tally* count."""
    return (
        (tally >> ACES & FOUR_BITS)
        + (tally >> JACKS & FOUR_BITS)
        + 2 * (tally >> TWOS & TWO_BITS)
        + 3 * (tally >> TENS & TWO_BITS)
    )


@inlined
def ranks_in(hand: int, held: int, bottom: int) -> int:
    """Return how many cards of each rank are in *hand*, the shown bottom card apart."""
    ranks = 0
    for place in range(held):
        card = (hand >> (8 * place)) & 255
        if card != bottom:
            ranks += 1 << (4 * RANKS[card])
    return ranks


@inlined
def without(hand: int, place: int) -> int:
    """Return *hand* without its card at *place*; those after it move up."""
    below = (1 << 8 * place) - 1
    return hand & below | hand >> 8 & ~below


@inlined
def pisti_bonus(rules: Rules, card: int, top: int) -> int:
    """Return what `Rules` says a pişti by *card* on the single card *top* counts."""
    if RANKS[card] != JACK:
        bonus = rules.pisti
    elif RANKS[top] == JACK:
        bonus = rules.double_pisti
    else:
        bonus = rules.jack_on_single
    if bonus and (IS_TEN_OF_DIAMONDS[card] or IS_TEN_OF_DIAMONDS[top]):
        bonus += rules.ten_of_diamonds_bonus
    return bonus
