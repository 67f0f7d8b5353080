"""A game as far as it may have gone: what the search and its helpers hand about."""

from __future__ import annotations

from typing import Final, NamedTuple

#: `Card.index` counts the ranks of one suit after the other; the rank of a Jack, their number, that
#: of all cards, and no card.
JACK: Final = 10
RANKS: Final = 13
DECK: Final = 52
NO_CARD: Final = -1
#: Added to the plays of a deal that was going on when the recording began: nobody counted them.
OPEN: Final = 1000


class Step(NamedTuple):
    """A card turned up in the centre or played, linked to the one before.

    The first step of a deal is the card turned up; after a Jack, the next one is turned up as well.
    """

    card: int
    look: int
    before: Step | None


class Hypothesis(NamedTuple):
    """A game as far as it may have gone.

    Attributes:
        score: log-probability so far.
        top: the card on top of the pile, -1 for none.
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


def steps_of(last: Step | None) -> list[Step]:
    """Return the steps up to *last*, the first one first."""
    steps = []
    while last is not None:
        steps.append(last)
        last = last.before
    return steps[::-1]


def deals_of(hypothesis: Hypothesis) -> tuple[Step, ...]:
    """Return the last step of each deal of *hypothesis*."""
    return (*hypothesis.deals, *([hypothesis.last] if hypothesis.last else []))


def plays_in(hypothesis: Hypothesis) -> int:
    """Return how many plays of the deal at hand *hypothesis* holds."""
    return hypothesis.plays - OPEN if hypothesis.plays >= OPEN else hypothesis.plays
