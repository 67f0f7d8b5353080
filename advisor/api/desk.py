"""The games that are open, and everything that is done with them.

All changes of a game pass through here, one after the other: they are checked, kept, told to all
clients, and answered by the computer where it plays.
"""

from __future__ import annotations

import secrets
from collections import OrderedDict
from collections.abc import Callable, Sequence
from contextlib import suppress
from dataclasses import dataclass, field
from datetime import date
from threading import RLock
from typing import Any, Final

from advisor.api.basics import Settings
from advisor.api.computer import Choice, Computer
from advisor.api.hub import Hub, Subscriber
from advisor.api.pictures import Pictures
from advisor.api.state import DealPart, changed_since, parts_of, state_of
from advisor.errors import ApiError, SessionError
from advisor.messages import Catalogue, preferred_language
from advisor.session import Answered, Begun, Claimed, Created, Event, Laid, Session
from advisor.store import Keeper, Store, StoreError
from engine import Claim, Deal

#: Games beyond these are read from the store again when somebody asks for them.
_OPEN: Final = 32
#: Letters of a game's name that people cannot take for one another.
_LETTERS: Final = "abcdefghijkmnpqrstuvwxyz23456789"


@dataclass(eq=False)
class OpenGame:
    """A game that somebody looks at.

    Attributes:
        id: its name.
        session: the game.
        keeper: what keeps its events.
        lock: held while it changes.
        told: its revision and its deals as all clients have them.
    """

    id: str
    session: Session
    keeper: Keeper
    lock: RLock = field(default_factory=RLock)
    told: tuple[int, list[DealPart]] | None = None


Decorate = Callable[[str, dict[str, Any]], None]


class Desk:
    """The open games.

    Args:
        store: where games are kept.
        hub: where changes are told.

    Attributes:
        store, hub: as given.
        computer: what plays for the computer.
        pictures: the pictures of plays.
        current: the name of the game that was changed or begun last.
        decorate: adds to a state what others know: the camera.
        deleted: called with the name of each game that was deleted.
        changed: called with each game after it has changed, with the events that changed it.
    """

    def __init__(self, store: Store, hub: Hub) -> None:
        self.store = store
        self.hub = hub
        self.current: str | None = None
        self.decorate: Decorate = lambda _game, _state: None
        self.changed: list[Callable[[OpenGame, Sequence[Event]], None]] = []
        self.deleted: list[Callable[[str], None]] = []
        self.computer = Computer()
        self.pictures = Pictures()
        self._games: OrderedDict[str, OpenGame] = OrderedDict()
        self._settings: Settings | None = None
        self._lock = RLock()

    # Finding.

    def game(self, name: str) -> OpenGame:
        """Return the game called *name*.

        Raises:
            StoreError: there is none.
        """
        with self._lock:
            if name in self._games:
                self._games.move_to_end(name)
                return self._games[name]
            session = self.store.load(name)
            keeper = Keeper(self.store, name, session, kept=len(session.events))
            told = session.revision, parts_of(session)
            return self._remember(OpenGame(name, session, keeper, told=told))

    def state(self, game: OpenGame) -> dict[str, Any]:
        """Return the state of *game* for clients."""
        with game.lock:
            return self._state(game, self._parts(game), self.hub.sequence)

    def tell_anew(self, game: OpenGame, subscriber: Subscriber) -> None:
        """Tell one client the whole state of *game*, whatever it was told before."""
        with game.lock:
            parts = self._parts(game)
            self.hub.publish(
                "state", lambda sequence: self._state(game, parts, sequence), only=subscriber
            )

    # Changing.

    def create(self, created: Created, events: Sequence[Event] = ()) -> OpenGame:
        """Begin a game, let *events* happen in it, and return it.

        Raises:
            SessionError, IllegalPlayError: the seats, or an event, do not fit the rules.
        """
        session = Session.replay([created, *events])
        with self._lock:
            name = _new_name()
            game = self._remember(OpenGame(name, session, Keeper(self.store, name, session)))
        with game.lock:
            game.keeper.keep()
            self.current = game.id
            if created.opponent is not None:
                self._deal(game, session.next_dealer)
            self._tell(game, session.events)
        return game

    def change(
        self, game: OpenGame, events: Sequence[Event], revision: int | None = None
    ) -> OpenGame:
        """Let *events* happen in *game*; where one does not fit, none after it does.

        Raises:
            ApiError: the game is not at *revision* any more.
            StoreError: another program has changed it.
            SessionError, IllegalPlayError: an event does not fit.
        """
        with game.lock:
            self._check(game, revision)
            before = game.session.revision
            try:
                for event in events:
                    game.session.apply(event)
                self._answer(game)
            finally:
                if game.session.revision != before:
                    game.keeper.keep()
                    self.current = game.id
                    self._tell(game, game.session.events[before:])
        return game

    def begin_shuffled(self, game: OpenGame, dealer: int | None, revision: int | None) -> OpenGame:
        """Shuffle and deal the next deal of a game against the computer.

        Raises:
            ApiError: the game is not at *revision* any more.
            StoreError: another program has changed it.
            SessionError, IllegalPlayError: there is no such dealer, or no deal can begin now.
        """
        with game.lock:
            self._check(game, revision)
            before = game.session.revision
            self._deal(game, game.session.next_dealer if dealer is None else dealer)
            self._tell(game, game.session.events[before:])
        return game

    def delete(self, name: str) -> None:
        """Forget the game called *name*.

        Raises:
            StoreError: there is none.
        """
        with self._lock:
            self.store.delete(name)
            self._games.pop(name, None)
            self.pictures.forget(name)
            if self.current == name:
                self.current = None
        for told in self.deleted:
            told(name)

    def retry(self) -> None:
        """Try again to keep what could not be kept, and tell where that has worked."""
        anew = self.store.recover()
        if anew:
            self._settings = None
            self.hub.publish("settings", lambda _: self.settings.model_dump())
        with self._lock:
            games = [game for game in self._games.values() if anew or game.keeper.waiting]
        for game in games:
            with game.lock:
                game.keeper.keep()
                if not game.keeper.waiting:
                    self._tell(game, ())

    @property
    def language(self) -> str:
        """The language of what is said to everybody."""
        return self.settings.language or preferred_language()

    @property
    def settings(self) -> Settings:
        """What the program remembers; read once, since every notice speaks its language."""
        if self._settings is None:
            try:
                self._settings = Settings.model_validate(self.store.setting("settings") or {})
            except ValueError:
                # Written by another version: what it meant is not known here.
                self._settings = Settings()
        return self._settings

    def set_settings(self, settings: Settings) -> Settings:
        """Remember *settings* and tell everybody.

        Raises:
            StoreError: they could not be kept.
        """
        self.store.set_setting("settings", settings.model_dump())
        self._settings = settings
        self.hub.publish("settings", lambda _: settings.model_dump())
        return settings

    def close(self) -> None:
        """Try once more to keep what could not be kept."""
        with self._lock:
            for game in self._games.values():
                game.keeper.keep()

    def _check(self, game: OpenGame, revision: int | None) -> None:
        """Raise where *game* is not what the client saw, or not what is kept.

        Raises:
            ApiError: it is not at *revision* any more.
            StoreError: another program has changed it; who asks again gets it as it is kept.
        """
        if revision is not None and revision != game.session.revision:
            raise ApiError("api.conflict")
        try:
            game.keeper.check()
        except StoreError:
            with self._lock:
                self._games.pop(game.id, None)
            raise

    def _remember(self, game: OpenGame) -> OpenGame:
        self._games[game.id] = game
        spare = [name for name, each in self._games.items() if not each.keeper.waiting]
        for name in spare[: max(0, len(self._games) - _OPEN)]:
            if name != game.id:
                del self._games[name]
        return game

    def _deal(self, game: OpenGame, dealer: int) -> None:
        session = game.session
        rules = session.created.rules
        if dealer >= rules.players:
            raise SessionError("session.seat", seat=dealer, last=rules.players - 1)
        deal = Deal.shuffled(rules, dealer, secrets.randbits(63))
        setup = deal.setup
        hands = tuple(
            tuple(card for hands in setup.dealt for card in hands[seat])
            for seat in range(rules.players)
        )
        faces = [tuple(card.face for card in hand) for hand in hands]
        session.apply(
            Begun(
                "person",
                dealer,
                tuple(card.face for card in setup.centre),
                setup.centre_up,
                setup.bottom.face if setup.bottom else None,
                tuple(card.face for card in setup.buried),
                tuple(faces),
            )
        )
        self._answer(game)
        game.keeper.keep()
        self.current = game.id

    def _answer(self, game: OpenGame) -> None:
        """Let the computer play until a person is to play."""
        session = game.session
        while session.computer_turn:
            deal = session.deal
            assert deal is not None
            seat = deal.to_act
            assert seat is not None
            chosen = self.computer.choose(session.created.opponent or "", session.view(seat))
            session.apply(_event_of(chosen))

    def _tell(self, game: OpenGame, events: Sequence[Event]) -> None:
        """Tell all clients what has become of *game* since they were told of it last."""
        parts = parts_of(game.session)
        since, first = None, 0
        if game.told is not None:
            revision, before = game.told
            first = changed_since(before, parts)
            since = {"revision": revision, "deal": first}
        game.told = game.session.revision, parts
        self.hub.publish(
            "state",
            lambda sequence: self._state(game, parts, sequence, first) | {"since": since},
        )
        for told in self.changed:
            told(game, events)

    def _parts(self, game: OpenGame) -> Sequence[DealPart]:
        if game.told is not None and game.told[0] == game.session.revision:
            return game.told[1]
        return parts_of(game.session)

    def _state(
        self, game: OpenGame, parts: Sequence[DealPart], sequence: int, first: int = 0
    ) -> dict[str, Any]:
        """Return the state of *game*, its plays and scores from deal *first* on."""
        state = state_of(game.session, parts, first)
        state |= {
            "game": game.id,
            "sequence": sequence,
            "unsaved": _said(game.keeper.problem),
            "notice": _said(self.store.notice),
            "camera": {"status": "none"},
        }
        for play in state["plays"]:
            if self.pictures.has(game.id, play["t"]):
                path = f"plays/{play['deal']}/{play['play']}/picture"
                play["picture"] = f"/api/v1/games/{game.id}/{path}"
        self.decorate(game.id, state)
        return state


def _event_of(chosen: Choice) -> Event:
    if chosen.card is None:
        claim = Claim.CHALLENGED if chosen.challenge else Claim.ACCEPTED
        return Answered("computer", claim)
    if chosen.claim:
        return Claimed("computer", chosen.card)
    return Laid("computer", chosen.card)


def new_game_date() -> str:
    """Return today, as games and records write it."""
    return date.today().isoformat()  # noqa: DTZ011  the players' own day


def _new_name() -> str:
    return "".join(secrets.choice(_LETTERS) for _ in range(8))


def _said(error: Any) -> str | None:
    with suppress(KeyError):
        return None if error is None else Catalogue(preferred_language()).error(error)
    return str(error)
