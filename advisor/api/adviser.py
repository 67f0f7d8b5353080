"""Advice for the seat that is advised, thought of beside everything else."""

from __future__ import annotations

import logging
from collections import OrderedDict
from collections.abc import Sequence
from threading import BoundedSemaphore, Condition, Lock, Thread
from typing import TYPE_CHECKING, Any, Final

from advisor.api.memories import Memories
from advisor.errors import AdviceError, ApiError
from engine import PistiError

if TYPE_CHECKING:
    from advisor.advisor import Advisor
    from advisor.api.desk import Desk, OpenGame
    from advisor.session import Event

logger = logging.getLogger(__name__)

#: Seconds of thinking for the hint that comes by itself.
THINKING: Final = 0.1
_REMEMBERED: Final = 64
#: So many may wait for advice at once; each takes a thread of the server.
_PLACES: Final = 8

_Key = tuple[str, int, int, float, str]


class Adviser:
    """Thinks in a thread of its own as soon as the advised seat is on turn, and tells the hub.

    Args:
        desk: the open games.
    """

    def __init__(self, desk: Desk) -> None:
        self._desk = desk
        self._wanted: OpenGame | None = None
        self._ended = False
        self._is_warm = False
        self._wake = Condition()
        self._thinking = Lock()
        self._known: OrderedDict[_Key, dict[str, Any]] = OrderedDict()
        self._newest: tuple[str, int, dict[str, Any]] | None = None
        self._memories = Memories()
        self._places = BoundedSemaphore(_PLACES)
        self._advisors: dict[str, Advisor] = {}
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
        if not self._places.acquire(blocking=False):
            raise ApiError("api.busy")
        try:
            return self._advise(game, seat, seconds, language)
        finally:
            self._places.release()

    def _advise(self, game: OpenGame, seat: int, seconds: float, language: str) -> dict[str, Any]:
        from advisor.advice import Limit

        with game.lock:
            revision = game.session.revision
            if seat >= game.session.created.rules.players:
                last = game.session.created.rules.players - 1
                raise AdviceError("advise.seat", seat=seat, last=last)
            view = game.session.view(seat)
            deals = tuple(game.session.match.deals)
        key = (game.id, revision, seat, seconds, language)
        if (known := self._known.get(key)) is not None:
            return known
        # One search at a time: two at once would take each other's time.
        with self._thinking:
            if key not in self._known:
                memory = self._memories.of(game.id, seat, deals)
                advice = self._advisor(language).advise(view, Limit(time=seconds), memory)
                self._known[key] = advice.to_json()
                while len(self._known) > _REMEMBERED:
                    self._known.popitem(last=False)
            return self._known[key]

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
            self._wake.notify()
        self._thread.join(2)

    def _advisor(self, language: str) -> Advisor:
        if language not in self._advisors:
            from advisor.advisor import Advisor

            self._advisors[language] = Advisor(language)
        return self._advisors[language]

    def _changed(self, game: OpenGame, _events: Sequence[Event]) -> None:
        with self._wake:
            self._wanted = game
            self._wake.notify()

    def _run(self) -> None:
        while True:
            with self._wake:
                self._wake.wait_for(lambda: self._ended or self._wanted is not None)
                if self._ended:
                    return
                game, self._wanted = self._wanted, None
            assert game is not None
            try:
                self._tell(game)
            except Exception:
                # A fault of the advisor must not end the evening's hints.
                logger.exception("advice failed")

    def _warm(self) -> None:
        """Load the machine code, which takes a while, before the first hint is wanted."""
        if not self._is_warm:
            from advisor.advisor import Advisor

            self._is_warm = True
            with self._thinking:
                Advisor.warm_up()

    def _tell(self, game: OpenGame) -> None:
        me = game.session.created.me
        deal = game.session.deal
        if me is None:
            return
        self._warm()
        if deal is None or deal.to_act != me:
            return
        revision = game.session.revision
        language = self._desk.language
        try:
            advice = self._advise(game, me, THINKING, language)
        except PistiError:
            # The hand is not known yet, or the turn has passed.
            return
        if revision != game.session.revision:
            # Somebody played meanwhile; that change is thought about next.
            return
        self._newest = game.id, revision, advice
        told = {"game": game.id, "revision": revision, "seat": me, "advice": advice}
        self._desk.hub.publish("advice", lambda _: told)
