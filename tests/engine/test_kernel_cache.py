"""Machine code is kept on disk, made again after a change, and done without where it must be."""

from __future__ import annotations

import os
import subprocess
import sys
from collections.abc import Callable
from pathlib import Path

import numba.core.caching
import pytest

from engine.kernel.compiling import compiled

POLICY = """
from engine.kernel.compiling import compiled

def policy(number):
    return number + {added}

def template(number):
    return choose(number)

def closed_over(added):
    return lambda number: number + added

for chosen in (policy, closed_over(1)):
    from numba import njit
    code = compiled(template, parts=[chosen], choose=njit(chosen))
    print(code(1), sum(code.stats.cache_hits.values()) if hasattr(code.stats, "cache_path") else -1)
"""


@pytest.fixture
def run(tmp_path: Path) -> Callable[[int], list[str]]:
    def run_with(added: int) -> list[str]:
        (tmp_path / "policy.py").write_text(POLICY.format(added=added), encoding="utf-8")
        result = subprocess.run(
            [sys.executable, "-c", "import policy"],
            env=os.environ
            | {
                "NUMBA_CACHE_DIR": str(tmp_path / "cache"),
                "PYTHONPATH": os.pathsep.join([str(tmp_path), *sys.path]),
            },
            capture_output=True,
            text=True,
            check=True,
        )
        return result.stdout.splitlines()

    return run_with


def test_code_is_kept_and_follows_its_sources(run: Callable[[int], list[str]]) -> None:
    # A policy with variables of its own is compiled each time: nothing tells it from others.
    assert run(1) == ["2 0", "2 0"]
    assert run(1) == ["2 1", "2 0"]
    assert run(5) == ["6 0", "2 0"]


def doubled(number: int) -> int:
    return 2 * number


def test_without_a_folder_to_write_code_is_kept_in_memory(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(numba.core.caching.CacheImpl, "_locator_classes", [])
    assert compiled(doubled)(21) == 42


def test_parts_without_a_file_are_not_kept() -> None:
    scope: dict[str, Callable[[int], int]] = {}
    exec("def tripled(number): return 3 * number", scope)
    assert compiled(doubled, parts=[scope["tripled"]])(21) == 42
