"""The most likely legal game behind what was seen: a beam search over the states of the game.

A hypothesis is a game as far as it may have gone. From frame to frame it stays as it is, or a card
is played that has not shown before, and it is judged by how well the pile it holds explains what
the frame shows. Captures follow from the ranks, so that a card which was hardly seen is still
known by what it took (a Viterbi search with pruning; hypotheses that agree in all that matters
later are merged).
"""

from __future__ import annotations

from collections.abc import Iterable, Iterator
from typing import Final, NamedTuple

import numpy as np

from engine.rules import RuleSet
from vision.decoder.evidence import Evidence

_JACK: Final = 10
_RANKS: Final = 13
_NO_CARD: Final = -1
#: Cards whose evidence near a frame is above this are tried as plays there (log-probability).
_TRY_ABOVE: Final = float(np.log(0.1))
#: Hypotheses this far below the best (log-probability) are given up.
_MARGIN: Final = 18.0


class Step(NamedTuple):
    """One play of a hypothesis, linked to the one before; the first is the card turned up."""

    card: int
    look: int
    before: Step | None


class Hypothesis(NamedTuple):
    """A game as far as it may have gone.

    Attributes:
        score: log-probability so far.
        top: the card on top of the pile, -1 for none.
        pile: the face-up cards of the pile, as a bit mask.
        taken: whether the pile was captured and still lies there.
        seen: the cards that have shown in this deal, as a bit mask.
        plays: plays in this deal; -1 before its centre was turned up.
        last: the last step of this deal.
        deals: the last steps of the deals before.
    """

    score: float
    top: int
    pile: int
    taken: bool
    seen: int
    plays: int
    last: Step | None
    deals: tuple[Step, ...]


_Key = tuple[int, int, bool, int, int]


class Search:
    """Follows the likeliest games through the looks, one after the other.

    Args:
        rules: the rule set.
        evidence: the likelihood of what was seen.
        beam: how many hypotheses are kept.

    Attributes:
        kept: the hypotheses after the last look taken in, the likeliest first.
    """

    def __init__(self, rules: RuleSet, evidence: Evidence, *, beam: int = 100) -> None:
        self.kept = [Hypothesis(0.0, _NO_CARD, 0, False, 0, -1, None, ())]
        self._plays = rules.plays
        self._evidence = evidence
        self._beam = beam

    def run(self) -> list[Hypothesis]:
        """Take in all looks and return the kept hypotheses, the likeliest first."""
        for look in range(len(self._evidence.times)):
            self.advance(look)
        return self.kept

    def advance(self, look: int) -> None:
        """Take in one look."""
        evidence = self._evidence
        candidates = [int(card) for card in np.flatnonzero(evidence.played[look] > _TRY_ABOVE)]
        piles: dict[tuple[int, int], float] = {}
        best: dict[_Key, Hypothesis] = {}
        floor = float("-inf")
        for kept in self.kept:
            for following in self._followers(kept, look, candidates):
                score, top, pile, taken, seen, _, _, deals = following
                if score < floor:
                    continue
                shows = piles.get((pile, top))
                if shows is None:
                    shows = piles[pile, top] = evidence.of_pile(look, pile, top)
                score += shows
                if score < floor:
                    continue
                floor = max(floor, score - _MARGIN)
                key = (top, pile, taken, seen, len(deals))
                known = best.get(key)
                if known is None or score > known.score:
                    best[key] = following._replace(score=score)
        ranked = sorted(best.values(), reverse=True, key=_score)[: self._beam]
        self.kept = [hypothesis for hypothesis in ranked if hypothesis.score >= floor]

    def _followers(
        self, hypothesis: Hypothesis, look: int, candidates: list[int]
    ) -> Iterator[Hypothesis]:
        """Yield what *hypothesis* may have become when the look was taken."""
        yield hypothesis
        if hypothesis.taken:
            yield _swept(hypothesis)
        for after in self._played(hypothesis, look, candidates):
            yield after
            if after.taken:
                yield _swept(after)
            # Two plays may follow within half a second, so that the first never lies at rest.
            for second in self._played(after, look, candidates):
                yield second
                if second.taken:
                    yield _swept(second)

    def _played(
        self, hypothesis: Hypothesis, look: int, candidates: Iterable[int]
    ) -> Iterator[Hypothesis]:
        evidence, weights = self._evidence.played[look], self._evidence.weights
        score = hypothesis.score
        if hypothesis.plays in (-1, self._plays):
            for card in candidates:
                if card % _RANKS != _JACK:
                    yield _turned_up(hypothesis, card, look, score + weights.deal + evidence[card])
            return
        seen = hypothesis.seen
        for card in (*candidates, *self._captors(hypothesis, candidates)):
            if not seen >> card & 1:
                paid = score + weights.play + float(evidence[card])
                yield _with_play(hypothesis, card, look, paid, self._plays)

    def _captors(self, hypothesis: Hypothesis, candidates: Iterable[int]) -> Iterator[int]:
        """Yield the cards that can capture now, hardly seen as they may be."""
        if hypothesis.top != _NO_CARD and not hypothesis.taken:
            for suit in range(0, 4 * _RANKS, _RANKS):
                for rank in {hypothesis.top % _RANKS, _JACK}:
                    if suit + rank not in candidates:
                        yield suit + rank


def steps_of(last: Step | None) -> list[Step]:
    """Return the steps up to *last*, the first one first."""
    steps = []
    while last is not None:
        steps.append(last)
        last = last.before
    return steps[::-1]


def _score(hypothesis: Hypothesis) -> float:
    return hypothesis.score


def _turned_up(hypothesis: Hypothesis, card: int, look: int, score: float) -> Hypothesis:
    """Return the deal that begins with *card* turned up in the centre."""
    deals = hypothesis.deals
    if hypothesis.last is not None:
        deals = (*deals, hypothesis.last)
    bit = 1 << card
    return Hypothesis(score, card, bit, False, bit, 0, Step(card, look, None), deals)


def _with_play(
    hypothesis: Hypothesis, card: int, look: int, score: float, plays: int
) -> Hypothesis:
    """Return the game after *card* was played; *plays* end the deal."""
    _, top, pile, taken, seen, count, last, deals = hypothesis
    if taken:
        # What was captured has been swept away by now: the new card lies alone.
        top, pile = _NO_CARD, 0
    rank = card % _RANKS
    takes = top != _NO_CARD and rank in (top % _RANKS, _JACK)
    bit = 1 << card
    # After the last play, whoever captured last takes the rest.
    taken = takes or count + 1 == plays
    step = Step(card, look, last)
    return Hypothesis(score, card, pile | bit, taken, seen | bit, count + 1, step, deals)


def _swept(hypothesis: Hypothesis) -> Hypothesis:
    """Return the hypothesis with the captured pile gone from the table."""
    return hypothesis._replace(top=_NO_CARD, pile=0, taken=False)
