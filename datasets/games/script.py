"""A legal deal, played by players with some sense."""

from __future__ import annotations

from collections import Counter
from collections.abc import Sequence
from dataclasses import dataclass
from typing import Final

from engine import Card, Deal, RuleSet

#: A Jack is kept for piles of at least this many cards while others can be played.
_WORTH_A_JACK: Final = 3


@dataclass(frozen=True, slots=True)
class Turn:
    """One play of a deal.

    Attributes:
        seat: who plays.
        card: what is played.
        captured: how many cards it takes, itself included; 0 when it stays.
        bonus: the pişti points it scores.
        starts_hand: whether hands were dealt just before.
    """

    seat: int
    card: Card
    captured: int
    bonus: int
    starts_hand: bool


def play_deal(rules: RuleSet, dealer: int, seed: int) -> tuple[Deal, tuple[Turn, ...]]:
    """Return a dealt and played deal, and its plays; the same seed gives the same deal."""
    deal = Deal.shuffled(rules, dealer, seed)
    turns = []
    round_size = 4 * rules.players
    while not deal.is_over:
        number, seat = len(deal.history), deal.turn
        card = choose(deal.legal_cards(), deal.pile, [played.card for played in deal.history])
        deal.play(card)
        played = deal.history[-1]
        turns.append(
            Turn(seat, card, played.captured, played.bonus, number > 0 and not number % round_size)
        )
    return deal, tuple(turns)


def choose(hand: Sequence[Card], pile: Sequence[Card], gone: Sequence[Card]) -> Card:
    """Return the card a player with some sense plays: a match, a Jack for much, else the safest.

    Safest is the rank of which most cards have gone; cards that count are kept.
    """
    top = pile[-1] if pile else None
    matching = [card for card in hand if top is not None and card.rank is top.rank]
    if matching:
        return matching[0]
    jacks = [card for card in hand if card.is_jack]
    others = [card for card in hand if not card.is_jack]
    if jacks and (not others or len(pile) >= _WORTH_A_JACK):
        return jacks[0]
    seen = Counter(card.rank for card in gone)
    return max(others, key=lambda card: (seen[card.rank] - 2 * _counts(card), card))


def _counts(card: Card) -> bool:
    return str(card) in ("2C", "10D") or str(card.rank) == "A"
