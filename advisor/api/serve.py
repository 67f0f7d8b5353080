"""Running the server: the socket first, so that its address can be told, and a clean end."""

from __future__ import annotations

import contextlib
import errno
import os
import socket
from collections.abc import Callable, Sequence
from types import FrameType
from typing import TYPE_CHECKING, Final

import uvicorn

from advisor.errors import ApiError

if TYPE_CHECKING:
    from fastapi import FastAPI

#: Seconds that open connections have to end.
_FAREWELL: Final = 2


def listen(host: str, port: int) -> socket.socket:
    """Return a socket that listens at *host* and *port*; 0 takes a free one.

    Raises:
        ApiError: the address is taken, or is none of this machine's.
    """
    try:
        family = socket.getaddrinfo(host, port, type=socket.SOCK_STREAM)[0][0]
        listening = socket.socket(family, socket.SOCK_STREAM)
        try:
            listening.setsockopt(socket.SOL_SOCKET, socket.SO_REUSEADDR, 1)
            listening.bind((host, port))
            listening.listen(128)
        except (OSError, OverflowError):
            listening.close()
            raise
    except (OSError, OverflowError) as error:
        # A name that nobody knows has numbers of its own.
        unknown = isinstance(error, socket.gaierror)
        reason = os.strerror(errno.EADDRNOTAVAIL) if unknown else getattr(error, "strerror", None)
        reason = reason or str(error)
        raise ApiError("watch.port", host=host, port=port, reason=reason) from error
    return listening


def address_of(listening: socket.socket, host: str, token: str | None = None) -> str:
    """Return the address of the page that a browser opens."""
    name = {"0.0.0.0": socket.gethostname(), "::": socket.gethostname()}.get(host, host)
    name = f"[{name}]" if ":" in name else name
    query = f"?token={token}" if token else ""
    return f"http://{name}:{listening.getsockname()[1]}/{query}"


class Server(uvicorn.Server):
    """A server that can be ended from any thread, and that ends its long answers first.

    Args:
        app: the application.
        ending: called when the end begins, so that videos and sockets end by themselves.
    """

    def __init__(self, app: FastAPI, ending: Callable[[], None]) -> None:
        super().__init__(
            uvicorn.Config(
                app,
                log_level="warning",
                access_log=False,
                timeout_graceful_shutdown=_FAREWELL,
                ws="websockets-sansio",
                ws_max_size=65_536,
                server_header=False,
            )
        )
        self._ending = ending

    def handle_exit(self, sig: int, frame: FrameType | None) -> None:
        """End on Ctrl-C: first what never ends by itself, then the rest."""
        self._ending()
        super().handle_exit(sig, frame)

    def stop(self) -> None:
        """End the server; may be called from any thread."""
        self._ending()
        self.should_exit = True

    def serve_until_stopped(self, sockets: Sequence[socket.socket]) -> None:
        """Serve until `stop` or Ctrl-C."""
        with contextlib.suppress(KeyboardInterrupt):
            self.run(list(sockets))
