"""One live or recorded game: an append-only list of events, and the state that follows from it."""

from __future__ import annotations

from collections.abc import Iterable, Sequence
from dataclasses import replace
from typing import Any, Final

from advisor.errors import SessionError
from advisor.session.events import (
    Answered,
    Begun,
    By,
    CentreSet,
    Claimed,
    Corrected,
    Created,
    Ended,
    Event,
    HandSet,
    Laid,
    Redone,
    Reread,
    Undone,
)
from advisor.session.facts import DealFacts
from engine import Card, Deal, IllegalPlayError, Match, View
from engine.record import DealRecord, PlayRecord, Record, recorded

_NOTHING: Final[tuple[DealFacts, ...]] = ()


class Session:
    """A game and how it came about.

    Everything that happens is an event, taking back and correcting too. `apply` appends one after
    checking it; events that were kept read back with `replay` to the same state. A person's word
    stands: the camera's events cannot change it.

    Args:
        created: the first event.

    Attributes:
        created: the first event.
        events: all events, oldest first.
        match: the match as it stands. Look at it, but change it through events only.
        facts: what was said of each deal.
        shown: for who shows the game: what was made of deals that are over, by identity.

    Raises:
        SessionError: a seat that the rules do not have.
    """

    def __init__(self, created: Created) -> None:
        last = created.rules.players - 1
        for seat in (created.dealer, created.me if created.me is not None else 0):
            if seat > last:
                raise SessionError("session.seat", seat=seat, last=last)
        self.created = created
        self.events: list[Event] = [created]
        # What counted after each event that still counts, or could count again, and who said it.
        self._history: list[tuple[tuple[DealFacts, ...], By]] = [(_NOTHING, "person")]
        self._position = 0
        self._deals: list[tuple[DealFacts, Deal]] = []
        self.match = Match(created.rules)
        self.shown: dict[int, Any] = {}

    @classmethod
    def replay(cls, events: Iterable[Event]) -> Session:
        """Return the session that *events* tell of.

        Raises:
            SessionError: the first event begins no game, or a later one does not fit.
            IllegalPlayError: a later one is against the rules.
        """
        first, *others = events
        if not isinstance(first, Created):
            raise SessionError("session.event", reason="the first one does not begin a game")
        session = cls(first)
        for event in others:
            session.apply(event)
        return session

    # What is going on.

    @property
    def facts(self) -> tuple[DealFacts, ...]:
        """What was said of each deal."""
        return self._history[self._position][0]

    @property
    def revision(self) -> int:
        """The number of events so far; it tells whether a client has seen the newest state."""
        return len(self.events)

    @property
    def deal(self) -> Deal | None:
        """The deal in progress or just ended, None before the first."""
        return self.match.deal

    @property
    def playing(self) -> bool:
        """Whether a deal is in play: begun, not played to its end, and not ended before."""
        deal = self.deal
        return deal is not None and not deal.is_over and not self.facts[-1].ended

    @property
    def can_undo(self) -> bool:
        """Whether there is an event of a person or the camera to take back."""
        return any(by != "computer" for _, by in self._history[1 : self._position + 1])

    @property
    def can_redo(self) -> bool:
        """Whether something that was taken back can be done again."""
        return self._position + 1 < len(self._history)

    @property
    def redo_facts(self) -> tuple[DealFacts, ...]:
        """What `Redone` leads to; empty where there is nothing to do again."""
        return self._history[self._after_redo()][0] if self.can_redo else _NOTHING

    @property
    def next_dealer(self) -> int:
        """Who deals next."""
        return self.match.next_dealer if self.match.deals else self.created.dealer

    @property
    def computer_turn(self) -> bool:
        """Whether the computer is to play."""
        deal = self.deal
        if self.created.opponent is None or deal is None or not self.playing:
            return False
        return deal.to_act != self.created.me

    def view(self, seat: int) -> View:
        """Return what *seat* may know.

        Raises:
            IllegalPlayError: no deal was begun.
        """
        return self.match.view(seat)

    # What happens.

    def apply(self, event: Event) -> None:
        """Append *event*; where it does not fit, the session stays as it was.

        Raises:
            SessionError: the event does not fit the game.
            IllegalPlayError: it is against the rules.
        """
        if isinstance(event, Created):
            raise SessionError("session.event", reason="a game is begun once")
        if isinstance(event, Undone):
            self._move(self._before_undo())
        elif isinstance(event, Redone):
            self._move(self._after_redo())
        else:
            facts = self._after(event)
            match = self._built(facts)
            if isinstance(event, Reread):
                self._look_back(event, facts)
            else:
                del self._history[self._position + 1 :]
                self._history.append((facts, getattr(event, "by", "person")))
                self._position += 1
            self.match = match
        self.events.append(event)

    def _move(self, position: int) -> None:
        self.match = self._built(self._history[position][0])
        self._position = position

    def _before_undo(self) -> int:
        """Return where undo leads: before the last event that is not the computer's answer."""
        if not self.can_undo:
            raise SessionError("session.nothing_to_undo")
        position = self._position
        while self._history[position][1] == "computer":
            position -= 1
        return position - 1

    def _after_redo(self) -> int:
        """Return where redo leads: past one event and the computer's answers to it."""
        if not self.can_redo:
            raise SessionError("session.nothing_to_redo")
        position = self._position + 1
        while position + 1 < len(self._history) and self._history[position + 1][1] == "computer":
            position += 1
        return position

    def _look_back(self, event: Reread, facts: tuple[DealFacts, ...]) -> None:
        """Let the camera's new reading hold for what undo leads back to as well.

        It is no step of its own: nobody wants to take back that the camera is surer now. What
        could be done again is lost where the cards changed.
        """
        before = [play.card for play in self.facts[event.deal].plays]
        if before != [play.card for play in facts[event.deal].plays]:
            del self._history[self._position + 1 :]
        for at, (old, by) in enumerate(self._history):
            if at == self._position:
                self._history[at] = (facts, by)
            elif event.deal < len(old):
                changed = old[event.deal].reread_as_far(event)
                if changed == old[event.deal]:
                    continue
                try:
                    changed.deal(self.created.rules)
                except IllegalPlayError:
                    continue
                self._history[at] = ((*old[: event.deal], changed, *old[event.deal + 1 :]), by)

    def _after(self, event: Event) -> tuple[DealFacts, ...]:
        """Return the facts after *event*."""
        rules, facts = self.created.rules, self.facts
        if isinstance(event, Begun):
            if self.match.winner is not None:
                raise IllegalPlayError("match.won", side=self.match.winner + 1)
            if self.playing:
                raise IllegalPlayError("match.deal_not_over")
            return (*facts, DealFacts(event))
        if not facts:
            raise IllegalPlayError("match.no_deal")
        if isinstance(event, Ended):
            if not self.playing:
                raise SessionError("session.nothing_to_end")
            ended = replace(facts[-1], claimed=None, ended=True)
            return (*facts[:-1], ended) if event.kept else facts[:-1]
        if facts[-1].ended and isinstance(event, Laid | Claimed | Answered | HandSet):
            raise SessionError("session.ended")
        if isinstance(event, Laid | Claimed | Answered):
            self._check_turn(event)
            return (*facts[:-1], _played(facts[-1], event))
        if isinstance(event, HandSet):
            last = rules.players - 1
            if event.seat > last:
                raise SessionError("session.seat", seat=event.seat, last=last)
            self._check_open_cards()
            return (*facts[:-1], facts[-1].with_hand(rules, event))
        assert isinstance(event, Corrected | Reread | CentreSet)
        self._check_open_cards()
        number = event.deal
        if number >= len(facts):
            raise SessionError("session.no_deal", deal=number)
        changed = facts[number]
        if isinstance(event, Corrected):
            changed = changed.corrected(rules, event)
        elif isinstance(event, Reread):
            changed = changed.reread(event)
        else:
            changed = changed.with_centre(event)
        return (*facts[:number], changed, *facts[number + 1 :])

    def _check_turn(self, event: Laid | Claimed | Answered) -> None:
        """Raise where somebody else than the computer plays for it, or the other way round."""
        if self.created.opponent is not None:
            if isinstance(event, Laid) and event.claim is not None:
                raise SessionError("session.answer")
            if isinstance(event, Answered) and event.turned is not None:
                raise SessionError("session.dealt")
        turn = None if self.deal is None else self.deal.to_act
        if self.deal is None or turn is None:
            return
        if not isinstance(event, Answered) and self.deal.claimed is not None:
            raise IllegalPlayError("play.claim_waits", player=turn + 1)
        if self.computer_turn != (event.by == "computer"):
            raise SessionError("session.computer", player=turn + 1)

    def _check_open_cards(self) -> None:
        if self.created.opponent is not None:
            raise SessionError("session.dealt")

    def _built(self, facts: Sequence[DealFacts]) -> Match:
        """Return the match that *facts* tell of; deals that have not changed are kept."""
        known = {id(before): deal for before, deal in self._deals}
        deals = [(each, known.get(id(each)) or each.deal(self.created.rules)) for each in facts]
        self._deals = deals
        kept = {id(deal) for _, deal in deals}
        self.shown = {key: known for key, known in self.shown.items() if key in kept}
        return Match(self.created.rules, [deal for _, deal in deals])

    # Handing it on.

    def record(self) -> Record:
        """Return the game's record, with times and confidences."""
        seen = recorded(self.match).deals
        deals = [_recorded(facts, deal) for facts, deal in zip(self.facts, seen, strict=True)]
        names = self.created.names
        if names:
            names += ("",) * (self.created.rules.players - len(names))
        return Record(self.created.rules, names, tuple(deals), date=self.created.date)


def _played(facts: DealFacts, event: Laid | Claimed | Answered) -> DealFacts:
    if isinstance(event, Laid):
        return facts.with_play(event)
    if isinstance(event, Answered):
        return facts.answered(event)
    return replace(facts, claimed=event)


def _recorded(facts: DealFacts, seen: DealRecord) -> DealRecord:
    begun = facts.begun
    return DealRecord(
        begun.dealer,
        begun.centre,
        begun.centre_up,
        begun.bottom,
        begun.buried,
        tuple(map(_known, seen.hands or ())) if begun.hands or facts.shown else None,
        tuple(PlayRecord(play.card, play.claim, play.t, play.confidence) for play in facts.plays),
    )


def _known(hand: tuple[Card, ...]) -> tuple[Card, ...]:
    """Return *hand* up to its last card of which something is known."""
    return hand[: max((at for at, card in enumerate(hand, 1) if card.rank), default=0)]
