"""What the README shows works as shown."""

import doctest
import os
import re
import shlex
import subprocess
import sys
import tempfile
import urllib.request
from pathlib import Path

import pytest

from advisor.cli.main import group

ROOT = Path(__file__).parents[1]
README = (ROOT / "README.md").read_text(encoding="utf-8")
BLOCKS = re.findall(r"```sh\n(.*?)```", README, re.DOTALL)
COMMANDS = [
    line.split("#")[0].strip()
    for block in BLOCKS
    for line in block.splitlines()
    if line.startswith("pisti ")
]
#: The page is served until it is stopped.
SERVING = [line for line in COMMANDS if line.startswith("pisti watch")]


def test_the_python_example():
    result = doctest.testfile(str(ROOT / "README.md"), module_relative=False)
    assert result.attempted > 3
    assert result.failed == 0


@pytest.mark.parametrize("line", [line for line in COMMANDS if line not in SERVING])
def test_a_command_of_the_readme(line):
    command = [sys.executable, "-m", "advisor.cli", *shlex.split(line)[1:]]
    run = subprocess.run(
        command, cwd=ROOT, capture_output=True, text=True, encoding="utf-8", env=_environment()
    )
    assert run.returncode == 0, run.stderr
    assert run.stdout
    assert not run.stderr


@pytest.mark.parametrize("line", SERVING)
def test_a_page_of_the_readme_is_served_until_it_is_stopped(line, tmp_path):
    # Any free port, and a browser that does nothing.
    command = [sys.executable, "-m", "advisor.cli", *shlex.split(line)[1:], "--port", "0"]
    quiet = {
        "BROWSER": f'"{Path(sys.executable).as_posix()}" -c pass %s',
        "PISTI_DATA": str(tmp_path),
        "PYTHONUNBUFFERED": "1",
    }
    with subprocess.Popen(
        command, cwd=tmp_path, stdout=subprocess.PIPE, encoding="utf-8", env=_environment() | quiet
    ) as serving:
        try:
            assert serving.stdout
            address = re.search(r"http://127\.0\.0\.1:\d+/\S*", serving.stdout.readline())
            assert address
            with urllib.request.urlopen(address[0]) as page:
                assert b"<html" in page.read()
        finally:
            serving.terminate()


def test_every_command_is_named():
    table = README.split("## Commands")[1].split("```")[0]
    named = set(re.findall(r"`pisti ([a-z]+)", table))
    assert named == set(group.list_commands(None))


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
