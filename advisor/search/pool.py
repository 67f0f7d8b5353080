"""The players that others are believed to be."""

from __future__ import annotations

from typing import Final

import numpy as np

from advisor.policies.rows import CAREFUL, COUNTING, GREEDY, HUNTER, TIPS, Row
from advisor.search.search import Beliefs

POOL: Final[list[Row]] = [CAREFUL, GREEDY, HUNTER, COUNTING, TIPS]
PRIOR: Final = [0.4, 0.1, 0.1, 0.2, 0.2]


def static_beliefs(players: int) -> Beliefs:
    """Return what is believed of players of whom nothing is known."""
    return Beliefs(np.array(POOL), np.tile(np.array(PRIOR), (players, 1)))
