"""Judging again the cards of a deal in which piştis were claimed, and how sure each answer is."""

from __future__ import annotations

from collections.abc import Sequence
from typing import Final

from vision.decoder.refine import DealCourse
from vision.decoder.steps import NO_CARD, RANKS, matches, of_rank

#: Differences of log-probability are softened by this, because frames repeat each other.
_SOFTENING: Final = 0.5
#: How likely what follows is where no pişti was claimed, beside a claim: a card was played unseen.
_BY_ITSELF: Final = 0.4
#: Seconds for which the cards are out of sight while they are taken; and after so many more, one
#: may as well have been turned over before.
_SHORT: Final = 1.3
_LONG: Final = 1.2


class ClaimCourse(DealCourse):
    """One deal of a found game with claims, whose cards may be changed; see `DealCourse`.

    A card laid face down that nobody saw stays unknown. Changes after which a claim would not be
    one on a single card are none.
    """

    def is_sure(self, place: int) -> float:
        """Return how sure it is that the claim at *place* was one, and how it was answered, 0 to 1.

        What the card is, where it was turned over, is another question.
        """
        evidence, weights = self._evidence, self._evidence.weights
        looks = range(self._laid[place], self.looks[place] + 1)
        counts = sum(map(evidence.back_counts, looks))
        odds = _BY_ITSELF * float(weights.back_false ** (_SOFTENING * counts))
        if self.cards[place] == NO_CARD:
            gap = self.out_of_sight(place)
            odds += weights.unseen_play + min(0.5, max(0.0, gap - _SHORT) / _LONG / 2)
            if self.looks[place] == self._laid[place]:
                # The recording ends before the answer.
                odds += 1.0
        return 1 / (1 + odds)

    def out_of_sight(self, place: int) -> float:
        """Return for how many seconds a card that was turned over may have lain there unseen.

        That is from the last look at the back until a clear look shows that both cards are gone. As
        long as no look was taken nothing moved.
        """
        evidence, gone = self._evidence, self.looks[place]
        backs = [look for look in range(self._laid[place], gone) if evidence.shows_back(look)]
        end = min(self._ends[place], len(evidence.times) - 1)
        clear = next((look for look in range(gone, end) if evidence.is_clear(look)), end)
        hidden = min(backs[-1] + 1, gone) if backs else self._laid[place]
        return evidence.times[clear] - evidence.times[hidden]

    def matching(self, place: int) -> list[int]:
        """Return the cards that match the single one below the claim at *place*, as far as free."""
        matching = of_rank(self.cards[place - 1] % RANKS)
        return [card for card in matching if card not in self.cards]

    def _candidates(self, place: int) -> list[int]:
        return [] if self.cards[place] == NO_CARD else super()._candidates(place)

    def _with(self, place: int, card: int) -> list[int] | None:
        changed = super()._with(place, card)
        return changed if changed is not None and self._is_legal(changed) else None

    def _is_legal(self, cards: Sequence[int]) -> bool:
        """Whether each claim is one on a single card."""
        lying = self._rules.centre_size
        for place in range(self._turned, len(cards)):
            card, is_claim = cards[place], self._laid[place] >= 0
            if is_claim and lying != 1:
                return False
            takes = card == NO_CARD or (
                lying > 0 and matches(card, cards[place - 1], claimed=is_claim)
            )
            lying = 0 if takes else lying + 1
        return True
