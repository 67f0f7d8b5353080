"""The games on disk: events as they happened, in one SQLite file.

What `append` has returned from is on the disk, whatever happens to the program afterwards. A file
that is damaged is put aside, and the games that can still be read are taken over from it.
"""

from __future__ import annotations

import errno
import json
from collections.abc import Iterator, Sequence
from contextlib import contextmanager
from dataclasses import dataclass
from datetime import UTC, datetime
from pathlib import Path
from threading import RLock
from typing import Any, Final, Self

from sqlalchemy import Connection, func, insert, select, update
from sqlalchemy import delete as delete_from

from advisor.errors import StoreError
from advisor.session import Event, Session, event_from_json, event_to_json
from advisor.store.file import HASTE, PATIENCE, DamagedError, File
from advisor.store.rescue import longest, salvage
from advisor.store.schema import EVENTS, GAMES, SETTINGS

FILE: Final = "games.db"


@dataclass(frozen=True, slots=True)
class Kept:
    """A game as the list of games shows it.

    Attributes:
        id: its name in the store.
        begun, changed: when, as ISO 8601 in UTC.
        summary: what `summary_of` says.
    """

    id: str
    begun: str
    changed: str
    summary: dict[str, Any]


def summary_of(session: Session) -> dict[str, Any]:
    """Return what the list of games shows of *session*: players, totals, winner, how far it is."""
    match = session.match
    return {
        "rules": session.created.rules.to_json(),
        "names": list(session.created.names),
        "date": session.created.date,
        "opponent": session.created.opponent,
        "me": session.created.me,
        "deals": len(match.deals),
        "plays": sum(len(deal.history) for deal in match.deals),
        "totals": list(match.totals),
        "winner": match.winner,
    }


class Store:
    """The file of games.

    A file that was taken away, or that another one has replaced, is opened anew.

    Args:
        path: the file; None keeps everything in memory only.

    Attributes:
        notice: what was found wrong with the file and how it was met; None when nothing was.
        generation: grows when the file was opened anew: what was kept may not be there any more.

    Raises:
        StoreError: the file cannot be used, or comes from a newer version.
    """

    def __init__(self, path: Path | None) -> None:
        self.notice: StoreError | None = None
        self.generation = 0
        self._lock = RLock()
        self._file = File(path)
        # The file that is to be used as soon as it can be.
        self._wanted: Path | None = None

    @property
    def path(self) -> Path | None:
        """The file in use; None where everything is kept in memory."""
        return self._file.path

    @classmethod
    def open(cls, folder: Path) -> Self:
        """Open the games in *folder*, whatever state they are in.

        A damaged file is put aside; where nothing can be written, everything stays in memory until
        `recover` finds that it can. `notice` says so.
        """
        store = cls(None)
        try:
            store._use(*_opened(folder / FILE, PATIENCE))
        except StoreError as error:
            store._without_file(folder / FILE, error)
        return store

    def recover(self) -> bool:
        """Look after the file; return whether another one is in use now.

        One that could not be used is tried again, and what was kept in memory meanwhile is written
        to it; one that was taken away is begun anew.
        """
        before = self.generation
        self.look()
        if self.generation != before:
            return True
        wanted = self._wanted
        if wanted is None:
            return False
        try:
            file, notice = _opened(wanted, HASTE)
            with self._lock:
                try:
                    _copy(self._file, file)
                except StoreError:
                    file.close()
                    raise
                self._file.close()
                file.wait(PATIENCE)
                self._use(file, notice)
        except StoreError as error:
            self.notice = error
            return False
        return True

    def _use(self, file: File, notice: StoreError | None) -> None:
        self._file, self._wanted, self.notice = file, None, notice

    def _without_file(self, wanted: Path, problem: StoreError) -> None:
        self._file, self.notice = File(None), problem
        # A newer version's file is left alone.
        self._wanted = None if problem.key == "store.newer" else wanted

    def look(self) -> None:
        """Open the file anew where it is not the one that was opened."""
        with self._lock:
            if not self._file.is_gone:
                return
            path = self._file.path
            assert path is not None
            self._file.abandon()
            self.generation += 1
            try:
                self._use(_opened(path, HASTE)[0], StoreError("store.gone", path=path.name))
                self._file.wait(PATIENCE)
            except StoreError as error:
                self._without_file(path, error)

    def close(self) -> None:
        """Let go of the file."""
        with self._lock:
            self._file.close()

    # Games.

    def append(self, game: str, number: int, events: Sequence[Event], session: Session) -> None:
        """Keep *events* of *game*, the first of which is its event *number*; all or none.

        Args:
            game: the name of the game; with event 0 it is begun.
            number: how many events of the game are kept already.
            events: what happened since.
            session: the game after them, for the list of games.

        Raises:
            StoreError: they could not be kept.
        """
        with self._writing() as connection:
            _append(connection, game, number, events, session)

    def events(self, game: str) -> list[Event]:
        """Return the events of *game* that are kept; none where there is no such game.

        Raises:
            StoreError: the file cannot be read.
            PistiError: an event cannot be read.
        """
        query = select(EVENTS.c.data).where(EVENTS.c.game == game).order_by(EVENTS.c.number)
        with self._reading() as connection:
            rows = connection.execute(query).scalars().all()
        return [event_from_json(json.loads(row)) for row in rows]

    def count(self, game: str) -> int:
        """Return how many events of *game* are kept.

        Raises:
            StoreError: the file cannot be read.
        """
        query = select(func.count()).select_from(EVENTS).where(EVENTS.c.game == game)
        with self._reading() as connection:
            return int(connection.execute(query).scalar_one())

    def load(self, game: str) -> Session:
        """Return the session of *game*.

        Raises:
            StoreError: there is no such game, or the file cannot be read.
            PistiError: what is kept does not fit together.
        """
        events = self.events(game)
        if not events:
            raise StoreError("store.no_game", game=game)
        return Session.replay(events)

    def games(self, offset: int = 0, limit: int = 50) -> tuple[list[Kept], int]:
        """Return the games from *offset* on, those changed last first, and how many there are."""
        query = select(GAMES).order_by(GAMES.c.changed.desc(), GAMES.c.id)
        with self._reading() as connection:
            rows = connection.execute(query.offset(offset).limit(limit)).all()
            count = connection.execute(select(func.count()).select_from(GAMES)).scalar_one()
        return [
            Kept(row.id, row.begun, row.changed, json.loads(row.summary)) for row in rows
        ], count

    def delete(self, game: str) -> None:
        """Forget *game*.

        Raises:
            StoreError: there is no such game, or the file cannot be written.
        """
        with self._writing() as connection:
            done = connection.execute(delete_from(GAMES).where(GAMES.c.id == game))
            if not done.rowcount:
                raise StoreError("store.no_game", game=game)

    # Settings.

    def setting(self, name: str) -> Any:
        """Return the setting *name*, None when it was never set."""
        query = select(SETTINGS.c.value).where(SETTINGS.c.name == name)
        with self._reading() as connection:
            value = connection.execute(query).scalar_one_or_none()
        return None if value is None else json.loads(value)

    def set_setting(self, name: str, value: object) -> None:
        """Keep the setting *name*; *value* is what JSON can hold.

        Raises:
            StoreError: it could not be kept.
        """
        with self._writing() as connection:
            connection.execute(delete_from(SETTINGS).where(SETTINGS.c.name == name))
            connection.execute(insert(SETTINGS).values(name=name, value=_dumps(value)))

    # The file.

    @contextmanager
    def _writing(self) -> Iterator[Connection]:
        with self._lock:
            self.look()
            try:
                with self._file.writing() as connection:
                    yield connection
            except StoreError as error:
                if error.key == "store.locked":
                    # It was waited for once; from now on it is tried again and again.
                    self._file.wait(HASTE)
                raise
            self._file.wait(PATIENCE)

    @contextmanager
    def _reading(self) -> Iterator[Connection]:
        with self._lock:
            self.look()
            with self._file.reading() as connection:
                yield connection


def _opened(path: Path, patience: int) -> tuple[File, StoreError | None]:
    """Return the file at *path*, and what was wrong with it if it was damaged.

    Raises:
        StoreError: it cannot be used.
    """
    try:
        path.parent.mkdir(parents=True, exist_ok=True)
        try:
            return File(path, patience), None
        except DamagedError:
            return _rescued(path)
    except OSError as error:
        full = error.errno == errno.ENOSPC
        found = StoreError("store.full") if full else StoreError("store.readonly", path=path.parent)
        raise found from error


def _rescued(path: Path) -> tuple[File, StoreError]:
    """Put the damaged file at *path* aside and take over what can still be read of it."""
    stamp = datetime.now(UTC).strftime("%Y%m%d-%H%M%S")
    aside = path.with_name(f"{path.name}.damaged-{stamp}")
    for suffix in ("-wal", "-shm", ""):
        part = path.with_name(path.name + suffix)
        if part.exists():
            part.replace(aside.with_name(aside.name + suffix))
    file = File(path)
    count = 0
    for game, events in salvage(aside):
        session = longest(events)
        if session is not None:
            with file.writing() as connection:
                _append(connection, game, 0, session.events, session)
            count += 1
    return file, StoreError("store.damaged", path=aside.name, count=count)


def _copy(source: File, target: File) -> None:
    """Write all that *source* holds to *target*, all of it or nothing."""
    with source.reading() as reading, target.writing() as writing:
        for table in (GAMES, EVENTS, SETTINGS):
            rows = [dict(row) for row in reading.execute(select(table)).mappings()]
            if rows and table is SETTINGS:
                names = [row["name"] for row in rows]
                writing.execute(delete_from(SETTINGS).where(SETTINGS.c.name.in_(names)))
            if rows:
                writing.execute(insert(table), rows)


def _append(
    connection: Connection, game: str, number: int, events: Sequence[Event], session: Session
) -> None:
    """Write *events* of *game*, the first of which is its event *number*."""
    now = datetime.now(UTC).isoformat(timespec="milliseconds")
    summary = json.dumps(summary_of(session), ensure_ascii=False)
    rows = [
        {"game": game, "number": number + at, "at": now, "data": _dumps(event_to_json(each))}
        for at, each in enumerate(events)
    ]
    values = {"changed": now, "summary": summary}
    if number == 0:
        connection.execute(insert(GAMES).values(id=game, begun=now, **values))
    else:
        connection.execute(update(GAMES).where(GAMES.c.id == game).values(**values))
    if rows:
        connection.execute(insert(EVENTS), rows)


def _dumps(value: object) -> str:
    return json.dumps(value, ensure_ascii=False, separators=(",", ":"))
