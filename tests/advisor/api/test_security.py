"""Who may talk to the server."""

import json
from pathlib import Path

import httpx
import pytest
from websockets.exceptions import InvalidStatus
from websockets.sync.client import connect

from tests.advisor.api.conftest import Running

TOKEN = "swordfish"


@pytest.mark.parametrize(
    ("headers", "key"),
    [
        ({"Host": "evil.example"}, "api.host"),
        ({"Host": "127.0.0.1.evil.example"}, "api.host"),
        ({"Host": "192.168.0.7"}, "api.host"),
        ({"Host": ""}, "api.host"),
        ({"Host": "[::1"}, "api.host"),
        ({"Origin": "http://evil.example"}, "api.origin"),
        ({"Origin": "null"}, "api.origin"),
        ({"Origin": "http://127.0.0.1:1"}, "api.origin"),
        ({"Sec-Fetch-Site": "cross-site", "Sec-Fetch-Mode": "no-cors"}, "api.origin"),
    ],
)
def test_others_are_refused(client: httpx.Client, headers: dict[str, str], key: str) -> None:
    answer = client.get("/games", headers=headers)
    assert answer.json()["key"] == key
    assert answer.status_code == {"api.host": 421, "api.origin": 403}[key]


def test_the_page_itself_is_let_in(running: Running) -> None:
    origin = running.address.rstrip("/")
    headers = {"Origin": origin, "Sec-Fetch-Site": "same-origin"}
    assert running.client.get("/games", headers=headers).status_code == 200
    name = origin.replace("127.0.0.1", "localhost")
    headers = {"Host": name.removeprefix("http://"), "Origin": name}
    assert running.client.get("/games", headers=headers).status_code == 200


def test_every_answer_has_the_headers(client: httpx.Client) -> None:
    for answer in (client.get("/health"), client.get("/nothing"), client.get("/games/none")):
        policy = answer.headers["content-security-policy"]
        assert "default-src 'self'" in policy
        assert "unsafe" not in policy
        assert answer.headers["x-content-type-options"] == "nosniff"
        assert answer.headers["referrer-policy"] == "no-referrer"


def test_a_websocket_of_another_site_is_refused(running: Running) -> None:
    address = running.address.replace("http", "ws") + "api/v1/ws"
    with (
        pytest.raises(InvalidStatus),
        connect(address, origin="http://evil.example", proxy=None),  # type: ignore[arg-type]
    ):
        pass
    with connect(address, origin=running.address.rstrip("/"), proxy=None):  # type: ignore[arg-type]
        pass


@pytest.mark.parametrize("length", [True, False])
def test_large_bodies_are_refused(client: httpx.Client, length: bool) -> None:
    body = json.dumps({"rules": "modern", "names": ["x" * 1_100_000]}).encode()
    content = body if length else iter([body[:1000], body[1000:]])
    answer = client.post("/games", content=content, headers={"Content-Type": "application/json"})
    assert answer.status_code in (400, 413, 422)
    assert "x" * 1000 not in answer.text


def test_elsewhere_the_token_is_needed(tmp_path: Path) -> None:
    with Running(tmp_path, host="0.0.0.0", token=TOKEN) as running:
        client = running.client
        assert client.get("/health").json()["key"] == "api.token"
        assert client.get("/health", headers={"Authorization": "Bearer no"}).status_code == 401
        good = client.get("/health", headers={"Authorization": f"Bearer {TOKEN}"})
        assert good.status_code == 200
        # An address of this machine as Host is fine here; a name that it does not have is not.
        shown = {"Authorization": f"Bearer {TOKEN}"}
        assert client.get("/health", headers={"Host": "192.168.0.7", **shown}).status_code == 200
        assert client.get("/health", headers={"Host": "evil.example", **shown}).status_code == 421
        first = client.get("/health", params={"token": TOKEN, "x": "1"})
        assert first.status_code == 307
        assert TOKEN not in first.headers["location"]
        cookie = first.headers["set-cookie"]
        assert "HttpOnly" in cookie
        assert "SameSite=strict" in cookie
        assert client.get("/health").status_code == 200
        outside = httpx.get(f"{running.address}/evil.example", params={"token": TOKEN})
        assert outside.headers["location"].startswith("/evil")
        address = running.address.replace("http", "ws") + "api/v1/ws"
        with pytest.raises(InvalidStatus), connect(address, proxy=None):
            pass
        with connect(f"{address}?token={TOKEN}", proxy=None):
            pass
