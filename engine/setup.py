"""How the cards of a deal lie before the first play."""

from __future__ import annotations

from collections import Counter
from collections.abc import Sequence
from dataclasses import dataclass, replace
from typing import TYPE_CHECKING

from engine.cards import UNKNOWN, Card, deck
from engine.hand import first_free
from engine.rules import HAND_SIZE, RuleSet

if TYPE_CHECKING:
    import random


@dataclass(frozen=True, slots=True)
class Setup:
    """The cards of a deal by place; `UNKNOWN` where nobody has seen them.

    Attributes:
        centre: the centre's cards, bottom to top.
        centre_up: how many of them, from the top, lie face up.
        bottom: the stock's bottom card where it lies face up, else None.
        buried: Jacks that were turned up and put back face down into the pile; all players know.
        dealt: the cards of each hand deal, `dealt[hand_deal][seat]`.
        undealt: cards nobody gets (two decks that do not divide).
    """

    centre: tuple[Card, ...]
    centre_up: int
    bottom: Card | None
    buried: tuple[Card, ...]
    dealt: tuple[tuple[tuple[Card, ...], ...], ...]
    undealt: tuple[Card, ...]

    @classmethod
    def shuffled(cls, rules: RuleSet, dealer: int, seed: int) -> Setup:
        """Shuffle, cut and deal; the same seed gives the same setup.

        The cut is made again while it would put a Jack at the bottom where that card is shown,
        and the cards are shuffled again while the centre would be all Jacks.
        """
        # Only who shuffles pays for the import: it is a tenth of the engine's.
        from random import Random

        rng = Random(seed)
        cards = list(deck(rules.decks))
        while True:
            _shuffle(cards, rng)
            while True:
                cut = rng.randrange(1, len(cards))
                if rules.bottom_card == "hidden" or not cards[cut - 1].is_jack:
                    break
            order = cards[cut:] + cards[:cut]
            if not all(card.is_jack for card in order[: rules.centre_size]):
                return cls._from_order(rules, dealer, order)

    @classmethod
    def from_order(cls, rules: RuleSet, dealer: int, order: Sequence[Card]) -> Setup:
        """Deal from the deck in *order*, first card first, and settle the Jacks of the centre.

        The centre's packet comes first, then for each hand deal a packet of four to each player
        from the dealer's right to the dealer.

        Raises:
            ValueError: *order* is not the whole deck, there is no such seat, or the centre is all
                Jacks; such cards are dealt again.
        """
        if sorted(order) != sorted(deck(rules.decks)):
            raise ValueError(f"an order holds each of the {rules.cards} cards exactly once")
        if all(card.is_jack for card in order[: rules.centre_size]):
            raise ValueError("a centre of Jacks alone is dealt again")
        return cls._from_order(rules, dealer, order)

    @classmethod
    def _from_order(cls, rules: RuleSet, dealer: int, order: Sequence[Card]) -> Setup:
        """Do what `from_order` does, without checking the order."""
        rules.check_seat(dealer)
        centre, up, buried = _turn_up(rules.jack_on_centre, list(order[: rules.centre_size]))
        at = rules.centre_size
        dealt = []
        for _ in range(rules.hand_deals):
            hands: list[tuple[Card, ...]] = [()] * rules.players
            for step in range(1, rules.players + 1):
                hands[(dealer + step) % rules.players] = tuple(order[at : at + HAND_SIZE])
                at += HAND_SIZE
            dealt.append(tuple(hands))
        return cls(
            centre=tuple(centre),
            centre_up=up,
            bottom=order[-1] if rules.bottom_card == "shown" else None,
            buried=tuple(buried),
            dealt=tuple(dealt),
            undealt=tuple(order[at:]),
        )

    @classmethod
    def watched(
        cls,
        rules: RuleSet,
        dealer: int,
        *,
        centre: Sequence[Card],
        centre_up: int = 1,
        bottom: Card | None = None,
        buried: Sequence[Card] = (),
        hands: Sequence[Sequence[Card]] = (),
    ) -> Setup:
        """Return what a watcher has seen; each face gets the first copy that is free.

        Args:
            rules: the rule set.
            dealer: the dealer's seat.
            centre: the centre, bottom to top, `UNKNOWN` where not seen.
            centre_up: how many of its cards lie face up.
            bottom: the shown bottom card of the stock; it is dealt to the dealer last, or stays
                undealt where cards do.
            buried: Jacks turned up and put back into the centre.
            hands: for each seat the cards it was dealt, in order, as far as known.

        Raises:
            ValueError: there is no such seat, more hands or cards than are dealt, a centre of
                another size, or a Jack put back that is not there.
        """
        rules.check_seat(dealer)
        if len(centre) != rules.centre_size or not 1 <= centre_up <= rules.centre_size:
            raise ValueError(f"a centre holds {rules.centre_size} cards, some of them face up")
        most = HAND_SIZE * rules.hand_deals
        if len(hands) > rules.players or any(len(hand) > most for hand in hands):
            raise ValueError("more hands or cards than are dealt")
        if Counter(buried) - Counter(card.face for card in centre):
            raise ValueError("a Jack put back into the centre is not there")
        taken: set[Card] = set()

        def place(face: Card) -> Card:
            card = first_free(face, rules.decks, taken)
            taken.add(card)
            return card

        middle = tuple(place(card) for card in centre)
        under = place(bottom) if bottom else None
        seats = range(rules.players)
        dealt = [[[UNKNOWN] * HAND_SIZE for _ in seats] for _ in range(rules.hand_deals)]
        undealt = [UNKNOWN] * rules.out_size
        last_hand = dealt[-1][dealer]
        for seat, cards in enumerate(hands):
            for at, card in enumerate(cards):
                hand = dealt[at // HAND_SIZE][seat]
                is_under = under and not undealt and hand is last_hand and card is under.face
                hand[at % HAND_SIZE] = under if under and is_under else place(card)
        if under and undealt:
            undealt[-1] = under
        elif under and not any(card.known and card.may_be(under) for card in last_hand):
            # It takes a place of its own rank before one of which nothing is known; where the
            # hand is given in full without it, the hand stands.
            free = [at for at, card in enumerate(last_hand) if card.may_be(under)]
            if free:
                last_hand[min(free, key=lambda at: (last_hand[at].rank is None, -at))] = under
        return cls(
            centre=middle,
            centre_up=centre_up,
            bottom=under,
            buried=_put_back(rules.jack_on_centre, middle, buried),
            dealt=tuple(tuple(map(tuple, hands)) for hands in dealt),
            undealt=tuple(undealt),
        )

    def with_hand(self, hand_deal: int, seat: int, cards: Sequence[Card]) -> Setup:
        """Return this setup with the cards that *seat* was dealt in *hand_deal* named."""
        dealt = [list(hands) for hands in self.dealt]
        dealt[hand_deal][seat] = tuple(cards)
        return replace(self, dealt=tuple(map(tuple, dealt)))


def _put_back(rule: str, centre: Sequence[Card], faces: Sequence[Card]) -> tuple[Card, ...]:
    """Return the Jacks of *centre* that *faces* name; of two alike the one put back by *rule*."""
    places = list(centre if rule == "bottom" else reversed(centre))
    cards = []
    for face in faces:
        card = next(card for card in places if card.face is face)
        places.remove(card)
        cards.append(card)
    return tuple(cards)


def _shuffle(cards: list[Card], rng: random.Random) -> None:
    """Shuffle by sorting by random keys: as fair as `random.shuffle`, in half the time."""
    cards.sort(key=lambda _: rng.random())


def _turn_up(rule: str, packet: list[Card]) -> tuple[list[Card], int, list[Card]]:
    """Turn up the centre's top card, and settle Jacks.

    Returns:
        The centre from bottom to top, how many of it lie face up, and the Jacks put back.
    """
    up: list[Card] = []
    buried: list[Card] = []
    while packet:
        card = packet.pop()
        if not card.is_jack or rule == "turn_next":
            up.append(card)
        else:
            buried.append(card)
            # Inside the pile: just under the card that will stay on top.
            under = max(at for at, below in enumerate(packet) if not below.is_jack)
            packet.insert(0 if rule == "bottom" else under, card)
        if not card.is_jack:
            break
    return packet + up, len(up), buried
