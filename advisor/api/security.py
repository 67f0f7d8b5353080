"""Who may talk to the server.

The program shows what a camera sees and is meant for the people at the table. It listens on
loopback unless told otherwise; a page of another site that runs in the same browser may neither
read nor change anything (checked by Host, against DNS rebinding, and by Origin); bound elsewhere,
every request needs the token that was printed at the start.
"""

from __future__ import annotations

import asyncio
import base64
import hashlib
import ipaddress
import re
import secrets
import socket
from http.cookies import SimpleCookie
from typing import Final
from urllib.parse import urlencode

from starlette.datastructures import Headers, MutableHeaders, QueryParams
from starlette.responses import RedirectResponse, Response
from starlette.types import ASGIApp, Message, Receive, Scope, Send

from advisor.api.export import STYLE
from advisor.api.problems import error_problem, language_of
from advisor.errors import ApiError

COOKIE: Final = "pisti_token"
#: Bodies other than uploads are a card or a hand.
MOST_BYTES: Final = 1_000_000
MOST_UPLOAD: Final = 8_000_000_000
#: Seconds without a byte of a body that is not complete.
PATIENCE: Final = 60.0

POLICY: Final = (
    "default-src 'self'; img-src 'self' data: blob:; media-src 'self' data: blob:; "
    "connect-src 'self'; object-src 'none'; base-uri 'none'; form-action 'self'; "
    "frame-ancestors 'none'"
)
_HEADERS: Final = {
    "Content-Security-Policy": POLICY,
    "Cross-Origin-Opener-Policy": "same-origin",
    "Cross-Origin-Resource-Policy": "same-origin",
    "Permissions-Policy": "camera=(), microphone=(), geolocation=()",
    "Referrer-Policy": "no-referrer",
    "X-Content-Type-Options": "nosniff",
    "X-Frame-Options": "DENY",
}
#: What a Host header may be: a name or an address, and a port.
_HOST: Final = re.compile(r"(\[(?P<address>[0-9A-Fa-f:.]+)\]|(?P<name>[^][@/:?#\s]+))(:[0-9]*)?")
_LOOPBACK: Final = frozenset(("localhost", "127.0.0.1", "::1"))


def is_loopback(host: str) -> bool:
    """Whether *host* is an address of this machine that no other can reach."""
    try:
        return host == "localhost" or ipaddress.ip_address(host).is_loopback
    except ValueError:
        return False


class Guard:
    """ASGI middleware that lets in what may come in, and adds the headers that keep the rest out.

    Args:
        app: what is guarded.
        host: the address that the server listens on.
        token: what every request must show; None asks for none.
    """

    def __init__(self, app: ASGIApp, *, host: str = "127.0.0.1", token: str | None = None) -> None:
        self._app = app
        self._token = token
        self._open = not is_loopback(host)
        self._names = {*_LOOPBACK, host.lower()}
        if self._open:
            name = socket.gethostname().lower()
            self._names |= {name, f"{name}.local"}

    async def __call__(self, scope: Scope, receive: Receive, send: Send) -> None:
        """Answer, pass on, or refuse one request or WebSocket."""
        if scope["type"] not in ("http", "websocket"):
            await self._app(scope, receive, send)
            return
        headers, query = Headers(scope=scope), QueryParams(scope["query_string"])
        refused = self._refused(headers, query)
        if scope["type"] == "websocket":
            if refused is not None:
                await receive()
                await send({"type": "websocket.close", "code": 4403, "reason": refused.key})
                return
            await self._app(scope, receive, send)
            return
        limit = MOST_UPLOAD if is_form(headers) else MOST_BYTES
        if refused is None and _length(headers) > limit:
            refused = ApiError("api.too_large", most=limit)

        async def headed(message: Message) -> None:
            if message["type"] == "http.response.start":
                reply = MutableHeaders(scope=message)
                for name, value in _HEADERS.items():
                    reply.setdefault(name, value)
            await send(message)

        if refused is not None:
            answer: Response = error_problem(refused, language_of(headers, query))
        elif self._token and "token" in query and scope["method"] in ("GET", "HEAD"):
            answer = self._welcome(scope["path"], query)
        else:
            await self._app(scope, _Limited(receive, limit), headed)
            return
        await answer(scope, receive, headed)

    def _refused(self, headers: Headers, query: QueryParams) -> ApiError | None:
        """Return why a request is refused; None when it may pass."""
        host = headers.get("host", "")
        if not self._serves(_name_of(host)):
            return ApiError("api.host")
        origin = headers.get("origin")
        if origin is not None and origin.partition("://")[2].lower() != host.lower():
            return ApiError("api.origin")
        fetched = headers.get("sec-fetch-site", "none")
        if fetched not in ("none", "same-origin") and headers.get("sec-fetch-mode") != "navigate":
            return ApiError("api.origin")
        if self._token is not None and not self._shows_token(headers, query):
            return ApiError("api.token")
        return None

    def _serves(self, name: str) -> bool:
        if name in self._names:
            return True
        # A name in Host may be an attacker's that points here; an address cannot.
        try:
            ipaddress.ip_address(name)
        except ValueError:
            return False
        return self._open

    def _shows_token(self, headers: Headers, query: QueryParams) -> bool:
        shown = [query.get("token", ""), headers.get("authorization", "").removeprefix("Bearer ")]
        cookie = SimpleCookie(headers.get("cookie", "")).get(COOKIE)
        shown.append(cookie.value if cookie else "")
        given = str(self._token).encode()
        return any(secrets.compare_digest(each.encode(), given) for each in shown)

    def _welcome(self, path: str, query: QueryParams) -> Response:
        """Take the token out of the address, where it would be seen, into a cookie."""
        path = "/" + path.lstrip("/")
        rest = urlencode([(name, value) for name, value in query.multi_items() if name != "token"])
        answer = RedirectResponse(f"{path}?{rest}" if rest else path, status_code=307)
        answer.set_cookie(COOKIE, str(self._token), httponly=True, samesite="strict")
        return answer


class _Limited:
    """Stops a body that turns out longer than was said, or that does not come on."""

    def __init__(self, receive: Receive, limit: int) -> None:
        self._receive = receive
        self._left = limit
        self._limit = limit
        self._more = True

    async def __call__(self) -> Message:
        if not self._more:
            # What comes now is that the client has left, whenever that will be.
            return await self._receive()
        try:
            message = await asyncio.wait_for(self._receive(), PATIENCE)
        except TimeoutError:
            raise ApiError("api.stalled") from None
        self._more = bool(message.get("more_body", False))
        self._left -= len(message.get("body", b""))
        if self._left < 0:
            raise ApiError("api.too_large", most=self._limit)
        return message


def is_form(headers: Headers) -> bool:
    """Whether a request sends a form, which may hold a file."""
    return headers.get("content-type", "").lower().startswith("multipart/form-data")


def _length(headers: Headers) -> int:
    text = headers.get("content-length", "0")
    return int(text) if text.isdecimal() and len(text) < 20 else 0


def _name_of(host: str) -> str:
    """Return the name in a Host header, without the port and the brackets of an IPv6 address."""
    found = _HOST.fullmatch(host)
    return (found["address"] or found["name"]).lower() if found else ""


def sheet_policy() -> str:
    """Return the policy of the page to print, whose style is part of it."""
    digest = base64.b64encode(hashlib.sha256(STYLE.encode()).digest()).decode()
    return f"default-src 'none'; style-src 'sha256-{digest}'; frame-ancestors 'none'"
