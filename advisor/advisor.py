"""The advisor: from what a seat knows to what it should play, and why."""

from __future__ import annotations

from collections.abc import Sequence
from typing import TYPE_CHECKING, Final

from advisor.advice import Advice, Limit, Move, Opponent, Risk
from advisor.counter import count
from advisor.errors import AdviceError
from advisor.explain import Facts, explain, explain_answer
from advisor.memory import OpponentMemory
from advisor.messages import Catalogue
from advisor.readings import Doubt, likely_readings
from engine import Rank, View

if TYPE_CHECKING:
    from advisor.search.mixture import Mixture
    from advisor.search.search import Found, Search
    from engine import Deal, RuleSet

#: Worlds of each position when the machine code is loaded: more than one, as in earnest.
_WARMING: Final = 8


class Advisor:
    """Gives advice from views only. Thread-safe; one can serve all games.

    Attributes:
        language: the language of the sentences, one of `advisor.messages.LANGUAGES`.
    """

    def __init__(self, language: str = "en") -> None:
        self.language = language
        self._catalogue = Catalogue(language)

    def advise(
        self,
        view: View,
        limit: Limit | None = None,
        memory: OpponentMemory | None = None,
        doubts: Sequence[Doubt] = (),
    ) -> Advice:
        """Return what the seat of *view*, which must play or answer a claim, should do.

        The first call loads the machine code, or compiles it where that was never done on this
        machine; see `warm_up`.

        Args:
            view: what the seat knows.
            limit: how long to think, 0.1 s by default.
            memory: what is remembered of the others; None judges them by nothing but this hand.
            doubts: plays that may have been read wrong.

        Raises:
            AdviceError: the deal is over, another seat is on turn, the hand is not known, or a
                doubt is about no play.
        """
        thought = self.think(view, limit, memory, doubts)
        while not thought.is_over:
            thought.go_on()
        return thought.advice(self._catalogue)

    def think(
        self,
        view: View,
        limit: Limit | None = None,
        memory: OpponentMemory | None = None,
        doubts: Sequence[Doubt] = (),
    ) -> Thought:
        """Begin to think, for whoever wants advice on the way or may stop early; see `advise`."""
        limit = limit or Limit()
        deal = view.deal()
        turn = deal.to_act
        if turn is None:
            raise AdviceError("advise.over")
        if turn != view.seat:
            raise AdviceError("advise.not_turn", player=view.seat + 1, turn=turn + 1)
        if lacks_centre(deal):
            raise AdviceError("advise.centre")
        unknown = sum(not card.known for card in view.hand)
        if unknown:
            raise AdviceError("advise.hand", player=view.seat + 1, count=unknown)
        # Only who asks for advice pays for loading the compiler.
        from advisor.search.pool import chances, models_of
        from advisor.search.search import Beliefs, Search

        evidence = None if memory is None else memory.evidence(view)
        beliefs = Beliefs(*models_of(view.rules), chances(view.rules.players, evidence))
        readings = likely_readings(view, doubts)
        if len(readings) == 1:
            return Thought(view, deal, limit, Search(view, deal, limit, beliefs))
        from advisor.search.mixture import Mixture

        searches = [
            (Search(reading, reading.deal(), limit.share(chance), beliefs), chance)
            for reading, chance in readings
        ]
        return Thought(view, deal, limit, Mixture(searches), readings)

    @staticmethod
    def warm_up(rules: RuleSet | None = None) -> None:
        """Load the machine code, and compile it where needed (under a minute, once a machine).

        Args:
            rules: the rule set that advice will be wanted for; classic rules by default.
        """
        from engine import Deal, RuleSet

        # A deal from its beginning to its end meets everything that its advice will need.
        rules = rules or RuleSet.classic(players=2)
        deal, advisor, memory = Deal.shuffled(rules, 0, 0), Advisor(), OpponentMemory()
        limit = Limit(samples=_WARMING)
        while not deal.is_over:
            seat = deal.turn
            best = advisor.advise(deal.view(seat), limit, memory).best
            assert best is not None
            if deal.may_claim:
                deal.claim(deal.find(best))
                answering = deal.to_act
                assert answering is not None
                advisor.advise(deal.view(answering), limit, memory)
                deal.answer(challenge=True)
            else:
                deal.play(best)
        memory.remember(deal, 0)


def lacks_centre(deal: Deal) -> bool:
    """Whether nobody has said yet which card lies face up before the first play."""
    return deal.top is not None and not deal.top.rank and not deal.history


class Thought:
    """Thinking in progress, batch by batch; made by `Advisor.think`. For one thread at a time."""

    def __init__(
        self,
        view: View,
        deal: Deal,
        limit: Limit,
        search: Search | Mixture,
        readings: Sequence[tuple[View, float]] = (),
    ) -> None:
        self._view = view
        self._deal = deal
        self._limit = limit
        self._readings = readings
        self._search: Search | Mixture | None = search
        self._found: Found | None = None

    @property
    def is_over(self) -> bool:
        """Whether the limit is reached; never before a first batch."""
        if self._search is not None and self._search.is_over:
            self._found = self._search.found()
            # What was played out takes a megabyte and more; what was found takes nothing.
            self._search = None
        return self._search is None

    def go_on(self) -> None:
        """Think a few milliseconds more; nothing happens when it is over."""
        if self._search is not None:
            self._search.step()

    def advice(self, catalogue: Catalogue) -> Advice:
        """Return the advice as it is now, in the words of *catalogue*, after a first batch."""
        found = self._search.found() if self._search is not None else self._found
        assert found is not None
        view, deal = self._view, self._deal
        counts = count(view)
        opponents = _opponents(view, found)
        kept = Limit(self._limit.seconds, found.worlds, self._limit.seed)
        if view.claim_waits:
            challenge = bool(found.points[1] > found.points[0])
            chance = found.true_claim or 0.0
            sentences = explain_answer(deal, challenge, chance, catalogue)
            return Advice(
                None, (), counts, opponents, sentences, kept, exact=False, challenge=challenge
            )
        moves = _moves(found)
        facts = Facts(view, deal, moves, counts, opponents, found.exact, self._readings)
        return Advice(
            best=moves[0].card,
            moves=moves,
            counts=counts,
            opponents=opponents,
            why=explain(facts, catalogue),
            limit=kept,
            exact=found.exact,
            claim=moves[0].claim,
        )


def _moves(found: Found) -> tuple[Move, ...]:
    """Return the moves, best first; of equals the first card of the hand."""
    worth = found.win if found.for_the_win else found.points
    order = sorted(range(len(found.cards)), key=lambda at: (-worth[at], -found.points[at]))
    return tuple(
        Move(
            card=card,
            points=float(found.points[at]),
            stderr=None if found.stderr is None else float(found.stderr[at]),
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
