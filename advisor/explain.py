"""Why: one to three short sentences that name what sets the best card apart."""

from __future__ import annotations

from collections import defaultdict
from collections.abc import Iterator, Mapping, Sequence
from dataclasses import dataclass
from typing import Final

from advisor.advice import Counts, Move, Opponent
from advisor.messages import Catalogue
from engine import Card, Deal, View
from engine.bonus import capture_bonus
from engine.scoring import CARD_POINTS

_MOST: Final = 3
#: A sentence of less weight says that the card is good, but not why.
_REASON: Final = 4
#: A difference of chances that is worth a sentence.
_NOTABLE: Final = 0.08
#: So close to the target the deal is played for the win.
NEAR: Final = 40


@dataclass(frozen=True)
class Facts:
    """What a sentence may speak of.

    Attributes:
        view: what the seat knows.
        deal: the deal as the seat sees it.
        moves: the moves, best first.
        counts: the counter.
        opponents: beliefs about the other hands.
        exact: whether the search was exhaustive.
        readings: where cards may have been read wrong, the likely readings with their chances,
            *view* first.
    """

    view: View
    deal: Deal
    moves: tuple[Move, ...]
    counts: Counts
    opponents: tuple[Opponent, ...]
    exact: bool
    readings: Sequence[tuple[View, float]] = ()


class _Share(float):
    """A chance, which is said in per cent."""


@dataclass(frozen=True)
class _Reason:
    """One sentence and how much it says about the choice."""

    weight: float
    key: str
    values: Mapping[str, object]


def explain(facts: Facts, catalogue: Catalogue) -> tuple[str, ...]:
    """Return one to three sentences in the language of *catalogue*, the weightiest first."""
    reasons = list(_reasons(facts))
    if all(reason.weight < _REASON for reason in reasons):
        reasons += _of_risk(facts)
    reasons.sort(key=lambda reason: -reason.weight)
    return tuple(_said(reason, catalogue) for reason in reasons[:_MOST])


def explain_answer(
    deal: Deal, challenge: bool, chance: float, catalogue: Catalogue
) -> tuple[str, ...]:
    """Return why the claim that waits in *deal* is to be challenged or accepted.

    Args:
        deal: the deal as the seat sees it.
        challenge: whether to challenge.
        chance: the chance that the claim is true.
        catalogue: the language.
    """
    key = "why.challenge" if challenge else "why.accept"
    assert deal.top is not None
    rank = deal.top.rank.value if deal.top.rank else "?"
    return (catalogue.text(key, rank=rank, percent=catalogue.percent(chance)),)


def captures(deal: Deal, card: Card) -> bool:
    """Whether *card*, laid face up now, captures the table."""
    return deal.top is not None and (card.is_jack or card.rank is deal.top.rank)


def _said(reason: _Reason, catalogue: Catalogue) -> str:
    values = {
        name: catalogue.percent(value) if isinstance(value, _Share) else value
        for name, value in reason.values.items()
    }
    return catalogue.text(reason.key, **values)


def _reasons(facts: Facts) -> Iterator[_Reason]:
    best = facts.moves[0]
    if len(facts.moves) == 1:
        # Without a choice nothing else sets it apart.
        yield _Reason(9, "why.only", {"card": best.card.symbol})
        return
    if best.claim:
        true = captures(facts.deal, best.card) and best.card.rank is facts.deal.pile[0].rank
        yield _Reason(11, "why.claim_true" if true else "why.claim_bluff", {})
        return
    if facts.exact:
        yield _Reason(2, "why.exact", {})
    if captures(facts.deal, best.card):
        yield from _of_capture(facts, best)
    else:
        yield from _of_laying(facts, best)
    other = _next_best(facts)
    if other is not None:
        yield from _of_comparison(facts, best, other)
    yield from _of_doubt(facts)
    target = facts.view.rules.target
    if max(facts.view.totals) + NEAR >= target and max(facts.view.totals) > 0:
        yield _Reason(2.5, "why.target", {"percent": _Share(best.win)})


def _next_best(facts: Facts) -> Move | None:
    """Return the best move with a card of another rank; one of the same rank is the same play."""
    rank = facts.moves[0].card.rank
    others = (move for move in facts.moves[1:] if move.card.rank is not rank and not move.claim)
    return next(others, None)


def _of_capture(facts: Facts, best: Move) -> Iterator[_Reason]:
    deal, rules = facts.deal, facts.view.rules
    pile = deal.pile
    if len(pile) == 1:
        first, last = not deal.history, deal.plays_left == 1
        bonus = capture_bonus(rules, pile[0], best.card, first=first, last=last)
        if bonus:
            yield _Reason(10, "why.pisti", {"points": bonus})
            return
    scoring = [card.symbol for card in (*pile, best.card) if card.known and CARD_POINTS.get(card)]
    if scoring:
        cards = ", ".join(scoring)
        yield _Reason(8, "why.takes_scoring", {"count": len(pile) + 1, "cards": cards})
    else:
        yield _Reason(7, "why.takes", {"count": len(pile) + 1})
    own = sum(map(len, deal.taken[rules.side_of(facts.view.seat)]))
    if own <= rules.cards // 2 < own + len(pile) + 1 and rules.majority_points:
        values = {"count": own + len(pile) + 1, "points": rules.majority_points}
        yield _Reason(6, "why.majority", values)
    if deal.plays_left <= rules.players:
        yield _Reason(5, "why.last", {})


def _of_laying(facts: Facts, best: Move) -> Iterator[_Reason]:
    deal, counts = facts.deal, facts.counts
    rank = best.card.rank
    assert rank is not None
    jacks = [card for card in facts.view.hand if card.is_jack]
    if jacks and deal.pile and not best.card.is_jack:
        unseen = {"left": counts.jacks_left, "count": len(deal.pile)}
        yield _Reason(6, "why.keeps_jack", unseen)
    total = 4 * facts.view.rules.decks
    left = counts.left[str(rank)]
    if left == 0:
        key = "why.safe" if counts.jacks_left else "why.surely_safe"
        yield _Reason(5.5, key, {"rank": rank.value})
    elif total - left > 1 + sum(card.rank is rank for card in facts.view.hand):
        gone = {"rank": rank.value, "gone": total - left, "total": total}
        yield _Reason(4.5, "why.gone", gone)
    if sum(card.rank is rank for card in facts.view.hand) > 1 and not deal.pile:
        yield _Reason(4, "why.pair", {"rank": rank.value})
    bottom = counts.bottom
    if bottom and bottom[1] not in (None, facts.view.seat):
        invited = [move.card for move in facts.moves[1:] if move.card.rank is bottom[0].rank]
        if invited and rank is not bottom[0].rank:
            values = {"bottom": bottom[0].symbol, "card": invited[0].symbol}
            yield _Reason(5, "why.bottom", values)


def _of_risk(facts: Facts) -> Iterator[_Reason]:
    """Say how likely the next player takes the pile, where nothing else speaks for the card."""
    best, *others = facts.moves
    percent = {"percent": _Share(best.risk.captured)}
    least = min((move.risk.captured for move in others), default=1.0)
    yield _Reason(3, "why.safest" if best.risk.captured <= least else "why.chance", percent)


def _of_doubt(facts: Facts) -> Iterator[_Reason]:
    """Name the latest card that may well be another."""
    others: dict[tuple[int, Card], float] = defaultdict(float)
    for reading, chance in facts.readings[1:]:
        for at, play in enumerate(reading.plays):
            if play.card is not facts.view.plays[at].card:
                others[at, play.card] += chance
    notable = [key for key, chance in others.items() if chance >= _NOTABLE]
    if not notable:
        return
    at, other = max(notable, key=lambda key: (key[0], others[key]))
    values = {
        "card": facts.view.plays[at].card.symbol,
        "other": other.symbol,
        "percent": _Share(others[at, other]),
    }
    # Whoever sees what was reckoned with can put it right: it is said before all but captures.
    yield _Reason(6.5, "why.doubt", values)


def _of_comparison(facts: Facts, best: Move, other: Move) -> Iterator[_Reason]:
    worth = CARD_POINTS.get(best.card, 0), CARD_POINTS.get(other.card, 0)
    taking = captures(facts.deal, best.card)
    if not taking and worth[1] > worth[0] and not captures(facts.deal, other.card):
        yield _Reason(4.2, "why.keeps_points", {"card": other.card.symbol})
    risk = other.risk.captured - best.risk.captured
    if not taking and risk > _NOTABLE and not captures(facts.deal, other.card):
        values = {
            "card": other.card.symbol,
            "percent": _Share(other.risk.captured),
            "best": _Share(best.risk.captured),
        }
        yield _Reason(4 + risk, "why.risk", values)
    lead = best.points - other.points
    if best.stderr is None or lead < 2 * best.stderr:
        yield _Reason(1, "why.close", {"card": other.card.symbol})
    else:
        yield _Reason(1, "why.lead", {"card": other.card.symbol, "points": lead})
