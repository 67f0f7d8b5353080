"""Looks at a pile, simulated from a game that is known."""

from __future__ import annotations

import random
from dataclasses import dataclass, field

import numpy as np

from engine import Card, Claim, Deal
from vision.decoder import Look

STEP = 0.2


@dataclass
class Table:
    """Shows a deal as a camera and a reader might.

    Attributes:
        deal: the deal; it is played to its end with cards chosen by *seed*.
        unseen: numbers of plays whose card shows in no frame.
        misread: numbers of plays after which another card is read for a moment.
        sure: probability that the reader gives to the right card.
        peeks: whether the card below shows beside one that is laid face down on it.
        never_turned: numbers of challenged claims whose card shows in no frame.

    Where the rules have `bluff`, piştis are claimed: with every match, and now and then without.
    """

    deal: Deal
    seed: int = 0
    unseen: frozenset[int] = frozenset()
    misread: frozenset[int] = frozenset()
    sure: float = 0.9
    peeks: bool = True
    never_turned: frozenset[int] = frozenset()
    looks: list[Look] = field(default_factory=list)
    times: list[float] = field(default_factory=list)

    def __post_init__(self):
        rng = random.Random(self.seed)
        self._news = {}
        up = self.deal.setup.centre[-self.deal.setup.centre_up :]
        pile = [card.face for card in up]
        self._show([], 5)
        for jack in [card.face for card in self.deal.setup.buried]:
            self._show([jack], 6)
        for count in range(1, len(pile) + 1):
            self._show(pile[:count], 8)
        players = self.deal.rules.players
        while not self.deal.is_over:
            number = len(self.deal.history)
            if number and number % (4 * players) == 0:
                self._show(pile, 20)
            card = rng.choice(self.deal.legal_cards())
            claim = None
            if self.deal.may_claim:
                card, claim = self._claimed(card, rng)
            self.deal.play(card, claim)
            self.times.append(len(self.looks) * STEP)
            if claim is not None:
                self._show(pile if self.peeks else [], rng.choice([5, 9]), back=0.8)
            if claim is Claim.ACCEPTED or number in self.never_turned:
                pile = []
                self._show(pile, 14 if number in self.never_turned else 4)
                continue
            shown = pile if number in self.unseen else [*pile, card.face]
            if self.deal.history[-1].captured:
                self._show(shown, rng.choice([1, 4]))
                pile = []
                self._show(pile, 4)
            else:
                if number in self.misread:
                    wrong = rng.choice([other for other in range(52) if other != card.index])
                    self._show(shown, 1, wrong)
                pile = shown
                self._show(pile, rng.choice([5, 8, 12]))
        self._show([], 5)

    def _claimed(self, card: Card, rng: random.Random) -> tuple[Card, Claim | None]:
        """Return what is laid on the single card, and how it is answered if it is face down."""
        rank = self.deal.pile[-1].rank
        card = next((one for one in self.deal.legal_cards() if one.rank is rank), card)
        if card.rank is not rank and rng.random() < 0.6:
            return card, None
        return card, rng.choice([Claim.ACCEPTED, Claim.CHALLENGED])

    def _show(self, pile, frames, wrong=None, back=0.0):
        for number in range(frames):
            # Of a sloppy pile the top card and one or two below it show.
            visible = [card.index for card in pile[-3:]]
            if wrong is not None and visible:
                visible[-1] = wrong
            rows = np.full((len(visible), 52), (1 - self.sure) / 51, np.float32)
            for row, card in zip(rows, visible, strict=True):
                row[card] = self.sure
            self._news = {
                card: max(0.85 * self._news.get(card, 1 / 0.85), 0.04) for card in visible
            }
            near = rows.max(axis=0) if len(rows) else np.zeros(52, np.float32)
            self.looks.append(
                Look(
                    time=len(self.looks) * STEP,
                    lying=rows,
                    news=np.array([self._news[card] for card in visible], np.float32),
                    near=near,
                    clear=1.0,
                    back=back,
                    back_news=max(0.85**number, 0.04) if back else 0.0,
                )
            )
