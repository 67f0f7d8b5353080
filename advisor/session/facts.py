"""What has been said of a deal, and the deal that follows from it.

Facts are immutable: an event makes new ones from old, and taking an event back is going back to
the ones before it.
"""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass, replace

from advisor.errors import SessionError
from advisor.session.events import (
    Answered,
    Begun,
    By,
    Cards,
    CentreSet,
    Claimed,
    Corrected,
    HandSet,
    Laid,
    Reread,
)
from engine import Card, Claim, Deal, IllegalPlayError, RuleSet
from engine.rules import HAND_SIZE


@dataclass(frozen=True, slots=True)
class Shown:
    """The cards that *seat* held when *at* plays had been made."""

    by: By
    at: int
    seat: int
    cards: Cards


@dataclass(frozen=True, slots=True)
class DealFacts:
    """All that was said of one deal.

    Attributes:
        begun: how it was laid out.
        plays: the plays in order.
        shown: hands that were named on the way.
        claimed: the card laid face down that waits for an answer; None where none does.
        ended: whether it ended before all its cards were played.
    """

    begun: Begun
    plays: tuple[Laid, ...] = ()
    shown: tuple[Shown, ...] = ()
    claimed: Claimed | None = None
    ended: bool = False

    def deal(self, rules: RuleSet) -> Deal:
        """Return the deal; where hands that the camera read do not fit, they are left out.

        Raises:
            IllegalPlayError: a play, or a hand that a person named, does not fit.
            SessionError: the layout does not fit the rules.
        """
        _check_layout(rules, self.begun)
        try:
            return self._deal(rules, self.shown)
        except IllegalPlayError:
            said = tuple(shown for shown in self.shown if shown.by != "camera")
            if said == self.shown:
                raise
            return self._deal(rules, said)

    def _deal(self, rules: RuleSet, hands: Sequence[Shown]) -> Deal:
        begun = self.begun
        deal = Deal.watched(
            rules,
            begun.dealer,
            centre=begun.centre,
            centre_up=begun.centre_up,
            bottom=begun.bottom,
            buried=begun.buried,
            hands=begun.hands,
        )
        for at in range(len(self.plays) + 1):
            for shown in hands:
                if shown.at == at:
                    deal.reveal(shown.seat, shown.cards)
            if at < len(self.plays):
                play = self.plays[at]
                deal.play(play.card, play.claim)
        if self.claimed is not None:
            deal.claim(self.claimed.card)
        return deal

    def with_play(self, play: Laid) -> DealFacts:
        """Return these facts with one more play."""
        return replace(self, plays=(*self.plays, play))

    def answered(self, event: Answered) -> DealFacts:
        """Return these facts with the claim that waits answered.

        Raises:
            IllegalPlayError: no claim waits.
        """
        if self.claimed is None:
            raise IllegalPlayError("play.no_claim")
        play = Laid(self.claimed.by, event.turned or self.claimed.card, event.claim)
        return replace(self, plays=(*self.plays, play), claimed=None)

    def corrected(self, rules: RuleSet, event: Corrected) -> DealFacts:
        """Return these facts with one play put right.

        Where the camera took another play for the same card, that one was the old card: two cards
        were taken for each other. Plays that a person named stand.

        Raises:
            SessionError: there is no such play.
        """
        if event.play >= len(self.plays):
            raise SessionError("session.no_play", play=event.play, deal=event.deal)
        plays = list(self.plays)
        old = plays[event.play]
        claim = old.claim
        if event.how is not None:
            claim = None if event.how == "open" else Claim(event.how)
        right = Laid("person", event.card, claim, old.t)
        same = [at for at, play in enumerate(plays) if play.card is event.card and at != event.play]
        if event.card.known and len(same) == rules.decks:
            swapped = next((at for at in same if plays[at].by == "camera"), None)
            if swapped is not None:
                plays[swapped] = replace(plays[swapped], card=old.card, confidence=0.0)
        plays[event.play] = right
        return replace(self, plays=tuple(plays))

    def reread(self, event: Reread) -> DealFacts:
        """Return these facts with the camera's new reading of the plays from one on.

        Raises:
            SessionError: it would change a play that a person named.
        """
        if event.play > len(self.plays):
            raise SessionError("session.no_play", play=event.play, deal=event.deal)
        for at, play in enumerate(self.plays[event.play :]):
            if play.by == "camera":
                continue
            again = event.plays[at].card if at < len(event.plays) else None
            if again is not play.card:
                number = event.play + at
                raise SessionError("session.person_said", play=number, deal=event.deal)
        kept = [
            before if before.by != "camera" else after
            for before, after in zip(self.plays[event.play :], event.plays, strict=False)
        ]
        plays = (*self.plays[: event.play], *kept, *event.plays[len(kept) :])
        return replace(self, plays=plays)

    def reread_as_far(self, event: Reread) -> DealFacts:
        """Return these facts with the plays they hold as *event* reads them; people's stand."""
        plays = list(self.plays)
        for at, again in enumerate(event.plays, event.play):
            if at < len(plays) and plays[at].by == "camera":
                plays[at] = again
        return replace(self, plays=tuple(plays))

    def with_centre(self, event: CentreSet) -> DealFacts:
        """Return these facts with another layout of the centre.

        Raises:
            SessionError: the camera would change what a person said; what a person left open it
                may fill.
        """
        said = self.begun.by == "person" and self.begun.centre[-1].rank
        if event.by == "camera" and said:
            raise SessionError("session.centre_said", deal=event.deal)
        begun = replace(
            self.begun,
            by=event.by,
            centre=event.centre,
            centre_up=event.centre_up,
            bottom=event.bottom,
            buried=(),
        )
        return replace(self, begun=begun)

    def with_hand(self, rules: RuleSet, event: HandSet) -> DealFacts:
        """Return these facts with a hand named.

        A hand named before in the same hand deal that contradicts it is given up: people mistype.
        A hand without cards is one that nobody knows any more: what was named in the hand deal is
        given up, by the camera what was named in the deal.

        Raises:
            IllegalPlayError: the hand does not fit the deal.
        """
        at = len(self.plays)
        shown = Shown(event.by, at, event.seat, event.cards)
        first = at - at % (HAND_SIZE * rules.players)
        if not event.cards:
            since = 0 if event.by == "camera" else first
            left = (old for old in self.shown if old.seat != event.seat or old.at < since)
            return replace(self, shown=tuple(left))
        others = [old for old in self.shown if (old.at, old.seat) != (at, event.seat)]
        facts = replace(self, shown=(*others, shown))
        try:
            facts.deal(rules)
        except IllegalPlayError:
            others = [old for old in others if old.seat != event.seat or old.at < first]
            facts = replace(self, shown=(*others, shown))
        return facts


def _check_layout(rules: RuleSet, begun: Begun) -> None:
    """Raise unless the cards laid out are all different and lie as the rules say."""
    size, last = rules.centre_size, rules.players - 1
    if begun.dealer > last:
        raise SessionError("session.seat", seat=begun.dealer, last=last)
    if len(begun.centre) != size or not 1 <= begun.centre_up <= size:
        raise SessionError("session.centre", expected=size, count=len(begun.centre))
    down = [card for card in begun.centre[: size - begun.centre_up] if card.is_jack]
    if any(card not in down for card in begun.buried):
        raise SessionError("session.buried")
    laid: list[Card] = [*begun.centre, *(card for hand in begun.hands for card in hand)]
    known = [card for card in laid if card.known]
    if begun.bottom and begun.bottom.known and not begun.hands:
        known.append(begun.bottom)
    for card in known:
        if known.count(card) > rules.decks:
            raise IllegalPlayError("play.twice", card=card)
    if begun.bottom and rules.bottom_card == "hidden":
        raise SessionError("session.bottom_hidden")
    if begun.centre[-1].is_jack:
        raise SessionError("session.jack", card=begun.centre[-1])
