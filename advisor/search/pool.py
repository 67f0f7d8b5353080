"""The players that others are believed to be."""

from __future__ import annotations

import numpy as np

from advisor.policies.rows import CAREFUL, COUNTING, GREEDY, HUNTER, TIPS
from advisor.search.search import Beliefs


def static_beliefs(players: int) -> Beliefs:
    """Return what is believed of players of whom nothing is known."""
    rows = np.array([CAREFUL, GREEDY, HUNTER, COUNTING, TIPS])
    chances = np.tile(np.array([0.4, 0.1, 0.1, 0.2, 0.2]), (players, 1))
    return Beliefs(rows, chances)
