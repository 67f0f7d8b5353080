"""The decoder, step by step: after every look at the table, the likeliest legal game so far.

What a look shows of a card in play is judged together with its neighbours in time, so the newest
looks are not yet final. The search therefore runs twice: once as far as looks are final, and from
there over the newest ones again after every look.
"""

from __future__ import annotations

import bisect
import math
from collections import defaultdict
from collections.abc import Collection, Iterable, Sequence
from dataclasses import replace
from typing import Final, NamedTuple

import numpy as np
from numpy.typing import NDArray

from advisor.live.seen import SeenCard, SeenDeal
from engine import UNKNOWN, Card, Claim, RuleSet, deck
from vision.decoder.claims import search_for
from vision.decoder.evidence import Evidence, Weights
from vision.decoder.looks import Look
from vision.decoder.plays import known_game
from vision.decoder.steps import BACK, NO_CARD, OPEN, Hypothesis, Step, deals_of, steps_of

_DECK: Final = deck()
#: Hypotheses that are kept; live, a step must not take longer than a frame.
_BEAM: Final = 40
#: Differences of hypotheses are softened by this: neighbouring frames repeat each other.
_SOFTENING: Final = 0.25
_ALTERNATIVES: Final = 4
#: Log-probability that plays of a deal were missed; that the next one begins then costs more.
_DOUBT: Final = -1.0
#: Of a deal that was not seen to its end, the last plays are left out that did not show like this.
_SHOWED: Final = 0.5
#: Looks that two hypotheses may be apart about when a card was laid.
_NEAR: Final = 5
#: Alternatives less likely than this are not worth showing.
_LEAST: Final = 0.005
#: So many looks are kept before those of past deals are dropped.
_MOST_LOOKS: Final = 400


class _Votes(NamedTuple):
    """How hypotheses agree about a deal.

    Attributes:
        places: for each step, the share of the hypotheses for each card.
        cards: for each card, in which look it was laid, with the share of that hypothesis.
    """

    places: dict[int, dict[int, float]]
    cards: dict[int, list[tuple[int, float]]]


class LiveEvidence(Evidence):
    """Evidence that grows look by look; see `Evidence`.

    Args:
        weights: how strongly each kind counts.
    """

    def __init__(self, weights: Weights) -> None:
        super().__init__((), weights)

    def __len__(self) -> int:
        return len(self.times)

    def append(self, look: Look) -> None:
        """Take in one more look, later than all before."""
        self.add(look)

    def final(self) -> int:
        """Return how many looks, from the first on, no later look will change."""
        if not self.times:
            return 0
        return bisect.bisect_left(self.times, self.times[-1] - self.weights.window)

    def since(self, first: int, looks: Sequence[Look]) -> LiveEvidence:
        """Return evidence of *looks* alone, those from number *first* on."""
        later = LiveEvidence(self.weights)
        for look in looks[first:]:
            later.append(look)
        return later


class LiveDecoder:
    """Follows one game live.

    Args:
        rules: the rule set.
        weights: how strongly each kind of evidence counts.
        beam: how many hypotheses are kept.

    Attributes:
        dropped: how many deals, from the one it was begun with, are over and forgotten.
    """

    def __init__(
        self, rules: RuleSet, *, weights: Weights | None = None, beam: int = _BEAM
    ) -> None:
        self._rules = rules
        self._beam = beam
        self._evidence = LiveEvidence(weights or Weights())
        self._looks: list[Look] = []
        self._barred: set[int] = set()
        self.dropped = 0
        self._begin(known_game(rules, (), ()), 0)

    @property
    def looks(self) -> int:
        """How many looks are kept."""
        return len(self._looks)

    def take(self, look: Look) -> None:
        """Take in one more look, later than all before."""
        look = self._without_barred(look)
        self._looks.append(look)
        self._evidence.append(look)
        final = self._evidence.final()
        while self._done < final:
            self._search.advance(self._done)
            self._done += 1
        self._doubt_the_count()
        self._newest = self._ahead()
        if len(self._looks) > _MOST_LOOKS:
            self._drop_past_deals()

    def deals(self) -> list[SeenDeal]:
        """Return the deals of the likeliest game, after those that were dropped."""
        kept = self._newest
        best = kept[0]
        lasts = deals_of(best)
        deals = [self._past_deal(steps_of(last)) for last in lasts[:-1]]
        if lasts:
            steps = steps_of(lasts[-1])
            # A claim that waits for its answer is no play yet.
            steps = steps[:-1] if best.top == BACK else steps
            last = self._deal(steps, self._votes(len(lasts) - 1))
            deals.append(replace(last, confidence=self._begun(len(lasts))))
        return deals

    def hold(
        self,
        turned_up: Iterable[tuple[Card, float | None]],
        plays: Iterable[tuple[Card, float | None]],
        *,
        again: bool,
        over: bool = False,
        claims: Collection[int] = (),
    ) -> None:
        """Go on from what a person says the deal was so far.

        Args:
            turned_up: the cards turned up in the centre, each with its second where known; none
                before a deal.
            plays: the plays, likewise.
            again: whether what was seen after the last of them is decoded once more; otherwise
                only what comes from now on counts.
            over: whether that deal has ended, although not all its cards were played.
            claims: the numbers of the plays with which a pişti was claimed.
        """
        centre = [(self._index(card), self._number(t)) for card, t in turned_up]
        played = [(self._index(card), self._number(t)) for card, t in plays]
        start = len(self._looks)
        if again and (played or centre):
            start = min(start, (played or centre)[-1][1] + 1)
        game = known_game(self._rules, centre, played, claims)
        self._begin(self._over(game) if over else game, start)
        self._newest = self._ahead()

    def end(self) -> None:
        """Take the deal in play for over: what lies there is gathered next."""
        best = self._newest[0]
        dropped: int = self.dropped
        self._begin(self._over(best) if best.last is not None else best, len(self._looks))
        self.dropped = dropped

    def bar(self, card: Card) -> None:
        """Take *card* for misread from now on: a person has taken its play back."""
        if card.known:
            self._barred.add(card.face.index)

    def allow(self, card: Card) -> None:
        """Let *card* count again."""
        self._barred.discard(card.face.index)

    # The search.

    def _begin(self, game: Hypothesis, start: int) -> None:
        self._search = search_for(self._rules, self._evidence, beam=self._beam)
        self._search.kept = [game]
        self._done = start
        self.dropped = 0
        self._newest = [game]

    def _over(self, game: Hypothesis) -> Hypothesis:
        top = NO_CARD if game.top == BACK else game.top
        return game._replace(score=0.0, top=top, plays=self._rules.plays, taken=True)

    def _doubt_the_count(self) -> None:
        """Keep it possible that plays were missed, so that the next deal may begin any time.

        A camera that was covered for a while, and players who give up a deal, leave a game whose
        plays never come to their number.
        """
        kept = self._search.kept
        best = max(kept, key=_score)
        if 0 < best.plays < self._rules.plays:
            doubted = best._replace(score=best.score + _DOUBT, plays=OPEN + best.plays, cut=True)
            same = [each for each in kept if _alike(each, doubted)]
            if all(each.score < doubted.score for each in same):
                kept = [*(each for each in kept if each not in same), doubted]
                self._search.kept = kept

    def _begun(self, deals: int) -> float:
        """Return how sure it is that so many deals have begun."""
        shares = _shares(self._newest)
        agreed = [len(deals_of(kept)) >= deals for kept in self._newest]
        return float(shares[agreed].sum())

    def _ahead(self) -> list[Hypothesis]:
        """Return what is kept after the newest looks as well, the likeliest first."""
        search = search_for(self._rules, self._evidence, beam=self._beam)
        search.kept = list(self._search.kept)
        for number in range(self._done, len(self._looks)):
            search.advance(number)
        return sorted(search.kept, key=_score, reverse=True)

    def _without_barred(self, look: Look) -> Look:
        if not self._barred:
            return look
        barred = list(self._barred)
        lying, near = look.lying.copy(), look.near.copy()
        lying[:, barred] = 0
        near[barred] = 0
        # A card that is nothing but a barred one is not there at all.
        news = np.where(lying.max(axis=1, initial=0) > 0.05, look.news, 0).astype(np.float32)
        return replace(look, lying=lying, near=near, news=news)

    def _drop_past_deals(self) -> None:
        """Forget the looks before the deal that all hypotheses are in."""
        firsts = [steps_of(kept.last)[0].look for kept in self._search.kept if kept.last]
        if len(firsts) < len(self._search.kept):
            return
        first = min(firsts)
        if first < _MOST_LOOKS // 4:
            return
        # Deals before the one in play are what they are; they go with their looks.
        past = min(len(kept.deals) for kept in self._search.kept)
        kept = [_moved(each, first, past) for each in self._search.kept]
        self.dropped += past
        self._evidence = self._evidence.since(first, self._looks)
        self._looks = self._looks[first:]
        done = self._done - first
        self._search = search_for(self._rules, self._evidence, beam=self._beam)
        self._search.kept = kept
        self._done = done
        self._newest = self._ahead()

    # What it says.

    def _deal(self, steps: Sequence[Step], votes: _Votes | None) -> SeenDeal:
        up = next((at for at, step in enumerate(steps) if not self._is_jack(step)), len(steps) - 1)
        cards = [self._seen(at, step, votes) for at, step in enumerate(steps)]
        return SeenDeal(tuple(cards[: up + 1]), tuple(cards[up + 1 :]))

    def _past_deal(self, steps: Sequence[Step]) -> SeenDeal:
        """Return a deal before the one in play."""
        deal = self._deal(steps, None)
        plays = deal.plays
        if len(plays) < self._rules.plays:
            # That the pile went away was no capture by a card that nobody saw: it was gathered.
            while plays and plays[-1].confidence < _SHOWED:
                plays = plays[:-1]
        return replace(deal, plays=plays)

    def _showed(self, step: Step) -> float:
        """Return how clearly the card of *step* showed when it was laid, 0 to 1."""
        return min(1.0, math.exp(self._evidence.played(step.look)[step.card]))

    def _is_jack(self, step: Step) -> bool:
        return step.card >= 0 and _DECK[step.card].is_jack

    def _seen(self, at: int, step: Step, votes: _Votes | None) -> SeenCard:
        if step.look >= len(self._looks) or (step.card < 0 and step.laid < 0):
            return SeenCard(UNKNOWN if step.card < 0 else _DECK[step.card], 0.0)
        if step.laid >= 0:
            t = round(float(self._evidence.times[step.laid]), 3)
            if step.card < 0:
                return self._accepted(t, step, votes)
            named = step._replace(laid=-1)
            return replace(self._seen(at, named, votes), t=t, claim=Claim.CHALLENGED)
        t = float(self._evidence.times[step.look])
        if votes is None:
            return SeenCard(_DECK[step.card], t, round(self._showed(step), 3))
        # A hypothesis with a play more or less before this one agrees about it all the same.
        agree = [share for look, share in votes.cards[step.card] if abs(look - step.look) <= _NEAR]
        agreed = votes.places[at]
        showed = np.exp(self._evidence.played(step.look))
        confidence = sum(agree) * float(showed[step.card])
        chances = {
            card: max(agreed.get(card, 0.0), float(showed[card]) * (1 - confidence))
            for card in {*agreed, *np.argsort(-showed)[:_ALTERNATIVES].tolist()}
            if card != step.card and card >= 0
        }
        ranked = sorted(chances.items(), key=lambda each: -each[1])[:_ALTERNATIVES]
        return SeenCard(
            card=_DECK[step.card],
            t=round(t, 3),
            confidence=round(min(1.0, confidence), 3),
            alternatives=tuple(
                (_DECK[card], round(min(1.0, chance), 3))
                for card, chance in ranked
                if chance >= _LEAST
            ),
            settled=step.look < self._done,
        )

    def _accepted(self, t: float, step: Step, votes: _Votes | None) -> SeenCard:
        """Return a card laid face down at *t* seconds whose claim was accepted."""
        if votes is None:
            return SeenCard(UNKNOWN, t, claim=Claim.ACCEPTED)
        agree = [share for look, share in votes.cards[NO_CARD] if abs(look - step.look) <= _NEAR]
        sure, settled = round(min(1.0, sum(agree)), 3), step.look < self._done
        return SeenCard(UNKNOWN, t, sure, settled=settled, claim=Claim.ACCEPTED)

    def _votes(self, number: int) -> _Votes:
        """Return how the hypotheses agree about deal *number*."""
        votes = _Votes(defaultdict(lambda: defaultdict(float)), defaultdict(list))
        for kept, share in zip(self._newest, _shares(self._newest), strict=True):
            for last in deals_of(kept)[number : number + 1]:
                for place, step in enumerate(steps_of(last)):
                    votes.places[place][step.card] += float(share)
                    votes.cards[step.card].append((step.look, float(share)))
        return votes

    def _index(self, card: Card) -> int:
        return card.face.index if card.known else -1

    def _number(self, t: float | None) -> int:
        """Return the number of the look at *t* seconds; of the newest where that is not known."""
        newest = max(0, len(self._looks) - 1)
        if t is None or math.isnan(t):
            return newest
        return min(newest, bisect.bisect_left(self._evidence.times, t - 1e-3))


def _shares(kept: Sequence[Hypothesis]) -> NDArray[np.float64]:
    """Return the share of each hypothesis."""
    scores = np.array([each.score for each in kept])
    shares: NDArray[np.float64] = np.exp(_SOFTENING * (scores - scores.max()))
    shares /= shares.sum()
    return shares


def _score(hypothesis: Hypothesis) -> float:
    return hypothesis.score


def _alike(one: Hypothesis, other: Hypothesis) -> bool:
    """Whether two hypotheses agree in all that matters later."""
    return one[1:6] == other[1:6] and len(one.deals) == len(other.deals)


def _moved(hypothesis: Hypothesis, by: int, past: int) -> Hypothesis:
    """Return *hypothesis* with its looks numbered from *by*, without its first *past* deals."""

    def moved(last: Step | None) -> Step | None:
        step = None
        for each in steps_of(last):
            laid = each.laid if each.laid < 0 else max(0, each.laid - by)
            step = Step(each.card, max(0, each.look - by), step, laid)
        return step

    deals = [moved(last) for last in hypothesis.deals[past:]]
    return hypothesis._replace(
        last=moved(hypothesis.last), deals=tuple(last for last in deals if last is not None)
    )
