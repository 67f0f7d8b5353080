"""From looks at the pile to the game that was played, and what a person should check of it."""

from __future__ import annotations

import math
from collections import defaultdict
from collections.abc import Sequence
from dataclasses import dataclass, replace
from typing import Final

import numpy as np

from engine import UNKNOWN, Card, RuleSet, deck
from engine.errors import PistiError
from engine.record import DealRecord, PlayRecord, Record, replay
from vision.decoder.evidence import Evidence, Weights
from vision.decoder.looks import Look
from vision.decoder.search import Hypothesis, Search, Step, steps_of

_DECK: Final = deck()
#: A play less certain than this is put on the review list.
_CHECK_BELOW: Final = 0.9
#: So many alternatives are listed with a play to check.
_ALTERNATIVES: Final = 4
#: Differences of hypotheses are softened by this, because neighbouring frames repeat each other.
_SOFTENING: Final = 0.25


@dataclass(frozen=True, slots=True)
class Doubt:
    """A play that a person should look at.

    Attributes:
        t: seconds into the recording.
        deal: number of the deal, from 0.
        play: number of the play in it, from 0.
        read: the card taken to be played.
        alternatives: other cards it may have been, the likeliest first.
    """

    t: float
    deal: int
    play: int
    read: Card
    alternatives: tuple[Card, ...]

    def to_json(self) -> dict[str, object]:
        """Return the doubt as an item of the review list."""
        return {
            "t": self.t,
            "deal": self.deal,
            "play": self.play,
            "read": str(self.read),
            "alternatives": [str(card) for card in self.alternatives],
        }


@dataclass(frozen=True, slots=True)
class Decoded:
    """A game as it was understood."""

    record: Record
    review: tuple[Doubt, ...]


def decode(
    rules: RuleSet,
    looks: Sequence[Look],
    *,
    dealer: int | None = None,
    bottom: Card | None = None,
    weights: Weights | None = None,
) -> Decoded:
    """Return the most likely legal game behind *looks*.

    Args:
        rules: the rule set it was played by.
        looks: what the frames show of the pile, in the order of time.
        dealer: the dealer of the first deal; by default the last seat.
        bottom: the shown bottom card of the first deal's stock, where it was seen.
        weights: how strongly each kind of evidence counts.
    """
    evidence = Evidence(looks, weights or Weights())
    hypotheses = Search(rules, evidence).run()
    dealer = rules.players - 1 if dealer is None else dealer
    deals: list[DealRecord] = []
    review: list[Doubt] = []
    for number, last in enumerate(deals_of(hypotheses[0])):
        steps = steps_of(last)
        up = next((at for at, step in enumerate(steps) if not _DECK[step.card].is_jack), len(steps))
        votes = _votes(hypotheses, number)
        plays = []
        for play, step in enumerate(steps[up + 1 :]):
            t = round(float(evidence.times[step.look]), 3)
            agreed = votes[up + 1 + play]
            confidence = agreed[step.card] * math.exp(evidence.played[step.look, step.card])
            plays.append(PlayRecord(_DECK[step.card], t=t, confidence=round(confidence, 3)))
            if confidence < _CHECK_BELOW:
                others = _alternatives(agreed, evidence, step)
                review.append(Doubt(t, number, play, _DECK[step.card], others))
        deals.append(
            replace(
                _laid_out(rules, [_DECK[step.card] for step in steps[: up + 1]]),
                dealer=(dealer + number) % rules.players,
                bottom=bottom if number == 0 else None,
                plays=tuple(plays),
            )
        )
    record = Record(rules, deals=tuple(deals))
    if bottom is not None and not _is_legal(record):
        # A card taken for the stock's bottom that was played by another or sooner was none.
        record = replace(record, deals=(replace(record.deals[0], bottom=None), *record.deals[1:]))
    return Decoded(record, tuple(review))


def _laid_out(rules: RuleSet, turned_up: Sequence[Card]) -> DealRecord:
    """Return a deal with the centre's cards in the order in which they were turned up."""
    *jacks, top = turned_up
    hidden = [UNKNOWN] * (rules.centre_size - len(turned_up))
    if rules.jack_on_centre == "turn_next":
        return DealRecord(0, (*hidden, *turned_up), centre_up=len(turned_up))
    centre = (*jacks, *hidden, top) if rules.jack_on_centre == "bottom" else (*hidden, *jacks, top)
    return DealRecord(0, centre, buried=tuple(jacks))


def deals_of(hypothesis: Hypothesis) -> tuple[Step, ...]:
    """Return the last step of each deal of *hypothesis*."""
    return (*hypothesis.deals, *([hypothesis.last] if hypothesis.last else []))


def _votes(hypotheses: Sequence[Hypothesis], number: int) -> list[dict[int, float]]:
    """Return for each step of deal *number* the share of each card among the hypotheses."""
    scores = np.array([hypothesis.score for hypothesis in hypotheses])
    shares = np.exp(_SOFTENING * (scores - scores.max()))
    votes: list[dict[int, float]] = [defaultdict(float) for _ in range(len(_DECK) + 1)]
    for hypothesis, share in zip(hypotheses, shares / shares.sum(), strict=True):
        for last in deals_of(hypothesis)[number : number + 1]:
            for place, step in enumerate(steps_of(last)):
                votes[place][step.card] += float(share)
    return votes


def _alternatives(votes: dict[int, float], evidence: Evidence, step: Step) -> tuple[Card, ...]:
    """Return other cards than that of *step*: first what other hypotheses say, then what showed."""
    showed = np.argsort(-evidence.played[step.look]).tolist()
    ranked = [*sorted(votes, key=lambda card: -votes[card]), *showed]
    others = [card for card in dict.fromkeys(ranked) if card != step.card]
    return tuple(_DECK[card] for card in others[:_ALTERNATIVES])


def _is_legal(record: Record) -> bool:
    try:
        replay(record)
    except PistiError:
        return False
    return True
