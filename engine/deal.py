"""One deal: the cards, the plays so far, and what is legal next.

A `Deal` knows all its cards (dealt from a shuffle) or only those a watcher has seen: a card
nobody has seen is `UNKNOWN` in a hand, in the centre or among the undealt, and a play from such a
hand replaces it. `play`, `claim` and `answer` check everything and report events; `push` and `pop`
trust the caller and are fast.
"""

from __future__ import annotations

import random
from collections.abc import Iterable, Sequence
from enum import Enum
from typing import TYPE_CHECKING, Final, NamedTuple

from engine.cards import UNKNOWN, Card, deck
from engine.errors import IllegalPlayError
from engine.events import Event, events_of
from engine.rules import HAND_SIZE, RuleSet
from engine.scoring import BLUFF_STAKES, capture_bonus

if TYPE_CHECKING:
    from engine.view import View


class Claim(Enum):
    """How a card laid face down as a claimed pişti was answered (bluff variant)."""

    ACCEPTED = "accepted"
    CHALLENGED = "challenged"


class Played(NamedTuple):
    """One play and what it brought, as kept for undo and for the score."""

    seat: int
    #: The card, as far as it is known.
    card: Card
    claim: Claim | None
    #: Cards captured, the played one included; 0 when nothing was.
    captured: int
    #: Pişti points for the playing side.
    bonus: int
    #: Points for the side that caught a bluff (the side of the seat before).
    penalty: int
    #: The single card on the table that was matched or claimed, None for a larger or no pile.
    single: Card | None
    #: What the hand held in the card's place, where, and who captured last before this play.
    slot: Card
    at: int
    last_capturer_before: int | None


class Deal:
    """One deal in progress.

    Attributes:
        rules: the rule set.
        dealer: the dealer's seat.
        centre: the centre's cards as laid out, bottom to top.
        centre_up: how many of them, from the top, lie face up.
        buried: Jacks that were turned up and put back face down into the pile; all players know.
        bottom: the stock's bottom card where it lies face up, else None.
        dealt: the cards of each hand deal, `dealt[hand_deal][seat]`.
        undealt: cards nobody gets (two decks that do not divide).
        hands: the cards each seat holds now; change them through plays only.
        pile: the cards on the table now, bottom to top.
        taken: the piles each side captured, in order.
        turn: the seat to play (it stays on the last seat + 1 when the deal is over).
        history: every play so far.
        claimed: the face-down card of a claim that waits for its answer, else None.
        last_capturer: the side that captured last, else None.
    """

    __slots__ = (
        "_hand_deal",
        "_left",
        "_next",
        "_round",
        "_swept",
        "bottom",
        "buried",
        "centre",
        "centre_up",
        "claimed",
        "dealer",
        "dealt",
        "hands",
        "history",
        "last_capturer",
        "pile",
        "rules",
        "taken",
        "turn",
        "undealt",
    )

    def __init__(
        self,
        rules: RuleSet,
        dealer: int,
        *,
        centre: Sequence[Card],
        centre_up: int = 1,
        bottom: Card | None = None,
        buried: Iterable[Card] = (),
        dealt: Sequence[Sequence[Sequence[Card]]],
        undealt: Sequence[Card] = (),
    ) -> None:
        """Set up a deal from cards that are known to make up the decks of the rule set."""
        self.rules = rules
        self.dealer = dealer
        self.centre = tuple(centre)
        self.centre_up = centre_up
        self.bottom = bottom
        self.buried = tuple(buried)
        self.dealt = tuple(tuple(tuple(hand) for hand in hands) for hands in dealt)
        self.undealt = tuple(undealt)
        self.hands: list[list[Card]] = [list(hand) for hand in self.dealt[0]]
        self.pile: list[Card] = list(centre)
        self.taken: list[list[list[Card]]] = [[] for _ in range(rules.sides)]
        self.turn = (dealer + 1) % rules.players
        self.history: list[Played] = []
        self.claimed: Card | None = None
        self.last_capturer: int | None = None
        self._hand_deal = 0
        self._left = rules.plays
        self._next = tuple((seat + 1) % rules.players for seat in range(rules.players))
        self._round = HAND_SIZE * rules.players
        self._swept: int | None = None

    @classmethod
    def shuffled(cls, rules: RuleSet, dealer: int, seed: int) -> Deal:
        """Return a deal from a seeded shuffle and cut; the same seed gives the same deal.

        The cut is made again while it would put a Jack at the bottom where that card is shown,
        and the cards are dealt again while the centre is all Jacks.
        """
        rng = random.Random(seed)
        cards = list(deck(rules.decks))
        while True:
            rng.shuffle(cards)
            while True:
                cut = rng.randrange(1, len(cards))
                if rules.bottom_card == "hidden" or not cards[cut - 1].is_jack:
                    break
            order = cards[cut:] + cards[:cut]
            if not all(card.is_jack for card in order[: rules.centre_size]):
                return cls.from_order(rules, dealer, order)

    @classmethod
    def from_order(cls, rules: RuleSet, dealer: int, order: Sequence[Card]) -> Deal:
        """Deal from the deck in *order*, first card first, with the Jacks of the centre settled.

        The centre's packet comes first, then for each hand deal a packet of four to each player
        from the dealer's right to the dealer.
        """
        centre, up, buried = _turn_up(rules.jack_on_centre, list(order[: rules.centre_size]))
        at = rules.centre_size
        dealt = []
        for _ in range(rules.hand_deals):
            hands: list[tuple[Card, ...]] = [()] * rules.players
            for step in range(1, rules.players + 1):
                hands[(dealer + step) % rules.players] = tuple(order[at : at + HAND_SIZE])
                at += HAND_SIZE
            dealt.append(hands)
        return cls(
            rules,
            dealer,
            centre=centre,
            centre_up=up,
            bottom=order[-1] if rules.bottom_card == "shown" else None,
            buried=buried,
            dealt=dealt,
            undealt=order[at:],
        )

    @classmethod
    def watched(
        cls,
        rules: RuleSet,
        dealer: int,
        *,
        centre: Sequence[Card],
        centre_up: int = 1,
        bottom: Card | None = None,
        buried: Sequence[Card] = (),
        holding: tuple[int, int, Sequence[Card]] | None = None,
    ) -> Deal:
        """Return a deal as a watcher sees it: hands and stock are `UNKNOWN`.

        Cards are given as faces; each gets the first copy that is free.

        Args:
            rules: the rule set.
            dealer: the dealer's seat.
            centre: the centre, bottom to top, `UNKNOWN` where not seen.
            centre_up: how many of its cards lie face up.
            bottom: the shown bottom card of the stock; it is dealt to the dealer last, or stays
                undealt where cards do.
            buried: Jacks turned up and put back into the centre.
            holding: (hand deal, seat, cards): cards of one hand that are known all the same.
        """
        taken: set[Card] = set()

        def place(card: Card) -> Card:
            placed = _first_free(card, rules.decks, taken)
            taken.add(placed)
            return placed

        middle = [place(card) for card in centre]
        under = place(bottom) if bottom else None
        hands = [[[UNKNOWN] * HAND_SIZE] * rules.players for _ in range(rules.hand_deals)]
        undealt = [UNKNOWN] * rules.out_size
        if under and undealt:
            undealt[-1] = under
        elif under:
            hands[-1][dealer] = [*hands[-1][dealer][:-1], under]
        if holding:
            hand_deal, seat, cards = holding
            played = HAND_SIZE - len(cards)
            before = [card for card in hands[hand_deal][seat] if card not in cards]
            hands[hand_deal][seat] = [*before[len(before) - played :], *cards]
        return cls(
            rules,
            dealer,
            centre=middle,
            centre_up=centre_up,
            bottom=under,
            buried=[card for card in middle if card.face in buried],
            dealt=hands,
            undealt=undealt,
        )

    # What is going on.

    @property
    def is_over(self) -> bool:
        """Whether every card has been played."""
        return not self._left

    @property
    def to_act(self) -> int | None:
        """The seat that must play, or answer a claim; None when the deal is over."""
        if not self._left:
            return None
        return self.turn if self.claimed is None else self._previous(self.turn)

    @property
    def top(self) -> Card | None:
        """The card that decides captures, None on an empty table."""
        return self.pile[-1] if self.pile else None

    @property
    def hand_deal(self) -> int:
        """The number of the hand deal in play, from 0."""
        return self._hand_deal

    @property
    def hands_just_dealt(self) -> bool:
        """Whether the last play emptied all hands and the next ones were dealt."""
        return bool(self._left and self.history) and len(self.history) % self._round == 0

    @property
    def swept_by(self) -> int | None:
        """The side that took what lay on the table when the deal ended."""
        return self._swept

    @property
    def stock_size(self) -> int:
        """Number of cards that are still to be dealt or stay undealt."""
        coming = self.rules.hand_deals - 1 - self._hand_deal
        return coming * HAND_SIZE * self.rules.players + self.rules.out_size

    @property
    def may_claim(self) -> bool:
        """Whether the seat on turn may lay a card face down and claim a pişti."""
        return (
            self.rules.bluff and len(self.pile) == 1 and self.claimed is None and not self.is_over
        )

    def legal_cards(self) -> tuple[Card, ...]:
        """Return the cards the seat on turn may play: its hand, unless a claim waits."""
        if not self._left or self.claimed is not None:
            return ()
        return tuple(self.hands[self.turn])

    def find(self, face: Card) -> Card:
        """Return the copy of *face* that the hand on turn can play.

        With one deck that is the card itself; with two it is the copy that lies nowhere else.
        """
        if not face.known or self.rules.decks == 1:
            return face
        hand = self.hands[self.turn]
        copies = face.copies(self.rules.decks)
        held = next((card for card in copies if card in hand), None)
        return held or _first_free(face, self.rules.decks, self.placed())

    def placed(self) -> set[Card]:
        """Return the known cards that lie elsewhere than in the hand on turn."""
        placed = {*self.centre, *self.undealt, *(played.card for played in self.history)}
        for number, hands in enumerate(self.dealt[self._hand_deal :], self._hand_deal):
            for seat, hand in enumerate(hands):
                if number != self._hand_deal or seat != self.turn:
                    placed.update(hand)
        return {card for card in placed if card.known}

    def view(self, seat: int) -> View:
        """Return what *seat* may know of this deal, and nothing else."""
        from engine.view import View

        return View.of(self, seat)

    # Playing, checked.

    def play(self, card: Card, claim: Claim | None = None) -> tuple[Event, ...]:
        """Play *card* from the hand on turn and return what happened.

        With *claim*, the card is laid face down as a pişti and answered at once.

        Raises:
            IllegalPlayError: the deal is over, a claim waits, the card cannot be in that hand, a
                claim is not allowed, or whether the card captures cannot be known.
        """
        if self.claimed is not None:
            raise IllegalPlayError("play.claim_waits", seat=self._previous(self.turn))
        card = self.find(card)
        self._check(card, claimed=claim is not None)
        if claim is Claim.CHALLENGED and not card.rank:
            raise IllegalPlayError("play.challenged_unknown")
        if claim is None and not self.is_decided(card):
            raise IllegalPlayError("play.undecided", card=card, top=self.top)
        self.push(card, claim)
        return events_of(self)

    def claim(self, card: Card) -> None:
        """Lay *card* face down and claim a pişti; the seat before must `answer`.

        Raises:
            IllegalPlayError: as `play`.
        """
        if self.claimed is not None:
            raise IllegalPlayError("play.claim_waits", seat=self._previous(self.turn))
        card = self.find(card)
        self._check(card, claimed=True)
        self.claimed = card

    def answer(self, *, challenge: bool) -> tuple[Event, ...]:
        """Accept or challenge the claim that waits.

        Raises:
            IllegalPlayError: no claim waits, or the challenged card is not known.
        """
        if self.claimed is None:
            raise IllegalPlayError("play.no_claim")
        card = self.claimed
        if challenge and not card.rank:
            raise IllegalPlayError("play.challenged_unknown")
        self.claimed = None
        self.push(card, Claim.CHALLENGED if challenge else Claim.ACCEPTED)
        return events_of(self)

    def undo(self) -> Card:
        """Take back the last play, or the claim that waits, and return its card.

        Raises:
            IllegalPlayError: nothing was played yet.
        """
        if self.claimed is not None:
            card, self.claimed = self.claimed, None
            return card
        if not self.history:
            raise IllegalPlayError("play.nothing_to_undo")
        return self.pop().card

    def is_decided(self, card: Card) -> bool:
        """Whether it is certain what playing *card* now captures and scores.

        It always is when the ranks of the card and of the top card are known.
        """
        if not self.pile or (card.rank and self.pile[-1].rank):
            return True
        if not card.is_jack:
            return False
        return len(self.pile) > 1 or self.rules.double_pisti == self.rules.jack_on_single

    # Playing, trusted.

    def push(self, card: Card, claim: Claim | None = None) -> None:
        """Play *card* without checking that it is legal; `play` checks.

        Playing a card that the hand on turn cannot hold leaves the deal in an undefined state.
        """
        seat = self.turn
        hand = self.hands[seat]
        slot = card
        try:
            at = hand.index(card)
        except ValueError:
            at = _slot_for(hand, card)
            slot = hand[at]
        del hand[at]
        pile = self.pile
        last = self.last_capturer
        captured = bonus = penalty = 0
        single = None
        if pile:
            top = pile[-1]
            rank = card.rank
            if len(pile) == 1:
                single = top
            if claim is None:
                takes = rank is top.rank or rank is _JACK
                if takes and single is not None:
                    bonus = capture_bonus(
                        self.rules, top, card, first=not self.history, last=self._left == 1
                    )
            else:
                takes = claim is Claim.ACCEPTED or rank is top.rank
                stake = BLUFF_STAKES[claim is Claim.CHALLENGED]
                if self.rules.bluff_jack_doubles and top.is_jack:
                    stake *= 2
                if takes:
                    bonus = stake
                else:
                    penalty = stake
            pile.append(card)
            if takes:
                captured = len(pile)
                side = seat % self.rules.sides
                self.taken[side].append(pile)
                self.pile = []
                self.last_capturer = side
        else:
            pile.append(card)
        self.history.append(
            Played(seat, card, claim, captured, bonus, penalty, single, slot, at, last)
        )
        self._left -= 1
        self.turn = turn = self._next[seat]
        if not self.hands[turn]:
            self._hands_are_empty()

    def pop(self) -> Played:
        """Take back the last play without checking that there is one; `undo` checks."""
        played = self.history.pop()
        seat = played.seat
        if (len(self.history) + 1) % self._round == 0:
            self._hands_were_empty()
        self._left += 1
        self.turn = seat
        if played.captured:
            self.pile = self.taken[seat % self.rules.sides].pop()
        self.pile.pop()
        self.last_capturer = played.last_capturer_before
        self.hands[seat].insert(played.at, played.slot)
        return played

    def _hands_are_empty(self) -> None:
        """Deal the next hands, or end the deal: the last capturer takes what lies there."""
        if self._left:
            self._hand_deal += 1
            self.hands = [list(hand) for hand in self.dealt[self._hand_deal]]
            return
        self._swept = self.last_capturer
        if self._swept is None and self.rules.no_capture_at_all == "dealer":
            self._swept = self.rules.side_of(self.dealer)
        if self._swept is not None:
            self.taken[self._swept].append(self.pile)
            self.pile = []

    def _hands_were_empty(self) -> None:
        if self._left:
            self._hand_deal -= 1
            self.hands = [[] for _ in self.hands]
        elif self._swept is not None:
            self.pile = self.taken[self._swept].pop()
            self._swept = None

    def _previous(self, seat: int) -> int:
        return (seat - 1) % self.rules.players

    def _check(self, card: Card, *, claimed: bool) -> None:
        """Raise the one sentence that says why *card* cannot be played now, if it cannot."""
        if not self._left:
            raise IllegalPlayError("play.over")
        hand = self.hands[self.turn]
        if card not in hand:
            if card in self.placed():
                raise IllegalPlayError("play.twice", card=card)
            if not any(_fits(card, slot) for slot in hand):
                raise IllegalPlayError("play.not_in_hand", card=card, seat=self.turn)
        if claimed and not self.rules.bluff:
            raise IllegalPlayError("play.no_bluff")
        if claimed and len(self.pile) != 1:
            raise IllegalPlayError("play.claim_needs_single", count=len(self.pile))

    def __repr__(self) -> str:
        plays = " ".join(str(played.card) for played in self.history)
        return f"<Deal {self.rules}; dealer {self.dealer}; plays {plays or 'none'}>"


_JACK: Final = deck()[10].rank


def _first_free(face: Card, decks: int, taken: set[Card]) -> Card:
    """Return the first copy of *face* not in *taken*; where all are, the first."""
    if not face.known:
        return face
    return next((card for card in face.copies(decks) if card not in taken), face.face)


def _fits(card: Card, slot: Card) -> bool:
    """Whether *slot*, a place in a hand, may turn out to hold *card*."""
    return slot is card or (not slot.known and (not slot.rank or slot.rank is card.rank))


def _slot_for(hand: Sequence[Card], card: Card) -> int:
    """Return the place in *hand* that a card not named there was played from."""
    places = [at for at, slot in enumerate(hand) if _fits(card, slot)]
    # A place of which the rank is known is used up before one of which nothing is.
    return min(places, key=lambda at: hand[at].rank is None)


def _turn_up(rule: str, packet: list[Card]) -> tuple[list[Card], int, list[Card]]:
    """Turn up the centre's top card, and settle Jacks.

    Returns:
        The centre from bottom to top, how many of it lie face up, and the Jacks put back.
    """
    up: list[Card] = []
    buried: list[Card] = []
    while packet:
        card = packet.pop()
        if not card.is_jack or rule == "turn_next":
            up.append(card)
        else:
            buried.append(card)
            # Inside the pile: just under the card that will stay on top.
            under = max(at for at, below in enumerate(packet) if not below.is_jack)
            packet.insert(0 if rule == "bottom" else under, card)
        if not card.is_jack:
            break
    return packet + up, len(up), buried
