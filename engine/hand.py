"""Hands of which some cards are not known: which place a card comes from, and which copy it is."""

from __future__ import annotations

from collections.abc import Sequence

from engine.cards import Card
from engine.errors import IllegalPlayError


def first_free(face: Card, decks: int, taken: set[Card]) -> Card:
    """Return the first copy of *face* that is not in *taken*; where all are, the first."""
    if not face.known:
        return face
    return next((card for card in face.copies(decks) if card not in taken), face.face)


def own_copy(face: Card, decks: int, dealt: Sequence[Card], placed: set[Card]) -> Card:
    """Return the copy of *face* in a hand: one it was *dealt*, else the first not in *placed*."""
    known = [card for card in dealt if card.known and card.face is face.face]
    return next((card for card in known if card not in placed), first_free(face, decks, placed))


def slot_for(hand: Sequence[Card], card: Card) -> int:
    """Return the place in *hand* that a card not named there was played from.

    A place that is known no better than the card is used up first.
    """
    places = [at for at, slot in enumerate(hand) if card.may_be(slot)]
    return min(places, key=lambda at: (hand[at].known, hand[at].rank is None))


def fitted(seat: int, hand: Sequence[Card], faces: Sequence[Card]) -> list[Card]:
    """Return what *hand* holds in the place that each of *faces* names, as many as it has places.

    Raises:
        IllegalPlayError: a face for which the hand of *seat* has no place left.
    """
    slots = list(hand)
    found = {}
    for at, face in sorted(enumerate(faces), key=lambda each: unsure(each[1])):
        fitting = [slot for slot in slots if slot.face.may_be(face)]
        if not fitting:
            raise IllegalPlayError("play.not_in_hand", player=seat + 1, card=face)
        found[at] = min(fitting, key=unsure)
        slots.remove(found[at])
    return [found[at] for at in range(len(faces))]


def unsure(card: Card) -> int:
    """Return how much of *card* is not known, from 0 to 2."""
    return (not card.known) + (card.rank is None)
