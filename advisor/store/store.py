"""The games on disk: events as they happened, in one SQLite file.

What `append` has returned from is on the disk, whatever happens to the program afterwards. A file
that is damaged is put aside, and the games that can still be read are taken over from it.
"""

from __future__ import annotations

import json
import shutil
import sqlite3
from collections.abc import Iterator, Sequence
from contextlib import contextmanager
from dataclasses import dataclass
from datetime import UTC, datetime
from pathlib import Path
from tempfile import TemporaryDirectory
from threading import RLock
from typing import Any, Final, Self

from sqlalchemy import Connection, create_engine, event, func, insert, select, update
from sqlalchemy import delete as delete_from
from sqlalchemy.engine import Engine
from sqlalchemy.exc import DatabaseError, IntegrityError
from sqlalchemy.pool import StaticPool

from advisor.errors import StoreError
from advisor.session import Event, Session, event_from_json, event_to_json
from advisor.store.schema import EVENTS, GAMES, SETTINGS, VERSION, migrate, version_of
from engine import PistiError

FILE: Final = "games.db"
#: Milliseconds to wait for another program that writes.
_PATIENCE: Final = 1500
#: A head that speaks of a larger file than this is damaged itself.
_LARGEST: Final = 2**31
_DAMAGED: Final = ("not a database", "malformed", "disk image", "file is encrypted")


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

    Args:
        path: the file; None keeps everything in memory only.

    Attributes:
        notice: what was found wrong on opening and how it was met; None when nothing was.

    Raises:
        StoreError: the file cannot be used, or comes from a newer version.
    """

    def __init__(self, path: Path | None) -> None:
        self.path = path
        self.notice: StoreError | None = None
        self._lock = RLock()
        self._engine = _engine(path)
        try:
            with self._writing() as connection:
                if (found := version_of(connection)) > VERSION:
                    raise StoreError("store.newer", found=found, known=VERSION)
                migrate(connection)
            if path is not None:
                self._check()
        except BaseException:
            self._engine.dispose()
            raise

    @classmethod
    def open(cls, folder: Path) -> Self:
        """Open the games in *folder*, whatever state they are in.

        A damaged file is put aside; where nothing can be written, everything stays in memory.
        `notice` says so.
        """
        path = folder / FILE
        try:
            folder.mkdir(parents=True, exist_ok=True)
            return cls(path)
        except _Damaged:
            return cls._rescued(path)
        except StoreError as error:
            store = cls(None)
            store.notice = error
            return store
        except OSError:
            store = cls(None)
            store.notice = StoreError("store.readonly", path=folder)
            return store

    @classmethod
    def _rescued(cls, path: Path) -> Self:
        """Put the damaged file at *path* aside and take over what can still be read of it."""
        stamp = datetime.now(UTC).strftime("%Y%m%d-%H%M%S")
        aside = path.with_name(f"{path.name}.damaged-{stamp}")
        for suffix in ("-wal", "-shm", ""):
            part = path.with_name(path.name + suffix)
            if part.exists():
                part.replace(aside.with_name(aside.name + suffix))
        store = cls(path)
        count = 0
        for game, events in _salvage(aside):
            session = _longest(events)
            if session is not None:
                store.append(game, 0, session.events, session)
                count += 1
        store.notice = StoreError("store.damaged", path=aside.name, count=count)
        return store

    def close(self) -> None:
        """Let go of the file."""
        with self._lock:
            self._engine.dispose()

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
        now = datetime.now(UTC).isoformat(timespec="milliseconds")
        summary = json.dumps(summary_of(session), ensure_ascii=False)
        rows = [
            {"game": game, "number": number + at, "at": now, "data": _dumps(event_to_json(each))}
            for at, each in enumerate(events)
        ]
        with self._writing() as connection:
            values = {"changed": now, "summary": summary}
            if number == 0:
                connection.execute(insert(GAMES).values(id=game, begun=now, **values))
            else:
                connection.execute(update(GAMES).where(GAMES.c.id == game).values(**values))
            if rows:
                connection.execute(insert(EVENTS), rows)

    def load(self, game: str) -> Session:
        """Return the session of *game*.

        Raises:
            StoreError: there is no such game, or the file cannot be read.
            PistiError: what is kept does not fit together.
        """
        query = select(EVENTS.c.data).where(EVENTS.c.game == game).order_by(EVENTS.c.number)
        with self._reading() as connection:
            rows = connection.execute(query).scalars().all()
        if not rows:
            raise StoreError("store.no_game", game=game)
        return Session.replay(event_from_json(json.loads(row)) for row in rows)

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

    def _check(self) -> None:
        with self._reading() as connection:
            found = connection.exec_driver_sql("PRAGMA quick_check(1)").scalar_one()
        if found != "ok":
            raise _Damaged("store.failed", reason=str(found))

    @contextmanager
    def _writing(self) -> Iterator[Connection]:
        with self._lock, self._translated(), self._engine.begin() as connection:
            yield connection

    @contextmanager
    def _reading(self) -> Iterator[Connection]:
        with self._lock, self._translated(), self._engine.connect() as connection:
            yield connection

    @contextmanager
    def _translated(self) -> Iterator[None]:
        """Say in a sentence what SQLite complains about."""
        try:
            yield
        except IntegrityError as error:
            raise StoreError("store.changed") from error
        except DatabaseError as error:
            reason = str(error.orig).lower()
            if any(word in reason for word in _DAMAGED):
                raise _Damaged("store.failed", reason=reason) from error
            if "readonly" in reason or "unable to open" in reason:
                raise StoreError("store.readonly", path=self.path) from error
            if "locked" in reason or "busy" in reason:
                raise StoreError("store.locked") from error
            if "full" in reason or "disk i/o" in reason:
                raise StoreError("store.full") from error
            raise StoreError("store.failed", reason=reason) from error


class _Damaged(StoreError):
    """The file holds something that SQLite cannot read."""


def _engine(path: Path | None) -> Engine:
    # One connection behind a lock: what was written is seen at once, and the log of the database
    # is not folded into the file and deleted after every event.
    engine = create_engine(
        "sqlite://" if path is None else f"sqlite:///{path}",
        poolclass=StaticPool,
        connect_args={"check_same_thread": False, "timeout": _PATIENCE / 1000},
    )
    event.listen(engine, "connect", _prepare)
    event.listen(engine, "begin", _begin)
    return engine


def _prepare(connection: sqlite3.Connection, _record: object) -> None:
    # Transactions are begun by `_begin`: the driver would leave changes of tables out of them.
    connection.isolation_level = None
    connection.execute(f"PRAGMA busy_timeout = {_PATIENCE}")
    connection.execute("PRAGMA journal_mode = WAL")
    connection.execute("PRAGMA synchronous = FULL")
    connection.execute("PRAGMA foreign_keys = ON")


def _begin(connection: Connection) -> None:
    connection.exec_driver_sql("BEGIN IMMEDIATE")


def _dumps(value: object) -> str:
    return json.dumps(value, ensure_ascii=False, separators=(",", ":"))


def _salvage(path: Path) -> Iterator[tuple[str, list[Any]]]:
    """Yield the games, with their events as far as they can be read, of a damaged file."""
    games: dict[str, dict[int, Any]] = {}
    with TemporaryDirectory() as folder:
        copy = Path(folder) / "copy"
        _copy_whole(path, copy)
        connection = sqlite3.connect(copy)
        connection.text_factory = lambda data: data.decode("utf-8", errors="replace")
        try:
            for order in ("ASC", "DESC"):
                # Reading stops where the damage is; what lies behind is read from the other end.
                _read_rows(connection, order, games)
        finally:
            connection.close()
    for game, events in games.items():
        yield game, [events[number] for number in range(_unbroken(events))]


def _copy_whole(path: Path, copy: Path) -> None:
    """Copy the file at *path* with its log; one that was cut off is filled up with nothing.

    SQLite reads no page of a file that is shorter than its head says.
    """
    shutil.copyfile(path, copy)
    log = path.with_name(path.name + "-wal")
    if log.exists():
        shutil.copyfile(log, copy.with_name(copy.name + "-wal"))
    with copy.open("r+b") as file:
        head = file.read(32)
        size = int.from_bytes(head[16:18], "big")
        pages = int.from_bytes(head[28:32], "big")
        whole = (65536 if size == 1 else size) * pages
        if path.stat().st_size < whole < _LARGEST:
            file.truncate(whole)


def _read_rows(
    connection: sqlite3.Connection, order: str, games: dict[str, dict[int, Any]]
) -> None:
    try:
        for game, number, data in connection.execute(
            f"SELECT game, number, data FROM events ORDER BY game {order}, number {order}"
        ):
            try:
                event = json.loads(data)
            except (ValueError, TypeError):
                continue
            games.setdefault(str(game), {})[number] = event
    except sqlite3.DatabaseError:
        return


def _unbroken(events: dict[int, Any]) -> int:
    """Return how many events follow each other from the first on."""
    count = 0
    while count in events:
        count += 1
    return count


def _longest(events: Sequence[Any]) -> Session | None:
    """Return the session of as many *events* as fit together; None when not even the first does."""
    session: Session | None = None
    for data in events:
        try:
            each = event_from_json(data)
            if session is None:
                session = Session.replay([each])
            else:
                session.apply(each)
        except (PistiError, ValueError):
            break
    return session
