"""From a `View` to a `Position` of the search."""

from __future__ import annotations

from collections.abc import Iterable, Sequence
from typing import Any

import numpy as np

from advisor.search.worlds import Position
from engine import Card, Played, View, unseen_cards
from engine.bonus import is_double
from engine.kernel.layout import DOUBLES, PISTIS, RANKS, STATE, TALLIES
from engine.rules import HAND_SIZE

#: Where an unknown card that was laid lies: on the table, or on top of it; else a side's number.
ON_TABLE = -1
ON_TOP = -2


def position_of(view: View) -> Position:
    """Return what *view* knows as a `Position`.

    Raises:
        ValueError: the cards of the view do not add up.
    """
    return _Builder(view).build()


class _Builder:
    """Sorts the cards of a view into known ones and places for unknown ones."""

    def __init__(self, view: View) -> None:
        self._view = view
        self._deal = view.deal()
        self._rules = view.rules
        self._unseen = [card.index for card in unseen_cards(self._deal)]

    def build(self) -> Position:
        deal, rules = self._deal, self._rules
        begun = deal.hand_deal * HAND_SIZE * rules.players
        # What cannot be replayed card by card is taken over as it stands.
        replayed = all(play.card.known and not play.claim for play in deal.history[begun:])
        start = begun if replayed else len(deal.history)
        before, since = deal.history[:start], deal.history[start:]
        states = np.zeros(1, STATE)
        state = states[0]
        packets = self._packets()
        centre, ranks = self._table(state, before, packets)
        extra, ranks_of_extra = self._extra(before)
        sizes, known, ranks_of_hands = self._hands(state, since)
        ranks = [*ranks, *ranks_of_extra, *ranks_of_hands]
        ranks += [-1] * (packets[1] - packets[0])
        if len(ranks) != len(self._unseen):
            raise ValueError(f"{len(self._unseen)} cards are unseen for {len(ranks)} places")
        state["left"] = rules.plays - start
        state["held"] = max(sizes)
        state["turn"] = deal.turn if since == [] else (deal.dealer + 1) % rules.players
        state["round"] = rules.players - start % rules.players
        state["dealer"] = deal.dealer
        return Position(
            start=states,
            seat=self._view.seat,
            plays=np.array([play.card.index for play in since], np.int64),
            sizes=np.array(sizes, np.int64),
            known=np.array(known, np.int64),
            centre=(0, centre),
            packets=packets,
            extra=np.array(extra, np.int64),
            unseen=np.array(self._unseen, np.int64),
            ranks=np.array(ranks, np.int64),
        )

    def _packets(self) -> tuple[int, int]:
        """Return the range of cards that are still to be dealt and nobody knows."""
        rules, deal = self._rules, self._deal
        first = rules.centre_size + (deal.hand_deal + 1) * HAND_SIZE * rules.players
        bottom_to_come = deal.setup.bottom is not None and first < rules.cards
        return first, rules.cards - bottom_to_come

    def _table(
        self, state: Any, before: Sequence[Played], packets: tuple[int, int]
    ) -> tuple[int, list[int]]:
        """Fill in what lies on the table and in the stock; return the unknown cards of the centre.

        The first places of the centre are the unknown ones, with the first unseen cards.
        """
        deal, rules = self._deal, self._rules
        setup = deal.setup
        up_from = len(setup.centre) - setup.centre_up
        # A card that lies face up and that nobody named is as good as covered.
        covered = [
            card
            for at, card in enumerate(setup.centre)
            if not card.known or (at < up_from and card not in setup.buried)
        ]
        unknown = [card for card in covered if not card.known]
        named = self._unseen[: len(unknown)]
        known_covered = [card.index for card in covered if card.known]
        open_cards = [card.index for card in setup.centre if card not in covered]
        last = setup.centre[-1]
        centre = [*named, *known_covered, *open_cards]
        state["cards"][: len(centre)] = centre
        for at in range(*packets):
            state["cards"][at] = self._unseen[at - packets[1]]
        bottom = setup.bottom.index if setup.bottom else -1
        if packets[0] < rules.cards and bottom >= 0:
            state["cards"][rules.cards - 1] = bottom
        state["bottom"] = bottom
        hidden = [*named, *known_covered]
        state["hidden"] = _ranks(hidden)
        seen = [RANKS[at] for at in open_cards]
        seen += [play.card.rank.index for play in before if play.card.rank is not None]
        seen += [RANKS[bottom]] if bottom >= 0 and setup.bottom not in _cards(before) else []
        state["seen"] = sum(1 << (4 * int(rank)) for rank in seen)
        capturer = next((rules.side_of(play.seat) for play in before if play.captured), None)
        state["first"] = -1 if capturer is None else capturer
        state["covered"] = sum(int(TALLIES[at]) for at in hidden) if capturer is None else 0
        pile = sum(int(TALLIES[at]) for at in centre)
        taken = [0] * rules.sides
        top = last.index if last.known else _any_of_rank(last)
        state["last"] = -1
        for play in before:
            pile += int(TALLIES[play.card.index]) if play.card.known else 0
            side = rules.side_of(play.seat)
            top = play.card.index if play.card.known else _any_of_rank(play.card)
            if play.captured:
                taken[side] += pile
                pile, top = 0, -1
                state["last"] = side
            self._add_bonus(state, play)
        state["pile"] = pile
        state["top"] = top
        for side in range(rules.sides):
            state["taken"][side] = taken[side]
        return len(unknown), [-1 if card.rank is None else card.rank.index for card in unknown]

    def _add_bonus(self, state: Any, play: Played) -> None:
        if play.bonus:
            double = is_double(self._rules, play)
            counted = play.bonus + (1 << (DOUBLES if double else PISTIS))
            state["bonus"][self._rules.side_of(play.seat)] += counted
        if play.penalty:
            state["bonus"][self._rules.side_of(play.seat - 1)] += play.penalty

    def _extra(self, before: Sequence[Played]) -> tuple[list[int], list[int]]:
        """Return where the unknown cards that were laid lie now, and their ranks."""
        places: list[int] = []
        ranks: list[int] = []
        for number, play in enumerate(before):
            if play.card.known:
                continue
            capture = next((later for later in before[number:] if later.captured), None)
            if capture is not None:
                places.append(self._rules.side_of(capture.seat))
            else:
                places.append(ON_TOP if number == len(before) - 1 else ON_TABLE)
            ranks.append(-1 if play.card.rank is None else play.card.rank.index)
        return places, ranks

    def _hands(self, state: Any, since: Sequence[Played]) -> tuple[list[int], list[int], list[int]]:
        """Fill in the hands; return how many cards each has, how many are known, and ranks."""
        sizes, known, ranks = [], [], []
        for seat, hand in enumerate(self._deal.hands):
            laid = [play.card.index for play in since if play.seat == seat]
            named = sorted(card.index for card in hand if card.known)
            open_slots = [card for card in hand if not card.known]
            # Which cards stand for the unknown ones does not matter: every world puts in its own.
            packed = [*laid, *named, *self._unseen[: len(open_slots)]]
            state["hands"][seat] = sum(card << (8 * at) for at, card in enumerate(packed))
            sizes.append(len(packed))
            known.append(len(laid) + len(named))
            ranks += [-1 if card.rank is None else card.rank.index for card in open_slots]
        return sizes, known, ranks


def _cards(plays: Iterable[Played]) -> list[Card]:
    return [play.card for play in plays]


def _ranks(indexes: Iterable[int]) -> int:
    """Return how many of the cards there are of each rank, four bits a rank."""
    return sum(1 << (4 * int(RANKS[at])) for at in indexes)


def _any_of_rank(card: Card) -> int:
    """Return a card of the rank of *card*; -1 where it is not known."""
    return -1 if card.rank is None else card.rank.index
