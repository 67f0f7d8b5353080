"""The players that others are believed to be, and how to play on against each of them."""

from __future__ import annotations

from functools import lru_cache
from typing import Final, NamedTuple

import numpy as np
import numpy.typing as npt

from advisor.policies.rows import (
    ANSWERS,
    COUNTING,
    GREEDY,
    HUNTER,
    LIKE_ADVISOR,
    PARTNERS,
    SEARCHING,
    TIPS,
    TUNED,
    Row,
)
from engine import RuleSet

Floats = npt.NDArray[np.float64]
Whole = npt.NDArray[np.int64]

#: By name how each of them plays, and how likely it is where nothing is known. The tuned player
#: is first: the advised side plays by that row wherever nothing better is known.
POOL: Final[dict[str, Row]] = {
    "tuned": TUNED,
    "greedy": GREEDY,
    "hunter": HUNTER,
    "counting": COUNTING,
    "tips": TIPS,
    "searching": SEARCHING,
}
#: Not believed by the advisor: how it plays itself, for who wants to exploit it.
ADVISOR: Final = "advisor"
POOL_NAMES: Final = tuple(POOL)
PRIOR: Final = (0.2, 0.1, 0.1, 0.2, 0.2, 0.2)
#: How much of the evidence of each play counts.
TEMPER: Final = 1.0


class Models(NamedTuple):
    """Players as rows of weights.

    Attributes:
        rows: one player a row: the pool, then the answers to it.
        answers: for each row of the pool the row by which to play on against it.
    """

    rows: Floats
    answers: Whole


@lru_cache(maxsize=32)
def models_of(rules: RuleSet) -> Models:
    """Return the pool with its answers under *rules*."""
    own = own_row(rules)
    rows = [row_named(rules, name) for name in POOL_NAMES]
    answers = []
    for name in POOL_NAMES:
        answer = answer_to(rules, name)
        if answer is own:
            answers.append(0)
        else:
            answers.append(len(rows))
            rows.append(answer)
    return Models(np.array(rows), np.array(answers, np.int64))


def own_row(rules: RuleSet) -> Row:
    """Return the row that plays best under *rules* where nothing is known of the others."""
    return PARTNERS if rules.partnership else TUNED


def row_named(rules: RuleSet, name: str) -> Row:
    """Return the row of the player *name* of the pool, or of `ADVISOR`, under *rules*."""
    if name == POOL_NAMES[0]:
        return own_row(rules)
    return LIKE_ADVISOR if name == ADVISOR else POOL[name]


def answer_to(rules: RuleSet, name: str) -> Row:
    """Return the row by which to play on against the player *name* of the pool."""
    own = own_row(rules)
    return ANSWERS.get(name, own) if rules.players == 2 else own


def chances(players: int, evidence: Floats | None = None) -> Floats:
    """Return for each seat the chance of each player of the pool, given *evidence* (seat × row)."""
    prior = np.tile(np.array(PRIOR), (players, 1))
    if evidence is None:
        return prior
    weighed = prior * np.exp(TEMPER * (evidence - evidence.max(axis=1, keepdims=True)))
    shares: Floats = weighed / weighed.sum(axis=1, keepdims=True)
    return shares
