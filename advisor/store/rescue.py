"""What can still be read of a damaged file of games."""

from __future__ import annotations

import json
import shutil
import sqlite3
from collections.abc import Iterator, Sequence
from pathlib import Path
from tempfile import TemporaryDirectory
from typing import Any, Final

from advisor.session import Session, event_from_json
from engine import PistiError

#: A head that speaks of a larger file than this is damaged itself.
_LARGEST: Final = 2**31


def salvage(path: Path) -> Iterator[tuple[str, list[Any]]]:
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


def longest(events: Sequence[Any]) -> Session | None:
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
