"""The most likely legal game behind what was seen: a beam search over the states of the game.

A hypothesis is a game as far as it may have gone. From frame to frame it stays as it is, or a card
is played that has not shown before, and it is judged by how well the pile it holds explains what
the frame shows. Captures follow from the ranks, so that a card which was hardly seen is still
known by what it took (a Viterbi search with pruning; hypotheses that agree in all that matters
later are merged).
"""

from __future__ import annotations

import math
from collections.abc import Iterable, Iterator, Mapping
from typing import Final

import numpy as np

from engine.rules import HAND_SIZE, RuleSet
from vision.decoder.evidence import Evidence
from vision.decoder.frontier import Frontier
from vision.decoder.plays import turned_next, turned_up, with_play
from vision.decoder.rename import renamed
from vision.decoder.steps import DECK, JACK, NO_CARD, OPEN, RANKS, Hypothesis, plays_in

#: A card that shows this clearly although it was played before makes one doubt the earlier play.
_SURE: Final = float(np.log(0.6))


class Search:
    """Follows the likeliest games through the looks, one after the other.

    Args:
        rules: the rule set.
        evidence: the likelihood of what was seen.
        beam: how many hypotheses are kept.
        facts: cards that are known, by (deal, play); a play that is known has no other card.
        bottom: the bottom card of the first deal's stock, which the dealer plays among the last.

    Attributes:
        kept: the hypotheses after the last look taken in, the likeliest first.
    """

    def __init__(
        self,
        rules: RuleSet,
        evidence: Evidence,
        *,
        beam: int = 80,
        facts: Mapping[tuple[int, int], int] | None = None,
        bottom: int | None = None,
    ) -> None:
        self.kept = [Hypothesis(0.0, NO_CARD, 0, False, 0, -1, None, ())]
        self._plays = rules.plays
        self._covers_jacks = rules.jack_on_centre == "turn_next"
        self._round = HAND_SIZE * rules.players
        self._evidence = evidence
        self._beam = beam
        self._facts = facts or {}
        self._bottom = bottom
        self._decks = rules.decks
        # The dealer's cards of the last hand deal, the bottom card among them.
        last, players = rules.plays - self._round, rules.players
        self._bottom_plays = range(last + players - 1, rules.plays, players)

    def run(self) -> Hypothesis:
        """Take in all looks and return the likeliest game."""
        for look in range(len(self._evidence.times)):
            self.advance(look)
        return self.best()

    def best(self) -> Hypothesis:
        """Return the likeliest of the kept games, should the recording end here."""
        return max(self.kept, key=self._at_end)

    def _at_end(self, hypothesis: Hypothesis) -> float:
        """Return the score of a game that goes no further: most recordings hold whole deals."""
        whole = hypothesis.plays in (-1, self._plays) or hypothesis.plays >= OPEN
        weights = self._evidence.weights
        began = weights.cut_in_after if hypothesis.cut else 0.0
        return hypothesis.score + began + (0.0 if whole else weights.cut_off)

    def advance(self, look: int) -> None:
        """Take in one look."""
        step = self._frontier(look)
        for hypothesis in self.kept:
            step.judge(hypothesis)
        for hypothesis in self.kept:
            for after in self._played(hypothesis, step):
                step.judge(after)
                # Two plays may follow within half a second, so that the first never lies at rest.
                if self._may_follow_at_once(after, step):
                    for second in self._played(after, step):
                        step.judge(second)
        ranked = sorted(step.best.values(), reverse=True, key=_score)
        ranked = [hypothesis for hypothesis in ranked if hypothesis.score >= step.below(hypothesis)]
        # Games that began before the recording keep some places until the next deal tells.
        began = [hypothesis for hypothesis in ranked[self._beam :] if hypothesis.cut]
        self.kept = ranked[: self._beam] + began[: self._beam // 8]

    def _frontier(self, look: int) -> Frontier:
        """Return what is to hold the likeliest games at a look."""
        return Frontier(self._evidence, look, self._round)

    def _may_follow_at_once(self, hypothesis: Hypothesis, step: Frontier) -> bool:
        """Whether one more card played at the same look could still be kept."""
        if step.quiet:
            return False
        if not 0 < hypothesis.plays < self._plays:
            return True
        weights = self._evidence.weights
        return hypothesis.score + weights.play + weights.at_once >= step.below(hypothesis)

    def _played(self, hypothesis: Hypothesis, step: Frontier) -> Iterator[Hypothesis]:
        """Yield *hypothesis* with one more card played, as far as that can still be kept."""
        evidence, weights = step.played, self._evidence.weights
        floor = step.below(hypothesis)
        begins = hypothesis.plays in (-1, self._plays)
        turning = hypothesis.plays == 0 and hypothesis.top % RANKS == JACK
        next_deal = hypothesis.score + weights.play + weights.deal_after_cut
        if hypothesis.plays >= OPEN and next_deal >= floor:
            yield from self._next_deal(hypothesis, step)
        price = self._price(hypothesis, step, begins=begins, turning=turning)
        if price < floor:
            return
        number = (len(hypothesis.deals), plays_in(hypothesis))
        if begins:
            cards: Iterable[int] = step.candidates
        elif not turning and number in self._facts:
            cards = (self._facts[number],)
        else:
            captures = hypothesis.top != NO_CARD and not hypothesis.taken
            cards = step.tried({hypothesis.top % RANKS, JACK} if captures else ())
        for card in cards:
            # What a look shows only lowers a score, so this one can be dropped unseen.
            if (paid := price + evidence[card]) < floor:
                continue
            if begins:
                for first in self._begun(hypothesis, card, step, paid):
                    yield first
                    if hypothesis.last is None:
                        # The recording may have begun within a deal, of which this is the top card.
                        late = self._evidence.times[step.number] - self._evidence.times[0]
                        whole = paid + weights.of_cut(late)
                        whole += self._evidence.of_centre(0, step.number, begins=False)
                        yield first._replace(score=whole, plays=OPEN, cut=True)
            elif not self._is_free(hypothesis, card):
                if not turning:
                    for other, better in self._named_anew(hypothesis, card, step, paid):
                        yield with_play(other, card, step.number, better, self._plays)
            elif turning:
                yield turned_next(hypothesis, card, step.number, paid, self._covers_jacks)
            else:
                if self._is_early(hypothesis, card):
                    paid += weights.early_bottom
                yield with_play(hypothesis, card, step.number, paid, self._plays)

    def _price(
        self,
        hypothesis: Hypothesis,
        step: Frontier,
        *,
        begins: bool = False,
        turning: bool = False,
    ) -> float:
        """Return the score of *hypothesis* with a card laid now, whatever card it is.

        Args:
            hypothesis: the game before.
            step: the look.
            begins: whether it is the card that a deal begins with.
            turning: whether it is turned up after a Jack; else it is played.
        """
        weights = self._evidence.weights
        price = hypothesis.score + (weights.deal if begins else weights.play)
        pause = self._pause(hypothesis, step)
        if begins:
            price += weights.of_gathering(pause)
        elif hypothesis.plays > 0:
            dealt = None if hypothesis.plays >= OPEN else hypothesis.plays % self._round == 0
            price += weights.of_pause(pause, dealt=dealt, swept=hypothesis.swept)
        elif not turning:
            price += weights.of_first(self._turned_for(hypothesis, step))
        if hypothesis.taken:
            price += weights.unswept
        if hypothesis.last is not None and not turning:
            since = hypothesis.last.look
            price += self._evidence.of_centre(since, step.number, begins=begins)
        if not (begins or turning):
            price += self._by_hand(hypothesis, step, plays_in(hypothesis))
        return price

    def _named_anew(
        self, hypothesis: Hypothesis, card: int, step: Frontier, paid: float
    ) -> Iterator[tuple[Hypothesis, float]]:
        """Yield the games in which the earlier play of *card*, which shows now, was another card.

        Each with its score after what was *paid* for what *card* does now.
        """
        if step.quiet or step.played[card] <= _SURE or hypothesis.pile >> card & 1:
            return
        fixed = [play for deal, play in self._facts if deal == len(hypothesis.deals)]
        for other in renamed(hypothesis, card, step.number, self._evidence, fixed):
            better = other.score - hypothesis.score + paid
            if better >= step.below(hypothesis) and self._is_free(other, card):
                yield other, better

    def _pause(self, hypothesis: Hypothesis, step: Frontier) -> float:
        """Return the seconds since the last card of *hypothesis* was laid."""
        if hypothesis.last is None:
            return math.inf
        return float(self._evidence.times[step.number] - self._evidence.times[hypothesis.last.look])

    def _turned_for(self, hypothesis: Hypothesis, step: Frontier) -> float:
        """Return for how many seconds the card turned up in the centre may have lain there.

        It may have been turned up as soon as the look before it: seconds go by between two looks
        where a computer has no time for more.
        """
        if hypothesis.last is None or hypothesis.last.look == 0:
            return math.inf
        times = self._evidence.times
        return float(times[step.number] - times[hypothesis.last.look - 1])

    def _next_deal(self, hypothesis: Hypothesis, step: Frontier) -> Iterator[Hypothesis]:
        """Yield the deals that may begin after one whose plays nobody counted."""
        number = len(hypothesis.deals), plays_in(hypothesis)
        if any(number <= fact < (number[0] + 1, 0) for fact in self._facts):
            return
        weights, floor = self._evidence.weights, step.below(hypothesis)
        price = hypothesis.score + weights.deal_after_cut
        price += weights.of_gathering(self._pause(hypothesis, step))
        if hypothesis.last is not None:
            since = hypothesis.last.look
            price += self._evidence.of_centre(since, step.number, begins=True)
        for card in step.candidates:
            if (paid := price + step.played[card]) >= floor:
                yield from self._begun(hypothesis, card, step, paid)

    def _begun(
        self, hypothesis: Hypothesis, card: int, step: Frontier, score: float
    ) -> Iterator[Hypothesis]:
        """Yield the deals that begin with *card* turned up, one for each player who may be first.

        The dealer turns it up; in the next deal the next player deals.
        """
        begun = turned_up(hypothesis, card, step.number, score)
        hands = self._evidence.hands
        if hands is None:
            yield begun
            return
        if hypothesis.last is None or hypothesis.plays >= OPEN:
            seats = range(hands.players)
        else:
            next_one = (hypothesis.first + 1) % hands.players
            seats = range(next_one, next_one + 1)
        turned = hands.played(-math.inf, self._evidence.times[step.number])
        for first in seats:
            by_hand = self._evidence.weights.dealer_turns * turned[first - 1]
            yield begun._replace(score=score + by_hand, first=first)

    def _by_hand(self, hypothesis: Hypothesis, step: Frontier, number: int) -> float:
        """Return the log-probability of the movements if play *number* of the deal is made now."""
        evidence = self._evidence
        if evidence.hands is None:
            return 0.0
        assert hypothesis.last is not None
        before, now = evidence.times[hypothesis.last.look], evidence.times[step.number]
        likely = evidence.hands.played(before, now)
        return likely[(hypothesis.first + number) % evidence.hands.players]

    def _is_free(self, hypothesis: Hypothesis, card: int) -> bool:
        """Whether *card* can still be played in this deal, and now."""
        if hypothesis.seen >> card & 1:
            return self._decks > 1 and not hypothesis.seen >> (card + DECK) & 1
        return True

    def _is_early(self, hypothesis: Hypothesis, card: int) -> bool:
        """Whether *card* is the stock's bottom card, which nobody can have now."""
        if card != self._bottom or hypothesis.deals:
            return False
        return hypothesis.plays not in self._bottom_plays


def _score(hypothesis: Hypothesis) -> float:
    return hypothesis.score
