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
        self._pictures: OrderedDict[tuple[str, int], bytes] = OrderedDict()
        self._lock = Lock()

    def put(self, game: str, t: float, picture: bytes, *, record: bool = False) -> None:
        """Keep *picture* (JPEG) of the play of *game* at *t* seconds; *record* it on disk too."""
        if record and self.folder is not None:
            place = self.folder / game
            # A full disk costs the picture, not the game.
            with suppress(OSError):
                place.mkdir(parents=True, exist_ok=True)
                (place / f"{_key(game, t)[1]}.jpg").write_bytes(picture)
        with self._lock:
            key = _key(game, t)
            self._size += len(picture) - len(self._pictures.pop(key, b""))
            self._pictures[key] = picture
            while self._size > self._most:
                self._size -= len(self._pictures.popitem(last=False)[1])

    def get(self, game: str, t: float | None) -> bytes | None:
        """Return the picture of the play of *game* at *t* seconds; None when it is not kept."""
        if t is None:
            return None
        key = _key(game, t)
        with self._lock:
            known = self._pictures.get(key)
        if known is None and self.folder is not None:
            with suppress(OSError):
                return (self.folder / game / f"{key[1]}.jpg").read_bytes()
        return known

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
                self._size -= len(self._pictures.pop(key))


def _key(game: str, t: float) -> tuple[str, int]:
    return game, round(t * 1000)
