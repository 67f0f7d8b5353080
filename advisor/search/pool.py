"""The players that others are believed to be."""

from __future__ import annotations

from typing import Final

import numpy as np
import numpy.typing as npt

from advisor.policies.rows import COUNTING, GREEDY, HUNTER, TIPS, TUNED, Row

Floats = npt.NDArray[np.float64]

POOL: Final[list[Row]] = [TUNED, GREEDY, HUNTER, COUNTING, TIPS]
POOL_NAMES: Final = ("tuned", "greedy", "hunter", "counting", "tips")
PRIOR: Final = [0.4, 0.1, 0.1, 0.2, 0.2]
#: The pool as one array, and how much of the evidence of each play counts.
ROWS: Final = np.array(POOL)
TEMPER: Final = 1.0


def chances(players: int, evidence: Floats | None = None) -> Floats:
    """Return for each seat the chance of each row of `ROWS`, given *evidence* (seat × row)."""
    prior = np.tile(np.array(PRIOR), (players, 1))
    if evidence is None:
        return prior
    weighed = prior * np.exp(TEMPER * (evidence - evidence.max(axis=1, keepdims=True)))
    shares: Floats = weighed / weighed.sum(axis=1, keepdims=True)
    return shares
