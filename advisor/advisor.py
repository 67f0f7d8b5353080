"""The advisor: from what a seat knows to what it should play, and why."""

from __future__ import annotations

from typing import TYPE_CHECKING

from advisor.advice import Advice, Limit, Move, Opponent, Risk
from advisor.counter import count
from advisor.errors import AdviceError
from advisor.explain import Facts, explain, explain_answer
from advisor.memory import OpponentMemory
from advisor.messages import Catalogue
from engine import Rank, View

if TYPE_CHECKING:
    from advisor.search.search import Found


class Advisor:
    """Gives advice from views only. Thread-safe; one can serve all games.

    Attributes:
        language: the language of the sentences, one of `advisor.messages.LANGUAGES`.
    """

    def __init__(self, language: str = "en") -> None:
        self.language = language
        self._catalogue = Catalogue(language)

    def advise(
        self, view: View, limit: Limit | None = None, memory: OpponentMemory | None = None
    ) -> Advice:
        """Return what the seat of *view*, which must play or answer a claim, should do.

        The first call loads the machine code, or compiles it where that was never done on this
        machine; see `warm_up`.

        Args:
            view: what the seat knows.
            limit: how long to think, 0.1 s by default.
            memory: what is remembered of the others; None judges them by nothing but this hand.

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
        # Only who asks for advice pays for loading the compiler.
        from advisor.search.pool import chances, models_of
        from advisor.search.search import Beliefs, search

        evidence = None if memory is None else memory.evidence(view)
        beliefs = Beliefs(*models_of(view.rules), chances(view.rules.players, evidence))
        found = search(view, deal, limit, beliefs)
        counts = count(view)
        opponents = _opponents(view, found)
        kept = Limit(limit.seconds, found.worlds, limit.seed)
        if view.claim_waits:
            challenge = bool(found.points[1] > found.points[0])
            chance = found.true_claim or 0.0
            sentences = explain_answer(deal, challenge, chance, self._catalogue)
            return Advice(
                None, (), counts, opponents, sentences, kept, exact=False, challenge=challenge
            )
        moves = _moves(found)
        facts = Facts(view, deal, moves, counts, opponents, exact=found.exact)
        return Advice(
            best=moves[0].card,
            moves=moves,
            counts=counts,
            opponents=opponents,
            why=explain(facts, self._catalogue),
            limit=kept,
            exact=found.exact,
            claim=moves[0].claim,
        )

    @staticmethod
    def warm_up() -> None:
        """Load the machine code, and compile it where needed (under a minute, once a machine)."""
        from engine import Deal, RuleSet

        view = Deal.shuffled(RuleSet.classic(players=2), dealer=1, seed=0).view(0)
        Advisor().advise(view, Limit(samples=1), OpponentMemory())


def _moves(found: Found) -> tuple[Move, ...]:
    """Return the moves, best first; of equals the first card of the hand."""
    worth = found.win if found.for_the_win else found.points
    order = sorted(range(len(found.cards)), key=lambda at: (-worth[at], -found.points[at]))
    return tuple(
        Move(
            card=card,
            points=float(found.points[at]),
            stderr=float(found.stderr[at]),
            win=float(found.win[at]),
            risk=Risk(float(found.captured[at]), float(found.pisti[at])),
            claim=found.claims[at],
        )
        for at in order
        if (card := found.cards[at]) is not None
    )


def _opponents(view: View, found: Found) -> tuple[Opponent, ...]:
    return tuple(
        Opponent(seat, {str(rank): float(found.has_rank[seat, rank.index]) for rank in Rank})
        for seat in range(view.rules.players)
        if seat != view.seat
    )
