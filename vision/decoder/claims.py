"""Claimed piştis (the rule `bluff`): a card laid face down on the single one, and its answer.

A back that comes to lie on the pile's place, over one known card, is a claim that waits. Where both
are taken and no face was shown it was accepted; where a face shows on top it was challenged.
"""

from __future__ import annotations

from collections.abc import Iterator, Mapping

from engine.rules import RuleSet
from vision.decoder.evidence import Evidence
from vision.decoder.frontier import Frontier
from vision.decoder.plays import answered, claimed
from vision.decoder.search import Search
from vision.decoder.steps import BACK, NO_CARD, RANKS, Hypothesis, piles, plays_in, steps_of


def search_for(
    rules: RuleSet,
    evidence: Evidence,
    *,
    beam: int = 80,
    facts: Mapping[tuple[int, int], int] | None = None,
    bottom: int | None = None,
) -> Search:
    """Return the search for games by *rules*; arguments as of `Search`."""
    kind = ClaimSearch if rules.bluff else Search
    return kind(rules, evidence, beam=beam, facts=facts, bottom=bottom)


class ClaimSearch(Search):
    """A search for games in which piştis may be claimed; see `Search`.

    A fact of `NO_CARD` says that a claim was accepted, one of a card that it is what was played or,
    where a pişti was claimed, turned over.
    """

    def _frontier(self, look: int) -> Frontier:
        return _ClaimFrontier(self._evidence, look, self._round, self._plays)

    def _played(self, hypothesis: Hypothesis, step: Frontier) -> Iterator[Hypothesis]:
        if hypothesis.top == BACK:
            yield from self._answered(hypothesis, step)
            return
        fact = self._facts.get((len(hypothesis.deals), plays_in(hypothesis)))
        if fact != NO_CARD:
            yield from super()._played(hypothesis, step)
        laid = fact == NO_CARD or self._evidence.is_laid(step.number)
        if laid and self._may_claim(hypothesis):
            price = self._price(hypothesis, step) + self._evidence.weights.claim
            if price >= step.below(hypothesis):
                yield claimed(hypothesis, step.number, price)

    def _may_claim(self, hypothesis: Hypothesis) -> bool:
        """Whether just one card lies on the table, and a hand that may lay another on it."""
        if hypothesis.taken or hypothesis.top < 0 or hypothesis.pile.bit_count() != 1:
            return False
        return _is_bare(hypothesis, self._plays)

    def _answered(self, hypothesis: Hypothesis, step: Frontier) -> Iterator[Hypothesis]:
        """Yield the games in which the claim that waits is answered now."""
        waiting, weights, number = hypothesis.last, self._evidence.weights, step.number
        assert waiting is not None
        if number <= waiting.laid:
            return
        waited = self._evidence.times[number] - self._evidence.times[waiting.laid]
        price = hypothesis.score + weights.of_answer(waited)
        floor = step.below(hypothesis)
        if price < floor:
            return
        fact = self._facts.get((len(hypothesis.deals), plays_in(hypothesis) - 1))
        if fact in (None, NO_CARD):
            yield answered(hypothesis, NO_CARD, number, price, self._plays)
        single = hypothesis.pile.bit_length() - 1
        cards = step.tried((single % RANKS,))
        if fact is not None:
            cards = () if fact == NO_CARD else (fact,)
        for card in cards:
            if (paid := price + step.played[card]) < floor or hypothesis.pile >> card & 1:
                continue
            if self._is_free(hypothesis, card):
                yield answered(hypothesis, card, number, paid, self._plays)
            else:
                for other, better in self._named_anew(hypothesis, card, step, paid):
                    yield answered(other, card, number, better, self._plays)


class _ClaimFrontier(Frontier):
    """The likeliest games at one look, judged by what lies face down on the pile as well."""

    def __init__(self, evidence: Evidence, number: int, round_: int, plays: int) -> None:
        super().__init__(evidence, number, round_)
        self._backs = evidence.back(number) > 0
        self._plays = plays

    def _judge(self, hypothesis: Hypothesis) -> None:
        lies = hypothesis.top == BACK
        if lies or (self._backs and _is_bare(hypothesis, self._plays)):
            score = hypothesis.score + self._evidence.of_back(self.number, lies=lies)
            hypothesis = hypothesis._replace(score=score)
        super()._judge(hypothesis)

    def _dealt(self, hypothesis: Hypothesis) -> bool:
        # Hands that come to turn the card over, or to take both, play nothing.
        last = hypothesis.last
        return (last is not None and last.laid >= 0) or super()._dealt(hypothesis)


def _is_bare(hypothesis: Hypothesis, plays: int) -> bool:
    """Whether no card of the table lies face down, but for a claim's; *plays* end a deal.

    The centre's face-down cards were taken in this deal already.
    """
    if plays_in(hypothesis) <= 0 or hypothesis.plays == plays:
        return False
    if hypothesis.swept:
        return True
    steps = steps_of(hypothesis.last)
    return any(taken for _, _, taken in piles(steps, [step.card for step in steps]))
