"""What happens in a game, as small values that a front end can show or announce."""

from __future__ import annotations

from dataclasses import dataclass
from typing import TYPE_CHECKING

from engine.bonus import is_double
from engine.cards import Card
from engine.plays import Claim

if TYPE_CHECKING:
    from engine.deal import Deal


@dataclass(frozen=True, slots=True)
class CardPlayed:
    """A seat played a card; with *claim*, face down as a pişti."""

    seat: int
    card: Card
    claim: Claim | None


@dataclass(frozen=True, slots=True)
class Captured:
    """A side captured the pile; *cards* runs from its bottom to the card played."""

    seat: int
    side: int
    cards: tuple[Card, ...]


@dataclass(frozen=True, slots=True)
class Pisti:
    """A pişti for *side*; *double* when a Jack took a single Jack and the rules pay more."""

    side: int
    points: int
    double: bool


@dataclass(frozen=True, slots=True)
class BluffCaught:
    """A challenged claim was false: *side*, which challenged, gets the points."""

    side: int
    points: int


@dataclass(frozen=True, slots=True)
class HandsDealt:
    """Hand deal number *hand_deal* (from 0) was dealt."""

    hand_deal: int


@dataclass(frozen=True, slots=True)
class DealEnded:
    """Every card was played; *swept* of them lay on the table and went to *side*."""

    side: int | None
    swept: int


@dataclass(frozen=True, slots=True)
class MatchEnded:
    """A side reached the target and won."""

    winner: int


Event = CardPlayed | Captured | Pisti | BluffCaught | HandsDealt | DealEnded | MatchEnded


def events_of(deal: Deal) -> tuple[Event, ...]:
    """Return what the last play of *deal* brought about, in order."""
    played = deal.history[-1]
    side = deal.rules.side_of(played.seat)
    events: list[Event] = [CardPlayed(played.seat, played.card, played.claim)]
    if played.captured:
        swept_since = 1 if deal.is_over and deal.swept_by == side else 0
        cards = deal.taken[side][-1 - swept_since]
        events.append(Captured(played.seat, side, tuple(cards)))
    if played.bonus:
        double = is_double(deal.rules, played)
        events.append(Pisti(side, played.bonus, double))
    if played.penalty:
        events.append(BluffCaught(deal.rules.side_of(played.seat - 1), played.penalty))
    if deal.is_over:
        swept = deal.taken[deal.swept_by][-1] if deal.swept_by is not None else ()
        events.append(DealEnded(deal.swept_by, len(swept)))
    elif deal.hands_just_dealt:
        events.append(HandsDealt(deal.hand_deal))
    return tuple(events)
