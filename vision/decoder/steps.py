"""A game as far as it may have gone: what the search and its helpers hand about."""

from __future__ import annotations

from collections.abc import Iterable, Sequence
from typing import Final, NamedTuple

#: `Card.index` counts the ranks of one suit after the other; the rank of a Jack, their number, that
#: of all cards, and no card.
JACK: Final = 10
RANKS: Final = 13
DECK: Final = 52
NO_CARD: Final = -1
#: On top of the pile: a card that lies face down, with which a pişti is claimed.
BACK: Final = -2
#: Added to the plays of a deal that was going on when the recording began: nobody counted them.
OPEN: Final = 1000


class Step(NamedTuple):
    """A card turned up in the centre or played, linked to the one before.

    The first step of a deal is the card turned up; after a Jack, the next one is turned up as well.

    Attributes:
        card: the card; `NO_CARD` where nobody saw it, as with a claimed pişti that was accepted.
        look: the look at which it showed on the pile; of a claimed pişti, the one at which it was
            turned up or both cards were taken, or at which it was laid while it waits.
        before: the step before.
        laid: of a claimed pişti, the look at which the card was laid face down; else -1.
    """

    card: int
    look: int
    before: Step | None
    laid: int = -1

    @property
    def begin(self) -> int:
        """The look from which on the card lay there, face down or not."""
        return self.look if self.laid < 0 else self.laid


class Hypothesis(NamedTuple):
    """A game as far as it may have gone.

    Attributes:
        score: log-probability so far.
        top: the card on top of the pile, -1 for none, `BACK` where a claim waits to be answered.
        pile: the face-up cards of the pile, as a bit mask.
        taken: whether the pile was captured and still lies there.
        seen: the cards that have shown in this deal, as a bit mask.
        plays: plays in this deal; -1 before its centre was turned up; `OPEN` more where the
            recording began within the deal.
        last: the last step of this deal.
        deals: the last steps of the deals before.
        swept: whether the last play was a capture, so that its pile had to be swept away.
        cut: whether the recording began within the first deal.
        first: who plays first in this deal, as `Hands` numbers the players.
    """

    score: float
    top: int
    pile: int
    taken: bool
    seen: int
    plays: int
    last: Step | None
    deals: tuple[Step, ...]
    swept: bool = False
    cut: bool = False
    first: int = 0


def of_rank(rank: int) -> range:
    """Return the cards of *rank*."""
    return range(rank, DECK, RANKS)


def steps_of(last: Step | None) -> list[Step]:
    """Return the steps up to *last*, the first one first."""
    steps = []
    while last is not None:
        steps.append(last)
        last = last.before
    return steps[::-1]


def plain(steps: Iterable[Step]) -> tuple[tuple[int, int, int], ...]:
    """Return of each of *steps* all that it is, but for those before: to compare them."""
    return tuple((step.card, step.look, step.laid) for step in steps)


def deals_of(hypothesis: Hypothesis) -> tuple[Step, ...]:
    """Return the last step of each deal of *hypothesis*."""
    return (*hypothesis.deals, *([hypothesis.last] if hypothesis.last else []))


def plays_in(hypothesis: Hypothesis) -> int:
    """Return how many plays of the deal at hand *hypothesis* holds."""
    return hypothesis.plays - OPEN if hypothesis.plays >= OPEN else hypothesis.plays


def piles(steps: Sequence[Step], cards: Sequence[int]) -> list[tuple[int, int, bool]]:
    """Return after each step the pile, its top, and whether it was taken; the first is turned up.

    Args:
        steps: the steps of a deal.
        cards: the card of each, which need not be the one that the step has.
    """
    states = []
    pile, top = 0, NO_CARD
    for at, (step, card) in enumerate(zip(steps, cards, strict=True)):
        claimed = step.laid >= 0
        if card == NO_CARD:
            # A claim takes both cards; of any other card that nobody saw nothing is known.
            states.append((0 if claimed else pile, NO_CARD, claimed))
        else:
            takes = at > 0 and top >= 0 and matches(card, top, claimed=claimed)
            states.append((pile | 1 << card, card, takes))
        pile, top, taken = states[-1]
        if taken:
            pile, top = 0, NO_CARD
    return states


def matches(card: int, top: int, *, claimed: bool) -> bool:
    """Whether *card* takes *top*; a Jack with which a pişti is claimed takes nothing but a Jack."""
    rank = card % RANKS
    return rank == top % RANKS or (rank == JACK and not claimed)
