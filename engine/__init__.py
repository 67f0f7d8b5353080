"""The game of Pişti: cards, rule sets, deals, matches, views, scores and records."""

from engine.cards import UNKNOWN, Card, Rank, Suit, deck, parse_cards
from engine.errors import CardParseError, IllegalPlayError, PistiError, RecordError, RuleSetError

__all__ = [
    "UNKNOWN",
    "Card",
    "CardParseError",
    "IllegalPlayError",
    "PistiError",
    "Rank",
    "RecordError",
    "RuleSetError",
    "Suit",
    "deck",
    "parse_cards",
]
