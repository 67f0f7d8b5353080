"""The game of Pişti: cards, rule sets, deals, matches, views, scores and records.

>>> from engine import Deal, RuleSet
>>> deal = Deal.shuffled(RuleSet.classic(players=2), dealer=1, seed=7)
>>> events = deal.play(deal.legal_cards()[0])
"""

from engine.cards import UNKNOWN, Card, Rank, Suit, deck, parse_cards
from engine.deal import Deal
from engine.elimination import resolved, unseen_cards, unseen_faces
from engine.errors import CardParseError, IllegalPlayError, PistiError, RecordError, RuleSetError
from engine.events import (
    BluffCaught,
    Captured,
    CardPlayed,
    DealEnded,
    Event,
    HandsDealt,
    MatchEnded,
    Pisti,
)
from engine.match import Match
from engine.plays import Claim, Played
from engine.rules import RuleSet
from engine.scoring import DealScore, SideScore, score_deal
from engine.setup import Setup
from engine.view import SeenPlay, View

__all__ = [
    "UNKNOWN",
    "BluffCaught",
    "Captured",
    "Card",
    "CardParseError",
    "CardPlayed",
    "Claim",
    "Deal",
    "DealEnded",
    "DealScore",
    "Event",
    "HandsDealt",
    "IllegalPlayError",
    "Match",
    "MatchEnded",
    "Pisti",
    "PistiError",
    "Played",
    "Rank",
    "RecordError",
    "RuleSet",
    "RuleSetError",
    "SeenPlay",
    "Setup",
    "SideScore",
    "Suit",
    "View",
    "deck",
    "parse_cards",
    "resolved",
    "score_deal",
    "unseen_cards",
    "unseen_faces",
]
