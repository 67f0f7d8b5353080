"""The counter: what a seat can know by watching, exactly."""

from __future__ import annotations

from collections import Counter

from advisor.advice import Counts
from engine import Card, Deal, Rank, View, unseen_faces
from engine.cards import TEN_OF_DIAMONDS, TWO_OF_CLUBS


def count(view: View) -> Counts:
    """Return the counts of the seat of *view*."""
    deal = view.deal()
    unseen = unseen_faces(deal)
    left: Counter[Rank] = Counter()
    for face, number in unseen.items():
        if face.rank:
            left[face.rank] += number
    # A card of which only the rank was seen is unseen as a face, yet counts for its rank.
    half_known = [card.rank for card in _laid_or_held(deal) if card.rank and not card.known]
    left.subtract(half_known)
    jacks = 4 * view.rules.decks
    return Counts(
        seen=view.rules.cards - sum(unseen.values()) + len(half_known),
        jacks_seen=jacks - left[Rank.JACK],
        jacks_left=left[Rank.JACK],
        pile=len(deal.pile),
        two_of_clubs=not unseen[TWO_OF_CLUBS],
        ten_of_diamonds=not unseen[TEN_OF_DIAMONDS],
        left={str(rank): left[rank] for rank in Rank},
        bottom=_bottom(deal),
        unknown=sum(not played.card.known for played in deal.history),
    )


def _laid_or_held(deal: Deal) -> list[Card]:
    cards = [played.card for played in deal.history]
    return [*deal.setup.centre, *cards, *(card for hand in deal.hands for card in hand)]


def _bottom(deal: Deal) -> tuple[Card, int | None] | None:
    """Return the shown bottom card while it is still to be played, and who gets it."""
    bottom = deal.setup.bottom
    if bottom is None or any(played.card is bottom for played in deal.history):
        return None
    return bottom.face, None if deal.rules.out_size else deal.dealer
