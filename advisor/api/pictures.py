"""The pictures in which plays were read: in memory, the newest only, and nowhere else.

A picture belongs to the moment of its play, so that it stays right when plays before it are taken
back or put in.
"""

from __future__ import annotations

from collections import OrderedDict
from threading import Lock

#: Bytes of pictures that are kept: an evening of plays at 720p.
MOST_BYTES = 48_000_000


class Pictures:
    """JPEG pictures by game and second.

    Args:
        most: bytes that are kept; the oldest pictures go first.
    """

    def __init__(self, most: int = MOST_BYTES) -> None:
        self._most = most
        self._size = 0
        self._pictures: OrderedDict[tuple[str, int], bytes] = OrderedDict()
        self._lock = Lock()

    def put(self, game: str, t: float, picture: bytes) -> None:
        """Keep *picture* (JPEG) of the play of *game* at *t* seconds."""
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
        with self._lock:
            return self._pictures.get(_key(game, t))

    def forget(self, game: str) -> None:
        """Let go of the pictures of *game*."""
        with self._lock:
            for key in [key for key in self._pictures if key[0] == game]:
                self._size -= len(self._pictures.pop(key))


def _key(game: str, t: float) -> tuple[str, int]:
    return game, round(t * 1000)
