"""The likeliest games at one look: each is judged by what the look shows, and few are kept."""

from __future__ import annotations

import math
from collections.abc import Collection, Iterable
from itertools import chain
from typing import Final

import numpy as np

from vision.decoder.evidence import Evidence
from vision.decoder.steps import DECK, NO_CARD, OPEN, RANKS, Hypothesis

#: Cards whose evidence near a frame is above this are tried as plays there (log-probability).
_TRY_ABOVE: Final = float(np.log(0.1))
#: Hypotheses this far below the best (log-probability) are given up.
_MARGIN: Final = 12.0
#: Games that began before the recording may be this much further behind.
_PATIENCE: Final = 6.0

_Key = tuple[int, int, bool, int, int, int, bool, int]


class Frontier:
    """The likeliest games at one look, while it is taken in.

    Args:
        evidence: the likelihood of what was seen.
        number: of the look.
        round_: plays of one hand deal.

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

    def tried(self, ranks: Collection[int]) -> Iterable[int]:
        """Return the cards to try as plays here: the candidates, and those of *ranks*, unseen.

        A card that nobody saw can have been played while something moved only.
        """
        if self.quiet:
            return self.candidates
        cards = (suit + rank for suit in range(0, DECK, RANKS) for rank in ranks)
        return chain(self.candidates, (card for card in cards if card not in self.candidates))

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
            dealt = self._dealt(hypothesis)
            score += self._evidence.moved_on(last.look, self.number, dealt=dealt)
        if score < self.below(hypothesis):
            return
        self.floor = max(self.floor, score - _MARGIN)
        key = (top, pile, taken, seen, plays, len(deals), cut, first)
        known = self.best.get(key)
        if known is None or score > known.score:
            self.best[key] = hypothesis._replace(score=score)

    def _dealt(self, hypothesis: Hypothesis) -> bool:
        """Whether hands may have come since the last card without a play, as those that deal do.

        Where nobody counted the plays, any may be the first of a hand deal.
        """
        return hypothesis.plays >= OPEN or hypothesis.plays % self._round == 0
