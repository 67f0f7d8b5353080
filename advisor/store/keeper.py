"""Keeps a game's events, and remembers those that could not be kept yet."""

from __future__ import annotations

from threading import RLock

from advisor.errors import StoreError
from advisor.session import Event, Session
from advisor.store.store import Store
from engine import PistiError


class Keeper:
    """Appends the events of one game to the store; the game goes on where that fails.

    Args:
        store: where to keep them.
        game: the game's name.
        session: the game.
        kept: how many of its events the store holds already.

    Attributes:
        problem: why the newest events are not kept; None when all are.
    """

    def __init__(self, store: Store, game: str, session: Session, kept: int = 0) -> None:
        self.problem: StoreError | None = None
        self._store = store
        self._game = game
        self._session = session
        self._kept = kept
        self._generation = store.generation
        self._lock = RLock()

    @property
    def waiting(self) -> int:
        """How many events are not kept yet."""
        return len(self._session.events) - self._kept

    def check(self) -> None:
        """Raise where another program has kept events of the game, or deleted it.

        A file that cannot be read says nothing of it.

        Raises:
            StoreError: the game was changed by another program.
        """
        with self._lock:
            try:
                self._look()
                count = self._store.count(self._game)
            except StoreError as error:
                if error.key == "store.changed":
                    raise
                return
            if self._generation == self._store.generation and count != self._kept:
                raise StoreError("store.changed")

    def keep(self) -> None:
        """Keep what is not kept yet; where that fails, `problem` says why and it is tried again."""
        with self._lock:
            try:
                self._look()
                events: list[Event] = self._session.events[self._kept :]
                if events:
                    self._store.append(self._game, self._kept, events, self._session)
            except StoreError as error:
                self.problem = error
            else:
                self._kept += len(events)
                self.problem = None

    def _look(self) -> None:
        """Find out how much is kept of the game in a file that was opened anew."""
        self._store.look()
        generation = self._store.generation
        if generation == self._generation:
            return
        try:
            kept = self._store.events(self._game)
        except StoreError:
            raise
        except PistiError as error:
            raise StoreError("store.changed") from error
        if kept != self._session.events[: len(kept)]:
            raise StoreError("store.changed")
        self._kept, self._generation = len(kept), generation
