"""How long advice takes: the first answer after the start, and those after it."""

from __future__ import annotations

import time
from dataclasses import dataclass

from advisor import Advisor, Limit
from engine import Deal, RuleSet


@dataclass(frozen=True)
class Pace:
    """How long answers took.

    Attributes:
        first: seconds of processor time from the start of the process to the first answer.
        seconds: wall time of each further answer at the default limit, in rising order.
    """

    first: float
    seconds: tuple[float, ...]

    def quantile(self, share: float) -> float:
        """Return the time within which *share* of the answers came."""
        return self.seconds[min(int(share * len(self.seconds)), len(self.seconds) - 1)]

    def to_json(self) -> dict[str, object]:
        """Return seconds of the first answer, and milliseconds of the others."""
        return {
            "first": round(self.first, 2),
            "count": len(self.seconds),
            "median": round(1000 * self.quantile(0.5)),
            "p95": round(1000 * self.quantile(0.95)),
        }


def measure(count: int) -> Pace:
    """Time an answer, and *count* more at turns all through deals of two in `classic`."""
    rules = RuleSet.classic(players=2)
    advisor = Advisor()
    first: float | None = None
    seconds: list[float] = []
    number = 0
    while len(seconds) < count:
        deal = Deal.shuffled(rules, number % rules.players, number)
        number += 1
        while not deal.is_over and len(seconds) < count:
            began = time.perf_counter()
            advice = advisor.advise(deal.view(deal.turn), Limit())
            if first is None:
                first = time.process_time()
            else:
                seconds.append(time.perf_counter() - began)
            assert advice.best is not None
            deal.push(advice.best)
    assert first is not None
    return Pace(first, tuple(sorted(seconds)))
