"""Requests that no browser sends: always a problem document, and the next one is answered."""

from __future__ import annotations

import json
import socket
from collections.abc import Iterator
from contextlib import contextmanager
from typing import Any

import pytest

from tests.advisor.api.conftest import Running

JSON = b"application/json"


class Line:
    """A connection on which anything can be sent."""

    def __init__(self, running: Running) -> None:
        port = int(running.address.rstrip("/").rpartition(":")[2])
        self.host = f"127.0.0.1:{port}".encode()
        self._socket = socket.create_connection(("127.0.0.1", port), timeout=20)
        self._file = self._socket.makefile("rb")

    def send(
        self,
        method: bytes = b"GET",
        path: bytes = b"/api/v1/games",
        body: bytes | None = None,
        chunks: list[bytes] | None = None,
        **headers: bytes,
    ) -> None:
        lines = {b"Host": self.host}
        lines |= {name.replace("_", "-").encode(): value for name, value in headers.items()}
        if body is not None:
            lines.setdefault(b"Content-Length", str(len(body)).encode())
        if chunks is not None:
            lines[b"Transfer-Encoding"] = b"chunked"
        head = b"".join(name + b": " + value + b"\r\n" for name, value in lines.items())
        self._socket.sendall(method + b" " + path + b" HTTP/1.1\r\n" + head + b"\r\n")
        try:
            self._socket.sendall(body or b"")
            for chunk in chunks or ():
                self._socket.sendall(b"%x\r\n" % len(chunk) + chunk + b"\r\n")
            if chunks is not None:
                self._socket.sendall(b"0\r\n\r\n")
        except ConnectionError:
            # It was answered before all was sent.
            return

    def answer(self) -> tuple[int, str, Any]:
        """Return the status, the kind and the content of the next answer."""
        status = int(self._file.readline().split()[1])
        headers = {}
        while line := self._file.readline().strip():
            name, _, value = line.decode("latin-1").partition(":")
            headers[name.lower()] = value.strip()
        content = self._file.read(int(headers["content-length"]))
        kind = headers.get("content-type", "")
        return status, kind, json.loads(content) if "json" in kind else content

    def close(self) -> None:
        self._file.close()
        self._socket.close()


@contextmanager
def line_to(running: Running) -> Iterator[Line]:
    line = Line(running)
    try:
        yield line
    finally:
        line.close()


def problem_of(running: Running, again: bool = True, **request: Any) -> tuple[int, str | None]:
    """Return status and key of the problem that a request meets; the line is usable after it."""
    with line_to(running) as line:
        line.send(**request)
        status, kind, content = line.answer()
        assert kind == "application/problem+json", content
        assert status == content["status"]
        assert 400 <= status < 500, content
        assert len(content["detail"]) < 700
        if again:
            line.send(path=b"/api/v1/health")
            assert line.answer()[0] == 200
    assert running.client.get("/health").status_code == 200
    return status, content["key"]


ORIGINS = (
    b"null", b"", b"http://", b"://", b"http://[::1", b"http://a]b", b"http://[fe80::1%eth0]:80",
    b"http://[v1.x]:1", b"http://\xff\xfe", "http://a\u2100b".encode(), b"http://127.0.0.1",
    b"http://127.0.0.1:99999999", b"x" * 8000,
)  # fmt: skip
HOSTS = (
    b"", b"null", b"\xff\xfe", b"[::1", b"::1", b"[fe80::1%25eth0]:80", b"[v1.a]", b"127.1",
    b"a@127.0.0.1", b"127.0.0.1/x", b"127.0.0.1:80:80", b"127.0.0.1:x", b"x" * 9000,
)  # fmt: skip


@pytest.mark.parametrize("origin", ORIGINS, ids=lambda value: repr(value[:20]))
def test_odd_origins(running: Running, origin: bytes) -> None:
    assert problem_of(running, Origin=origin) == (403, "api.origin")


@pytest.mark.parametrize("host", HOSTS, ids=lambda value: repr(value[:20]))
def test_odd_hosts(running: Running, host: bytes) -> None:
    assert problem_of(running, Host=host) == (421, "api.host")


def test_hosts_of_this_machine(running: Running) -> None:
    for host in (b"localhost", b"LOCALHOST:80", b"127.0.0.1:", b"[::1]", b"[::1]:8765"):
        with line_to(running) as line:
            line.send(Host=host)
            assert line.answer()[0] == 200


@pytest.mark.parametrize(
    "cookie",
    [b"\xff\xfe=\x80", b"pisti_token=\xff", b"=;=;", b'pisti_token="', b"a[b]=c", b"x" * 8000],
    ids=lambda value: repr(value[:20]),
)
def test_odd_cookies_and_tokens(tmp_path_factory: Any, cookie: bytes) -> None:
    folder = tmp_path_factory.mktemp("data")
    with Running(folder, host="0.0.0.0", token="swordfish") as running:
        for headers in ({"Cookie": cookie}, {"Authorization": b"Bearer " + cookie}):
            with line_to(running) as line:
                line.send(**headers)
                status, _, content = line.answer()
                assert (status, content["key"]) == (401, "api.token")


@pytest.mark.parametrize(
    "path",
    [b"/" + b"x" * 60_000, b"/api/v1/games/" + b"x" * 7000, b"/%ff", b"/%00", b"/..%2f..%2fetc",
     b"/api/v1/games/%00", b"/api/v1/games/%ff", b"/api/v1/games?offset=-1", b"/C:\\x", b"*",
     b"/api/v1/games?limit=" + b"9" * 5000, b"/api/v1/messages/xx"],
    ids=lambda value: repr(value[:30]),
)  # fmt: skip
def test_odd_addresses(running: Running, path: bytes) -> None:
    assert problem_of(running, path=path)[0] in (404, 422)


@pytest.mark.parametrize(
    "body",
    [b"", b" ", b"null", b"NaN", b"[" * 100_000, b'{"a":' * 50_000, b'{"rules":"\xff"}',
     b'{"rules":"modern","names":["\\ud800"]}', b'{"rules":"\\udc00"}', b'{"rules":{"\\udc00":1}}',
     b'{"rules":"modern","dealer":' + b"1" * 5000 + b"}", b'{"rules":"modern","dealer":1e999}',
     b'{"rules":"modern target=' + b"9" * 5000 + b'"}', b'{"rules":"' + b"x " * 100_000 + b'"}'],
    ids=lambda value: repr(value[:30]),
)  # fmt: skip
@pytest.mark.parametrize("where", ["POST /api/v1/games", "PUT /api/v1/settings"])
def test_odd_json(running: Running, where: str, body: bytes) -> None:
    method, _, path = where.encode().partition(b" ")
    found = problem_of(running, method=method, path=path, body=body, Content_Type=JSON)
    assert found[0] == 422


@pytest.mark.parametrize("path", ["games", "recordings", "settings"])
@pytest.mark.parametrize("chunked", [False, True])
def test_json_that_is_too_large(running: Running, path: str, chunked: bool) -> None:
    large = [b" " * 65_536] * 20
    sent: dict[str, Any] = {"chunks": large} if chunked else {"body": b"".join(large)}
    where = {"path": f"/api/v1/{path}".encode(), "method": b"PUT" if "set" in path else b"POST"}
    found = problem_of(running, again=False, Content_Type=JSON, **where, **sent)
    assert found == (413, "api.too_large")


@pytest.mark.parametrize("kind", [b"text/plain", b"", b"\xff", b"multipart/mixed; boundary=x"])
def test_recordings_are_named_in_json(running: Running, kind: bytes) -> None:
    where = {"method": b"POST", "path": b"/api/v1/recordings"}
    found = problem_of(running, **where, body=b'{"path": "/none"}', Content_Type=kind)
    assert found == (415, "api.kind")


def test_a_body_that_does_not_come_on_is_given_up(
    running: Running, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setattr("advisor.api.security.PATIENCE", 0.2)
    form = b'--x\r\nContent-Disposition: form-data; name="file"; filename="a.mp4"\r\n\r\nabc'
    for path, kind, body in (
        (b"/api/v1/games", JSON, b'{"rules"'),
        (b"/api/v1/recordings", b"multipart/form-data; boundary=x", form),
    ):
        found = problem_of(
            running, again=False, method=b"POST", path=path, body=body,
            Content_Type=kind, Content_Length=b"5000",
        )  # fmt: skip
        assert found == (408, "api.stalled")
    assert list((running.folder / "uploads").iterdir()) == []


def test_an_upload_that_is_broken_off_leaves_nothing(running: Running) -> None:
    form = b'--x\r\nContent-Disposition: form-data; name="file"; filename="a.mp4"\r\n\r\nabc'
    with line_to(running) as line:
        line.send(
            b"POST", b"/api/v1/recordings", form,
            Content_Type=b"multipart/form-data; boundary=x", Content_Length=b"5000",
        )  # fmt: skip
    for _ in range(100):
        assert running.client.get("/health").status_code == 200
        if not list((running.folder / "uploads").glob("*")):
            return
    raise AssertionError("the broken-off file is still there")
