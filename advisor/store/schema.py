"""The tables, and the steps that bring an older file to their present form.

The file's form is the number of steps taken, kept in SQLite's `user_version`. A step is never
changed once it was published; a new form is a new step.
"""

from __future__ import annotations

from typing import Final

from sqlalchemy import Column, Connection, ForeignKey, Integer, MetaData, Table, Text, text

METADATA: Final = MetaData()

GAMES: Final = Table(
    "games",
    METADATA,
    Column("id", Text, primary_key=True),
    Column("begun", Text, nullable=False),
    Column("changed", Text, nullable=False),
    Column("summary", Text, nullable=False),
)
EVENTS: Final = Table(
    "events",
    METADATA,
    Column("game", Text, ForeignKey("games.id", ondelete="CASCADE"), primary_key=True),
    Column("number", Integer, primary_key=True),
    Column("at", Text, nullable=False),
    Column("data", Text, nullable=False),
)
SETTINGS: Final = Table(
    "settings",
    METADATA,
    Column("name", Text, primary_key=True),
    Column("value", Text, nullable=False),
)

#: What each step does.
STEPS: Final[tuple[tuple[str, ...], ...]] = (
    (
        "CREATE TABLE games (id TEXT PRIMARY KEY, begun TEXT NOT NULL) WITHOUT ROWID",
        "CREATE TABLE events ("
        " game TEXT NOT NULL REFERENCES games(id) ON DELETE CASCADE,"
        " number INTEGER NOT NULL, at TEXT NOT NULL, data TEXT NOT NULL,"
        " PRIMARY KEY (game, number)) WITHOUT ROWID",
    ),
    ("CREATE TABLE settings (name TEXT PRIMARY KEY, value TEXT NOT NULL) WITHOUT ROWID",),
    (
        "ALTER TABLE games ADD COLUMN changed TEXT NOT NULL DEFAULT ''",
        "ALTER TABLE games ADD COLUMN summary TEXT NOT NULL DEFAULT '{}'",
        "UPDATE games SET changed = begun",
        "CREATE INDEX games_by_change ON games(changed)",
    ),
)
VERSION: Final = len(STEPS)


def version_of(connection: Connection) -> int:
    """Return how many steps the file has taken."""
    return int(connection.execute(text("PRAGMA user_version")).scalar_one())


def migrate(connection: Connection) -> None:
    """Take the steps that the file has not taken yet, all of them or none."""
    for number in range(version_of(connection), VERSION):
        for step in STEPS[number]:
            connection.execute(text(step))
        connection.execute(text(f"PRAGMA user_version = {number + 1}"))
