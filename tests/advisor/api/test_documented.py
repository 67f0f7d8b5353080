"""What docs/api.md says of the API is so."""

from __future__ import annotations

import json
import re
import subprocess
import sys
from collections.abc import Iterator
from pathlib import Path

import pytest

from tests.page.running import Server

DOCS = Path(__file__).parents[3] / "docs"
PAGE = (DOCS / "api.md").read_text(encoding="utf-8")
ROOT = "/api/v1"


def test_the_table_of_addresses_is_complete() -> None:
    described = json.loads((DOCS / "openapi.json").read_text(encoding="utf-8"))["paths"]
    table = PAGE.split("<!-- addresses: begin -->")[1].split("<!-- addresses: end -->")[0]
    rows = re.findall(r"^\| ([A-Z]+) \| `([^`]+)` \| \S", table, re.MULTILINE)
    there = [(method.upper(), path) for path, kinds in described.items() for method in kinds]
    assert [(method, ROOT + path) for method, path in rows] == there


@pytest.fixture
def server(tmp_path: Path) -> Iterator[Server]:
    running = Server(tmp_path)
    running.start()
    yield running
    running.stop()


def test_the_examples_talk_to_a_real_server(server: Server, tmp_path: Path) -> None:
    listening = PAGE.split("<!-- websocket: begin -->\n```python\n")[1].split("```")[0]
    port = re.search(r"pisti watch --port (\d+) &", PAGE)
    assert port
    assert listening.count(f":{port[1]}/") == 1
    client = tmp_path / "client.py"
    client.write_text(listening.replace(f":{port[1]}/", f":{server.port}/"), encoding="utf-8")
    # What the shell's example sends begins the game that the client then tells of.
    sent = re.search(rf"127\.0\.0\.1:{port[1]}{ROOT}(/\S+) .*?-d '(.*?)'", PAGE, re.DOTALL)
    assert sent
    game = server.call("POST", sent[1], json.loads(sent[2]))["game"]
    with subprocess.Popen(
        [sys.executable, str(client)], stdout=subprocess.PIPE, encoding="utf-8"
    ) as running:
        try:
            assert running.stdout
            first = running.stdout.readline()
            assert re.fullmatch(rf"\d+ game {game} at revision \d+\n", first)
            # A play is a new position, which ends with a hint.
            state = server.call("GET", f"/games/{game}/state")
            server.call("POST", f"/games/{game}/plays", {"card": state["hands"][0]["cards"][0]})
            hint = next(line for line in running.stdout if "hint" in line)
            assert re.fullmatch(r"\d+ hint: [\dAJQK]+[SHDC] .+\.\n", hint)
        finally:
            running.kill()
