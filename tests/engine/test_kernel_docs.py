"""The examples of docs/kernel.md run."""

from __future__ import annotations

import doctest
import importlib.util
import re
from pathlib import Path

import numpy as np

from engine import Deal, RuleSet, kernel

PAGE = Path(__file__).parents[2] / "docs" / "kernel.md"


def test_examples_run() -> None:
    assert doctest.testfile(str(PAGE), module_relative=False).failed == 0


def test_the_policy_of_the_page_plays(tmp_path: Path) -> None:
    [source] = re.findall(r"```python\n(.*?)```", PAGE.read_text(encoding="utf-8"), re.DOTALL)
    file = tmp_path / "policy_of_the_page.py"
    file.write_text(source, encoding="utf-8")
    spec = importlib.util.spec_from_file_location("policy_of_the_page", file)
    assert spec
    assert spec.loader
    module = importlib.util.module_from_spec(spec)
    spec.loader.exec_module(module)
    states = np.repeat(kernel.from_deal(Deal.shuffled(RuleSet.modern(), 0, seed=1)), 10)
    batch = kernel.play_states(RuleSet.modern(), module.most_seen, states, seed=1)
    assert (batch.scores["cards"].sum(axis=1) == 52).all()


def test_the_page_gives_the_size_of_the_state() -> None:
    assert f"{kernel.STATE.itemsize} bytes" in PAGE.read_text(encoding="utf-8")
