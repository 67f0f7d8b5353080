"""What a deal is worth to each side.

Where cards are unknown, a side is credited with what is certain: a face-down card counts as soon
as elimination leaves no doubt whose pile it is in.
"""

from __future__ import annotations

from collections import Counter
from collections.abc import Iterable, Sequence
from dataclasses import dataclass
from typing import Final

from engine.bonus import is_double
from engine.cards import TEN_OF_DIAMONDS, TWO_OF_CLUBS, Card, Rank, deck
from engine.deal import Deal
from engine.elimination import resolved
from engine.plays import Played
from engine.rules import RuleSet

#: What each counted card is worth at the end of a deal.
CARD_POINTS: Final = {
    **{card: 1 for card in deck(2) if card.rank in (Rank.ACE, Rank.JACK)},
    **{card: 2 for card in deck(2) if card.face is TWO_OF_CLUBS},
    **{card: 3 for card in deck(2) if card.face is TEN_OF_DIAMONDS},
}


@dataclass(frozen=True, slots=True)
class SideScore:
    """What one side scores in one deal; `bonus` is all its pişti points."""

    cards: int
    aces: int
    jacks: int
    two_of_clubs: int
    ten_of_diamonds: int
    pistis: int
    double_pistis: int
    bonus: int
    majority: int

    @property
    def points(self) -> int:
        """The side's points in this deal."""
        counted = self.aces + self.jacks + 2 * self.two_of_clubs + 3 * self.ten_of_diamonds
        return counted + self.bonus + self.majority


@dataclass(frozen=True, slots=True)
class DealScore:
    """The score of a deal, running while `complete` is false.

    Attributes:
        complete: whether every card was played.
        exact: whether nothing counted so far rests on a card that is not known.
        sides: the score of each side.
    """

    complete: bool
    exact: bool
    sides: tuple[SideScore, ...]

    @property
    def points(self) -> tuple[int, ...]:
        """The points of each side."""
        return tuple(side.points for side in self.sides)


def score_deal(deal: Deal) -> DealScore:
    """Return the score of *deal* so far; the majority is counted when it is complete."""
    deal = resolved(deal)
    holdings = [[card for pile in piles for card in pile] for piles in deal.taken]
    everywhere = [card for cards in _elsewhere(deal) for card in cards]
    counted = _Count(deal.rules, holdings, everywhere)
    aces = counted.of_rank(Rank.ACE)
    jacks = counted.of_rank(Rank.JACK)
    twos = counted.of_face(TWO_OF_CLUBS)
    tens = counted.of_face(TEN_OF_DIAMONDS)
    sizes = [len(cards) for cards in holdings]
    sides = []
    for side, size in enumerate(sizes):
        pistis, double_pistis, bonus = _bonuses(deal, side)
        most = deal.is_over and sizes.count(size) == 1 and size == max(sizes)
        sides.append(
            SideScore(
                cards=size,
                aces=aces[side],
                jacks=jacks[side],
                two_of_clubs=twos[side],
                ten_of_diamonds=tens[side],
                pistis=pistis,
                double_pistis=double_pistis,
                bonus=bonus,
                majority=deal.rules.majority_points if most else 0,
            )
        )
    exact = counted.certain and not (
        counted.is_unseen(TEN_OF_DIAMONDS)
        and any(_pays_for_unsure_ten(deal.rules, played) for played in deal.history)
    )
    return DealScore(deal.is_over, exact, tuple(sides))


def _elsewhere(deal: Deal) -> Iterable[Iterable[Card]]:
    """Yield the cards that no side has captured."""
    yield deal.pile
    yield deal.setup.undealt
    yield from deal.hands
    for hands in deal.setup.dealt[deal.hand_deal + 1 :]:
        yield from hands


def _bonuses(deal: Deal, side: int) -> tuple[int, int, int]:
    """Return the pişti, the double pişti and all the pişti points of *side*."""
    pistis = double_pistis = bonus = 0
    for played in deal.history:
        if deal.rules.side_of(played.seat) == side and played.bonus:
            bonus += played.bonus
            if is_double(deal.rules, played):
                double_pistis += 1
            else:
                pistis += 1
        if deal.rules.side_of(played.seat - 1) == side:
            bonus += played.penalty
    return pistis, double_pistis, bonus


def _pays_for_unsure_ten(rules: RuleSet, played: Played) -> bool:
    """Whether a pişti pays more if a ten of which the suit is not known is the 10♦."""
    tens = [card.face for card in (played.single, played.card) if card and card.rank is Rank.TEN]
    unsure = any(not card.known for card in tens) and TEN_OF_DIAMONDS not in tens
    return bool(played.bonus and rules.ten_of_diamonds_bonus) and unsure


class _Count:
    """Counts cards of a kind in each side's pile, where some cards are not known.

    A card that is not known is a slot: of a known rank (``7?``) or free (``??``). The faces seen
    nowhere fill the slots, and a side's share is certain where every way to fill them gives the
    same number; what is not certain counts nothing and clears `certain`.
    """

    def __init__(
        self, rules: RuleSet, holdings: Sequence[Sequence[Card]], elsewhere: Sequence[Card]
    ) -> None:
        self.certain = True
        self._holdings = holdings
        self._open = [[card for card in cards if not card.known] for cards in holdings]
        self._all_open = [card for card in elsewhere if not card.known]
        self._all_open += [card for cards in self._open for card in cards]
        self._unseen: Counter[Card] = Counter()
        if self._all_open:
            self._unseen.update(card.face for card in deck(rules.decks))
            for cards in (elsewhere, *holdings):
                self._unseen.subtract(card.face for card in cards if card.known)

    def of_rank(self, rank: Rank) -> list[int]:
        """Return how many cards of *rank* each side holds for certain."""
        named = [sum(card.rank is rank for card in cards) for cards in self._holdings]
        in_free_slots = self._unseen_of(rank) - _slots(self._all_open, rank)
        shares = [self._share(in_free_slots, None, cards) for cards in self._open]
        return [sure + self._settle({share}) for sure, share in zip(named, shares, strict=True)]

    def of_face(self, face: Card) -> list[int]:
        """Return how many cards with this *face* each side holds for certain."""
        unseen, slots = self._unseen[face], _slots(self._all_open, face.rank)
        others = self._unseen_of(face.rank) - unseen
        counts = []
        for cards, open_cards in zip(self._holdings, self._open, strict=True):
            # Of the unseen ones, `inside` lie in slots of their rank, the rest in free slots.
            shares = set()
            for inside in range(max(0, slots - others), min(unseen, slots) + 1):
                low, high = self._share(inside, face.rank, open_cards)
                free_low, free_high = self._share(unseen - inside, None, open_cards)
                shares.add((low + free_low, high + free_high))
            counts.append(sum(card.face is face for card in cards) + self._settle(shares))
        return counts

    def is_unseen(self, face: Card) -> bool:
        """Whether a card with this *face* lies where nobody has seen it."""
        return self._unseen[face] > 0

    def _unseen_of(self, rank: Rank | None) -> int:
        return sum(count for face, count in self._unseen.items() if face.rank is rank)

    def _share(self, count: int, rank: Rank | None, cards: Sequence[Card]) -> tuple[int, int]:
        """Return the least and most of *count* cards, all in slots of *rank*, among *cards*."""
        mine = _slots(cards, rank)
        return max(0, count - (_slots(self._all_open, rank) - mine)), min(count, mine)

    def _settle(self, shares: set[tuple[int, int]]) -> int:
        low, high = min(low for low, _ in shares), max(high for _, high in shares)
        if low != high:
            self.certain = False
            return 0
        return low


def _slots(cards: Iterable[Card], rank: Rank | None) -> int:
    """Return how many of *cards*, none wholly known, are known by *rank* (None: by nothing)."""
    return sum(card.rank is rank for card in cards)
