"""The anytime search: draw worlds, weigh them, play each card in each of them."""

from __future__ import annotations

import time
from dataclasses import dataclass
from typing import Final

import numpy as np
import numpy.typing as npt

from advisor.advice import Limit
from advisor.explain import NEAR
from advisor.policies.networks import networks_of
from advisor.search.claims import BLUFFED, CHALLENGED, answer, claim
from advisor.search.exact import MOST_PLAYS, solve
from advisor.search.knowledge import position_of
from advisor.search.lookahead import evaluate
from advisor.search.playouts import HAND_DEAL, TO_THE_END, believe, keys_of
from advisor.search.winning import win_chance
from advisor.search.worlds import Position, Whole
from engine import Card, Deal, Rank, View, deck
from engine.bonus import claim_stake
from engine.kernel.layout import RANKS, STATE, Rules
from engine.rules import HAND_SIZE, MAX_PLAYERS

Floats = npt.NDArray[np.float64]

#: Worlds that are played out together, and how many are drawn for each of them.
BATCH: Final = 256
DRAWN: Final = 4
#: Of so many worlds one is played to the end of the deal even where a network judges the rest.
_TO_THE_END: Final = 4


@dataclass(frozen=True)
class Beliefs:
    """Who the others may be.

    Attributes:
        rows: weights of players, one a row.
        answers: by row of an opponent the row by which the advised side plays on.
        chances: for each seat the chance of each of the first rows.
    """

    rows: Floats
    answers: Whole
    chances: Floats


@dataclass
class Found:
    """What the search found, by option: the cards of the hand, then claims, or two answers.

    Attributes:
        cards: the card of each option; None for an answer to a claim: accept, then challenge.
        claims: whether the option lays the card face down.
        points: mean result of the deal (interfaces.md).
        stderr: standard error of the mean; None after one world.
        win: chance to win the match.
        captured, pisti: chances that the next player captures, and makes a pişti.
        has_rank: seat × rank, the chance that the seat holds the rank now.
        worlds: how many worlds were played out.
        exact: whether the search was exhaustive.
        for_the_win: whether the options are to be compared by `win`.
        true_claim: where a claim is to be answered, the chance that it is true.
    """

    cards: list[Card | None]
    claims: list[bool]
    points: Floats
    stderr: Floats | None
    win: Floats
    captured: Floats
    pisti: Floats
    has_rank: Floats
    worlds: int
    exact: bool
    for_the_win: bool
    true_claim: float | None = None


class Search:
    """A search in progress: whoever owns it takes it further, batch by batch.

    Args:
        view: what the seat knows; it must play, or answer a claim.
        deal: the deal of *view*.
        limit: when it is over.
        beliefs: who the others may be.
    """

    def __init__(self, view: View, deal: Deal, limit: Limit, beliefs: Beliefs) -> None:
        self._started = time.perf_counter()
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
        sizes = zip(self._position.sizes, laid, strict=True)
        self._sizes = [int(size) - gone for size, gone in sizes]
        self._near = max(view.totals) > 0 and max(view.totals) + NEAR >= view.rules.target
        networks = networks_of(view.rules)
        self._judged = len(networks) > 0 and not self._near
        self._networks = networks if self._judged else np.empty((len(beliefs.rows), 0))
        self._answers = view.claim_waits
        self._claims = deal.may_claim and not self._answers
        self._stakes = np.zeros(2, np.int64)
        if deal.top is not None and (self._claims or self._answers):
            for at in range(2):
                self._stakes[at] = claim_stake(view.rules, deal.top, challenged=at == 1)
        self._exact = not view.rules.bluff and self._knows_all(deal.plays_left)
        # By option: points to the end of the deal by world and side, and estimates of the result.
        self._ends: list[Floats] = []
        self._results: list[Floats] = []
        self._takes: list[Floats] = []
        self._weights: list[Floats] = []
        self._hands = np.zeros((players, len(Rank)))
        self._weight = 0.0
        self._drawn = 0
        self._played = 0

    def _knows_all(self, left: int) -> bool:
        """Whether all unseen cards lie in one hand, few plays before the end of two sides' deal.

        `is_known` says the same to compiled code; called from here it would be compiled each time.
        """
        position = self._position
        hidden = (position.sizes - position.known).tolist()
        return self._rules.sides == 2 and left <= MOST_PLAYS and len(position.unseen) in hidden

    @property
    def played(self) -> int:
        """How many worlds were played out so far."""
        return self._played

    @property
    def is_over(self) -> bool:
        """Whether the limit is reached; never before a first batch."""
        if not self._played:
            return False
        samples, seconds = self._limit.samples, self._limit.seconds
        if self._exact or (samples is not None and self._played >= samples):
            return True
        return seconds is not None and time.perf_counter() - self._started >= seconds

    def step(self) -> None:
        """Draw, weigh and play out one batch."""
        count = 1 if self._exact else BATCH
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
        self._played += count
        if self._answers:
            self._answer(worlds[chosen], models[chosen])
        else:
            self._play(worlds, models, chosen)

    def _play(self, worlds: npt.NDArray[np.void], models: Whole, chosen: Whole) -> None:
        held = len(self._cards)
        full = chosen
        if self._judged:
            points, _ = self._evaluate(worlds, models, chosen, HAND_DEAL)
            self._results.append(self._gain(points))
            full = chosen[::_TO_THE_END]
        points, takes = self._evaluate(worlds, models, full, TO_THE_END)
        takes_of_cards = takes[:, :held]
        if self._claims:
            claimed = np.zeros((len(full), HAND_SIZE, 2, self._rules.sides))
            seat, rows, scratch = self._view.seat, self._beliefs.rows, np.zeros(1, STATE)
            chosen_worlds, who = worlds[full], models[full]
            claim()(self._rules, seat, rows, chosen_worlds, who, scratch, self._stakes, claimed)
            expected = (1 - CHALLENGED) * claimed[:, :, 0] + CHALLENGED * claimed[:, :, 1]
            points = np.concatenate([points, expected[:, :held]], axis=1)
            takes_of_cards = np.concatenate([takes_of_cards, 0 * takes_of_cards], axis=1)
        self._ends.append(points)
        self._takes.append(takes_of_cards)
        if not self._judged:
            self._results.append(self._gain(points))

    def _evaluate(
        self, worlds: npt.NDArray[np.void], models: Whole, chosen: Whole, plies: int
    ) -> tuple[Floats, Floats]:
        """Return the points (world × card × side) and what the next seat takes."""
        points = np.zeros((len(chosen), HAND_SIZE, self._rules.sides))
        takes = np.zeros((len(chosen), HAND_SIZE, 2))
        scratch = np.zeros(2, STATE)
        evaluate()(
            self._rules,
            self._view.seat,
            self._beliefs.answers,
            self._beliefs.rows,
            worlds,
            chosen,
            models,
            scratch,
            plies,
            self._networks,
            points,
            takes,
        )
        held = len(self._cards)
        return points[:, :held], takes[:, :held]

    def _answer(self, worlds: npt.NDArray[np.void], models: Whole) -> None:
        points = np.zeros((len(worlds), 2, self._rules.sides))
        weights = np.ones((len(worlds), 2))
        scratch = np.zeros(1, STATE)
        seat, rows, stakes = self._view.seat, self._beliefs.rows, self._stakes
        answer()(self._rules, seat, rows, worlds, models, scratch, stakes, BLUFFED, weights, points)
        self._ends.append(points)
        self._results.append(self._gain(points))
        self._takes.append(np.zeros((len(worlds), 2, 2)))
        self._weights.append(weights)

    def _gain(self, points: Floats) -> Floats:
        """Return the result for the advised side, from points by side (the last axis)."""
        side, sides = self._view.seat % self._rules.sides, self._rules.sides
        gain: Floats = points[..., side] - (points.sum(axis=-1) - points[..., side]) / (sides - 1)
        return gain

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
        if self._exact:
            gains = np.zeros((1, HAND_SIZE))
            solve()(self._rules, worlds[:1], np.zeros(MOST_PLAYS + 2, STATE), gains)
            self._solved = gains[0, : len(self._cards)]

    def found(self) -> Found:
        """Return what the batches so far found; there must have been one."""
        side = self._view.seat % self._rules.sides
        result = np.concatenate(self._results)
        ends = np.concatenate(self._ends)
        takes = np.concatenate(self._takes).mean(axis=0)
        wins = win_chance(self._view.rules, side, np.array(self._view.totals) + ends)
        weights = np.ones(len(result))
        true_claim = None
        if self._answers:
            answers = np.concatenate(self._weights)
            weights, truth = answers[:, 0], answers[:, 1]
            true_claim = float(weights @ truth / weights.sum())
            win = weights @ wins / weights.sum()
        else:
            win = wins.mean(axis=0)
        points, stderr = _weighted(result, weights)
        if self._exact:
            points, stderr = self._solved, np.zeros(len(self._solved))
        cards: list[Card | None] = [None, None] if self._answers else [*self._cards]
        claims = [False] * len(cards)
        if self._claims:
            claims += [True] * len(cards)
            cards *= 2
        return Found(
            cards=cards,
            claims=claims,
            points=points,
            stderr=stderr,
            win=win,
            captured=takes[:, 0],
            pisti=takes[:, 1],
            has_rank=self._hands / self._weight if self._weight else self._hands,
            worlds=self._played,
            exact=self._exact,
            for_the_win=self._near and not self._exact,
            true_claim=true_claim,
        )


def _weighted(result: Floats, weights: Floats) -> tuple[Floats, Floats | None]:
    """Return the weighted mean of each column and its standard error, None of one row."""
    total = weights.sum()
    mean = weights @ result / total
    if len(result) < 2:
        return mean, None
    spread = (weights**2) @ (result - mean) ** 2 / total**2
    return mean, np.sqrt(spread * len(result) / (len(result) - 1))


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
