"""From a record to the deals it tells of."""

from __future__ import annotations

from engine.bonus import is_double
from engine.deal import Deal
from engine.match import Match
from engine.plays import Played
from engine.record.types import DealRecord, PlayRecord, Record
from engine.rules import RuleSet


def start(rules: RuleSet, deal: DealRecord) -> Deal:
    """Return the deal as it lay before the first play."""
    return Deal.watched(
        rules,
        deal.dealer,
        centre=deal.centre,
        centre_up=deal.centre_up,
        bottom=deal.bottom,
        buried=deal.buried,
        hands=deal.hands or (),
    )


def replay(record: Record) -> Match:
    """Return the match that *record* tells of.

    Raises:
        IllegalPlayError: a play is not legal; records that were read hold legal plays only.
    """
    match = Match(record.rules)
    for deal_record in record.deals:
        deal = start(record.rules, deal_record)
        for play in deal_record.plays:
            deal.play(play.card, play.claim)
        match.deals.append(deal)
    return match


def recorded(match: Match) -> Record:
    """Return the record of *match*, with everything that its deals know."""
    return Record(match.rules, deals=tuple(map(_recorded_deal, match.deals)))


def _recorded_deal(deal: Deal) -> DealRecord:
    hands = tuple(
        tuple(card.face for hands in deal.setup.dealt for card in hands[seat])
        for seat in range(deal.rules.players)
    )
    any_known = any(card.rank for hand in hands for card in hand if card is not deal.setup.bottom)
    return DealRecord(
        dealer=deal.dealer,
        centre=tuple(card.face for card in deal.setup.centre),
        centre_up=deal.setup.centre_up,
        bottom=deal.setup.bottom.face if deal.setup.bottom else None,
        buried=tuple(card.face for card in deal.setup.buried),
        hands=hands if any_known else None,
        plays=tuple(PlayRecord(played.card.face, played.claim) for played in deal.history),
    )


def mark_of(rules: RuleSet, played: Played) -> str:
    """Return the mark of a play: ``x`` captures, ``!`` pişti, ``!!`` double pişti, or none."""
    if not played.captured:
        return ""
    if not played.bonus:
        return "x"
    return "!!" if is_double(rules, played) else "!"
