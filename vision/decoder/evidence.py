"""How likely a frame is, given what lies on the table: the log-probabilities a search adds up."""

from __future__ import annotations

import math
from collections.abc import Sequence
from dataclasses import dataclass

import numpy as np
from numpy.typing import NDArray

from vision.decoder.looks import Look


@dataclass(frozen=True, slots=True)
class Weights:
    """How strongly each kind of evidence counts.

    Attributes:
        misread: chance that a card seen on the pile is named wrong, or is no card.
        top_missed: chance that the top card of a pile at rest is not seen.
        top_news: how much each frame in which the top card is seen or missed counts.
        window: seconds before and after a play within which its card may have shown.
        unseen_play: likelihood that a play's card shows in no frame near the play.
        play: log-probability of a play in a frame; it keeps misread frames from becoming plays.
        deal: log-probability that a deal begins in a frame.
        deal_pause: seconds that dealing four cards to each player takes at least.
        rushed: log-probability that the first play of a hand deal comes sooner all the same.
        thinking: seconds after which a player who has not played yet is slow.
        slow: log-probability for each further second without a play, within a hand deal.
        cut_off: log-probability that a recording ends within a deal.
    """

    misread: float = 0.02
    top_missed: float = 0.1
    top_news: float = 0.4
    window: float = 0.9
    unseen_play: float = 0.02
    play: float = -2.5
    deal: float = -4.0
    deal_pause: float = 2.5
    rushed: float = -6.0
    thinking: float = 6.0
    slow: float = -0.4
    cut_off: float = -4.0

    def of_pause(self, seconds: float, *, dealt: bool) -> float:
        """Return the log-probability of a pause before a play; *dealt* when cards were dealt."""
        if dealt:
            return self.rushed if seconds < self.deal_pause else 0.0
        return max(self.slow * max(0.0, seconds - self.thinking), self.rushed)


class Evidence:
    """The likelihood of what was seen.

    Args:
        looks: what the frames show, in the order of time.
        weights: how strongly each kind counts.

    Attributes:
        times: (n,) seconds.
        played: (n, 52) log-likelihood of the frames nearby, when this card is played here.
    """

    def __init__(self, looks: Sequence[Look], weights: Weights) -> None:
        self.weights = weights
        self.times: NDArray[np.float64] = np.array([look.time for look in looks])
        near = np.array([look.near for look in looks], np.float64).reshape(-1, 52)
        shown = [near[_window(self.times, at, weights.window)].max(axis=0) for at in self.times]
        unseen = weights.unseen_play
        self.played = np.log(np.array(shown).reshape(-1, 52) * (1 - unseen) + unseen)
        self._names = [_likely(look) for look in looks]
        self._clear = [look.clear for look in looks]

    def of_pile(self, look: int, pile: int, top: int) -> float:
        """Return the log-likelihood of a look when these cards lie on the pile.

        Args:
            look: number of the look.
            pile: the face-up cards of the pile, as a bit mask.
            top: the card on top, -1 for none.
        """
        weights = self.weights
        total = 0.0
        top_seen = 0.0
        for names, news in self._names[look]:
            explained = 0.0
            for card, probability in names:
                if pile >> card & 1:
                    explained += probability
                    if card == top and probability > top_seen:
                        top_seen = probability
            total += news * math.log(explained * (1 - weights.misread) + weights.misread)
        if top >= 0:
            missed = math.log(top_seen * (1 - weights.top_missed) + weights.top_missed)
            total += weights.top_news * missed
        return total * self._clear[look]


def _likely(look: Look) -> list[tuple[list[tuple[int, float]], float]]:
    """Return for each card seen the likely names with their probabilities, and what is news."""
    return [
        ([(int(card), float(row[card])) for card in np.flatnonzero(row > 0.01)], float(news))
        for row, news in zip(look.lying, look.news, strict=True)
    ]


def _window(times: NDArray[np.float64], at: float, width: float) -> slice:
    first, last = np.searchsorted(times, (at - width, at + width), side="left")
    return slice(int(first), max(int(last), int(first) + 1))
