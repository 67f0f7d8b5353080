"""Keeps a game's events, and remembers those that could not be kept yet."""

from __future__ import annotations

from threading import RLock

from advisor.errors import StoreError
from advisor.session import Event, Session
from advisor.store.store import Store


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
        self._lock = RLock()

    @property
    def waiting(self) -> int:
        """How many events are not kept yet."""
        return len(self._session.events) - self._kept

    def keep(self) -> None:
        """Keep what is not kept yet; where that fails, `problem` says why and it is tried again."""
        with self._lock:
            events: list[Event] = self._session.events[self._kept :]
            if not events:
                return
            try:
                self._store.append(self._game, self._kept, events, self._session)
            except StoreError as error:
                self.problem = error
            else:
                self._kept += len(events)
                self.problem = None
