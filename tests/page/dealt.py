"""A deal to enter by hand: what everybody at the table sees, and what the score must be."""

from __future__ import annotations

from engine import Deal, Match, RuleSet
from engine.record import score_to_json


class Played:
    """A shuffled deal of two that was played to its end, by the first card that captures.

    Attributes:
        centre: the face-up card of the centre.
        bottom: the shown bottom card.
        cards: the cards in the order in which they are played.
        hands: the cards that seat 0 gets, hand deal by hand deal.
    """

    def __init__(self, seed: int, target: int = 151) -> None:
        self.rules = RuleSet.classic(players=2, target=target)
        deal = Deal.shuffled(self.rules, dealer=1, seed=seed)
        self.centre = str(deal.setup.centre[-1])
        self.bottom = str(deal.setup.bottom)
        self.cards: list[str] = []
        self.hands: list[list[str]] = []
        while not deal.is_over:
            if deal.to_act == 0 and len(deal.hands[0]) == 4:
                self.hands.append([str(card) for card in deal.hands[0]])
            top = deal.top
            fitting = [card for card in deal.legal_cards() if top and card.rank is top.rank]
            card = (fitting or list(deal.legal_cards()))[0]
            self.cards.append(str(card))
            deal.play(card)
        self.score = score_to_json(Match(self.rules, [deal]))

    def seat(self, number: int) -> int:
        """Return who makes play *number*."""
        return number % 2
