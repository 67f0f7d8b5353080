"""The computer as a player: the policies by name, each a choice of a card from a view."""

from __future__ import annotations

from collections.abc import Callable, Mapping
from typing import Final

from advisor.errors import ApiError
from engine import Card, View

Policy = Callable[[View], Card]

#: Worlds that the strong player thinks through: a tenth of a second, whatever else goes on.
_SAMPLES: Final = 400


class Computer:
    """Chooses cards for the seats that the computer plays.

    Args:
        policies: by name, what each plays; a policy sees nothing but the view of its seat. By
            default the players of the program.
    """

    def __init__(self, policies: Mapping[str, Policy] | None = None) -> None:
        self._policies = dict(policies or {"advisor": _advisor, "simple": _simple})

    @property
    def names(self) -> tuple[str, ...]:
        """The names of the policies."""
        return tuple(self._policies)

    def check(self, name: str) -> None:
        """Raise ApiError unless there is a policy called *name*."""
        if name not in self._policies:
            raise ApiError("api.opponent", name=name, known=", ".join(self._policies))

    def choose(self, name: str, view: View) -> Card:
        """Return the card that the policy *name* plays.

        Raises:
            ApiError: there is no such policy.
        """
        self.check(name)
        return self._policies[name](view)


def _advisor(view: View) -> Card:
    """Play what the advisor would advise."""
    from advisor.advice import Limit
    from advisor.advisor import Advisor

    best = Advisor().advise(view, Limit(time=1.0, samples=_SAMPLES)).best
    assert best is not None
    return best


def _simple(view: View) -> Card:
    """Play as a beginner does: take what can be taken, with a Jack only where nothing else does."""
    pile = view.deal().pile
    hand = sorted(view.hand, key=lambda card: card.is_jack)
    matching = [card for card in hand if pile and card.rank is pile[-1].rank]
    jacks = [card for card in hand if card.is_jack and len(pile) > 1]
    return (matching or jacks or hand)[0]
