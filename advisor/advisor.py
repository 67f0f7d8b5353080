"""The advisor: from what a seat knows to what it should play, and why."""

from __future__ import annotations

from typing import TYPE_CHECKING

from advisor.advice import Advice, Limit, Move, Opponent, Risk
from advisor.counter import count
from advisor.errors import AdviceError
from advisor.explain import Facts, explain
from advisor.messages import Catalogue
from engine import Rank, View

if TYPE_CHECKING:
    from advisor.search.search import Beliefs, Found


class Advisor:
    """Gives advice from views only. Thread-safe; one can serve all games.

    Attributes:
        language: the language of the sentences, one of `advisor.messages.LANGUAGES`.
    """

    def __init__(self, language: str = "en") -> None:
        self.language = language
        self._catalogue = Catalogue(language)

    def advise(self, view: View, limit: Limit | None = None) -> Advice:
        """Return what the seat of *view*, which is on turn, should play.

        The first call loads the machine code, or compiles it where that was never done on this
        machine; see `warm_up`.

        Raises:
            AdviceError: the deal is over, another seat is on turn, or the hand is not known.
        """
        limit = limit or Limit()
        deal = view.deal()
        if deal.is_over:
            raise AdviceError("advise.over")
        if deal.to_act != view.seat:
            raise AdviceError("advise.not_turn", seat=view.seat, turn=deal.to_act)
        unknown = sum(not card.known for card in view.hand)
        if unknown:
            raise AdviceError("advise.hand", seat=view.seat, count=unknown)
        from advisor.search.search import search

        found = search(view, limit, self._beliefs(view))
        moves = _moves(found)
        counts = count(view)
        opponents = _opponents(view, found)
        facts = Facts(view, deal, moves, counts, opponents, exact=False)
        return Advice(
            best=moves[0].card,
            moves=moves,
            counts=counts,
            opponents=opponents,
            why=explain(facts, self._catalogue),
            limit=Limit(limit.seconds, found.worlds, limit.seed),
            exact=False,
        )

    @staticmethod
    def warm_up() -> None:
        """Load the machine code, and compile it where needed (some 20 s, once a machine)."""
        from engine import Deal, RuleSet

        view = Deal.shuffled(RuleSet.classic(players=2), dealer=1, seed=0).view(0)
        Advisor().advise(view, Limit(samples=1))

    def _beliefs(self, view: View) -> Beliefs:
        from advisor.search.pool import static_beliefs

        return static_beliefs(view.rules.players)


def _moves(found: Found) -> tuple[Move, ...]:
    """Return the moves, best first; of equals the first card of the hand."""
    order = sorted(range(len(found.cards)), key=lambda at: -found.points[at])
    return tuple(
        Move(
            card=found.cards[at],
            points=float(found.points[at]),
            stderr=float(found.stderr[at]),
            win=float(found.win[at]),
            risk=Risk(float(found.captured[at]), float(found.pisti[at])),
        )
        for at in order
    )


def _opponents(view: View, found: Found) -> tuple[Opponent, ...]:
    return tuple(
        Opponent(seat, {str(rank): float(found.has_rank[seat, rank.index]) for rank in Rank})
        for seat in range(view.rules.players)
        if seat != view.seat
    )
