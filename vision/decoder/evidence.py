"""How likely a frame is, given what lies on the table: the log-probabilities a search adds up."""

from __future__ import annotations

import math
from bisect import bisect_left, bisect_right
from collections.abc import Sequence
from dataclasses import dataclass
from typing import Final

import numpy as np
from numpy.typing import NDArray

from vision.decoder.hands import Hands
from vision.decoder.looks import Look
from vision.decoder.steps import RANKS

#: A look this clear shows no movement; a sighting that is this much news shows something new.
_STILL: Final = 0.95
_FRESH: Final = 0.9
#: What lies face down shows in a look that is so sure of it; so many such looks are no mistake.
_SURELY: Final = 0.4
_DOWN: Final = 2
#: A look at a card that lies face down tells this much at least, however long it has lain there.
_REPEATED: Final = 0.35
#: In a look this clear a card that was laid face down rests. So many seconds after it was laid, at
#: most, one shows it; and it was laid so many seconds ago at most.
_RESTS: Final = 0.7
_SOON: Final = 1.5
_LATELY: Final = 3.0


@dataclass(frozen=True, slots=True)
class Weights:
    """How strongly each kind of evidence counts.

    Attributes:
        moving: how much a sighting counts that was made while everything moved, beside one at rest.
        misread: chance that a card read surely on the pile is named wrong, or is no card.
        covered_whole: chance that a card seems to lie open although another lies on it.
        top_missed: chance that the top card of a pile at rest is not seen for what it is.
        all_missed: chance that nothing is seen of a pile at rest.
        top_news: how much a second in which the top card is seen or missed counts.
        window: seconds before and after a play within which its card may have shown.
        unseen_play: likelihood that a play's card shows in no frame near the play.
        play: log-probability of a play in a frame; it keeps misread frames from becoming plays.
        deal: log-probability that a deal begins in a frame.
        deal_pause: seconds that dealing four cards to each player takes at least.
        rushed: log-probability that the first play of a hand deal comes sooner all the same.
        quick: seconds between two plays that are nothing special.
        at_once: log-probability that two plays come at the same moment.
        first: seconds between the card turned up in the centre and the first play.
        gather: seconds that gathering, shuffling and dealing the centre of a next deal takes.
        sweep: seconds that sweeping a captured pile takes before the next card is played.
        unswept: log-probability that the next card is played before a captured pile is swept away.
        thinking: seconds after which a player who has not played yet is slow.
        slow: log-probability for each further second without a play, within a hand deal.
        dealer_turns: how much it counts whose hand turned up the card that a deal begins with:
            mostly the dealer's, who sits before the first player.
        early_bottom: log-probability that what was taken for the stock's bottom card was none, so
            that it is played sooner or by another.
        centre_missed: log-probability that the face-down cards of a next deal's centre are not
            seen, where some were seen in the recording.
        centre_false: log-probability that such cards are seen where no deal begins.
        claim: log-probability that a pişti is claimed where it may be.
        answer: seconds until a claim is answered, at least.
        answered: log-probability of either answer.
        back_missed: chance that a card that lies face down on the pile is not seen.
        back_false: chance that one is seen that is none.
        cut_off: log-probability that a recording ends within a deal.
        cut_in: log-probability that it began within a deal; what is tried at first.
        cut_late: what of it is lost for each second before the first card shows, after the first
            two: within a deal mostly a pile lies there; before one an empty table is dealt on.
        cut_latest: what is lost of it so at most.
        cut_in_after: what of that probability is counted at the end only.
        deal_after_cut: log-probability that the next deal begins in a frame, after such a one.
    """

    moving: float = 0.5
    misread: float = 0.01
    covered_whole: float = 0.2
    top_missed: float = 0.1
    all_missed: float = 0.02
    top_news: float = 3.0
    window: float = 0.6
    unseen_play: float = 0.02
    play: float = -1.8
    deal: float = -4.0
    deal_pause: float = 2.2
    rushed: float = -6.0
    quick: float = 0.4
    at_once: float = -8.0
    first: float = 1.2
    gather: float = 6.0
    sweep: float = 0.7
    unswept: float = -3.0
    thinking: float = 6.0
    slow: float = -0.4
    dealer_turns: float = 0.5
    early_bottom: float = -8.0
    centre_missed: float = -4.0
    centre_false: float = -6.0
    claim: float = -2.0
    answer: float = 0.8
    answered: float = -0.7
    back_missed: float = 0.03
    back_false: float = 0.02
    cut_off: float = -6.0
    cut_in: float = -3.0
    cut_late: float = -0.8
    cut_latest: float = -4.0
    cut_in_after: float = -6.0
    deal_after_cut: float = -6.0

    def of_gathering(self, seconds: float) -> float:
        """Return the log-probability that the next deal begins *seconds* after the last play."""
        return 2 * self.at_once * max(0.0, 1 - seconds / self.gather)

    def of_cut(self, seconds: float) -> float:
        """Return the log-probability that a recording began within a deal.

        Args:
            seconds: from its beginning to the first card.
        """
        return self.cut_in + max(self.cut_latest, self.cut_late * max(0.0, seconds - 2.0))

    def of_first(self, seconds: float) -> float:
        """Return the log-probability of a first play *seconds* after the centre was turned up.

        Mostly the hands are dealt in between, but some deal them before.
        """
        return self.at_once * max(0.0, 1 - seconds / self.first)

    def of_answer(self, seconds: float) -> float:
        """Return the log-probability that a claim is answered *seconds* after it."""
        return self.answered + self.at_once * max(0.0, 1 - seconds / self.answer)

    def of_pause(self, seconds: float, *, dealt: bool | None, swept: bool) -> float:
        """Return the log-probability of a pause before a play.

        Args:
            seconds: how long it is.
            dealt: whether cards were dealt in it; None where nobody knows.
            swept: whether a captured pile was swept away in it.
        """
        needed = self.sweep if swept else self.quick
        hasty = self.at_once * max(0.0, 1 - seconds / needed)
        if dealt is None:
            # A long pause is rather the next deal than a hand deal.
            return hasty + max(3 * self.slow * max(0.0, seconds - self.thinking), 1.5 * self.rushed)
        if dealt:
            return min(hasty, self.rushed if seconds < self.deal_pause else 0.0)
        return hasty + max(self.slow * max(0.0, seconds - self.thinking), self.rushed)


class Evidence:
    """The likelihood of what was seen; looks can be added as they come.

    Args:
        looks: what the frames show, in the order of time.
        weights: how strongly each kind counts.
        hands: from which side hands reached for the pile, where that is known.

    Attributes:
        times: seconds of each look.
    """

    def __init__(self, looks: Sequence[Look], weights: Weights, hands: Hands | None = None) -> None:
        self.weights = weights
        self.hands = hands
        self.times: list[float] = []
        self._near: list[NDArray[np.float32]] = []
        self._played: dict[int, list[float]] = {}
        self._names: list[list[tuple[list[tuple[int, float]], float, float, float]]] = []
        self._clear: list[float] = []
        self._quiet: list[bool] = []
        self._news: list[float] = []
        self._down = [0]
        self._backs: list[tuple[float, float]] = []
        self._moved: dict[tuple[int, int, bool], float] = {}
        self._known: dict[tuple[int, int, int], float] = {}
        for look in looks:
            self.add(look)

    def add(self, look: Look) -> None:
        """Take in one more look."""
        self.times.append(look.time)
        self._near.append(look.near)
        self._names.append(_likely(look, self.weights))
        self._clear.append(look.clear)
        fresh = float(look.news.max()) if len(look.news) else 1.0
        self._quiet.append(look.clear > _STILL and fresh < _FRESH)
        self._news.append(self.weights.top_news * look.span)
        self._down.append(self._down[-1] + (look.down >= _SURELY))
        self._backs.append((look.back, look.back_news))

    def played(self, look: int) -> list[float]:
        """Return for each card the log-likelihood of the frames nearby, when it is played here."""
        known = self._played.get(look)
        if known is None:
            width, at = self.weights.window, self.times[look]
            first = bisect_left(self.times, at - width)
            last = bisect_right(self.times, at + width)
            unseen = self.weights.unseen_play
            shown = np.array(self._near[first:last]).max(axis=0)
            known = np.log(shown.astype(float) * (1 - unseen) + unseen).tolist()
            if self.times[-1] > at + width:
                self._played[look] = known
        return known

    def of_centre(self, first: int, look: int, *, begins: bool) -> float:
        """Return the log-probability of seeing a centre dealt, or not, before a card is laid.

        Args:
            first: the look at which the card before was laid.
            look: the look at which this one is.
            begins: whether it is the card that a deal begins with.
        """
        seen = self._down[look] - self._down[first] >= _DOWN
        if seen and not begins:
            return self.weights.centre_false
        if begins and not seen and self._down[look] >= _DOWN:
            return self.weights.centre_missed
        return 0.0

    def moved_on(self, last: int, look: int, *, dealt: bool) -> float:
        """Return the log-probability of what moved since the look before *look*.

        Args:
            last: the look at which the last card was laid.
            look: one after it.
            dealt: whether hands were dealt since that card.
        """
        if self.hands is None:
            return 0.0
        key = (last, look, dealt)
        known = self._moved.get(key)
        if known is None:
            begin, end = self.times[last], self.times[look]
            known = self.hands.idle(begin, end, dealt=dealt)
            known -= self.hands.idle(begin, self.times[look - 1], dealt=dealt)
            self._moved[key] = known
        return known

    def is_clear(self, look: int) -> bool:
        """Whether nothing covers the pile's place."""
        return self._clear[look] >= _RESTS

    def back(self, look: int) -> float:
        """Return how sure it is that a card lies face down on the pile's place, 0 to 1."""
        return self._backs[look][0]

    def shows_back(self, look: int) -> bool:
        """Whether a look shows a card that lies face down on the pile's place."""
        return self._backs[look][0] >= _SURELY

    def back_counts(self, look: int) -> float:
        """Return how much a look tells of a card that lies face down there, 0 to 1."""
        back, news = self._backs[look]
        return self._rested(look) * back * max(news, _REPEATED)

    def is_laid(self, look: int) -> bool:
        """Whether a card was laid face down on the pile's place a little before *look*.

        It was not there before, and it rests: soon a clear look shows it, and another one does.
        """
        if not self.shows_back(look):
            return False
        now = self.times[look]
        end = bisect_right(self.times, now + _SOON)
        later = [at for at in range(look, end) if self.shows_back(at)]
        if len(later) < _DOWN or all(self._clear[at] < _RESTS for at in later):
            return False
        begin = bisect_left(self.times, now - _LATELY)
        return not all(self.shows_back(at) for at in range(begin, look))

    def of_back(self, look: int, *, lies: bool) -> float:
        """Return the log-likelihood of seeing a card face down, or none, on the pile's place.

        Args:
            look: number of the look.
            lies: whether one lies there.
        """
        weights, (back, news) = self.weights, self._backs[look]
        if lies:
            least = weights.back_missed
            return self._news[look] * self._clear[look] * math.log(back * (1 - least) + least)
        return news * self._rested(look) * back * math.log(weights.back_false)

    def _rested(self, look: int) -> float:
        """Return how much what was seen counts, which is less while something moves."""
        return self.weights.moving + (1 - self.weights.moving) * self._clear[look]

    def is_quiet(self, look: int) -> bool:
        """Whether nothing moves in a look and it shows what lay there before, and no other card."""
        return self._quiet[look]

    def of_pile(self, look: int, pile: int, top: int) -> float:
        """Return the log-likelihood of a look when these cards lie on the pile.

        Args:
            look: number of the look.
            pile: the face-up cards of the pile, as a bit mask.
            top: the card on top, `NO_CARD` for none, `BACK` where one lies face down on them.
        """
        key = (look, pile, top)
        known = self._known.get(key)
        if known is None:
            known = self._known[key] = self._of_pile(look, pile, top)
        return known

    def _of_pile(self, look: int, pile: int, top: int) -> float:
        weights = self.weights
        total = 0.0
        top_seen = 0.0
        for names, news, below, wrong in self._names[look]:
            explained = 0.0
            for card, probability in names:
                if card == top:
                    explained += probability
                    if probability > top_seen:
                        top_seen = probability
                elif pile >> card & 1:
                    explained += probability * below
            total += news * math.log(explained * (1 - wrong) + wrong)
        total *= self._rested(look)
        if top >= 0:
            # A table that looks empty says more than a card that is read as another one.
            least = weights.top_missed if self._names[look] else weights.all_missed
            missed = math.log(top_seen * (1 - least) + least)
            total += self._news[look] * self._clear[look] * missed
        return total


def _likely(
    look: Look, weights: Weights
) -> list[tuple[list[tuple[int, float]], float, float, float]]:
    """Return for each card seen what its likelihood is made of.

    That is: its likely names with their probabilities, its news, the share that counts where it
    lies below another, and the chance that it is none of the cards there, which is the smaller the
    surer it was read.
    """
    opened = look.open if len(look.open) else np.zeros(len(look.news))
    return [
        (
            [(int(card), float(row[card])) for card in np.flatnonzero(row > 0.01)],
            float(news),
            1 - (1 - weights.covered_whole) * float(whole),
            weights.misread ** _sure(row, float(whole)),
        )
        for row, news, whole in zip(look.lying, look.news, opened, strict=True)
    ]


def _sure(row: NDArray[np.float32], whole: float) -> float:
    """Return how sure it is that a sighting named *row* is one of its likely cards, 0 to 1.

    A King that lies there *whole* is a card all the same where its suit cannot be told; a corner
    that may be this or that is often nothing.
    """
    card, rank = float(row.max()), float(row.reshape(-1, RANKS).sum(axis=0).max())
    return card + whole * (rank - card)
