"""The anytime search: draw worlds, weigh them, play each card in each of them."""

from __future__ import annotations

import time
from dataclasses import dataclass
from typing import Final

import numpy as np
import numpy.typing as npt

from advisor.advice import Limit
from advisor.search.knowledge import position_of
from advisor.search.playouts import believe, evaluate, keys_of
from advisor.search.winning import win_chance
from advisor.search.worlds import Position
from engine import Card, Rank, View, deck
from engine.kernel.layout import RANKS, STATE, Rules
from engine.rules import HAND_SIZE, MAX_PLAYERS

Floats = npt.NDArray[np.float64]

#: Worlds that are played out together, and how many are drawn for each of them.
BATCH: Final = 256
DRAWN: Final = 4


@dataclass(frozen=True)
class Beliefs:
    """Who the others may be.

    Attributes:
        rows: weights of players, one a row; row 0 is how the advised side plays on.
        chances: for each seat the chance of each row.
    """

    rows: Floats
    chances: Floats


@dataclass
class Found:
    """What the search found, by card of the hand.

    Attributes:
        cards: the hand.
        points: mean result of the deal (interfaces.md).
        stderr: standard error of the mean.
        win: chance to win the match.
        captured, pisti: chances that the next player captures, and makes a pişti.
        has_rank: seat × rank, the chance that the seat holds the rank now.
        worlds: how many worlds were played out.
    """

    cards: tuple[Card, ...]
    points: Floats
    stderr: Floats
    win: Floats
    captured: Floats
    pisti: Floats
    has_rank: Floats
    worlds: int


def search(view: View, limit: Limit, beliefs: Beliefs) -> Found:
    """Play out worlds until *limit* is reached.

    Raises:
        ValueError: the cards of the view do not add up.
    """
    started = time.perf_counter()
    run = _Run(view, limit, beliefs)
    while not run.is_over(time.perf_counter() - started):
        run.step()
    return run.found()


class _Run:
    def __init__(self, view: View, limit: Limit, beliefs: Beliefs) -> None:
        self._view = view
        self._limit = limit
        self._beliefs = beliefs
        self._rules = Rules.of(view.rules)
        self._position = position_of(view)
        self._prior = np.cumsum(beliefs.chances, axis=1)
        start = self._position.start[0]
        turn, players = int(start["turn"]), self._rules.players
        self._cards = _hand_now(self._position, turn, players)
        laid = [0] * players
        for at in range(len(self._position.plays)):
            laid[(turn + at) % players] += 1
        self._sizes = [
            int(size) - gone for size, gone in zip(self._position.sizes, laid, strict=True)
        ]
        self._results: list[Floats] = []
        self._takes: list[Floats] = []
        self._hands = np.zeros((view.rules.players, 13))
        self._weight = 0.0
        self._drawn = 0
        self._played = 0

    def is_over(self, seconds: float) -> bool:
        if self._limit.samples is not None and self._played >= self._limit.samples:
            return True
        return bool(self._played and self._limit.seconds and seconds >= self._limit.seconds)

    def step(self) -> None:
        """Draw, weigh and play out one batch."""
        count = BATCH
        if self._limit.samples is not None:
            count = min(count, self._limit.samples - self._played)
        drawn = count * (DRAWN if len(self._position.plays) else 1)
        worlds = np.zeros(drawn, STATE)
        models = np.zeros((drawn, MAX_PLAYERS), np.int64)
        weights = np.zeros(drawn)
        keys = keys_of(self._limit.seed, self._drawn, drawn)
        rows = self._beliefs.rows
        believe()(self._rules, self._position, rows, self._prior, keys, worlds, models, weights)
        self._drawn += drawn
        self._note_hands(worlds, weights)
        chosen = _systematic(weights, count)
        points = np.zeros((count, HAND_SIZE, self._rules.sides))
        takes = np.zeros((count, HAND_SIZE, 2))
        scratch = np.zeros(1, STATE)
        seat = self._view.seat
        evaluate()(self._rules, seat, rows, worlds, chosen, models, scratch, points, takes)
        held = len(self._cards)
        self._results.append(points[:, :held])
        self._takes.append(takes[:, :held])
        self._played += count

    def _note_hands(self, worlds: npt.NDArray[np.void], weights: Floats) -> None:
        """Add up, weighted, which ranks each seat holds."""
        self._weight += weights.sum()
        every = np.arange(len(worlds))
        for seat, size in enumerate(self._sizes):
            held = np.zeros((len(worlds), len(Rank)))
            for place in range(size):
                cards = (worlds["hands"][:, seat] >> np.uint32(8 * place)) & np.uint32(255)
                held[every, RANKS[cards]] = 1.0
            self._hands[seat] += weights @ held

    def found(self) -> Found:
        """Return what all batches found."""
        points = np.concatenate(self._results)
        side, sides = self._view.seat % self._rules.sides, self._rules.sides
        others = (points.sum(axis=2) - points[:, :, side]) / (sides - 1)
        result = points[:, :, side] - others
        totals = np.array(self._view.totals) + points
        takes = np.concatenate(self._takes).mean(axis=0)
        count = len(points)
        spread = result.std(axis=0, ddof=1) if count > 1 else np.full(result.shape[1], np.nan)
        return Found(
            cards=self._cards,
            points=result.mean(axis=0),
            stderr=spread / np.sqrt(count),
            win=win_chance(self._view.rules, side, totals).mean(axis=0),
            captured=takes[:, 0],
            pisti=takes[:, 1],
            has_rank=self._hands / self._weight,
            worlds=count,
        )


def _hand_now(position: Position, turn: int, players: int) -> tuple[Card, ...]:
    """Return the advised seat's cards in the order in which worlds hold them."""
    sizes = position.sizes
    packed = int(position.start["hands"][0][position.seat])
    cards = [packed >> (8 * at) & 255 for at in range(sizes[position.seat])]
    for at, card in enumerate(position.plays.tolist()):
        if (turn + at) % players == position.seat:
            cards.remove(card)
    faces = deck(2)
    return tuple(faces[card].face for card in cards)


def _systematic(weights: Floats, count: int) -> npt.NDArray[np.int64]:
    """Return *count* places, each as often as its weight says, at even steps."""
    total = weights.sum()
    if not total > 0:
        return np.arange(count)
    marks = (np.arange(count) + 0.5) / count
    return np.searchsorted(np.cumsum(weights) / total, marks).clip(0, len(weights) - 1)
