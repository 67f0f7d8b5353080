"""Advice for the seat that is advised, thought of beside everything else.

Every state in which the advised seat can be advised ends in exactly one final notice, as long as
no newer state has taken its place. The thread holds to one rule for that: a game that has changed
is wanted; whoever takes it from the wanted ones reads it under its lock, so as it stands after the
change; and thinking is given up for no other reason than that the game is wanted again.
"""

from __future__ import annotations

import logging
from collections import OrderedDict
from collections.abc import Sequence
from dataclasses import dataclass
from functools import cache
from threading import BoundedSemaphore, Condition, Lock, Thread
from time import monotonic
from typing import TYPE_CHECKING, Any, Final, Protocol

from advisor.advisor import lacks_centre
from advisor.api.memories import Memories
from advisor.api.state import is_doubtful
from advisor.errors import AdviceError, ApiError, SessionError
from advisor.messages import LANGUAGES, Catalogue
from advisor.readings import Doubt
from engine import Deal, RuleSet, View

if TYPE_CHECKING:
    from advisor.advice import Advice, Limit
    from advisor.api.desk import Desk, OpenGame
    from advisor.memory import OpponentMemory
    from advisor.session import Event, Session

logger = logging.getLogger(__name__)

#: Seconds of thinking for the hint that comes by itself, and after which a first one is told.
THINKING: Final = 0.1
QUICK: Final = 0.03
#: So many thoughts are remembered; a game that is read anew mostly comes to the same position.
_REMEMBERED: Final = 64
#: So many may wait for other advice than the hint at once; each takes a thread of the server.
_PLACES: Final = 8


class Thought(Protocol):
    """Thinking in progress; see `advisor.advisor.Thought`."""

    @property
    def is_over(self) -> bool:
        """Whether there is no more to think."""

    def go_on(self) -> None:
        """Think a few milliseconds more."""

    def advice(self, catalogue: Catalogue) -> Advice:
        """Return the advice as it is now."""


class Thinker(Protocol):
    """What thinks; see `advisor.advisor.Advisor`."""

    def think(
        self,
        view: View,
        limit: Limit | None = None,
        memory: OpponentMemory | None = None,
        doubts: Sequence[Doubt] = (),
    ) -> Thought:
        """Begin to think."""

    def warm_up(self, rules: RuleSet | None = None) -> None:
        """Load what advice under *rules* needs."""


_Position = tuple[str, View, tuple[Deal, ...], tuple[Doubt, ...], float]


@dataclass(frozen=True, slots=True)
class _Question:
    """What is asked: the game as it stands; *past* are its deals that are over.

    *doubts* are plays of which the camera is not sure.
    """

    game: str
    revision: int
    view: View
    past: tuple[Deal, ...]
    doubts: tuple[Doubt, ...]
    seconds: float

    @property
    def position(self) -> _Position:
        """What the answer depends on: not on how the game came to this position."""
        return self.game, self.view, self.past, self.doubts, self.seconds


class Adviser:
    """Thinks in a thread of its own as soon as the advised seat is on turn, and tells the hub.

    Args:
        desk: the open games.
        thinker: what thinks; the advisor by default.
    """

    def __init__(self, desk: Desk, thinker: Thinker | None = None) -> None:
        self._desk = desk
        self._thinker = thinker
        self._wake = Condition()
        #: Games that have changed, in that order.
        self._wanted: OrderedDict[str, OpenGame] = OrderedDict()
        self._busy = False
        self._ended = False
        self._warm: set[RuleSet] = set()
        self._asking = Lock()
        self._places = BoundedSemaphore(_PLACES)
        self._known: OrderedDict[_Position, Thought] = OrderedDict()
        self._memories = Memories()
        self._remembering = Lock()
        self._newest: tuple[str, int, dict[str, Any]] | None = None
        self._thread = Thread(target=self._run, name="advice", daemon=True)
        desk.changed.append(self._changed)
        self._thread.start()

    def advise(self, game: OpenGame, seat: int, seconds: float, language: str) -> dict[str, Any]:
        """Return the advice for *seat* in its JSON form; what was asked before is known.

        Raises:
            ApiError: too many wait for advice already.
            AdviceError: there is nothing to decide, or the hand is not known.
            PistiError: there is no deal, or no such seat.
        """
        with game.lock:
            question = self._question(game, seat, seconds)
            hint = seat == game.session.created.me and seconds == THINKING
        thought = self._known.get(question.position)
        if thought is None and hint:
            # The thread is at it, or was; whoever looks at the game asks for this.
            thought = self._answer(question)
        elif thought is None:
            if not self._places.acquire(blocking=False):
                raise ApiError("api.busy")
            try:
                thought = self._answer(question)
            finally:
                self._places.release()
        return thought.advice(_catalogue(language)).to_json()

    def _answer(self, question: _Question) -> Thought:
        """Think to the end, one at a time and only while no hint is wanted, which would be late."""
        with self._asking:
            self._give_way()
            thought = self._thought(question)
            while not thought.is_over:
                thought.go_on()
                self._give_way()
            self._remember(question, thought)
        return thought

    def newest(self, game: OpenGame) -> dict[str, Any] | None:
        """Return the advice for *game* as it stands; None while there is none."""
        newest = self._newest
        if newest is None or newest[:2] != (game.id, game.session.revision):
            return None
        return newest[2]

    def close(self) -> None:
        """End the thread."""
        with self._wake:
            self._ended = True
            self._wake.notify_all()
        self._thread.join(2)

    # What is asked, and what is known.

    def _question(self, game: OpenGame, seat: int, seconds: float) -> _Question:
        last = game.session.created.rules.players - 1
        if seat > last:
            raise AdviceError("advise.seat", seat=seat, last=last)
        session = game.session
        if session.deal is not None and not session.playing and not session.deal.is_over:
            raise SessionError("session.ended")
        past = tuple(deal for deal in session.match.deals if deal.is_over)
        view = session.view(seat)
        return _Question(game.id, session.revision, view, past, _doubts(session), seconds)

    def _thought(self, question: _Question) -> Thought:
        """Return what was thought of the position before, or a new thought."""
        from advisor.advice import Limit

        known = self._known.get(question.position)
        if known is not None:
            return known
        with self._remembering:
            memory = self._memories.of(question.game, question.view.seat, question.past)
            limit = Limit(time=question.seconds)
            return self._thinking().think(question.view, limit, memory, question.doubts)

    def _remember(self, question: _Question, thought: Thought) -> None:
        """Keep a thought that is over."""
        with self._wake:
            self._known[question.position] = thought
            while len(self._known) > _REMEMBERED:
                self._known.popitem(last=False)

    def _thinking(self) -> Thinker:
        if self._thinker is None:
            from advisor.advisor import Advisor

            self._thinker = Advisor()
        return self._thinker

    def _give_way(self) -> None:
        """Wait until the thread has told what it thinks of."""
        with self._wake:
            self._wake.wait_for(lambda: self._ended or not (self._busy or self._wanted))

    # The thread.

    def _changed(self, game: OpenGame, _events: Sequence[Event]) -> None:
        with self._wake:
            self._wanted[game.id] = game
            self._wake.notify_all()

    def _is_wanted(self, game: OpenGame) -> bool:
        with self._wake:
            return self._ended or game.id in self._wanted

    def _run(self) -> None:
        while True:
            with self._wake:
                self._busy = False
                self._wake.notify_all()
                self._wake.wait_for(lambda: self._ended or self._wanted)
                if self._ended:
                    return
                self._busy = True
                game = next(iter(self._wanted.values()))
            self._tell(game)

    def _tell(self, game: OpenGame) -> None:
        """Think about *game* as it stands, and tell: soon, and at the end."""
        me = game.session.created.me
        rules = game.session.created.rules
        with game.lock:
            # Taken under the lock, so that a change that is on its way comes with it.
            with self._wake:
                self._wanted.pop(game.id, None)
            asked = me is not None and _can_be_advised(game.session, me)
            question = self._question(game, me, THINKING) if asked and me is not None else None
        try:
            if me is not None:
                self._load(rules)
            if question is None:
                return
            thought = self._thought(question)
            if self._think(game, question, thought):
                self._remember(question, thought)
                self._publish(question, thought, final=True)
        except Exception:
            # A fault of the advisor must not end the evening's hints; the page says that it failed.
            logger.exception("advice failed")
            if question is not None:
                self._publish(question, None, final=True)

    def _think(self, game: OpenGame, question: _Question, thought: Thought) -> bool:
        """Go on to the end, telling once on the way; return False where the game has changed."""
        begun, told = monotonic(), False
        while not thought.is_over:
            if self._is_wanted(game):
                return False
            thought.go_on()
            if not told and monotonic() - begun >= QUICK and not thought.is_over:
                told = True
                self._publish(question, thought, final=False)
        return not self._is_wanted(game)

    def _load(self, rules: RuleSet) -> None:
        """Load the machine code, which takes a while, before the first hint is wanted."""
        if rules not in self._warm:
            self._warm.add(rules)
            self._thinking().warm_up(rules)

    def _publish(self, question: _Question, thought: Thought | None, *, final: bool) -> None:
        """Tell what was thought, None where that failed.

        The reasons are told in every language: each page speaks its own.
        """
        told: dict[str, Any] = {
            "game": question.game,
            "revision": question.revision,
            "seat": question.view.seat,
            "final": final,
            "advice": None,
            "why": {},
        }
        if thought is not None:
            said = {language: thought.advice(_catalogue(language)) for language in LANGUAGES}
            told["advice"] = said[self._desk.language].to_json()
            told["why"] = {language: list(advice.why) for language, advice in said.items()}
            self._newest = question.game, question.revision, told["advice"]
        self._desk.hub.publish("advice", lambda _: told)


def _can_be_advised(session: Session, me: int) -> bool:
    """Whether the advised seat is to decide something and its hand is known."""
    deal = session.deal
    if deal is None or not session.playing or deal.to_act != me:
        return False
    if lacks_centre(deal):
        return False
    return all(card.known for card in session.view(me).hand)


def _doubts(session: Session) -> tuple[Doubt, ...]:
    """Return what may be another card among the plays of the last deal."""
    return tuple(
        Doubt(at, ((laid.card, laid.confidence), *laid.alternatives))
        for at, laid in enumerate(session.facts[-1].plays)
        if is_doubtful(laid) and laid.confidence and laid.card.known and laid.alternatives
    )


@cache
def _catalogue(language: str) -> Catalogue:
    return Catalogue(language)
