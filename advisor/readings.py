"""Cards that may have been read wrong: the likely readings of a deal, each with its chance.

A camera reads a played card with a probability for each of a few faces. Advice that took the
likeliest for certain would lay a 9 on what may be a 6; it is sought in every likely reading.
"""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass, replace
from heapq import nlargest
from itertools import product
from math import prod
from typing import Final

from advisor.errors import AdviceError
from engine import Card, Deal, IllegalPlayError, View

#: Readings that are played out, and the least chance of one, next to the likeliest.
_MOST: Final = 4
_LEAST: Final = 0.02
#: So many readings are looked at, from the likeliest on; most of the others break a rule.
_TRIED: Final = 64
#: Of so many doubtful plays, the most doubtful, the faces are combined.
_DOUBTS: Final = 6


@dataclass(frozen=True, slots=True)
class Doubt:
    """A play whose card is not certain.

    Attributes:
        play: which play of the deal, from 0.
        faces: the cards it may have been, each with its chance.

    Raises:
        AdviceError: no face, an unknown one, or chances that are not from 0 to 1 or add up to 0.
    """

    play: int
    faces: tuple[tuple[Card, float], ...]

    def __post_init__(self) -> None:
        chances = [chance for _, chance in self.faces]
        known = all(card.known for card, _ in self.faces)
        if not known or not all(0 <= chance <= 1 for chance in chances) or not sum(chances) > 0:
            raise AdviceError("advise.doubt", play=self.play)


def likely_readings(view: View, doubts: Sequence[Doubt]) -> list[tuple[View, float]]:
    """Return the likely readings of *view* with their chances, which add up to 1; *view* is first.

    Readings in which a card is there too often, or in which other cards would have been captured
    than were, are impossible. Plays under a claim are taken as they are.

    Raises:
        AdviceError: a doubt about a play that was not made.
    """
    for doubt in doubts:
        if not 0 <= doubt.play < len(view.plays):
            raise AdviceError("advise.doubt", play=doubt.play)
    open_to_doubt = [doubt for doubt in doubts if view.plays[doubt.play].claim is None]
    doubtful = nlargest(_DOUBTS, open_to_doubt, key=lambda doubt: 1 - _chance(doubt, view))
    if not doubtful:
        return [(view, 1.0)]
    course = _course(view.deal())
    combined = (
        (prod(chance for _, chance in faces), [card for card, _ in faces])
        for faces in product(*(doubt.faces for doubt in doubtful))
    )
    stated = prod(_chance(doubt, view) for doubt in doubtful)
    found = [(view, max(stated, 1e-9))]
    for chance, cards in nlargest(_TRIED, combined, key=lambda each: each[0]):
        plays = list(view.plays)
        for doubt, card in zip(doubtful, cards, strict=True):
            plays[doubt.play] = replace(plays[doubt.play], card=card.face)
        reading = replace(view, plays=tuple(plays))
        if reading != view and chance > 0 and _is_possible(reading, course):
            found.append((reading, chance))
    likely = [found[0], *nlargest(_MOST - 1, found[1:], key=lambda each: each[1])]
    total = sum(chance for _, chance in likely)
    kept = [likely[0], *(each for each in likely[1:] if each[1] >= _LEAST * total)]
    total = sum(chance for _, chance in kept)
    return [(reading, chance / total) for reading, chance in kept]


def _chance(doubt: Doubt, view: View) -> float:
    """Return the chance of the face that *view* has; for an unknown one, of all other faces."""
    read = view.plays[doubt.play].card
    if not read.known:
        return max(0.0, 1 - sum(chance for _, chance in doubt.faces))
    return sum(chance for card, chance in doubt.faces if card.face is read)


def _course(deal: Deal) -> list[int]:
    """Return what everybody saw of each play whatever its card: how many cards it captured."""
    return [played.captured for played in deal.history]


def _is_possible(reading: View, course: list[int]) -> bool:
    deal = reading.beginning()
    try:
        for play in reading.plays:
            deal.play(play.card, play.claim)
        deal.reveal(reading.seat, reading.hand)
    except IllegalPlayError:
        return False
    return _course(deal) == course
