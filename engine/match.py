"""A match: deals added up until a side reaches the target."""

from __future__ import annotations

from collections.abc import Sequence
from typing import TYPE_CHECKING

from engine.cards import Card
from engine.deal import Deal
from engine.errors import IllegalPlayError
from engine.events import Event, MatchEnded
from engine.plays import Claim
from engine.rules import RuleSet
from engine.scoring import score_deal

if TYPE_CHECKING:
    from engine.view import View


class Match:
    """A sequence of deals under one rule set; the last one may be in progress.

    Attributes:
        rules: the rule set.
        deals: the deals so far.
    """

    def __init__(self, rules: RuleSet, deals: Sequence[Deal] = ()) -> None:
        self.rules = rules
        self.deals = list(deals)

    @property
    def deal(self) -> Deal | None:
        """The deal in progress or just ended, None before the first."""
        return self.deals[-1] if self.deals else None

    @property
    def next_dealer(self) -> int:
        """Who deals next: the last seat first, then the player to the dealer's right."""
        if not self.deals:
            return self.rules.players - 1
        return (self.deals[-1].dealer + 1) % self.rules.players

    @property
    def totals(self) -> tuple[int, ...]:
        """The points of each side over all deals, the running ones of the last included."""
        return self._sum(self.deals)

    @property
    def winner(self) -> int | None:
        """The side that has won, None while the match goes on.

        A match is decided at the end of a deal only, by the higher total at or above the target;
        equal totals, or a lead short of `win_by`, ask for another deal.
        """
        if not self.deals or not self.deals[-1].is_over:
            return None
        return winner_of(self.rules, self.totals)

    def start(self, deal: Deal) -> None:
        """Begin the next deal.

        Raises:
            IllegalPlayError: the match is won, or the deal in progress is not over.
            ValueError: the deal has another rule set.
        """
        if deal.rules != self.rules:
            raise ValueError(f"a deal by {deal.rules} in a match by {self.rules}")
        if self.winner is not None:
            raise IllegalPlayError("match.won", side=self.winner + 1)
        if self.deals and not self.deals[-1].is_over:
            raise IllegalPlayError("match.deal_not_over")
        self.deals.append(deal)

    def play(self, card: Card, claim: Claim | None = None) -> tuple[Event, ...]:
        """Play *card* in the deal in progress, as `Deal.play`, and report a win as well.

        Raises:
            IllegalPlayError: as `Deal.play`, or no deal was started.
        """
        return self._with_end(self._current.play(card, claim))

    def claim(self, card: Card) -> None:
        """Lay *card* face down and claim a pişti, as `Deal.claim`."""
        self._current.claim(card)

    def answer(self, *, challenge: bool) -> tuple[Event, ...]:
        """Answer the claim that waits, as `Deal.answer`, and report a win as well."""
        return self._with_end(self._current.answer(challenge=challenge))

    def undo(self) -> Card:
        """Take back the last play; a deal with no play yet is taken back before it."""
        if len(self.deals) > 1 and not self._current.history and self._current.claimed is None:
            self.deals.pop()
        return self._current.undo()

    def view(self, seat: int) -> View:
        """Return what *seat* may know: its view of the deal in progress, and the totals before."""
        from engine.view import View

        return View.of(self._current, seat, self._sum(self.deals[:-1]))

    @property
    def _current(self) -> Deal:
        if not self.deals:
            raise IllegalPlayError("match.no_deal")
        return self.deals[-1]

    def _sum(self, deals: Sequence[Deal]) -> tuple[int, ...]:
        points = [score_deal(deal).points for deal in deals]
        return tuple(map(sum, zip(*points, strict=True))) if points else (0,) * self.rules.sides

    def _with_end(self, events: tuple[Event, ...]) -> tuple[Event, ...]:
        winner = self.winner
        return events if winner is None else (*events, MatchEnded(winner))


def winner_of(rules: RuleSet, totals: Sequence[int]) -> int | None:
    """Return the side that has won with these totals at the end of a deal, None if none has."""
    first, second = sorted(totals, reverse=True)[:2]
    if first < rules.target or first - second < max(1, rules.win_by):
        return None
    return totals.index(first)
