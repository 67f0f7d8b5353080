"""Where cards lie: piles, fans, rows and single cards, as people leave them."""

from __future__ import annotations

from collections.abc import Callable, Iterator
from dataclasses import dataclass, replace
from math import cos, radians, sin
from typing import Final

import numpy as np
from numpy.typing import NDArray

from datasets.camera import CARD_HEIGHT, card_corners
from datasets.decks import BACK, Deck
from datasets.prints import Print
from engine.cards import Card

ACE_OF_SPADES: Final = Card.parse("AS").index
#: The share of decks whose ace of spades is as the deck's own artwork has it.
_PLAIN_ACES: Final = 0.35
#: Depth of a card.
_THICKNESS: Final = 0.03


@dataclass(frozen=True)
class Placed:
    """A card in the world.

    Attributes:
        deck: its deck.
        face: `Card.index`, or `decks.BACK`.
        print: how its deck is printed.
        corners: (4, 3) world corners from the top-left of the upright face.
        depth: height of the stack of which it is the top, in centimetres; 0 for a single card.
        ornate: number of the ornate picture of an ace of spades, None for the deck's own.
    """

    deck: Deck
    face: int
    print: Print
    corners: NDArray[np.float64]
    depth: float = 0.0
    ornate: int | None = None


class Hand:
    """Deals the cards of one deck for a scene, no face twice before the deck is through."""

    def __init__(self, deck: Deck, rng: np.random.Generator) -> None:
        self.deck = deck
        self.print = Print.draw(rng)
        self._rng = rng
        self._faces: list[int] = []
        self._ornate: int | None = None

    def face(self) -> int:
        """The next face."""
        if not self._faces:
            self._faces = [int(f) for f in self._rng.permutation(self.deck.present)]
        return self._faces.pop()

    def place(self, face: int, x: float, y: float, z: float, angle: float) -> Placed:
        """The card *face* lying at (x, y), *z* above the table, turned by *angle* degrees."""
        corners = card_corners((x, y, z), angle, self.deck.aspect)
        ornate = None
        if face == ACE_OF_SPADES:
            if self._ornate is None:
                plain = self._rng.random() < _PLAIN_ACES
                self._ornate = -1 if plain else int(self._rng.integers(1 << 30))
            ornate = None if self._ornate < 0 else self._ornate
        return Placed(self.deck, face, self.print, corners, ornate=ornate)


Group = Callable[[Hand, np.random.Generator, float, float], Iterator[Placed]]


def single(hand: Hand, rng: np.random.Generator, x: float, y: float) -> Iterator[Placed]:
    """One card."""
    yield hand.place(hand.face(), x, y, 0.02, rng.uniform(0, 360))


def pile(hand: Hand, rng: np.random.Generator, x: float, y: float) -> Iterator[Placed]:
    """A sloppy pile of face-up cards, now and then with a back in it."""
    base, spread = rng.uniform(0, 360), rng.choice([3.0, 10.0, 30.0])
    drift = rng.choice([0.25, 0.8, 2.2])
    for n in range(int(rng.integers(2, 9))):
        dx, dy = rng.normal(0, drift, 2)
        half = 180 * int(rng.integers(2))
        face = BACK if rng.random() < 0.08 else hand.face()
        angle = base + half + rng.normal(0, spread)
        yield hand.place(face, x + dx, y + dy, 0.02 + n * _THICKNESS, angle)


def fan(hand: Hand, rng: np.random.Generator, x: float, y: float) -> Iterator[Placed]:
    """A fan of 2 to 6 cards lying on the table, now and then face down."""
    count = int(rng.integers(2, 7))
    yield from _fan(hand, rng, x, y, count, down=rng.random() < 0.12)


def _fan(
    hand: Hand, rng: np.random.Generator, x: float, y: float, count: int, down: bool
) -> Iterator[Placed]:
    heading, step = rng.uniform(0, 360), rng.uniform(7, 24)
    reach = rng.uniform(0.3, 0.9) * CARD_HEIGHT
    order = -1 if rng.random() < 0.85 else 1
    for n in range(count):
        angle = heading + order * (n - (count - 1) / 2) * step + rng.normal(0, 1.5)
        a = radians(angle)
        cx, cy = x - reach * sin(a), y + reach * cos(a)
        yield hand.place(BACK if down else hand.face(), cx, cy, 0.02 + n * _THICKNESS, angle)


def row(hand: Hand, rng: np.random.Generator, x: float, y: float) -> Iterator[Placed]:
    """A row or column of cards, apart or overlapping, neat or not."""
    count = int(rng.integers(2, 9))
    heading = radians(rng.uniform(0, 360))
    step = rng.choice([rng.uniform(1.3, 3.5), rng.uniform(3.5, 9.0)])
    turn = np.degrees(heading) + 90 * int(rng.integers(4))
    mess = rng.choice([0.0, 1.0, 5.0])
    for n in range(count):
        along = (n - (count - 1) / 2) * step
        cx = x + along * cos(heading) + rng.normal(0, 0.06 * mess)
        cy = y + along * sin(heading) + rng.normal(0, 0.06 * mess)
        face = BACK if rng.random() < 0.06 else hand.face()
        angle = turn + rng.normal(0, mess)
        yield hand.place(face, cx, cy, 0.02 + n * _THICKNESS, angle)


def stack(hand: Hand, rng: np.random.Generator, x: float, y: float) -> Iterator[Placed]:
    """A stack of backs, or of backs with one face on top, as the stock and won cards lie."""
    base, mess = rng.uniform(0, 360), rng.choice([0.5, 4.0])
    deep = float(rng.uniform(0.2, 1.5)) if rng.random() < 0.5 else 0.0
    if rng.random() < 0.3:
        # One card sticks out below: the bottom of the stock, or the card that won a trick.
        out = rng.uniform(0.5, 4.0, 2) * rng.choice([-1, 1], 2)
        face = BACK if rng.random() < 0.3 else hand.face()
        yield hand.place(face, x + out[0], y + out[1], 0.02, base + 90 + rng.normal(0, 10))
    count = 1 if deep else int(rng.integers(1, 5))
    for n in range(count):
        dx, dy = rng.normal(0, 0.05 * mess, 2)
        face = hand.face() if n == count - 1 and rng.random() < 0.15 else BACK
        angle = base + rng.normal(0, mess)
        card = hand.place(face, x + dx, y + dy, 0.02 + deep + n * _THICKNESS, angle)
        yield replace(card, depth=deep)


GROUPS: Final[dict[str, Group]] = {
    "single": single,
    "pile": pile,
    "fan": fan,
    "row": row,
    "stack": stack,
}
