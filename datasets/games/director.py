"""The choreography of a recorded game: from deals to who moves what, and when."""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import replace
from typing import Final

import numpy as np

from datasets.decks import BACK
from datasets.games.levels import Manner
from datasets.games.moves import Moves
from datasets.games.plan import STOCK, Carried, Heap, Key, Lying, State, Track, facing
from datasets.games.script import Turn
from engine import Card, Claim, Deal

#: How far from the pile cards lie that a seat shows, as a share of the way to the picture's edge.
_SHOWN_AT: Final = 0.7
#: Seconds until a claim is answered, and how often the claimer turns the card over himself.
_ANSWERED: Final = (0.7, 2.0)
_TURNS_OWN: Final = 0.5


class Director(Moves):
    """Turns deals into a plan.

    Args:
        manner: how the game is played.
        players: how many seats.
        edges: for each seat how far from the pile the picture ends.
        rng: source of chance.
    """

    def __init__(
        self, manner: Manner, players: int, edges: Sequence[float], rng: np.random.Generator
    ) -> None:
        super().__init__(manner, players, edges, rng)
        self._shown_seat = int(rng.integers(players)) if rng.random() < manner.shown_hand else None

    def deal(self, deal: Deal, turns: Sequence[Turn]) -> None:
        """Add one deal from the shuffled stock to the last captured card."""
        bottom = deal.setup.bottom
        stock = deal.rules.cards
        heaps = (Heap(),) * len(self._ways)
        self._set(State((), stock, bottom.index if bottom else None, heaps))
        self._now += self._between(1.0, 2.0)
        self._centre(deal)
        self._hands(deal, 0)
        self.plan.plays.append([])
        held = [list(hand) for hand in deal.setup.dealt[0]]
        hand_deal = 0
        for turn in turns:
            if turn.starts_hand:
                hand_deal += 1
                self._hands(deal, hand_deal)
                held = [list(hand) for hand in deal.setup.dealt[hand_deal]]
            if self._rng.random() < self._manner.odd:
                self._odd(turn, held[turn.seat])
            held[turn.seat].remove(turn.card)
            play = self._play if turn.claim is None else self._claim
            play(turn, held[turn.seat])
        if self._state.pile:
            self._now += self._between(0.8, 1.6)
            seat = next((t.seat for t in reversed(turns) if t.captured), deal.dealer)
            self._take(seat, self._approach(seat, 0.0, 0.0, None), None)
        self._now += self._between(1.5, 2.5)
        self.plan.duration = self._now

    # Dealing.

    def _centre(self, deal: Deal) -> None:
        """Four cards to the middle, and the top one turned up."""
        dealer, rng = deal.dealer, self._rng
        begin = self._now
        self._now += 0.6
        for _ in range(len(deal.setup.centre)):
            spot = replace(self._landing(dealer), face=BACK)
            self._fly(spot, STOCK, (spot.x, spot.y), 0.3)
            stock = self._state.stock - 1
            self._set(replace(self._state, pile=(*self._state.pile, spot), stock=stock))
            self._now += self._between(0.05, 0.2)
        self._hover(dealer, begin, self._now)
        self._now += 0.4
        up = [card.index for card in deal.setup.centre[-deal.setup.centre_up :]]
        for jack in deal.setup.buried:
            self._turn_up(dealer, [jack.index])
            self._now += self._between(0.8, 1.2)
        for count in range(1, len(up) + 1):
            self._turn_up(dealer, up[:count])
            self._now += self._between(0.6, 1.0)
        self._now += float(rng.uniform(0.0, 0.4))

    def _hands(self, deal: Deal, number: int) -> None:
        """Four cards to each player; after the last hand deal the stock is gone."""
        dealer, players = deal.dealer, len(self._ways)
        self._now += self._between(0.5, 1.0)
        begin = self._now
        self._now += 0.5
        last = number == deal.rules.hand_deals - 1
        pace = self._between(0.35, 0.55) * (1.5 if players == 2 else 1.0)
        for step in range(1, players + 1):
            seat = (dealer + step) % players
            stock = max(0, self._state.stock - 4)
            bottom = None if last and step == players else self._state.bottom
            self._set(replace(self._state, stock=stock, bottom=bottom))
            for part in range(2):
                card = Lying(BACK, STOCK[0] + part, STOCK[1], float(self._rng.uniform(0, 360)))
                self._fly(card, STOCK, self._edge(seat), 0.4, wait=part < 1)
            self._now += pace
        self._hover(dealer, begin, self._now)
        self._now += self._between(0.6, 1.3)
        if self._shown_seat is not None:
            cards = deal.setup.dealt[number][self._shown_seat]
            self._set(replace(self._state, shown=self._row(cards)))

    def _row(self, cards: Sequence[Card]) -> tuple[Lying, ...]:
        assert self._shown_seat is not None
        way = self._ways[self._shown_seat]
        far = self._edges[self._shown_seat] * _SHOWN_AT
        turn = facing(way)
        return tuple(
            Lying(
                card.index,
                way[0] * far - way[1] * (place - 2.2) * 3.2,
                way[1] * far + way[0] * (place - 2.2) * 3.2,
                turn + 4 * (place - 1.5),
            )
            for place, card in enumerate(cards)
        )

    # Playing.

    def _play(self, turn: Turn, left: Sequence[Card]) -> None:
        manner, seat = self._manner, turn.seat
        self._now += self._between(*manner.think)
        card = replace(self._landing(seat), face=turn.card.index)
        if seat == self._shown_seat:
            self._set(replace(self._state, shown=self._row(left)))
        x, y = self._grip(seat, card)
        arrival = self._approach(seat, x, y, card)
        self.plan.plays[-1].append(arrival)
        self._set(replace(self._state, pile=(*self._state.pile, card)), arrival)
        leave = arrival + self._between(*manner.rest)
        if not turn.captured:
            gone = self._retreat(seat, arrival, leave, x, y)
            hurries = self._rng.random() < manner.hurry
            self._now = leave + 0.1 if hurries else gone
            return
        marker = turn.card.index if turn.bonus else None
        style = int(self._rng.choice(3, p=np.array(manner.styles)))
        if style == 0:
            self._now = self._retreat(seat, arrival, leave, x, y) + self._between(0.2, 0.8)
            self._take(seat, self._approach(seat, 0.0, 0.0, None), marker)
            return
        stays = self._between(0.35, 0.6) if style == 1 else self._between(0.1, 0.24)
        self._now = arrival
        self.plan.tracks.append(
            Track(seat, (Key(arrival, x, y, 1.2), Key(arrival + stays, x, y, 1.2)))
        )
        self._take(seat, arrival + stays, marker, (x, y))

    def _claim(self, turn: Turn, left: Sequence[Card]) -> None:
        """A card is laid face down on the single one, and the seat before accepts or challenges."""
        manner, seat = self._manner, turn.seat
        self._now += self._between(*manner.think)
        card = replace(self._landing(seat), face=BACK)
        if seat == self._shown_seat:
            self._set(replace(self._state, shown=self._row(left)))
        single = self._state.pile[-1].face
        x, y = self._grip(seat, card)
        arrival = self._approach(seat, x, y, card)
        self.plan.plays[-1].append(arrival)
        self._set(replace(self._state, pile=(*self._state.pile, card)), arrival)
        leave = arrival + self._between(*manner.rest)
        self._now = self._retreat(seat, arrival, leave, x, y) + self._between(*_ANSWERED)
        marker = single
        if turn.claim is Claim.CHALLENGED:
            other = (seat - 1) % len(self._ways)
            turner = seat if self._rng.random() < _TURNS_OWN else other
            self._turn_up(turner, [single, turn.card.index])
            self._now += self._between(0.6, 1.2)
            marker = turn.card.index
        if turn.captured:
            self._take(seat, self._approach(seat, 0.0, 0.0, None), marker if turn.bonus else None)

    # What is no play.

    def _odd(self, turn: Turn, hand: Sequence[Card]) -> None:
        """Something happens that is no play: the pile is straightened, a card lifted, and so on."""
        seat, pile, rng = turn.seat, self._state.pile, self._rng
        self._now += self._between(0.2, 0.5)
        kind = int(rng.integers(4))
        if kind == 0 and len(pile) > 2:
            arrival = self._approach(seat, 0.0, 0.0, None)
            self._now = arrival + 0.4
            straight = tuple(
                replace(card, x=card.x * 0.3, y=card.y * 0.3, angle=card.angle) for card in pile
            )
            self._set(replace(self._state, pile=straight))
            self._now = self._retreat(seat, arrival, self._now + 0.15, 0.0, 0.0)
        elif kind == 1 and pile:
            self._lift(seat, pile)
        elif kind == 2 and hand:
            # Somebody is about to play, and thinks again.
            way, far = self._ways[seat], self._edges[seat] * 0.6
            card = Lying(hand[0].index, way[0] * far, way[1] * far, 0.0)
            arrival = self._approach(seat, way[0] * far, way[1] * far, card)
            ex, ey = self._edge(seat)
            leave = arrival + self._between(0.2, 0.5)
            keys = (Key(arrival, way[0] * far, way[1] * far, 4), Key(leave, way[0] * far,
                    way[1] * far, 4), Key(leave + 0.5, ex, ey, 6))  # fmt: skip
            carried = (Carried(card, arrival, arrival, leave + 0.5),)
            self.plan.tracks.append(Track(seat, keys, carried))
            self._now = leave + 0.6
        else:
            # An arm across the table.
            ex, ey = self._edge(seat)
            side = 14 if rng.random() < 0.5 else -14
            reach = (
                Key(self._now, ex, ey, 8),
                Key(self._now + 0.7, side, self._ways[seat][1] * -4, 6),
                Key(self._now + 1.1, side, self._ways[seat][1] * -4, 6),
                Key(self._now + 1.8, ex, ey, 8),
            )
            self.plan.tracks.append(Track(seat, reach))
            self._now += 1.9

    def _lift(self, seat: int, pile: tuple[Lying, ...]) -> None:
        """The top card is picked up, looked at and put back."""
        top, way = pile[-1], self._ways[seat]
        x, y = self._grip(seat, top)
        arrival = self._approach(seat, x, y, None)
        up, stays = arrival + 0.1, self._between(0.5, 1.0)
        far = self._between(6, 12)
        down = up + 0.35 + stays
        keys = (
            Key(arrival, x, y, 1.2),
            Key(up, x, y, 1.2),
            Key(up + 0.35, x + way[0] * far, y + way[1] * far, 6),
            Key(down, x + way[0] * far, y + way[1] * far, 6),
            Key(down + 0.35, x, y, 1.2),
        )
        self.plan.tracks.append(Track(seat, keys, (Carried(top, up, up, down + 0.35),)))
        self._set(replace(self._state, pile=pile[:-1]), up)
        self._set(replace(self._state, pile=pile), down + 0.35)
        self._now = self._retreat(seat, down + 0.35, down + 0.5, x, y)
