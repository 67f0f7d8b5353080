"""The chance to win the match from totals, by what a deal brings in self-play."""

from __future__ import annotations

from collections.abc import Callable
from functools import cache, lru_cache
from typing import Any, Final

import numpy as np
import numpy.typing as npt

from advisor.search.knowledge import position_of
from advisor.search.lookahead import evaluate
from advisor.search.playouts import TO_THE_END, believe, keys_of
from advisor.search.pool import own_row
from engine import Deal, RuleSet
from engine.kernel.compiling import compiled
from engine.kernel.layout import STATE, Rules
from engine.rules import HAND_SIZE, MAX_PLAYERS

Floats = npt.NDArray[np.float64]

#: A longer match is reckoned in steps of several points, so that the table stays small.
_MOST_STEPS: Final = 200
_DEALS: Final = 6
_WORLDS: Final = 64
_FUTURES: Final = 48
_MOST_DEALS: Final = 60


@lru_cache(maxsize=16)
def deal_points(rules: RuleSet) -> npt.NDArray[np.int64]:
    """Return what the sides scored in deals of the careful player against itself: deal × side."""
    points = []
    compiled_rules = Rules.of(rules)
    rows = np.array([own_row(rules)])
    for number in range(_DEALS):
        dealer = number % rules.players
        view = Deal.shuffled(rules, dealer, number).view((dealer + 1) % rules.players)
        worlds = np.zeros(_WORLDS, STATE)
        models = np.zeros((_WORLDS, MAX_PLAYERS), np.int64)
        out = np.zeros((_WORLDS, HAND_SIZE, rules.sides))
        takes = np.zeros((_WORLDS, HAND_SIZE, 2))
        prior = np.ones((rules.players, 1))
        keys = keys_of(number, 0, _WORLDS)
        position = position_of(view)
        believe()(compiled_rules, position, rows, prior, keys, worlds, models, np.zeros(_WORLDS))
        scratch = np.zeros(2, STATE)
        every = np.arange(_WORLDS)
        evaluate()(
            compiled_rules,
            view.seat,
            np.zeros(1, np.int64),
            rows,
            worlds,
            every,
            models,
            scratch,
            TO_THE_END,
            np.empty((1, 0)),
            out,
            takes,
        )
        points.append(out[np.arange(_WORLDS), np.arange(_WORLDS) % HAND_SIZE])
    return np.concatenate(points).astype(np.int64)


def _solve(brought: npt.NDArray[np.int64], parts: Floats, table: Floats) -> None:
    """Fill *table* [ours, theirs], both short of the target, with the chance to win.

    A deal brings each row of *brought* (ours, theirs) with the chance *parts*. Who is ahead at the
    target wins; equal totals are a half.
    """
    size = len(table)
    for total in range(2 * size - 2, -1, -1):
        for ours in range(max(0, total - size + 1), min(size, total + 1)):
            theirs = total - ours
            chance = 0.0
            rest = 0.0
            for number in range(len(parts)):
                part = parts[number]
                a, b = ours + brought[number, 0], theirs + brought[number, 1]
                if a < size and b < size:
                    if a + b == total:
                        rest += part
                    else:
                        chance += part * table[a, b]
                elif a > b:
                    chance += part
                elif a == b:
                    chance += 0.5 * part
            table[ours, theirs] = chance / (1.0 - rest) if rest < 1.0 else 0.5


@cache
def _solver() -> Callable[..., None]:
    return compiled(_solve)


@lru_cache(maxsize=16)
def _table(rules: RuleSet) -> tuple[Floats, int]:
    """Return the chance to win by [ours, theirs] in steps, and the points of a step."""
    step = -(-rules.target // _MOST_STEPS)
    size = -(-rules.target // step)
    points = deal_points(rules) // step
    joint = np.zeros((points.max() + 1,) * 2)
    for ours, theirs in points:
        # Either side may be the one that is advised.
        joint[ours, theirs] += 0.5 / len(points)
        joint[theirs, ours] += 0.5 / len(points)
    table = np.zeros((size, size))
    brought = np.argwhere(joint)
    _solver()(brought, joint[joint > 0.0], table)
    return table, step


def win_chance(rules: RuleSet, side: int, totals: npt.NDArray[Any]) -> Floats:
    """Return the chance that *side* wins the match, for *totals* [..., side] after a deal."""
    if rules.sides == 2:
        return _of_two(rules, totals[..., side], totals[..., 1 - side])
    return _of_many(rules, side, totals)


def _of_two(rules: RuleSet, ours: npt.NDArray[Any], theirs: npt.NDArray[Any]) -> Floats:
    table, step = _table(rules)
    most = np.maximum(ours, theirs)
    lead = ours - theirs
    decided = (most >= rules.target) & (np.abs(lead) >= max(1, rules.win_by))
    # Beyond the target but not decided: as far from it as the lead says.
    over = np.maximum(0, most - rules.target + 1)
    last = len(table) - 1
    row = np.clip((ours - over) // step, 0, last).astype(np.int64)
    column = np.clip((theirs - over) // step, 0, last).astype(np.int64)
    chance: Floats = np.where(decided, lead > 0, table[row, column])
    return chance


def _of_many(rules: RuleSet, side: int, totals: npt.NDArray[Any]) -> Floats:
    """Play futures on from the distinct totals, the same ones for all."""
    flat = totals.reshape(-1, rules.sides).astype(np.int64)
    distinct, back = np.unique(flat, axis=0, return_inverse=True)
    deals = deal_points(rules)
    rng = np.random.default_rng(0)
    running = np.repeat(distinct[:, None, :], _FUTURES, axis=1)
    won = np.full(running.shape[:2], np.nan)
    for _ in range(_MOST_DEALS):
        ranked = np.sort(running, axis=2)
        first, second = ranked[..., -1], ranked[..., -2]
        over = (first >= rules.target) & (first - second >= max(1, rules.win_by))
        decided = over & np.isnan(won)
        won[decided] = (running[..., side] == first)[decided]
        if not np.isnan(won).any():
            break
        running += deals[rng.integers(0, len(deals), _FUTURES)]
    chance = np.nan_to_num(won, nan=1.0 / rules.sides).mean(axis=1)
    shaped: Floats = chance[back.reshape(-1)].reshape(totals.shape[:-1])
    return shaped
