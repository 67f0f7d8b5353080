"""A scored recording moment by moment: after each play the pile, the Jacks seen and the score."""

from __future__ import annotations

from collections.abc import Iterator
from dataclasses import dataclass
from typing import Final

from engine import Card, Match
from engine.record import Record
from engine.record.replay import start

#: Plays less sure than this are marked, to be looked at by a person.
CHECK_BELOW: Final = 0.9


@dataclass(frozen=True, slots=True)
class Moment:
    """The game just after a play.

    Attributes:
        deal: number of the deal, from 0.
        play: number of the play in it, from 0.
        t: seconds into the recording; None where not known.
        seat: who played.
        card: what was played.
        confidence: how sure that is; None where not known.
        captured: how many cards it took, itself included.
        bonus: the pişti points it scored.
        pile: cards on the table now.
        jacks: Jacks that have shown in this deal.
        totals: points of each side over all deals, as far as they are known.
    """

    deal: int
    play: int
    t: float | None
    seat: int
    card: Card
    confidence: float | None
    captured: int
    bonus: int
    pile: int
    jacks: int
    totals: tuple[int, ...]


def moments(record: Record) -> Iterator[Moment]:
    """Yield the moments of *record*, whose plays must be legal."""
    match = Match(record.rules)
    for number, written in enumerate(record.deals):
        deal = start(record.rules, written)
        match.deals.append(deal)
        shown = deal.setup.centre[len(deal.setup.centre) - deal.setup.centre_up :]
        jacks = sum(card.is_jack for card in (*shown, *deal.setup.buried))
        for place, play in enumerate(written.plays):
            deal.play(play.card, play.claim)
            played = deal.history[-1]
            jacks += played.card.is_jack
            yield Moment(
                deal=number,
                play=place,
                t=play.t,
                seat=played.seat,
                card=played.card,
                confidence=play.confidence,
                captured=played.captured,
                bonus=played.bonus,
                pile=len(deal.pile),
                jacks=jacks,
                totals=match.totals,
            )
