"""The computer as a player: the policies by name, each a choice of a card from a view."""

from __future__ import annotations

from collections.abc import Callable, Mapping

from advisor.errors import ApiError
from engine import Card, View


class Computer:
    """Chooses cards for the seats that the computer plays.

    Args:
        policies: by name, what each plays; a policy sees nothing but the view of its seat.
    """

    def __init__(self, policies: Mapping[str, Callable[[View], Card]] | None = None) -> None:
        self._policies = dict(policies or {})

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
