"""One play: the card, the answer to a claimed pişti, and what the play brought."""

from __future__ import annotations

from enum import Enum
from typing import NamedTuple

from engine.cards import Card


class Claim(Enum):
    """How a card laid face down as a claimed pişti was answered (bluff variant)."""

    ACCEPTED = "accepted"
    CHALLENGED = "challenged"


class Played(NamedTuple):
    """One play and what it brought, as kept for undo and for the score."""

    seat: int
    #: The card, as far as it is known.
    card: Card
    claim: Claim | None
    #: Cards captured, the played one included; 0 when nothing was.
    captured: int
    #: Pişti points for the playing side.
    bonus: int
    #: Points for the side that caught a bluff (the side of the seat before).
    penalty: int
    #: The single card on the table that was matched or claimed, None for a larger or no pile.
    single: Card | None
    #: What the hand held in the card's place, where, and who captured last before this play.
    slot: Card
    at: int
    last_capturer_before: int | None
    #: The hand before, where a card nobody saw left it and its other cards became uncertain: the
    #: card may have been any of them that it does not rule out.
    forgotten: tuple[Card, ...] | None
