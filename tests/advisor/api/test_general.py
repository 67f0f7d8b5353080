"""Settings, rules, sentences, health, and the page."""

import sqlite3
from contextlib import closing

import httpx
import pytest

from advisor.messages import LANGUAGES
from engine import RuleSet
from tests.advisor.api.conftest import Running


def test_health(client: httpx.Client) -> None:
    answer = client.get("/health").json()
    assert answer["status"] == "ok"
    assert answer["store"] is None


def test_settings_are_remembered(client: httpx.Client) -> None:
    settings = client.get("/settings").json()
    assert settings["record_frames"] is False
    changed = settings | {"language": "tr", "theme": "dark", "rules": "modern target=101"}
    assert client.put("/settings", json=changed).json() == changed
    assert client.get("/settings").json() == changed
    for wrong in ({"theme": "pink"}, {"language": "de"}, {"rules": "home"}, {"sounds": True}):
        assert client.put("/settings", json=changed | wrong).status_code == 422
    assert client.get("/settings").json() == changed


def test_settings_hold_while_another_program_holds_the_file(running: Running) -> None:
    client = running.client
    changed = client.get("/settings").json() | {"language": "tr"}
    assert client.put("/settings", json=changed).status_code == 200
    with closing(sqlite3.connect(running.folder / "games.db", isolation_level=None)) as other:
        other.execute("BEGIN EXCLUSIVE")
        refused = client.put("/settings", json=changed | {"language": "fr"})
        assert (refused.status_code, refused.json()["key"]) == (503, "store.locked")
        assert client.get("/settings").json() == changed
        other.execute("ROLLBACK")


def test_rules_are_told(client: httpx.Client) -> None:
    rules = client.get("/rules").json()
    assert set(rules["presets"]) == {"classic", "modern"}
    for field in rules["fields"]:
        for value in field["values"] or [field["low"]]:
            RuleSet.read(field["name"], value)


@pytest.mark.parametrize("language", LANGUAGES)
def test_sentences_are_told(client: httpx.Client, language: str) -> None:
    told = client.get(f"/messages/{language}").json()
    assert told["language"] == language
    assert told["messages"]["play.over"]
    assert client.get("/messages/de").status_code == 422


def test_what_is_not_there_is_a_problem(client: httpx.Client) -> None:
    answer = client.get("/nothing", headers={"Accept-Language": "es"})
    assert answer.status_code == 404
    assert answer.headers["content-type"] == "application/problem+json"
    assert answer.json()["detail"] == "No hay nada en esta dirección."
    assert client.delete("/health").json()["key"] == "api.method"
    broken = client.post("/games", content=b"{", headers={"Content-Type": "application/json"})
    assert (broken.status_code, broken.json()["key"]) == (422, "api.invalid")
