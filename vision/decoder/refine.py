"""Which card each play of a found game was, judged over the whole deal.

The beam forgets early explanations that only later cards speak for: a card read as another one is
missed when that other one shows. So the plays of the best game keep their times, and their cards
are changed or exchanged, one or two at a time, as long as the whole deal becomes likelier. How much
less likely a deal is with another card is also how sure a play is.
"""

from __future__ import annotations

import math
from collections.abc import Mapping, Sequence
from dataclasses import dataclass
from typing import Final

from engine.rules import HAND_SIZE, RuleSet
from vision.decoder.evidence import Evidence
from vision.decoder.steps import BACK, DECK, JACK, NO_CARD, RANKS, Step, matches, of_rank

#: A card is tried for a play when the frames nearby speak for it this much (log-probability).
_TRY_ABOVE: Final = math.log(0.06)
#: A play whose card showed less than this may be any card that is left.
_UNSEEN_BELOW: Final = math.log(0.3)
#: Rounds of changes; each round tries every play.
_ROUNDS: Final = 4


@dataclass(frozen=True, slots=True)
class Rival:
    """Another card that a play may have been; *behind* is by how much less likely (logarithm)."""

    card: int
    behind: float


class DealCourse:
    """One deal of a found game, whose cards may be changed.

    Args:
        rules: the rule set.
        evidence: the likelihood of what was seen.
        steps: the cards turned up and played, with the looks at which they were.
        turned: how many of them were turned up in the centre.
        end: the look at which the next deal begins, or the number of looks.
        facts: known cards by play.
        bottom: the stock's shown bottom card.

    Attributes:
        cards: the card of each step.
        looks: the look of each step.
    """

    def __init__(
        self,
        rules: RuleSet,
        evidence: Evidence,
        steps: Sequence[Step],
        turned: int,
        end: int,
        facts: Mapping[int, int],
        bottom: int | None,
    ) -> None:
        self.cards = [step.card for step in steps]
        self.looks = [step.look for step in steps]
        self._rules, self._evidence = rules, evidence
        self._laid = [step.laid for step in steps]
        #: When the last look at each card is over: the next one lies there, face down or not.
        self._ends = [*(step.begin for step in steps[1:]), end]
        self._turned = turned
        self._fixed = {turned + play for play in facts}
        self._bottom = bottom
        last = rules.plays - HAND_SIZE * rules.players
        self._bottom_at = range(
            turned + last + rules.players - 1, turned + rules.plays, rules.players
        )
        self._covers_jacks = rules.jack_on_centre == "turn_next"
        self._rests: dict[tuple[int, int, int, bool], float] = {}

    def improve(self) -> None:
        """Change cards as long as the deal becomes likelier."""
        best = self._score(self.cards)
        for _ in range(_ROUNDS):
            before = best
            for place in range(len(self.cards)):
                for card in self._candidates(place):
                    changed = self._with(place, card)
                    if changed and (score := self._score(changed)) > best + 1e-6:
                        best, self.cards = score, changed
            if best <= before:
                return

    def rivals(self, place: int) -> list[Rival]:
        """Return what else the step at *place* may have been, the likeliest first."""
        if place in self._fixed:
            return []
        best = self._score(self.cards)
        found = []
        for card in self._candidates(place):
            changed = self._with(place, card)
            if changed:
                found.append(Rival(card, best - self._score(changed)))
        return sorted(found, key=lambda rival: rival.behind)

    def _candidates(self, place: int) -> list[int]:
        """Return the cards that may be tried for a step: what showed, and what captures."""
        if place in self._fixed:
            return []
        shown = self._evidence.played(self.looks[place])
        tried = [card for card, evident in enumerate(shown) if evident > _TRY_ABOVE]
        if place >= self._turned:
            for known in (self.cards[place], self.cards[place - 1]):
                tried += of_rank(known % RANKS) if known != NO_CARD else ()
            if shown[self.cards[place]] < _UNSEEN_BELOW:
                # Of a card that hardly showed, all that is known is that it is none of the others.
                tried += [card for card in range(DECK) if card not in self.cards]
        return [card for card in dict.fromkeys(tried) if card != self.cards[place]]

    def _with(self, place: int, card: int) -> list[int] | None:
        """Return the cards with *card* at *place*; a step that has it gets the other one's.

        None where that cannot be.
        """
        changed = list(self.cards)
        if self._rules.decks == 1 and card in changed:
            other = changed.index(card)
            if other in self._fixed:
                return None
            changed[other] = changed[place]
        changed[place] = card
        for at, one in enumerate(changed[: self._turned]):
            if (one % RANKS == JACK) != (at < self._turned - 1):
                return None
        if self._is_early(changed) and not self._is_early(self.cards):
            return None
        return changed

    def _is_early(self, cards: Sequence[int]) -> bool:
        return self._bottom in cards and cards.index(self._bottom) not in self._bottom_at

    def _score(self, cards: Sequence[int]) -> float:
        """Return the log-likelihood of the deal's looks with these *cards*."""
        evidence, weights, looks = self._evidence, self._evidence.weights, self.looks
        total, pile, top = 0.0, 0, NO_CARD
        for place, (card, look) in enumerate(zip(cards, looks, strict=True)):
            laid, end, plays = self._laid[place], self._ends[place], place + 1 - self._turned
            taken = False
            if laid >= 0:
                total += self._rest(laid, look, pile, BACK, False)
            if card == NO_CARD:
                # A claim was accepted: both cards are gone.
                pile, top = 0, NO_CARD
                total += self._rest(look, end, pile, top, taken)
            else:
                total += evidence.played(look)[card]
                takes = plays > 0 and top != NO_CARD and matches(card, top, claimed=laid >= 0)
                taken = takes or plays == self._rules.plays
                if plays <= 0 and not self._covers_jacks:
                    pile = 0
                pile |= 1 << card
                total += self._rest(look, end, pile, card, taken)
                pile, top = (0, NO_CARD) if taken else (pile, card)
            if plays > 0 and place + 1 < len(looks) and plays % (HAND_SIZE * self._rules.players):
                pause = evidence.times[end] - evidence.times[look]
                total += weights.of_pause(pause, dealt=False, swept=taken)
        return total

    def _rest(self, first: int, end: int, pile: int, top: int, taken: bool) -> float:
        """Return the log-likelihood of the looks from *first* to *end*.

        A captured pile lies there until it is swept away, at the look that fits best.
        """
        key = (first, pile, top, taken)
        known = self._rests.get(key)
        if known is None:
            shows = self._evidence.of_pile
            known = lying = sum(shows(look, pile, top) for look in range(first, end))
            if taken:
                empty = 0.0
                known += 0.0 if end == len(self._evidence.times) else self._evidence.weights.unswept
                for look in range(end - 1, first - 1, -1):
                    lying -= shows(look, pile, top)
                    empty += shows(look, 0, NO_CARD)
                    known = max(known, lying + empty)
            self._rests[key] = known
        return known
