"""The fast kernel: batches of deals as machine code, equal in outcome to the readable engine.

Only this package of the engine needs NumPy and Numba; `import engine` does not load it. The first
use of a combination of policies compiles it, some seconds, and keeps the code on disk.

>>> from engine import RuleSet
>>> from engine import kernel
>>> batch = kernel.play_batch(RuleSet.classic(), kernel.greedy, count=1000, seed=7)
>>> batch.points.shape
(1000, 2)
"""

from engine.kernel.dealing import from_deal, from_orders
from engine.kernel.layout import SCORE, STATE
from engine.kernel.playing import Batch, Policy, play_batch, play_orders, play_states
from engine.kernel.policies import (
    SeatView,
    card_at,
    first_legal,
    greedy,
    pick,
    points_of,
    random_policy,
    rank_of,
    seen_of,
)

__all__ = [
    "SCORE",
    "STATE",
    "Batch",
    "Policy",
    "SeatView",
    "card_at",
    "first_legal",
    "from_deal",
    "from_orders",
    "greedy",
    "pick",
    "play_batch",
    "play_orders",
    "play_states",
    "points_of",
    "random_policy",
    "rank_of",
    "seen_of",
]
