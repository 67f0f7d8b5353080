"""One deal: the cards, the plays so far, and what is legal next.

A `Deal` knows all its cards (dealt from a shuffle) or only those a watcher has seen: a card
nobody has seen is `UNKNOWN` in a hand, in the centre or among the undealt, and a play from such a
hand replaces it. `play`, `claim` and `answer` check everything and report events; `push` and `pop`
trust the caller and are fast.
"""

from __future__ import annotations

import copy
from collections.abc import Sequence
from typing import TYPE_CHECKING, Final

from engine.bonus import capture_bonus, claim_stake, is_decided
from engine.cards import UNKNOWN, Card, Rank
from engine.errors import IllegalPlayError
from engine.events import Event, events_of
from engine.hand import fitted, own_copy, slot_for, unsure
from engine.plays import Claim, Played
from engine.rules import HAND_SIZE, RuleSet
from engine.setup import Setup

if TYPE_CHECKING:
    from engine.view import View


class Deal:
    """One deal in progress.

    Attributes:
        rules: the rule set.
        dealer: the dealer's seat.
        setup: how the cards lay before the first play.
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
        "_next",
        "_plays",
        "_round",
        "_swept",
        "claimed",
        "dealer",
        "hands",
        "history",
        "last_capturer",
        "pile",
        "rules",
        "setup",
        "taken",
        "turn",
    )

    def __init__(self, rules: RuleSet, dealer: int, setup: Setup) -> None:
        self.rules = rules
        self.dealer = dealer
        self.setup = setup
        self.hands: list[list[Card]] = [list(hand) for hand in setup.dealt[0]]
        self.pile: list[Card] = list(setup.centre)
        self.taken: list[list[list[Card]]] = [[] for _ in range(rules.sides)]
        self.turn = (dealer + 1) % rules.players
        self.history: list[Played] = []
        self.claimed: Card | None = None
        self.last_capturer: int | None = None
        self._hand_deal = 0
        self._plays = rules.plays
        self._next = tuple((seat + 1) % rules.players for seat in range(rules.players))
        self._round = HAND_SIZE * rules.players
        self._swept: int | None = None

    @classmethod
    def shuffled(cls, rules: RuleSet, dealer: int, seed: int) -> Deal:
        """Return a deal from a seeded shuffle and cut; the same seed gives the same deal."""
        return cls(rules, dealer, Setup.shuffled(rules, dealer, seed))

    @classmethod
    def from_order(cls, rules: RuleSet, dealer: int, order: Sequence[Card]) -> Deal:
        """Return the deal from the deck in *order*, first card first, as `Setup.from_order`."""
        return cls(rules, dealer, Setup.from_order(rules, dealer, order))

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
        hands: Sequence[Sequence[Card]] = (),
    ) -> Deal:
        """Return a deal as a watcher sees it, as `Setup.watched`."""
        setup = Setup.watched(
            rules,
            dealer,
            centre=centre,
            centre_up=centre_up,
            bottom=bottom,
            buried=buried,
            hands=hands,
        )
        return cls(rules, dealer, setup)

    def reveal(self, seat: int, cards: Sequence[Card]) -> None:
        """Name the cards that *seat* holds now, as faces, in a deal that did not know them.

        Raises:
            IllegalPlayError: not as many cards as the seat holds, a card that lies elsewhere, or
                cards that are not those known to be in the hand.
        """
        held = self.hands[seat]
        if len(cards) != len(held):
            raise IllegalPlayError(
                "play.hand_size", player=seat + 1, count=len(held), got=len(cards)
            )
        faces = [card.face for card in cards]
        placed, dealt = self.placed(seat), self.setup.dealt[self._hand_deal][seat]
        named: list[Card] = []
        for face, slot in zip(faces, fitted(seat, held, faces), strict=True):
            card = slot
            if unsure(face) < unsure(slot):
                card = own_copy(face, self.rules.decks, dealt, placed)
            if card.known and card in placed:
                raise IllegalPlayError("play.twice", card=card)
            placed.add(card)
            named.append(card)
        # What the hand was dealt and does not hold any more, it has laid.
        laid = [card for card in dealt if card.known and card not in named]
        unknown = HAND_SIZE - len(laid) - len(named)
        if unknown < 0:
            wrong = next(card for card in named if card not in dealt)
            raise IllegalPlayError("play.not_in_hand", player=seat + 1, card=wrong)
        hand = (*laid, *[UNKNOWN] * unknown, *named)
        self.setup = self.setup.with_hand(self._hand_deal, seat, hand)
        self.hands[seat] = named

    # What is going on.

    @property
    def is_over(self) -> bool:
        """Whether every card has been played."""
        return len(self.history) == self._plays

    @property
    def plays_left(self) -> int:
        """How many cards are still to be played."""
        return self._plays - len(self.history)

    @property
    def to_act(self) -> int | None:
        """The seat that must play, or answer a claim; None when the deal is over."""
        if self.is_over:
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
        played = len(self.history)
        return 0 < played < self._plays and played % self._round == 0

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
        if self.is_over or self.claimed is not None:
            return ()
        return tuple(self.hands[self.turn])

    def find(self, face: Card) -> Card:
        """Return the copy of *face* that the hand on turn can play.

        With one deck that is the card itself; with two it is the copy in that hand, else one that
        lies nowhere else, first of all one that this hand was dealt.
        """
        if not face.known or self.rules.decks == 1:
            return face
        hand = self.hands[self.turn]
        copies = (face, *face.copies(self.rules.decks))
        held = next((card for card in copies if card in hand), None)
        if held:
            return held
        dealt = self.setup.dealt[self._hand_deal][self.turn]
        return own_copy(face, self.rules.decks, dealt, self.placed())

    def placed(self, seat: int | None = None) -> set[Card]:
        """Return the known cards that lie elsewhere than in the hand of *seat* (on turn)."""
        holder = self.turn if seat is None else seat
        placed = {
            *self.setup.centre,
            *self.setup.undealt,
            *(played.card for played in self.history),
        }
        for number, hands in enumerate(self.setup.dealt):
            for owner, hand in enumerate(hands):
                if number != self._hand_deal or owner != holder:
                    placed.update(hand)
        return {card for card in placed if card.known}

    def view(self, seat: int) -> View:
        """Return what *seat* may know of this deal, and nothing else.

        Raises:
            ValueError: there is no such seat.
        """
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
            raise IllegalPlayError("play.claim_waits", player=self._previous(self.turn) + 1)
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
            raise IllegalPlayError("play.claim_waits", player=self._previous(self.turn) + 1)
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

        It always is when the ranks of the card and of the top card are known (but for the 10♦
        bonus, which `score_deal` counts once it is certain).
        """
        return is_decided(self.rules, self.pile, card, last=self.plays_left == 1)

    # Playing, trusted.

    def push(self, card: Card, claim: Claim | None = None) -> None:
        """Play *card* without checking that it is legal; `play` checks.

        Playing a card that the hand on turn cannot hold leaves the deal in an undefined state.
        """
        seat = self.turn
        hands = self.hands
        hand = hands[seat]
        slot = card
        forgotten = None
        try:
            at = hand.index(card)
        except ValueError:
            at = slot_for(hand, card)
            slot = hand[at]
        if not card.known:
            forgotten = tuple(hand)
            hand[:] = [UNKNOWN if card.may_be(held) else held for held in hand]
        del hand[at]
        pile = self.pile
        last = self.last_capturer
        single = None
        captured = bonus = penalty = 0
        if pile:
            top = pile[-1]
            rank = card.rank
            if len(pile) == 1:
                single = top
            takes = rank is top.rank or rank is _JACK
            if claim is not None:
                takes, bonus, penalty = self._answered(card, top, claim)
            elif takes and single is not None:
                first, final = not self.history, self.plays_left == 1
                bonus = capture_bonus(self.rules, top, card, first=first, last=final)
            pile.append(card)
            if takes:
                captured = len(pile)
                side = seat % self.rules.sides
                self.taken[side].append(pile)
                self.pile = []
                self.last_capturer = side
        else:
            pile.append(card)
        # Made as the tuple it is: calling the class would take a fifth of the whole play.
        played = (seat, card, claim, captured, bonus, penalty, single, slot, at, last, forgotten)
        self.history.append(_new_tuple(Played, played))
        self.turn = turn = self._next[seat]
        if not hands[turn]:
            self._hands_are_empty()

    def _answered(self, card: Card, top: Card, claim: Claim) -> tuple[bool, int, int]:
        """Return whether a claim takes *top*, what it pays, and what a caught bluff costs."""
        stake = claim_stake(self.rules, top, challenged=claim is Claim.CHALLENGED)
        if claim is Claim.CHALLENGED and card.rank is not top.rank:
            return False, 0, stake
        return True, stake if self.plays_left > 1 or self.rules.last_play_pisti else 0, 0

    def pop(self) -> Played:
        """Take back the last play without checking that there is one; `undo` checks."""
        played = self.history.pop()
        seat = played.seat
        if (len(self.history) + 1) % self._round == 0:
            self._hands_were_empty()
        self.turn = seat
        if played.captured:
            self.pile = self.taken[seat % self.rules.sides].pop()
        self.pile.pop()
        self.last_capturer = played.last_capturer_before
        hand = self.hands[seat]
        if played.forgotten is None:
            hand.insert(played.at, played.slot)
        else:
            hand[:] = played.forgotten
        return played

    def _hands_are_empty(self) -> None:
        """Deal the next hands, or end the deal: the last capturer takes what lies there."""
        if not self.is_over:
            self._hand_deal += 1
            self.hands = [list(hand) for hand in self.setup.dealt[self._hand_deal]]
            return
        self._swept = self.last_capturer
        if self._swept is None and self.rules.no_capture_at_all == "dealer":
            self._swept = self.rules.side_of(self.dealer)
        if self._swept is not None:
            self.taken[self._swept].append(self.pile)
            self.pile = []

    def _hands_were_empty(self) -> None:
        """Take back what `_hands_are_empty` did; the play behind it is off the history already."""
        if self.plays_left > 1:
            self._hand_deal -= 1
            self.hands = [[] for _ in self.hands]
        elif self._swept is not None:
            self.pile = self.taken[self._swept].pop()
            self._swept = None

    def _previous(self, seat: int) -> int:
        return (seat - 1) % self.rules.players

    def _check(self, card: Card, *, claimed: bool) -> None:
        """Raise the one sentence that says why *card* cannot be played now, if it cannot."""
        if self.is_over:
            raise IllegalPlayError("play.over")
        hand = self.hands[self.turn]
        if card not in hand:
            if card in self.placed():
                raise IllegalPlayError("play.twice", card=card)
            if not any(map(card.may_be, hand)):
                raise IllegalPlayError("play.not_in_hand", player=self.turn + 1, card=card)
        if claimed and not self.rules.bluff:
            raise IllegalPlayError("play.no_bluff")
        if claimed and len(self.pile) != 1:
            raise IllegalPlayError("play.claim_needs_single", count=len(self.pile))

    def __copy__(self) -> Deal:
        """Return a deal of its own in the same position: piles and hands are not shared."""
        return copy.deepcopy(self)

    def __repr__(self) -> str:
        plays = " ".join(str(played.card) for played in self.history)
        return f"<Deal {self.rules}; dealer {self.dealer}; plays {plays or 'none'}>"


_JACK: Final = Rank.JACK
_new_tuple: Final = tuple.__new__
