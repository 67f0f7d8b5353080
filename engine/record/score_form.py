"""The score of a record as an object (`pisti-score/1`), printed by every command that scores."""

from __future__ import annotations

from collections.abc import Iterable
from dataclasses import asdict
from typing import Any, Final

from engine.deal import Deal
from engine.elimination import resolved
from engine.match import Match
from engine.record.types import Problem
from engine.scoring import score_deal

FORMAT: Final = "pisti-score/1"


def score_to_json(match: Match, problems: Iterable[Problem] = ()) -> dict[str, Any]:
    """Return the score of *match* in its JSON form; *problems* are those of the record."""
    return {
        "format": FORMAT,
        "deals": [_deal(deal) for deal in match.deals],
        "totals": list(match.totals),
        "winner": match.winner,
        "problems": [problem.to_json() for problem in problems],
    }


def _deal(deal: Deal) -> dict[str, Any]:
    score = score_deal(deal)
    return {
        "complete": score.complete,
        "exact": score.exact,
        "plays": [
            {
                "seat": played.seat,
                "card": str(played.card),
                "captured": played.captured,
                "bonus": certain.bonus,
            }
            for played, certain in zip(deal.history, resolved(deal).history, strict=True)
        ],
        "sides": [asdict(side) | {"points": side.points} for side in score.sides],
    }
