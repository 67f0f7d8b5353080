"""Which parts of a recording are worth a second look."""

from __future__ import annotations

import math
from bisect import bisect_left
from collections.abc import Sequence
from typing import Final

from engine.record import Record

#: A play less sure than this is looked at again, every frame of it, at two scales and with the
#: accurate setting: the seconds around it, up to a little beyond the plays before and after.
_SURE: Final = 0.97
_AROUND: Final = 1.0
_BESIDE: Final = 0.2


def doubtful(
    record: Record, looked: Sequence[tuple[float, float]], most: float
) -> list[tuple[float, float]]:
    """Return the parts of a recording around plays that are not sure, in the order of time.

    Args:
        record: the game as it was understood.
        looked: parts that were looked at already.
        most: seconds of all parts together at most; the least sure plays come first.
    """
    unsure: list[tuple[float, float, float]] = []
    for deal in record.deals:
        times = [play.t for play in deal.plays if play.t is not None]
        for play in deal.plays:
            if play.t is None or play.confidence is None or play.confidence >= _SURE:
                continue
            at = bisect_left(times, play.t)
            before = times[at - 1] if at else -math.inf
            after = times[at + 1] if at + 1 < len(times) else math.inf
            begin = max(0.0, play.t - _AROUND, before - _BESIDE)
            unsure.append((play.confidence, begin, min(play.t + _AROUND, after + _BESIDE)))
    spans: list[tuple[float, float]] = []
    for _, begin, end in sorted(unsure):
        seen = sum(max(0.0, min(end, last) - max(begin, first)) for first, last in looked)
        if seen > (end - begin) / 2:
            continue
        joined = _joined([*spans, (begin, end)])
        if sum(last - first for first, last in joined) <= most:
            spans = joined
    return spans


def _joined(spans: Sequence[tuple[float, float]]) -> list[tuple[float, float]]:
    """Return *spans* in order, those that overlap as one."""
    joined: list[tuple[float, float]] = []
    for begin, end in sorted(spans):
        if joined and begin <= joined[-1][1]:
            joined[-1] = joined[-1][0], max(end, joined[-1][1])
        else:
            joined.append((begin, end))
    return joined
