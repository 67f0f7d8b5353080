"""The comparison with other projects: complete, whatever of them is installed."""

from __future__ import annotations

import importlib
import json
from types import ModuleType

import pytest

from engine import bench

PEERS = ("rlcard", "pyspiel")
import_module = importlib.import_module


def without_peers(name: str, package: str | None = None) -> ModuleType:
    if name in PEERS:
        raise ModuleNotFoundError(f"No module named {name!r}", name=name)
    return import_module(name, package)


def with_broken_peers(name: str, package: str | None = None) -> ModuleType:
    return ModuleType(name) if name in PEERS else import_module(name, package)


def test_peers_that_are_missing_are_said_to_be_missing(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(importlib, "import_module", without_peers)
    rows = bench.run(seconds=0.02)
    own = [row for row in rows if row.project == "pisti"]
    peers = [row for row in rows if row.project != "pisti"]
    assert {row.project for row in peers} == {"rlcard", "open_spiel"}
    assert all(row.per_second is None and row.note == "not installed" for row in peers)
    assert all(row.per_second and row.ratio for row in own)
    assert own[0].ratio == 1
    table = bench.format(rows)
    assert table.count("not installed") == len(peers)
    assert all(row.what in table for row in rows)
    assert json.loads(json.dumps(bench.to_json(rows)))["rows"][0]["project"] == "pisti"


def test_a_peer_that_fails_leaves_the_other_rows(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(importlib, "import_module", with_broken_peers)
    rows = bench.run(seconds=0.02)
    peers = [row for row in rows if row.project != "pisti"]
    assert all(row.per_second is None for row in peers)
    assert all(row.note.startswith("does not run: AttributeError") for row in peers)


@pytest.mark.parametrize("project", ["rlcard", "open_spiel"])
def test_peers_run_where_they_are_installed(project: str) -> None:
    pytest.importorskip({"open_spiel": "pyspiel"}.get(project, project))
    rows = [row for row in bench.run(seconds=0.02) if row.project == project]
    assert all(row.per_second for row in rows), rows
