"""What the README shows works as shown."""

import doctest
import os
import re
import shlex
import shutil
import subprocess
import sys
import tempfile
from pathlib import Path

import pytest

ROOT = Path(__file__).parents[1]
README = (ROOT / "README.md").read_text(encoding="utf-8")
BLOCKS = re.findall(r"```sh\n(.*?)```", README, re.DOTALL)
COMMANDS = [
    line.split("#")[0].strip()
    for block in BLOCKS
    for line in block.splitlines()
    if line.startswith("pisti ")
]


def test_the_python_example():
    result = doctest.testfile(str(ROOT / "README.md"), module_relative=False)
    assert result.attempted > 3
    assert result.failed == 0


@pytest.mark.parametrize("line", COMMANDS)
def test_a_command_of_the_readme(line, tmp_path):
    shutil.copy(ROOT / "advisor/samples/demo.pisti", tmp_path / "game.pisti")
    command = [sys.executable, "-m", "advisor.cli", *shlex.split(line)[1:]]
    run = subprocess.run(
        command, cwd=tmp_path, capture_output=True, text=True, encoding="utf-8", env=_environment()
    )
    assert run.returncode == 0, run.stderr
    assert run.stdout
    assert not run.stderr


@pytest.mark.parametrize("target", re.findall(r"\]\((?!https?:)([^)#]+)", README))
def test_a_link_of_the_readme_leads_somewhere(target):
    assert (ROOT / target).exists()


def _environment():
    # One folder for all commands: what was read once is not read again.
    data = Path(tempfile.gettempdir()) / "pisti-readme"
    return os.environ | {
        "PYTHONPATH": str(ROOT),
        "PYTHONIOENCODING": "utf-8",
        "PISTI_DATA": str(data),
    }
