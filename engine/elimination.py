"""Naming cards nobody has shown, from the fact that every card exists once in a deck."""

from __future__ import annotations

from collections import Counter
from collections.abc import Iterator, Sequence
from dataclasses import replace
from typing import NamedTuple

from engine.cards import Card, Rank, deck
from engine.deal import Deal
from engine.rules import HAND_SIZE, RuleSet

_Key = tuple[str | int, ...]


class _Slot(NamedTuple):
    """Where one card of a deal lies; nobody can tell the slots of one *group* apart."""

    key: _Key
    group: _Key
    card: Card


def unseen_faces(deal: Deal) -> Counter[Card]:
    """Return the faces that no known card of *deal* shows, with how often each is missing."""
    return _unseen(deal.rules, list(_slots(deal)))


def unseen_cards(deal: Deal) -> list[Card]:
    """Return the cards that no known card of *deal* is, by their indexes.

    A card whose place is not known any more is among them, as the shown bottom card is once the
    dealer may have laid it face down.
    """
    slots = list(_slots(deal))
    shown = {slot.card for slot in slots}
    unseen = [
        card
        for face, count in _unseen(deal.rules, slots).items()
        for card in [copy for copy in face.copies(deal.rules.decks) if copy not in shown][:count]
    ]
    return sorted(unseen, key=lambda card: card.index)


def resolved(deal: Deal) -> Deal:
    """Return *deal* with every card named that is certain by elimination.

    Cards of one group (the centre's face-down cards, the cards of one hand) get their names in
    the order of the deck. A deal in which nothing can be named is returned as it is.
    """
    names = _names(deal)
    if not names:
        return deal
    slots = {slot.key: names.get(slot.key, slot.card) for slot in _slots(deal)}
    plays = [slots["play", number] for number in range(len(deal.history))]
    setup = replace(
        deal.setup,
        centre=tuple(slots["centre", at] for at in range(len(deal.setup.centre))),
        dealt=tuple(
            tuple(
                (
                    *(plays[number] for number in _plays_of(deal, hand_deal, seat)),
                    *(card for key, card in slots.items() if key[:3] == ("hand", hand_deal, seat)),
                )
                for seat in range(deal.rules.players)
            )
            for hand_deal in range(deal.rules.hand_deals)
        ),
        undealt=tuple(slots["undealt", at] for at in range(len(deal.setup.undealt))),
    )
    again = Deal(deal.rules, deal.dealer, setup)
    for card, played in zip(plays, deal.history, strict=True):
        again.push(card, played.claim)
    again.claimed = deal.claimed
    return again


def _slots(deal: Deal) -> Iterator[_Slot]:
    """Yield every card of *deal* once, where it is now known best."""
    down = len(deal.setup.centre) - deal.setup.centre_up
    for at, card in enumerate(deal.setup.centre):
        yield _Slot(("centre", at), ("centre",) if at < down else ("centre", at), card)
    for number, played in enumerate(deal.history):
        yield _Slot(("play", number), ("play", number), played.card)
    for hand_deal in range(deal.hand_deal, deal.rules.hand_deals):
        hands = deal.hands if hand_deal == deal.hand_deal else deal.setup.dealt[hand_deal]
        for seat, hand in enumerate(hands):
            for at, card in enumerate(hand):
                yield _Slot(("hand", hand_deal, seat, at), ("hand", hand_deal, seat), card)
    for at, card in enumerate(deal.setup.undealt):
        yield _Slot(("undealt", at), ("undealt",), card)


def _plays_of(deal: Deal, hand_deal: int, seat: int) -> range:
    """Return the numbers of the plays that *seat* made in *hand_deal* so far."""
    players = deal.rules.players
    first = hand_deal * HAND_SIZE * players + (seat - deal.dealer - 1) % players
    last = min(len(deal.history), (hand_deal + 1) * HAND_SIZE * players)
    return range(first, max(first, last), players)


def _unseen(rules: RuleSet, slots: Sequence[_Slot]) -> Counter[Card]:
    unseen = Counter(card.face for card in deck(rules.decks))
    unseen.subtract(slot.card.face for slot in slots if slot.card.known)
    return +unseen


def _names(deal: Deal) -> dict[_Key, Card]:
    """Return the cards that are certain, by slot.

    First the slots of a known rank (``7?``), then the free ones, which take what is left; each
    time, nothing is named unless there is just one way to do it.
    """
    setup = deal.setup
    if all(
        card.known
        for hands in (*setup.dealt, (setup.centre, setup.undealt))
        for hand in hands
        for card in hand
    ):
        return {}
    slots = list(_slots(deal))
    by_hand = _named_by_hands(deal)
    slots = [slot._replace(card=by_hand.get(slot.key, slot.card)) for slot in slots]
    open_slots = [slot for slot in slots if not slot.card.known]
    unseen = _unseen(deal.rules, slots)
    names: dict[_Key, Card] = {}
    certain = True
    for rank in Rank:
        of_rank = [slot for slot in open_slots if slot.card.rank is rank]
        faces = [face for face in unseen.elements() if face.rank is rank]
        if not of_rank:
            continue
        if (found := _fill(of_rank, faces)) is not None:
            names |= found
        # Which faces remain for the free slots is known only when these slots use up
        # their rank, or when all faces of the rank are the same.
        if len(faces) == len(of_rank) or len(set(faces)) == 1:
            unseen.subtract(faces[: len(of_rank)])
        else:
            certain = False
    if certain:
        free = [slot for slot in open_slots if slot.card.rank is None]
        names |= _fill(free, sorted((+unseen).elements())) or {}
    return by_hand | _as_copies(slots, names)


def _named_by_hands(deal: Deal) -> dict[_Key, Card]:
    """Return the plays nobody saw that are certain because a card known in that hand is gone."""
    names: dict[_Key, Card] = {}
    for hand_deal in range(deal.hand_deal + 1):
        for seat in range(deal.rules.players):
            plays = {number: deal.history[number] for number in _plays_of(deal, hand_deal, seat)}
            left = deal.hands[seat] if hand_deal == deal.hand_deal else []
            elsewhere = {played.card for played in plays.values()}
            for card in deal.setup.dealt[hand_deal][seat]:
                hidden = [
                    number
                    for number, played in plays.items()
                    if not played.card.known and played.card.may_be(card)
                ]
                gone = card.known and card not in elsewhere and not any(map(card.may_be, left))
                if gone and len(hidden) == 1:
                    names["play", hidden[0]] = card
    return names


def _fill(slots: Sequence[_Slot], faces: Sequence[Card]) -> dict[_Key, Card] | None:
    """Return the names of *slots* if *faces* leave no choice among things people tell apart."""
    one_group = len(slots) == len(faces) and len({slot.group for slot in slots}) == 1
    if one_group or (len(set(faces)) == 1 and len(faces) >= len(slots)):
        return {slot.key: face for slot, face in zip(slots, faces, strict=False)}
    return None


def _as_copies(slots: Sequence[_Slot], names: dict[_Key, Card]) -> dict[_Key, Card]:
    """Give each named face the copy that no other card in *slots* is."""
    taken = {slot.card for slot in slots}
    cards = {}
    for key, face in names.items():
        card = next(face.in_deck(copy) for copy in (0, 1) if face.in_deck(copy) not in taken)
        taken.add(card)
        cards[key] = card
    return cards
