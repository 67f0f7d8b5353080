"""Random evenings: whatever people and the camera do, the session stays what it should be."""

from typing import Any

from hypothesis import settings
from hypothesis import strategies as st
from hypothesis.stateful import RuleBasedStateMachine, initialize, invariant, precondition, rule

from advisor.session import (
    Begun,
    Corrected,
    Created,
    Ended,
    HandSet,
    Laid,
    Redone,
    Reread,
    Session,
    Undone,
    event_from_json,
    event_to_json,
)
from engine import UNKNOWN, Card, PistiError, RuleSet, deck

CARD = st.sampled_from(deck())
BY = st.sampled_from(["person", "camera"])


class Evening(RuleBasedStateMachine):
    """Does anything in any order; a shadow keeps the state after each event that counts."""

    @initialize(rules=st.sampled_from(["modern", "classic", "classic players=3"]))
    def begin(self, rules: str) -> None:
        rule_set = RuleSet.parse(rules)
        self.session = Session(Created(rule_set, dealer=1, me=0))
        self.session.apply(Begun("person", 1, (UNKNOWN, UNKNOWN, UNKNOWN, Card.parse("7S"))))
        self.states: list[Any] = [None, self.state()]
        self.at = 1

    def state(self) -> Any:
        session = self.session
        deals = [
            (
                [(each.card, each.captured, each.bonus) for each in deal.history],
                list(deal.pile),
                [list(hand) for hand in deal.hands],
                facts.ended,
            )
            for deal, facts in zip(session.match.deals, session.facts, strict=True)
        ]
        return deals, session.match.totals, session.playing, session.next_dealer

    def do(self, event: Any) -> bool:
        """Apply *event*; whether it was taken. What is refused must change nothing."""
        before, revision = self.state(), self.session.revision
        said = {
            at: laid.card
            for facts in self.session.facts[:1]
            for at, laid in enumerate(facts.plays)
            if laid.by == "person"
        }
        try:
            self.session.apply(event)
        except PistiError:
            assert (self.state(), self.session.revision) == (before, revision)
            return False
        if isinstance(event, Reread):
            # It is no step of its own, and may change what undo leads back to.
            plays = self.session.facts[0].plays
            assert all(plays[at].card is card for at, card in said.items())
            count = len(self.states) if self.session.can_redo else self.at + 1
            self.states = [None] * count
            self.states[self.at] = self.state()
            return True
        del self.states[self.at + 1 :]
        self.states.append(self.state())
        self.at += 1
        return True

    @rule(by=BY, card=CARD)
    def play_any(self, by: Any, card: Card) -> None:
        self.do(Laid(by, card, t=1.0))

    @rule(by=BY, data=st.data())
    def play_legal(self, by: Any, data: st.DataObject) -> None:
        deal = self.session.deal
        if deal is None or not self.session.playing:
            return
        placed = deal.placed()
        free = [card for card in deck() if card not in placed]
        if not deal.is_over and not any(card.known for card in deal.legal_cards()):
            assert self.do(Laid(by, data.draw(st.sampled_from(free))))

    @rule(play=st.integers(0, 5), card=CARD)
    def correct(self, play: int, card: Card) -> None:
        if self.do(Corrected(0, play, card)):
            assert self.session.facts[0].plays[play].card is card

    @rule(play=st.integers(0, 4), others=st.lists(CARD, max_size=4))
    def read_again(self, play: int, others: list[Card]) -> None:
        self.do(Reread(0, play, tuple(Laid("camera", card) for card in others)))

    @rule(by=BY, seat=st.integers(0, 1), cards=st.lists(CARD, max_size=4, unique=True))
    def show_hand(self, by: Any, seat: int, cards: list[Card]) -> None:
        self.do(HandSet(by, seat, tuple(cards)))

    @rule(by=BY, kept=st.booleans())
    def end(self, by: Any, kept: bool) -> None:
        deals, playing = len(self.session.facts), self.session.playing
        assert self.do(Ended(by, kept)) == playing
        if playing:
            assert not self.session.playing
            assert len(self.session.facts) == deals - (not kept)

    @rule(by=BY)
    def deal_next(self, by: Any) -> None:
        playing, dealer = self.session.playing, self.session.next_dealer
        centre = (UNKNOWN, UNKNOWN, UNKNOWN, Card.parse("8H"))
        assert self.do(Begun(by, dealer, centre)) != playing

    @precondition(lambda self: self.at > 1)
    @rule()
    def undo(self) -> None:
        assert self.session.can_undo
        self.session.apply(Undone())
        self.at -= 1
        assert self.states[self.at] in (None, self.state())

    @rule()
    def redo(self) -> None:
        assert self.session.can_redo == (self.at + 1 < len(self.states))
        if self.session.can_redo:
            self.session.apply(Redone())
            self.at += 1
            assert self.states[self.at] in (None, self.state())

    @invariant()
    def the_events_tell_the_same_game(self) -> None:
        if not hasattr(self, "session"):
            return
        again = Session.replay(
            event_from_json(event_to_json(event)) for event in self.session.events
        )
        mine, self.session = self.session, again
        replayed = self.state()
        self.session = mine
        assert replayed == self.state()
        assert (again.can_undo, again.can_redo) == (mine.can_undo, mine.can_redo)
        assert again.record() == mine.record()


TestEvening = Evening.TestCase
TestEvening.settings = settings(max_examples=40, stateful_step_count=25, deadline=None)
