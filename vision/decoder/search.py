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
from itertools import chain
from typing import Final

import numpy as np

from engine.rules import HAND_SIZE, RuleSet
from vision.decoder.evidence import Evidence
from vision.decoder.rename import renamed
from vision.decoder.steps import DECK, JACK, NO_CARD, OPEN, RANKS, Hypothesis, Step, plays_in

#: Cards whose evidence near a frame is above this are tried as plays there (log-probability).
_TRY_ABOVE: Final = float(np.log(0.1))
#: A card that shows this clearly although it was played before makes one doubt the earlier play.
_SURE: Final = float(np.log(0.6))
#: Hypotheses this far below the best (log-probability) are given up.
_MARGIN: Final = 12.0
#: Games that began before the recording may be this much further behind.
_PATIENCE: Final = 6.0


_Key = tuple[int, int, bool, int, int, int, bool, int]


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
        step = _Look(self._evidence, look, self._round)
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

    def _may_follow_at_once(self, hypothesis: Hypothesis, step: _Look) -> bool:
        """Whether one more card played at the same look could still be kept."""
        if step.quiet:
            return False
        if not 0 < hypothesis.plays < self._plays:
            return True
        weights = self._evidence.weights
        return hypothesis.score + weights.play + weights.at_once >= step.below(hypothesis)

    def _played(self, hypothesis: Hypothesis, step: _Look) -> Iterator[Hypothesis]:
        """Yield *hypothesis* with one more card played, as far as that can still be kept."""
        evidence, weights = step.played, self._evidence.weights
        floor = step.below(hypothesis)
        begins = hypothesis.plays in (-1, self._plays)
        turning = hypothesis.plays == 0 and hypothesis.top % RANKS == JACK
        price = hypothesis.score + (weights.deal if begins else weights.play)
        pause = self._pause(hypothesis, step)
        if begins:
            price += weights.of_gathering(pause)
        elif hypothesis.plays > 0:
            dealt: bool | None = hypothesis.plays % self._round == 0
            if hypothesis.plays >= OPEN:
                dealt = None
                if price + weights.deal_after_cut >= floor:
                    yield from self._next_deal(hypothesis, step)
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
        if price < floor:
            return
        number = (len(hypothesis.deals), plays_in(hypothesis))
        if begins:
            cards: Iterable[int] = step.candidates
        elif not turning and number in self._facts:
            cards = (self._facts[number],)
        elif step.quiet:
            # A card that nobody saw can have been played while something moved only.
            cards = step.candidates
        else:
            cards = chain(step.candidates, _captors(hypothesis, step))
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
                if (
                    not (turning or step.quiet)
                    and evidence[card] > _SURE
                    and not hypothesis.pile >> card & 1
                ):
                    fixed = [play for deal, play in self._facts if deal == number[0]]
                    names = renamed(hypothesis, card, step.number, self._evidence, fixed)
                    for other in names:
                        better = other.score - hypothesis.score + paid
                        if better >= floor and self._is_free(other, card):
                            yield _with_play(other, card, step.number, better, self._plays)
            elif turning:
                yield _turned_next(hypothesis, card, step.number, paid, self._covers_jacks)
            else:
                if self._is_early(hypothesis, card):
                    paid += weights.early_bottom
                yield _with_play(hypothesis, card, step.number, paid, self._plays)

    def _pause(self, hypothesis: Hypothesis, step: _Look) -> float:
        """Return the seconds since the last card of *hypothesis* was laid."""
        if hypothesis.last is None:
            return math.inf
        return float(self._evidence.times[step.number] - self._evidence.times[hypothesis.last.look])

    def _turned_for(self, hypothesis: Hypothesis, step: _Look) -> float:
        """Return for how many seconds the card turned up in the centre may have lain there.

        It may have been turned up as soon as the look before it: seconds go by between two looks
        where a computer has no time for more.
        """
        if hypothesis.last is None or hypothesis.last.look == 0:
            return math.inf
        times = self._evidence.times
        return float(times[step.number] - times[hypothesis.last.look - 1])

    def _next_deal(self, hypothesis: Hypothesis, step: _Look) -> Iterator[Hypothesis]:
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
        self, hypothesis: Hypothesis, card: int, step: _Look, score: float
    ) -> Iterator[Hypothesis]:
        """Yield the deals that begin with *card* turned up, one for each player who may be first.

        The dealer turns it up; in the next deal the next player deals.
        """
        begun = _turned_up(hypothesis, card, step.number, score)
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

    def _by_hand(self, hypothesis: Hypothesis, step: _Look, number: int) -> float:
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


class _Look:
    """One look while it is taken in.

    Attributes:
        number: its number.
        played: the evidence that each card is played here.
        candidates: the cards for which it is strong enough to try them.
        quiet: whether nothing moves and nothing new lies there.
        best: the best hypothesis for each key.
        floor: what a hypothesis must score to be kept.
    """

    def __init__(self, evidence: Evidence, number: int, round_: int) -> None:
        self.number = number
        self._round = round_
        self.played: list[float] = evidence.played(number)
        self.candidates = [c for c, evident in enumerate(self.played) if evident > _TRY_ABOVE]
        self.quiet = evidence.is_quiet(number)
        self.best: dict[_Key, Hypothesis] = {}
        self.floor = -math.inf
        self._evidence = evidence

    def below(self, hypothesis: Hypothesis) -> float:
        """Return the score below which *hypothesis* is given up.

        A game that began before the recording may be far behind until the next deal tells.
        """
        return self.floor - (_PATIENCE if hypothesis.cut else 0.0)

    def judge(self, hypothesis: Hypothesis) -> None:
        """Score *hypothesis* by what the look shows, and once more with a taken pile swept."""
        self._judge(hypothesis)
        if hypothesis.taken:
            self._judge(hypothesis._replace(top=NO_CARD, pile=0, taken=False, swept=True))

    def _judge(self, hypothesis: Hypothesis) -> None:
        score, top, pile, taken, seen, plays, last, deals, _, cut, first = hypothesis
        score += self._evidence.of_pile(self.number, pile, top)
        if self._evidence.hands is not None and last is not None and last.look < self.number:
            # Where nobody counted the plays, any may be the first of a hand deal.
            dealt = plays >= OPEN or plays % self._round == 0
            score += self._evidence.moved_on(last.look, self.number, dealt=dealt)
        if score < self.below(hypothesis):
            return
        self.floor = max(self.floor, score - _MARGIN)
        key = (top, pile, taken, seen, plays, len(deals), cut, first)
        known = self.best.get(key)
        if known is None or score > known.score:
            self.best[key] = hypothesis._replace(score=score)


def _captors(hypothesis: Hypothesis, step: _Look) -> Iterator[int]:
    """Yield the cards that can capture now, hardly seen as they may be."""
    if hypothesis.top != NO_CARD and not hypothesis.taken:
        for suit in range(0, 4 * RANKS, RANKS):
            for rank in {hypothesis.top % RANKS, JACK}:
                if suit + rank not in step.candidates:
                    yield suit + rank


def known_game(
    rules: RuleSet, turned_up: Iterable[tuple[int, int]], plays: Iterable[tuple[int, int]]
) -> Hypothesis:
    """Return the game in which just these cards were turned up and played, to search on from.

    Args:
        rules: the rule set.
        turned_up: the card turned up in the centre, those after a Jack behind it, each with the
            number of its look; -1 for a card that nobody saw.
        plays: the cards played, likewise.
    """
    game = Hypothesis(0.0, NO_CARD, 0, False, 0, -1, None, ())
    covers = rules.jack_on_centre == "turn_next"
    for at, (card, look) in enumerate(turned_up):
        if card == NO_CARD:
            game = game._replace(plays=0, last=Step(card, look, game.last))
        elif at:
            game = _turned_next(game, card, look, 0.0, covers)
        else:
            game = _turned_up(game, card, look, 0.0)
    for card, look in plays:
        if card == NO_CARD:
            step = Step(card, look, game.last)
            game = game._replace(top=card, taken=False, plays=game.plays + 1, last=step)
        else:
            game = _with_play(game, card, look, 0.0, rules.plays)
    return game


def _score(hypothesis: Hypothesis) -> float:
    return hypothesis.score


def _turned_up(hypothesis: Hypothesis, card: int, look: int, score: float) -> Hypothesis:
    """Return the deal that begins with *card* turned up in the centre."""
    deals = hypothesis.deals
    if hypothesis.last is not None:
        deals = (*deals, hypothesis.last)
    bit = 1 << card
    step = Step(card, look, None)
    return Hypothesis(score, card, bit, False, bit, 0, step, deals, False, hypothesis.cut)


def _turned_next(
    hypothesis: Hypothesis, card: int, look: int, score: float, covers: bool
) -> Hypothesis:
    """Return the deal in which *card* was turned up after a Jack.

    The Jack is covered where the rules say so, else it goes back into the pile, face down.
    """
    bit = 1 << card
    step = Step(card, look, hypothesis.last)
    pile = hypothesis.pile | bit if covers else bit
    return hypothesis._replace(
        score=score, top=card, pile=pile, seen=hypothesis.seen | bit, last=step
    )


def _with_play(
    hypothesis: Hypothesis, card: int, look: int, score: float, plays: int
) -> Hypothesis:
    """Return the game after *card* was played; *plays* end the deal."""
    _, top, pile, taken, seen, count, last, deals, _, cut, first = hypothesis
    if taken:
        # What was captured has been swept away by now: the new card lies alone.
        top, pile = NO_CARD, 0
    rank = card % RANKS
    takes = top != NO_CARD and rank in (top % RANKS, JACK)
    bit = 1 << card
    if seen & bit:
        seen |= bit << DECK
    # After the last play, whoever captured last takes the rest.
    taken = takes or count + 1 == plays
    step = Step(card, look, last)
    return Hypothesis(
        score, card, pile | bit, taken, seen | bit, count + 1, step, deals, taken, cut, first
    )
