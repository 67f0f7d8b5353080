"""A legal deal, played by players with some sense."""

from __future__ import annotations

import random
from collections import Counter
from collections.abc import Sequence
from dataclasses import dataclass
from typing import Final

from engine import Card, Claim, Deal, RuleSet

#: A Jack is kept for piles of at least this many cards while others can be played.
_WORTH_A_JACK: Final = 3
#: How often a player claims a pişti where piştis may be claimed: with a match, and without one; and
#: how often he is challenged.
_CLAIMS: Final = 0.6
_BLUFFS: Final = 0.35
_CHALLENGES: Final = 0.5


@dataclass(frozen=True, slots=True)
class Turn:
    """One play of a deal.

    Attributes:
        seat: who plays.
        card: what is played.
        captured: how many cards it takes, itself included; 0 when it stays.
        bonus: the pişti points it scores.
        starts_hand: whether hands were dealt just before.
        claim: how the pişti was answered that it claims, face down; None for a card laid face up.
    """

    seat: int
    card: Card
    captured: int
    bonus: int
    starts_hand: bool
    claim: Claim | None = None


def play_deal(rules: RuleSet, dealer: int, seed: int) -> tuple[Deal, tuple[Turn, ...]]:
    """Return a dealt and played deal, and its plays; the same seed gives the same deal."""
    deal = Deal.shuffled(rules, dealer, seed)
    # A source of chance of its own: cards fall the same whether piştis may be claimed or not.
    claims = random.Random(seed)
    turns = []
    round_size = 4 * rules.players
    while not deal.is_over:
        number, seat = len(deal.history), deal.turn
        card = choose(deal.legal_cards(), deal.pile, [played.card for played in deal.history])
        claim = _claimed(card, deal.pile[-1], claims) if deal.may_claim else None
        deal.play(card, claim)
        played = deal.history[-1]
        starts_hand = number > 0 and not number % round_size
        turns.append(Turn(seat, card, played.captured, played.bonus, starts_hand, claim))
    return deal, tuple(turns)


def _claimed(card: Card, single: Card, rng: random.Random) -> Claim | None:
    """Return how the claim of a pişti with *card* on *single* is answered; None for no claim."""
    if rng.random() >= (_CLAIMS if card.rank is single.rank else _BLUFFS):
        return None
    return Claim.CHALLENGED if rng.random() < _CHALLENGES else Claim.ACCEPTED


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
