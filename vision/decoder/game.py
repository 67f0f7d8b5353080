"""From looks at the pile to the game that was played, and what a person should check of it."""

from __future__ import annotations

import math
from collections.abc import Mapping, Sequence
from dataclasses import dataclass, replace
from typing import Final

from engine import UNKNOWN, Card, Claim, RuleSet, deck
from engine.errors import PistiError
from engine.record import DealRecord, PlayRecord, Record, replay
from vision.decoder.again import Searches
from vision.decoder.claim_course import ClaimCourse
from vision.decoder.evidence import Evidence, Weights
from vision.decoder.hands import Hands
from vision.decoder.looks import Look
from vision.decoder.refine import DealCourse
from vision.decoder.steps import NO_CARD, Hypothesis, Step, deals_of, plain, steps_of

_DECK: Final = deck()
#: A play less certain than this is put on the review list.
_CHECK_BELOW: Final = 0.95
#: So many alternatives are listed with a play to check.
_ALTERNATIVES: Final = 4
#: Differences of log-probability are softened by this, because frames repeat each other.
_SOFTENING: Final = 0.5
#: A play of which nothing was seen is this sure at most: it follows from the others.
_UNSEEN: Final = 0.85
#: A card that was turned over and showed less clearly than this may not have been turned over.
_HARDLY: Final = 0.5


@dataclass(frozen=True, slots=True)
class Doubt:
    """A play that a person should look at.

    Attributes:
        t: seconds into the recording.
        deal: number of the deal, from 0.
        play: number of the play in it, from 0.
        read: the card taken to be played; `UNKNOWN` where a claimed pişti seems to be accepted.
        alternatives: other cards it may have been, the likeliest first; of a claimed pişti, those
            that may have been turned over, `UNKNOWN` where it may have been accepted.
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


@dataclass(frozen=True, slots=True)
class Fact:
    """A card that a person has named: a hard fact for the decoder.

    Attributes:
        deal: number of the deal, from 0.
        play: number of the play in it, from 0.
        card: what was played; `UNKNOWN` where a claimed pişti was accepted.
    """

    deal: int
    play: int
    card: Card


def decode(
    rules: RuleSet,
    looks: Sequence[Look],
    *,
    dealer: int | None = None,
    bottom: Card | None = None,
    weights: Weights | None = None,
    facts: Sequence[Fact] = (),
) -> Decoded:
    """Return the most likely legal game behind *looks*.

    Args:
        rules: the rule set it was played by.
        looks: what the frames show of the pile, in the order of time.
        dealer: the dealer of the first deal; by default the last seat.
        bottom: the shown bottom card of the first deal's stock, where it was seen.
        weights: how strongly each kind of evidence counts.
        facts: what a person has corrected.
    """
    return Decoder(rules, looks, dealer=dealer, bottom=bottom, weights=weights).decode(facts)


class Decoder:
    """Decodes one recording, again and again with further facts.

    What was reckoned is kept, so that decoding again is quick: only from where the facts differ
    to the end of the deal they are about.

    Args:
        rules: the rule set it was played by.
        looks: what the frames show of the pile, in the order of time.
        dealer: the dealer of the first deal; by default the last seat.
        bottom: the shown bottom card of the first deal's stock, where it was seen.
        weights: how strongly each kind of evidence counts.
        hands: from which side hands reached for the pile, where that is known.
    """

    def __init__(
        self,
        rules: RuleSet,
        looks: Sequence[Look] = (),
        *,
        dealer: int | None = None,
        bottom: Card | None = None,
        weights: Weights | None = None,
        hands: Hands | None = None,
    ) -> None:
        self._rules = rules
        self._dealer = rules.players - 1 if dealer is None else dealer
        self.bottom = bottom
        self._evidence = Evidence(looks, weights or Weights(), hands)
        hidden = None if bottom is None else bottom.index
        self._searches = Searches(rules, self._evidence, hidden)
        self._judged: dict[tuple[object, ...], tuple[DealRecord, list[Doubt]]] = {}

    def decode(self, facts: Sequence[Fact] = ()) -> Decoded:
        """Return the most likely legal game in which *facts* hold.

        Raises:
            ValueError: a claimed pişti was accepted, where the rules have none.
        """
        known = {(fact.deal, fact.play): fact.card.index for fact in facts}
        if NO_CARD in known.values() and not self._rules.bluff:
            raise ValueError(f"no pişti can be claimed by these rules: {list(facts)!r}")
        return self.told(self._searches.best(known), known)

    def told(self, hypothesis: Hypothesis, known: Mapping[tuple[int, int], int]) -> Decoded:
        """Return the game of *hypothesis*, with its cards judged over whole deals."""
        ends = deals_of(hypothesis)
        starts = [steps_of(last)[0].look for last in ends]
        deals, review = [], []
        for number, last in enumerate(ends):
            end = starts[number + 1] if number + 1 < len(ends) else len(self._evidence.times)
            deal, doubts = self._deal(number, steps_of(last), end, known)
            deals.append(deal)
            review += doubts
        record = Record(self._rules, deals=tuple(deals))
        if self.bottom is not None and not _is_legal(record):
            # A card taken for the stock's bottom that was played by another or sooner was none.
            first = replace(record.deals[0], bottom=None)
            record = replace(record, deals=(first, *record.deals[1:]))
        return Decoded(record, tuple(review))

    def _deal(
        self, number: int, steps: Sequence[Step], end: int, known: Mapping[tuple[int, int], int]
    ) -> tuple[DealRecord, list[Doubt]]:
        """Return one deal as it was understood, and the plays of it to check."""
        facts = {play: card for (deal, play), card in known.items() if deal == number}
        key = (number, plain(steps), end, tuple(sorted(facts.items())))
        if key not in self._judged:
            self._judged[key] = self._judge(number, steps, end, facts)
        return self._judged[key]

    def _judge(
        self, number: int, steps: Sequence[Step], end: int, facts: Mapping[int, int]
    ) -> tuple[DealRecord, list[Doubt]]:
        up = next((at for at, step in enumerate(steps) if not _DECK[step.card].is_jack), None)
        turned = len(steps) if up is None else up + 1
        bottom = self.bottom if number == 0 else None
        hidden = None if bottom is None else bottom.index
        kind = ClaimCourse if any(step.laid >= 0 for step in steps) else DealCourse
        course = kind(self._rules, self._evidence, steps, turned, end, facts, hidden)
        course.improve()
        plays, doubts = [], []
        for place in range(turned, len(steps)):
            card, claim = course.cards[place], None
            if isinstance(course, ClaimCourse) and steps[place].laid >= 0:
                claim = Claim.ACCEPTED if card == NO_CARD else Claim.CHALLENGED
                sure, others = self._of_claim(course, place)
            else:
                sure, others = self._of_play(course, place)
            t = round(self._evidence.times[steps[place].begin], 3)
            confidence = 1.0 if place - turned in facts else sure
            name = UNKNOWN if card == NO_CARD else _DECK[card]
            plays.append(PlayRecord(name, claim, t=t, confidence=round(confidence, 3)))
            if confidence < _CHECK_BELOW:
                alternatives = tuple(others[:_ALTERNATIVES])
                doubts.append(Doubt(t, number, place - turned, name, alternatives))
        deal = replace(
            _laid_out(self._rules, [_DECK[card] for card in course.cards[:turned]]),
            dealer=(self._dealer + number) % self._rules.players,
            bottom=bottom,
            plays=tuple(plays),
        )
        return deal, doubts

    def _of_claim(self, course: ClaimCourse, place: int) -> tuple[float, list[Card]]:
        """Return how sure a claimed pişti is, and what else may have been turned over."""
        if course.cards[place] == NO_CARD:
            return course.is_sure(place), [_DECK[card] for card in course.matching(place)]
        sure, others = self._of_play(course, place)
        if self._showed(course, place) < _HARDLY:
            # Nothing may have been turned over.
            others = [UNKNOWN, *others]
        return course.is_sure(place) * sure, others

    def _of_play(self, course: DealCourse, place: int) -> tuple[float, list[Card]]:
        """Return how sure a card is, and what else it may be.

        That is its share among its rivals, and how well it showed.
        """
        rivals = course.rivals(place)
        odds = sum(math.exp(-_SOFTENING * max(0.0, rival.behind)) for rival in rivals)
        showed = min(1.0, _UNSEEN + (1 - _UNSEEN) * 2 * self._showed(course, place))
        return (1 / (1 + odds)) * showed, [_DECK[rival.card] for rival in rivals]

    def _showed(self, course: DealCourse, place: int) -> float:
        """Return how clearly the card at *place* showed, 0 to 1."""
        return math.exp(self._evidence.played(course.looks[place])[course.cards[place]])


def _laid_out(rules: RuleSet, turned_up: Sequence[Card]) -> DealRecord:
    """Return a deal with the centre's cards in the order in which they were turned up."""
    *jacks, top = turned_up
    hidden = [UNKNOWN] * (rules.centre_size - len(turned_up))
    if rules.jack_on_centre == "turn_next":
        return DealRecord(0, (*hidden, *turned_up), centre_up=len(turned_up))
    centre = (*jacks, *hidden, top) if rules.jack_on_centre == "bottom" else (*hidden, *jacks, top)
    return DealRecord(0, centre, buried=tuple(jacks))


def _is_legal(record: Record) -> bool:
    try:
        replay(record)
    except PistiError:
        return False
    return True
