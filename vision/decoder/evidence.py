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
        independence: what share of a frame's evidence is news; frames of a table at rest resemble
            each other, so that each counts less than a whole observation.
        window: seconds before and after a play within which its card may have shown.
        unseen_play: likelihood that a play's card shows in no frame near the play.
        play: log-probability of a play in a frame; it keeps misread frames from becoming plays.
        deal: log-probability that a deal begins in a frame.
    """

    misread: float = 0.02
    top_missed: float = 0.1
    independence: float = 0.4
    window: float = 0.9
    unseen_play: float = 0.02
    play: float = -2.5
    deal: float = -4.0


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
        for names in self._names[look]:
            explained = 0.0
            for card, probability in names:
                if pile >> card & 1:
                    explained += probability
                    if card == top and probability > top_seen:
                        top_seen = probability
            total += math.log(explained * (1 - weights.misread) + weights.misread)
        if top >= 0:
            total += math.log(top_seen * (1 - weights.top_missed) + weights.top_missed)
        return total * weights.independence * self._clear[look]


def _likely(look: Look) -> list[list[tuple[int, float]]]:
    """Return for each card seen the names that it may have, with their probabilities."""
    return [
        [(int(card), float(row[card])) for card in np.flatnonzero(row > 0.01)]
        for row in look.lying
    ]


def _window(times: NDArray[np.float64], at: float, width: float) -> slice:
    first, last = np.searchsorted(times, (at - width, at + width), side="left")
    return slice(int(first), max(int(last), int(first) + 1))
