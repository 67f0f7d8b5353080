"""The pictures in which plays were read: in memory, the newest only; on disk where that is asked.

A picture belongs to the moment of its play, so that it stays right when plays before it are taken
back or put in.
"""

from __future__ import annotations

import shutil
from collections import OrderedDict
from contextlib import suppress
from pathlib import Path
from threading import Lock

#: Bytes of pictures that are kept: an evening of plays at 720p.
MOST_BYTES = 48_000_000


class Pictures:
    """JPEG pictures by game and second.

    Args:
        most: bytes that are kept in memory; the oldest pictures go first.

    Attributes:
        folder: where pictures that are to be recorded are written; None where none can be.
    """

    def __init__(self, most: int = MOST_BYTES) -> None:
        self.folder: Path | None = None
        self._most = most
        self._size = 0
        self._pictures: OrderedDict[tuple[str, int], tuple[bytes, bytes]] = OrderedDict()
        self._lock = Lock()

    def put(
        self, game: str, t: float, picture: bytes, pile: bytes = b"", *, record: bool = False
    ) -> None:
        """Keep *picture* (JPEG) of the play of *game* at *t* seconds; *record* it on disk too.

        Args:
            game: the game.
            t: seconds.
            picture: the whole picture.
            pile: the part of it in which the pile lies; empty where that is not known.
            record: whether the whole picture is written to the disk.
        """
        if record and self.folder is not None:
            place = self.folder / game
            # A full disk costs the picture, not the game.
            with suppress(OSError):
                place.mkdir(parents=True, exist_ok=True)
                (place / f"{_key(game, t)[1]}.jpg").write_bytes(picture)
        with self._lock:
            key = _key(game, t)
            self._let_go(key)
            self._pictures[key] = picture, pile
            self._size += len(picture) + len(pile)
            while self._size > self._most:
                self._let_go(next(iter(self._pictures)))

    def get(self, game: str, t: float | None) -> bytes | None:
        """Return the picture of the play of *game* at *t* seconds; None when it is not kept."""
        if t is None:
            return None
        key = _key(game, t)
        with self._lock:
            if key in self._pictures:
                return self._pictures[key][0]
        if self.folder is not None:
            with suppress(OSError):
                return (self.folder / game / f"{key[1]}.jpg").read_bytes()
        return None

    def pile(self, game: str, t: float | None) -> bytes | None:
        """Return the part of that picture in which the pile lies; all of it where that is all."""
        if t is not None:
            with self._lock:
                _, pile = self._pictures.get(_key(game, t), (b"", b""))
            if pile:
                return pile
        return self.get(game, t)

    def has(self, game: str, t: float | None) -> bool:
        """Whether the picture of the play of *game* at *t* seconds is kept."""
        if t is None:
            return False
        key = _key(game, t)
        with self._lock:
            if key in self._pictures:
                return True
        return self.folder is not None and (self.folder / game / f"{key[1]}.jpg").is_file()

    def forget(self, game: str) -> None:
        """Let go of the pictures of *game*, on disk as well."""
        if self.folder is not None:
            shutil.rmtree(self.folder / game, ignore_errors=True)
        with self._lock:
            for key in [key for key in self._pictures if key[0] == game]:
                self._let_go(key)

    def _let_go(self, key: tuple[str, int]) -> None:
        picture, pile = self._pictures.pop(key, (b"", b""))
        self._size -= len(picture) + len(pile)


def _key(game: str, t: float) -> tuple[str, int]:
    return game, round(t * 1000)
