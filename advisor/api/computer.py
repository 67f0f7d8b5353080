"""The computer as a player: the policies by name, each a choice from a view."""

from __future__ import annotations

from collections.abc import Callable, Mapping
from dataclasses import dataclass
from typing import Final

from advisor.errors import ApiError
from engine import Card, View


@dataclass(frozen=True, slots=True)
class Choice:
    """What the computer does.

    Attributes:
        card: the card that it plays; None where it answers a claim.
        claim: whether it lays the card face down and claims a pişti.
        challenge: whether it challenges the claim that waits for it.
    """

    card: Card | None
    claim: bool = False
    challenge: bool = False


Policy = Callable[[View], Choice]

#: Worlds that the strong player thinks through: a tenth of a second, whatever else goes on.
_SAMPLES: Final = 400


class Computer:
    """Chooses for the seats that the computer plays.

    Args:
        policies: by name, what each does; a policy sees nothing but the view of its seat. By
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

    def choose(self, name: str, view: View) -> Choice:
        """Return what the policy *name* plays, or how it answers the claim that waits for it.

        Raises:
            ApiError: there is no such policy.
        """
        self.check(name)
        return self._policies[name](view)


def _advisor(view: View) -> Choice:
    """Do what the advisor would advise."""
    from advisor.advice import Limit
    from advisor.advisor import Advisor

    advice = Advisor().advise(view, Limit(time=1.0, samples=_SAMPLES))
    return Choice(advice.best, advice.claim, bool(advice.challenge))


def _simple(view: View) -> Choice:
    """Play as a beginner does: take what can be taken, with a Jack only where nothing else does.

    By bluff rules it claims what it could take openly, and challenges only what cannot be true.
    """
    deal = view.deal()
    pile = deal.pile
    if view.claim_waits:
        possible = any(card.rank is pile[-1].rank for card in view.unseen)
        return Choice(None, challenge=not possible)
    hand = sorted(view.hand, key=lambda card: card.is_jack)
    matching = [card for card in hand if pile and card.rank is pile[-1].rank]
    jacks = [card for card in hand if card.is_jack and len(pile) > 1]
    card = (matching or jacks or hand)[0]
    return Choice(card, claim=bool(matching) and deal.may_claim and not card.is_jack)
