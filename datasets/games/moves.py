"""What hands do at the table of a recorded game: they come and go, carry, turn over and take."""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import replace

import numpy as np

from datasets.decks import BACK
from datasets.games.levels import Manner
from datasets.games.plan import (
    STOCK,
    Carried,
    Heap,
    Key,
    Lying,
    Plan,
    State,
    Track,
    facing,
    heap_place,
    seat_way,
)


class Moves:
    """Movements at the table, one after the other; each is added to a plan.

    Args:
        manner: how the game is played.
        players: how many seats.
        edges: for each seat how far from the pile the picture ends.
        rng: source of chance.

    Attributes:
        plan: who moves what, as far as it was told.
    """

    def __init__(
        self, manner: Manner, players: int, edges: Sequence[float], rng: np.random.Generator
    ) -> None:
        self.plan = Plan()
        self._manner = manner
        self._edges = edges
        self._rng = rng
        self._now = 0.0
        self._ways = [seat_way(seat, players) for seat in range(players)]
        self._state = State((), 0, None, (Heap(),) * players)

    def _between(self, low: float, high: float) -> float:
        return float(self._rng.uniform(low, high))

    def _set(self, state: State, at: float | None = None) -> None:
        self._state = state
        self.plan.states.append((self._now if at is None else at, state))

    def _edge(self, seat: int) -> tuple[float, float]:
        """A place beyond the picture, at *seat*."""
        reach = self._edges[seat] + 9
        return self._ways[seat][0] * reach, self._ways[seat][1] * reach

    def _landing(self, seat: int) -> Lying:
        """Where a card played by *seat* comes to lie; its face is filled in later."""
        slop = self._manner.slop
        x, y = (float(v) for v in self._rng.normal(0, slop, 2))
        way = self._ways[seat]
        turn = facing(way)
        return Lying(0, x, y, turn + float(self._rng.normal(0, 9 * slop)))

    def _approach(self, seat: int, x: float, y: float, card: Lying | None) -> float:
        """The hand of *seat* comes to (x, y), with *card* in it if given; when it is there."""
        takes = self._between(*self._manner.approach)
        start, arrival = self._now, self._now + takes
        ex, ey = self._edge(seat)
        carried = () if card is None else (Carried(card, arrival, start, arrival),)
        keys = (Key(start, ex, ey, 7), Key(arrival, x, y, 1.2))
        self.plan.tracks.append(Track(seat, keys, carried))
        return arrival

    def _retreat(self, seat: int, arrived: float, leave: float, x: float, y: float) -> float:
        """The hand waits at (x, y) until *leave* and goes; when it is gone."""
        ex, ey = self._edge(seat)
        gone = leave + 0.8 * self._between(*self._manner.approach)
        keys = (Key(arrived, x, y, 1.2), Key(leave, x, y, 1.2), Key(gone, ex, ey, 7))
        self.plan.tracks.append(Track(seat, keys))
        return gone

    def _grip(self, seat: int, card: Lying) -> tuple[float, float]:
        """Where the fingertips are that hold *card*: on the half towards the player."""
        way = self._ways[seat]
        return card.x + way[0] * 1.6, card.y + way[1] * 1.6

    def _fly(
        self,
        card: Lying,
        start: tuple[float, float],
        end: tuple[float, float],
        takes: float,
        *,
        wait: bool = True,
    ) -> None:
        """*card* glides from *start* to *end*."""
        keys = (Key(self._now, *start, 1.0), Key(self._now + takes, *end, 0.6))
        resting = replace(card, x=end[0], y=end[1])
        carried = Carried(resting, self._now + takes, self._now, self._now + takes)
        self.plan.tracks.append(Track(None, keys, (carried,)))
        if wait:
            self._now += takes * 0.6

    def _hover(self, seat: int, begin: float, end: float) -> None:
        """The hand of *seat* over the stock between *begin* and *end*."""
        x, y = self._edge(seat)
        sx, sy = STOCK[0] + 1, STOCK[1] + self._ways[seat][1] * 3
        keys = [Key(begin, x, y, 5), Key(begin + 0.45, sx, sy, 2.5)]
        t = begin + 0.45
        while t + 0.5 < end:
            t += 0.25
            keys.append(Key(t, sx + self._between(0, 4), sy + self._between(-1, 1), 2.5))
        keys += [Key(end, sx, sy, 2.5), Key(end + 0.45, x, y, 5)]
        self.plan.tracks.append(Track(seat, tuple(keys)))

    def _turn_up(self, dealer: int, up: list[int]) -> None:
        """The last of *up* is turned up on the pile; the others lie below it."""
        arrival = self._approach(dealer, 0.0, 0.0, None)
        pile = self._state.pile
        count = len(pile)
        faces = [BACK] * (count - len(up)) + up
        turned = tuple(replace(card, face=face) for card, face in zip(pile, faces, strict=True))
        self._now = arrival + 0.25
        self._set(replace(self._state, pile=turned))
        self._retreat(dealer, arrival, self._now + 0.1, 0.0, 0.0)

    def _take(
        self, seat: int, start: float, marker: int | None, grip: tuple[float, float] = (0.0, 0.0)
    ) -> None:
        """The pile is swept away: turned over where captured cards lie, or out of the picture."""
        pile, rng = self._state.pile, self._rng
        way = self._ways[seat]
        outside = rng.random() < 0.5
        ex, ey = self._edge(seat)
        hx, hy = heap_place(self._ways[seat], self._edges[seat])
        tx, ty = (ex, ey) if outside else (hx + way[0] * 2, hy + way[1] * 2)
        takes = self._between(*self._manner.approach) * 0.9
        closing = start + 0.08
        end = closing + takes
        carried = tuple(Carried(card, closing, start, end) for card in pile)
        keys = (Key(start, *grip, 1.2), Key(closing, *grip, 1.2), Key(end, tx, ty, 3))
        self.plan.tracks.append(Track(seat, keys, carried))
        self._set(replace(self._state, pile=()), start)
        if outside:
            back = end + self._between(0.1, 0.5)
            there = back + 0.5
            stack = tuple(
                Carried(Lying(BACK, hx, hy, 90.0 + step), there, back, there) for step in range(2)
            )
            brings = (Key(back, ex, ey, 5), Key(there, hx + way[0], hy + way[1], 2))
            self.plan.tracks.append(Track(seat, brings, stack))
            end = there
        heap = self._state.heaps[seat]
        markers = heap.markers if marker is None else (*heap.markers, marker)
        heaps = list(self._state.heaps)
        heaps[seat] = Heap(heap.count + len(pile), markers)
        self._set(replace(self._state, heaps=tuple(heaps)), end)
        gone = self._retreat(seat, end, end + 0.1, hx + way[0], hy + way[1])
        self._now = gone if rng.random() > self._manner.hurry else end
