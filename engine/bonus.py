"""What a capture scores at once: piştis, double piştis and claimed ones."""

from __future__ import annotations

from collections.abc import Sequence
from typing import Final

from engine.cards import TEN_OF_DIAMONDS, Card
from engine.plays import Played
from engine.rules import RuleSet

PISTI: Final = 10
#: Stake of a claimed pişti that is challenged (bluff variant); accepted, it is a pişti.
BLUFF_CHALLENGED: Final = 20


def capture_bonus(rules: RuleSet, single: Card, card: Card, *, first: bool, last: bool) -> int:
    """Return the pişti points for *card* capturing the one card on the table, face up.

    Args:
        rules: the rule set.
        single: the one card that lay there.
        card: the card that captures it.
        first: whether this is the very first play of the deal.
        last: whether it is the very last.
    """
    if (first and not rules.first_play_pisti) or (last and not rules.last_play_pisti):
        return 0
    if not card.is_jack:
        bonus = PISTI
    elif single.is_jack:
        # A double pişti that the rules count for nothing is still a Jack on a single card.
        bonus = max(rules.double_pisti, rules.jack_on_single)
    else:
        bonus = rules.jack_on_single
    if bonus and TEN_OF_DIAMONDS in (single.face, card.face):
        bonus += rules.ten_of_diamonds_bonus
    return bonus


def is_decided(rules: RuleSet, pile: Sequence[Card], card: Card, *, last: bool) -> bool:
    """Whether it is certain what *card*, laid face up on *pile*, captures and scores.

    Args:
        rules: the rule set.
        pile: the table, bottom to top; its cards may be unknown, as *card* may.
        card: the card to be played.
        last: whether this is the very last play of the deal.
    """
    if not pile or (card.rank and pile[-1].rank):
        return True
    if not card.is_jack:
        return False
    # A Jack captures whatever lies there; what it scores must not depend on it either.
    paid = rules.jack_on_single
    alike = paid >= rules.double_pisti and not (paid and rules.ten_of_diamonds_bonus)
    return len(pile) > 1 or alike or (last and not rules.last_play_pisti)


def claim_stake(rules: RuleSet, single: Card, *, challenged: bool) -> int:
    """Return what is at stake when a pişti is claimed face down on *single*."""
    doubles = rules.bluff_jack_doubles and single.is_jack
    return (BLUFF_CHALLENGED if challenged else PISTI) * (2 if doubles else 1)


def is_double(rules: RuleSet, played: Played) -> bool:
    """Whether the pişti that *played* made counts as a double one."""
    if played.single is None or not played.single.is_jack:
        return False
    if played.claim is not None:
        return rules.bluff_jack_doubles
    return played.card.is_jack and rules.double_pisti > PISTI
