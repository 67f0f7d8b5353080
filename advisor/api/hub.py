"""Telling all clients what happens, in order, with numbers by which they catch up."""

from __future__ import annotations

import asyncio
import json
from collections import deque
from collections.abc import Callable
from dataclasses import dataclass
from functools import cached_property
from threading import RLock
from time import time
from typing import Any, Final, Literal

Kind = Literal["state", "advice", "camera", "job", "settings"]

#: So many notices are remembered for clients that reconnect.
_REMEMBERED: Final = 48
#: A client that is so many notices behind is cut off; it reconnects and gets the newest state.
_BEHIND: Final = 256


@dataclass(frozen=True)
class Notice:
    """Something clients should know, numbered in the order in which it happened."""

    sequence: int
    type: Kind
    data: Any

    @cached_property
    def text(self) -> str:
        """The notice as it is sent, to all clients the same."""
        form = {"sequence": self.sequence, "type": self.type, "data": self.data}
        return json.dumps(form, ensure_ascii=False, separators=(",", ":"))


class Subscriber:
    """One client's queue of notices; made by `Hub.subscribe`."""

    def __init__(self, loop: asyncio.AbstractEventLoop) -> None:
        self._loop = loop
        self._queue: asyncio.Queue[Notice | None] = asyncio.Queue(_BEHIND)

    async def next(self) -> Notice | None:
        """Return the next notice; None when the client fell too far behind, or at the end."""
        return await self._queue.get()

    def push(self, notice: Notice | None) -> None:
        """Hand over *notice*, from any thread."""
        try:
            self._loop.call_soon_threadsafe(self._put, notice)
        except RuntimeError:
            # The loop is gone, and the client with it.
            return

    def _put(self, notice: Notice | None) -> None:
        if notice is None or self._queue.full():
            while not self._queue.empty():
                self._queue.get_nowait()
            notice = None
        self._queue.put_nowait(notice)


class Hub:
    """Numbers notices, remembers the newest, and hands them to all subscribers.

    Numbers grow from one start of the program to the next, so that a client which outlived a
    restart is told to begin anew.
    """

    def __init__(self) -> None:
        self._lock = RLock()
        self._sequence = int(time() * 1000)
        self._remembered: deque[Notice] = deque(maxlen=_REMEMBERED)
        self._subscribers: set[Subscriber] = set()

    @property
    def sequence(self) -> int:
        """The number of the newest notice."""
        return self._sequence

    @property
    def subscribers(self) -> int:
        """How many clients listen."""
        return len(self._subscribers)

    def publish(
        self, kind: Kind, make: Callable[[int], Any], only: Subscriber | None = None
    ) -> Notice:
        """Number a notice, make its data from the number, and tell everybody.

        With *only*, nobody else is told: one client begins anew, in its place among all notices.
        """
        with self._lock:
            self._sequence += 1
            notice = Notice(self._sequence, kind, make(self._sequence))
            if only is not None:
                only.push(notice)
                return notice
            self._remembered.append(notice)
            for subscriber in self._subscribers:
                subscriber.push(notice)
            return notice

    def subscribe(self, since: int | None) -> tuple[Subscriber, list[Notice] | None]:
        """Return a queue of what comes, and what came after *since*; None when that is too old."""
        with self._lock:
            subscriber = Subscriber(asyncio.get_running_loop())
            self._subscribers.add(subscriber)
            first = self._remembered[0].sequence if self._remembered else self._sequence + 1
            if since is None or not first - 1 <= since <= self._sequence:
                return subscriber, None
            return subscriber, [each for each in self._remembered if each.sequence > since]

    def unsubscribe(self, subscriber: Subscriber) -> None:
        """Stop telling *subscriber*."""
        with self._lock:
            self._subscribers.discard(subscriber)

    def close(self) -> None:
        """Tell all subscribers that nothing more will come."""
        with self._lock:
            for subscriber in self._subscribers:
                subscriber.push(None)
