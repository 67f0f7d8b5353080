"""Looking back on a game: what each play of a seat cost, by what it could know then."""

from __future__ import annotations

from collections.abc import Iterator
from dataclasses import dataclass

from advisor.advice import Limit
from advisor.advisor import Advisor
from engine import Card, Deal, View


@dataclass(frozen=True, slots=True)
class Cost:
    """One play in hindsight of nothing but thought.

    Attributes:
        played: the card.
        best: the card that was advised.
        points: how many points of the deal's result the play gave away on average, at least 0.
        why: why the other card was better.
    """

    played: Card
    best: Card
    points: float
    why: tuple[str, ...]


def review(
    deal: Deal, seat: int, advisor: Advisor, limit: Limit, totals: tuple[int, ...] | None = None
) -> Iterator[Cost]:
    """Yield what each face-up play of *seat* in *deal* cost.

    Args:
        deal: a deal whose cards in the hand of *seat* are known.
        seat: the seat.
        advisor: who judges.
        limit: how long it thinks about each play.
        totals: the match before this deal.
    """
    again = Deal(deal.rules, deal.dealer, deal.setup)
    for play in deal.history:
        if play.seat == seat and play.claim is None:
            advice = advisor.advise(View.of(again, seat, totals), limit)
            worth = {move.card: move.points for move in advice.moves if not move.claim}
            best = next(move for move in advice.moves if not move.claim)
            cost = max(0.0, best.points - worth[play.card.face])
            yield Cost(play.card.face, best.card, cost, advice.why)
        again.push(play.card, play.claim)
