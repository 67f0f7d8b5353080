"""What is said to bring packages that are not there."""

from __future__ import annotations

import tomllib
from pathlib import Path

import pytest

from vision.extras import install_command

PROJECT = Path(__file__).parents[2] / "pyproject.toml"


@pytest.mark.parametrize(
    ("system", "extra", "command"),
    [
        ("posix", "openvino", ".venv/bin/pip install '.[openvino]'"),
        ("nt", "openvino", r'.venv\Scripts\pip install ".[openvino]"'),
        ("posix", "train", ".venv/bin/pip install --editable '.[train]'"),
    ],
)
def test_the_command_is_that_of_the_systems_shell(
    system: str, extra: str, command: str, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setattr("vision.extras.os", type("System", (), {"name": system}))
    assert install_command(extra) == command
    project = tomllib.loads(PROJECT.read_text(encoding="utf-8"))
    assert extra in project["project"]["optional-dependencies"]
