"""Decoding one recording again and again with further facts, from where they change anything.

A search leaves marks on its way: every so many looks, the hypotheses it kept. With a fact more it
goes on from the last mark before the play that the fact is about; and once the deal of that play is
over and the next one is followed as it was before, nothing further on can change.
"""

from __future__ import annotations

from collections.abc import Iterable, Mapping
from typing import Final, NamedTuple

from engine.rules import RuleSet
from vision.decoder.claims import search_for
from vision.decoder.evidence import Evidence
from vision.decoder.steps import Hypothesis, Step, deals_of, plain, plays_in, steps_of

#: Cards by (deal, play).
Known = Mapping[tuple[int, int], int]

#: Looks between two marks.
_EVERY: Final = 8
#: So many steps of the next deal must be as they were.
_ENOUGH: Final = 8
#: Hypotheses that are kept when a search goes on from a mark.
_BEAM: Final = 40


class _Mark(NamedTuple):
    """What a search kept before a look."""

    look: int
    kept: list[Hypothesis]


class Searches:
    """Searches of one recording.

    Args:
        rules: the rule set.
        evidence: of all looks.
        bottom: the stock's shown bottom card.
    """

    def __init__(self, rules: RuleSet, evidence: Evidence, bottom: int | None) -> None:
        self._rules, self._evidence, self._bottom = rules, evidence, bottom
        self._facts: dict[tuple[int, int], int] = {}
        self._marks: list[_Mark] = []
        self._best: Hypothesis | None = None

    def best(self, facts: Known) -> Hypothesis:
        """Return the likeliest game in which *facts* hold."""
        if self._best is not None and facts == self._facts:
            return self._best
        changed = {
            number
            for number in {*facts, *self._facts}
            if facts.get(number) != self._facts.get(number)
        }
        first = min(changed, default=(0, 0))
        marks = [mark for mark in self._marks if not _passed(mark.kept[0], first)]
        beam = {} if self._best is None else {"beam": _BEAM}
        search = search_for(self._rules, self._evidence, facts=facts, bottom=self._bottom, **beam)
        begin = 0
        if marks:
            begin, kept = marks.pop()
            search.kept = [one for one in kept if not _passed(one, first)]
        best = None
        for look in range(begin, len(self._evidence.times)):
            if (look - begin) % _EVERY == 0:
                marks.append(_Mark(look, search.kept))
                if best := self._joined(search.kept[0], changed, look, marks):
                    break
            search.advance(look)
        self._best = best or search.best()
        self._facts, self._marks = dict(facts), marks
        return self._best

    def _joined(
        self,
        now: Hypothesis,
        changed: Iterable[tuple[int, int]],
        look: int,
        marks: list[_Mark],
    ) -> Hypothesis | None:
        """Return the best game of before with the changed deals of *now*.

        None as long as it cannot be told that the rest is the same. The marks of the rest are added
        to *marks*.
        """
        number = len(now.deals)
        if self._best is None or number <= max(deal for deal, _ in changed):
            return None
        before = deals_of(self._best)
        if number >= len(before):
            return None
        steps, known = plain(steps_of(now.last)), plain(steps_of(before[number]))
        if len(steps) < _ENOUGH or steps != known[: len(steps)]:
            return None
        for mark in self._marks:
            kept = [_spliced(one, now) for one in mark.kept if _follows(one, before[:number])]
            if mark.look > look and kept:
                marks.append(_Mark(mark.look, kept))
        return _spliced(self._best, now)


def _passed(hypothesis: Hypothesis, number: tuple[int, int]) -> bool:
    """Whether *hypothesis* has gone beyond a play, given as (deal, play)."""
    return (len(hypothesis.deals), plays_in(hypothesis)) > number


def _follows(hypothesis: Hypothesis, deals: tuple[Step, ...]) -> bool:
    own = hypothesis.deals[: len(deals)]
    return len(own) == len(deals) and all(a is b for a, b in zip(own, deals, strict=True))


def _spliced(hypothesis: Hypothesis, now: Hypothesis) -> Hypothesis:
    """Return *hypothesis* with the finished deals of *now* before its own later ones."""
    return hypothesis._replace(deals=(*now.deals, *hypothesis.deals[len(now.deals) :]))
