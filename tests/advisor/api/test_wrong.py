"""What is wrong with a request is said in every language, and nothing of it in English."""

from __future__ import annotations

from typing import Any

import httpx
import pytest

from advisor.messages import LANGUAGES

TEXT = {"Content-Type": "application/json"}
WRONG: list[tuple[str, str, Any, str]] = [
    ("POST", "/games", {"rules": "modern", "colour": "red"}, "colour: bu burada bilinmiyor"),
    ("POST", "/games", {"rules": "modern", "me": 9}, "me: 6 değerinden küçük olmalı"),
    ("POST", "/games", {"rules": "modern", "me": -1}, "me: en az 0 olmalı"),
    ("POST", "/games", {"rules": "modern", "me": "x"}, "me: bir tam sayı olmalı"),
    ("POST", "/games", {"rules": "modern", "me": 1.5}, "me: bir tam sayı olmalı"),
    ("POST", "/games", {"rules": "modern", "names": "Can"}, "names: bir liste olmalı"),
    ("POST", "/games", {"rules": "modern", "names": [1]}, "names.0: bir metin olmalı"),
    ("POST", "/games", {"rules": "modern", "names": ["x"] * 9}, "names: en çok 6 öğe olmalı"),
    ("POST", "/games", {"rules": "modern", "names": ["x" * 61]}, "names.0: en çok 60 harf olmalı"),
    ("POST", "/games", {"rules": 5}, ": rules: bir nesne olmalı ya da bir metin olmalı."),
    (
        "POST",
        "/games",
        {"rules": {"players": [2]}},
        "rules.players: bir metin olmalı ya da bir tam sayı olmalı ya da true ya da false olmalı",
    ),
    ("POST", "/games", [], "bir nesne olmalı"),
    ("POST", "/games", b"{", "bu JSON değil"),
    ("POST", "/sources", {}, "source: bu eksik"),
    ("POST", "/sources", {"source": ""}, "source: en az 1 harf olmalı"),
    ("POST", "/sources", {"source": "x", "loop": "perhaps"}, "loop: true ya da false olmalı"),
    ("POST", "/recordings", {"path": ""}, "path: en az 1 harf olmalı"),
    ("GET", "/games?limit=0", None, "query.limit: en az 1 olmalı"),
    ("GET", "/games?limit=900", None, "query.limit: en çok 200 olmalı"),
    ("GET", "/messages/de", None, "path.language: şunlardan biri olmalı: 'en', 'tr', 'fr'"),
]


def answered(client: httpx.Client, method: str, path: str, body: Any, language: str) -> Any:
    content = {"content": body, "headers": TEXT} if isinstance(body, bytes) else {"json": body}
    headers = {"Accept-Language": language, **content.pop("headers", {})}
    answer = client.request(method, path, headers=headers, **(content if body is not None else {}))
    assert (answer.status_code, answer.json()["key"]) == (422, "api.invalid")
    return answer.json()["detail"]


@pytest.mark.parametrize(("method", "path", "body", "said"), WRONG)
def test_a_wrong_request(
    client: httpx.Client, method: str, path: str, body: Any, said: str
) -> None:
    detail = answered(client, method, path, body, "tr")
    assert said in detail
    details = {answered(client, method, path, body, language) for language in LANGUAGES}
    assert len(details) == len(LANGUAGES)


def test_a_place_of_any_length_is_repeated_shortly(client: httpx.Client) -> None:
    detail = answered(client, "POST", "/games", {"rules": "modern", "x" * 5000: 1}, "en")
    assert len(detail) < 160
