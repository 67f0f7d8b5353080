"""Advice, commands, and the game session.

>>> from advisor import Advisor, Limit
>>> from engine import Deal, RuleSet
>>> view = Deal.shuffled(RuleSet.classic(players=2), dealer=1, seed=7).view(0)
>>> advice = Advisor().advise(view, Limit(samples=100, seed=1))
"""

from advisor.advice import Advice, Limit
from advisor.advisor import Advisor
from advisor.memory import OpponentMemory

__all__ = ["Advice", "Advisor", "Limit", "OpponentMemory"]
