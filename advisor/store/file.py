"""The SQLite file itself: opened, waited for, and watched, with its complaints as sentences."""

from __future__ import annotations

import errno
import os
import shutil
import sqlite3
from collections.abc import Iterator
from contextlib import contextmanager, suppress
from pathlib import Path
from threading import RLock
from typing import Final

from sqlalchemy import Connection, create_engine, event
from sqlalchemy.engine import Engine
from sqlalchemy.exc import DatabaseError, IntegrityError
from sqlalchemy.pool import StaticPool

from advisor.errors import StoreError
from advisor.store.schema import VERSION, migrate, version_of

#: Milliseconds to wait for another program that writes; and once it was waited for in vain.
PATIENCE: Final = 1500
HASTE: Final = 50
_DAMAGED: Final = ("not a database", "malformed", "disk image", "file is encrypted")
#: What SQLite calls the files beside its own.
_LOGS: Final = ("-wal", "-shm")
#: Bytes of a disk below which it is called full.
_FULL: Final = 1_000_000


class DamagedError(StoreError):
    """The file holds something that SQLite cannot read."""


class File:
    """One database, used by one thread after the other.

    Args:
        path: the file; None keeps everything in memory.
        patience: milliseconds to wait for another program that writes.

    Raises:
        DamagedError: the file is damaged.
        StoreError: it cannot be used, or comes from a newer version.
    """

    def __init__(self, path: Path | None, patience: int = PATIENCE) -> None:
        self.path = path
        self._lock = RLock()
        self._driver: sqlite3.Connection | None = None
        self._engine = self._made(patience)
        try:
            with self.writing() as connection:
                if (found := version_of(connection)) > VERSION:
                    raise StoreError("store.newer", found=found, known=VERSION)
                migrate(connection)
            self._identity = None if path is None else _identity(path)
            self._logs = [
                None if path is None else _identity(path.with_name(path.name + suffix))
                for suffix in _LOGS
            ]
            if path is not None:
                self._check()
        except BaseException:
            self.close()
            raise

    @property
    def is_gone(self) -> bool:
        """Whether the file was taken away, or another one lies in its place."""
        return self.path is not None and _identity(self.path) != self._identity

    @contextmanager
    def writing(self) -> Iterator[Connection]:
        """Yield a connection; what is done with it is kept, all of it or nothing.

        Raises:
            StoreError: it could not be kept.
        """
        with self._lock, self._translated(), self._engine.begin() as connection:
            yield connection

    @contextmanager
    def reading(self) -> Iterator[Connection]:
        """Yield a connection to read with, which does not wait for others that write.

        Raises:
            StoreError: the file cannot be read.
        """
        with self._lock, self._translated(), self._engine.connect() as connection:
            yield connection.execution_options(only_read=True)

    def close(self) -> None:
        """Let go of the file."""
        with self._lock:
            self._engine.dispose()

    def abandon(self) -> None:
        """Let go of a file that is gone, and remove its log, which would be read into the next."""
        assert self.path is not None
        self.close()
        for suffix, known in zip(_LOGS, self._logs, strict=True):
            log = self.path.with_name(self.path.name + suffix)
            if known is not None and _identity(log) == known:
                with suppress(OSError):
                    log.unlink()

    def wait(self, patience: int) -> None:
        """From now on wait *patience* milliseconds for others that write."""
        if self._driver is not None:
            self._driver.execute(f"PRAGMA busy_timeout = {patience}")

    def _made(self, patience: int) -> Engine:
        # One connection behind a lock: what was written is seen at once, and the log of the
        # database is not folded into the file and deleted after every event.
        engine = create_engine(
            "sqlite://" if self.path is None else f"sqlite:///{self.path}",
            poolclass=StaticPool,
            connect_args={"check_same_thread": False, "timeout": patience / 1000},
        )

        def prepare(connection: sqlite3.Connection, _record: object) -> None:
            # Transactions are begun by `_begin`: the driver would leave changes of tables out.
            connection.isolation_level = None
            self._driver = connection
            self.wait(patience)
            connection.execute("PRAGMA journal_mode = WAL")
            connection.execute("PRAGMA synchronous = FULL")
            connection.execute("PRAGMA foreign_keys = ON")

        event.listen(engine, "connect", prepare)
        event.listen(engine, "begin", _begin)
        return engine

    def _check(self) -> None:
        with self.reading() as connection:
            found = connection.exec_driver_sql("PRAGMA quick_check(1)").scalar_one()
        if found != "ok":
            raise DamagedError("store.failed", reason=str(found))

    @contextmanager
    def _translated(self) -> Iterator[None]:
        """Say in a sentence what SQLite complains about."""
        try:
            yield
        except IntegrityError as error:
            raise StoreError("store.changed") from error
        except DatabaseError as error:
            raise self._said(str(error.orig).lower()) from error

    def _said(self, reason: str) -> StoreError:
        if any(word in reason for word in _DAMAGED):
            return DamagedError("store.failed", reason=reason)
        if "readonly" in reason or "unable to open" in reason:
            return StoreError("store.readonly", path=self.path)
        if "locked" in reason or "busy" in reason:
            return StoreError("store.locked")
        if "full" in reason:
            return StoreError("store.full")
        if "disk i/o" in reason:
            if self.path is not None and _room(self.path.parent) < _FULL:
                return StoreError("store.full")
            return StoreError("store.failed", reason=os.strerror(errno.EIO))
        return StoreError("store.failed", reason=reason)


def _begin(connection: Connection) -> None:
    only_read = connection.get_execution_options().get("only_read", False)
    connection.exec_driver_sql("BEGIN" if only_read else "BEGIN IMMEDIATE")


def _identity(path: Path) -> tuple[int, int] | None:
    """Return what tells the file at *path* from all others; None where there is none."""
    try:
        found = path.stat()
    except OSError:
        return None
    return found.st_dev, found.st_ino


def _room(folder: Path) -> int:
    try:
        return shutil.disk_usage(folder).free
    except OSError:
        return 0
