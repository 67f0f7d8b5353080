"""What one seat may know of a deal, and nothing else.

Advice is computed from views only, so it cannot use what the advised player cannot know, even
where the camera has seen it (rules.md, "What a player may know").
"""

from __future__ import annotations

from collections import Counter
from collections.abc import Sequence
from dataclasses import dataclass

from engine.cards import UNKNOWN, Card
from engine.deal import Deal
from engine.elimination import unseen_faces
from engine.plays import Claim
from engine.rules import RuleSet


@dataclass(frozen=True, slots=True)
class SeenPlay:
    """A play as one seat saw it: an accepted claim's card is unknown to all but the claimer."""

    card: Card
    claim: Claim | None = None


@dataclass(frozen=True, slots=True)
class View:
    """The knowledge of one seat; equal by value.

    Cards are faces: of two equal ones in two decks nobody can say which is which.

    Attributes:
        rules: the rule set.
        seat: whose knowledge this is.
        dealer: the dealer's seat.
        totals: the sides' match points before this deal.
        hand: the seat's own cards, sorted.
        centre: the centre's cards, bottom to top, `UNKNOWN` where the seat may not know them.
        centre_up: how many of them lie, from the top, face up.
        buried: Jacks that were turned up and put back into the centre.
        bottom: the stock's bottom card, where it is shown.
        plays: the plays so far.
        claim_waits: whether a face-down card waits for an answer.
        claimed: that card, where it is the seat's own.
    """

    rules: RuleSet
    seat: int
    dealer: int
    totals: tuple[int, ...]
    hand: tuple[Card, ...]
    centre: tuple[Card, ...]
    centre_up: int
    buried: tuple[Card, ...]
    bottom: Card | None
    plays: tuple[SeenPlay, ...]
    claim_waits: bool = False
    claimed: Card | None = None

    @classmethod
    def of(cls, deal: Deal, seat: int, totals: Sequence[int] | None = None) -> View:
        """Return what *seat* may know of *deal*, with the match *totals* before it (default 0).

        Raises:
            ValueError: there is no such seat.
        """
        rules = deal.rules
        rules.check_seat(seat)
        waiting = deal.claimed is not None
        mine = waiting and deal.turn == seat
        hand = list(deal.hands[seat])
        if mine and deal.claimed in hand:
            hand.remove(deal.claimed)
        return cls(
            rules=rules,
            seat=seat,
            dealer=deal.dealer,
            totals=tuple(totals) if totals is not None else (0,) * rules.sides,
            hand=tuple(sorted(card.face for card in hand)),
            centre=_centre_as_seen(deal, seat),
            centre_up=deal.setup.centre_up,
            buried=tuple(card.face for card in deal.setup.buried),
            bottom=deal.setup.bottom.face if deal.setup.bottom else None,
            plays=tuple(
                SeenPlay(
                    UNKNOWN
                    if played.claim is Claim.ACCEPTED and played.seat != seat
                    else played.card.face,
                    played.claim,
                )
                for played in deal.history
            ),
            claim_waits=waiting,
            claimed=deal.claimed.face if mine and deal.claimed else None,
        )

    def beginning(self) -> Deal:
        """Return the deal as this seat sees it before its first play."""
        return Deal.watched(
            self.rules,
            self.dealer,
            centre=self.centre,
            centre_up=self.centre_up,
            bottom=self.bottom,
            buried=self.buried,
        )

    def deal(self) -> Deal:
        """Return the deal as this seat sees it: what it may not know is `UNKNOWN`."""
        deal = self.beginning()
        for play in self.plays:
            deal.push(deal.find(play.card), play.claim)
        claimed = (self.claimed,) if self.claimed else ()
        deal.reveal(self.seat, (*self.hand, *claimed))
        if self.claim_waits:
            deal.claimed = deal.hands[self.seat][-1] if claimed else UNKNOWN
        return deal

    @property
    def unseen(self) -> Counter[Card]:
        """The faces this seat has not seen, with how often each is missing."""
        return unseen_faces(self.deal())


def _centre_as_seen(deal: Deal, seat: int) -> tuple[Card, ...]:
    up_from = len(deal.setup.centre) - deal.setup.centre_up
    looked = _may_look(deal, seat)
    return tuple(
        card.face if looked or at >= up_from or card in deal.setup.buried else UNKNOWN
        for at, card in enumerate(deal.setup.centre)
    )


def _may_look(deal: Deal, seat: int) -> bool:
    """Whether *seat* may have looked at the face-down cards of the centre, once captured."""
    capturer = next(
        (deal.rules.side_of(played.seat) for played in deal.history if played.captured),
        deal.swept_by,
    )
    if capturer is None or deal.rules.centre_seen_by == "nobody":
        return False
    return deal.rules.centre_seen_by == "all" or capturer == deal.rules.side_of(seat)
