"""What the README and the documents show works as shown."""

import doctest
import os
import re
import shlex
import shutil
import subprocess
import sys
import tempfile
import urllib.request
from pathlib import Path

import pytest

from advisor.cli.main import group

ROOT = Path(__file__).parents[1]
SAMPLES = ROOT / "advisor" / "samples"
DOCUMENTS = {
    path.relative_to(ROOT).as_posix(): path.read_text(encoding="utf-8")
    for path in (ROOT / "README.md", *sorted((ROOT / "docs").rglob("*.md")))
}
README = DOCUMENTS["README.md"]
#: What documents show in a block: commands of the program, one after the other.
BLOCKS = {
    f"{name}-{number}": [
        line.strip() for line in block.splitlines() if line.strip().startswith("pisti ")
    ]
    for name, text in DOCUMENTS.items()
    # The server and the client of docs/api.md have a test of their own.
    if name != "docs/api.md"
    for number, block in enumerate(re.findall(r"```sh\n(.*?)```", text, re.DOTALL), 1)
}
#: The examples in the README's table of commands, each alone.
BLOCKS |= {
    f"table-{example.split()[1]}": [example]
    for example in re.findall(r": `(pisti [^`]+)`", README.split("## Commands")[1])
}
COMMANDS = [
    (name, shlex.split(line, comments=True)[1:]) for name in BLOCKS for line in BLOCKS[name]
]
#: The page is served until it is stopped.
SERVING = [words for _, words in COMMANDS if words == ["watch", "--open"]]


@pytest.fixture(scope="session")
def scratch():
    """A folder with a copy of the samples: commands write files.

    It stays the same, so that what was read of a recording is not read again.
    """
    folder = Path(tempfile.gettempdir()) / "pisti-documents"
    shutil.copytree(SAMPLES, folder / "advisor" / "samples", dirs_exist_ok=True)
    return folder


def needs_camera(words: list[str]) -> bool:
    """Whether a command reads from camera 0, which machines that run tests do not have."""
    return "0" in words[1:3]


def pisti(words: list[str], folder: Path) -> subprocess.CompletedProcess[str]:
    command = [sys.executable, "-m", "advisor.cli", *words]
    # Who is asked for a card quits.
    return subprocess.run(
        command, cwd=folder, input="q\n", capture_output=True, encoding="utf-8", env=environment()
    )


def environment() -> dict[str, str]:
    # One data folder for all commands: what was read once is not read again.
    data = Path(tempfile.gettempdir()) / "pisti-readme"
    return os.environ | {
        "PYTHONPATH": str(ROOT),
        "PYTHONIOENCODING": "utf-8",
        "PISTI_DATA": str(data),
    }


def test_the_python_example():
    result = doctest.testfile(str(ROOT / "README.md"), module_relative=False)
    assert result.attempted > 3
    assert result.failed == 0


@pytest.mark.parametrize("name", [name for name, lines in BLOCKS.items() if lines])
def test_the_commands_of_a_block(name, scratch):
    for words in (words for block, words in COMMANDS if block == name):
        if needs_camera(words):
            group.get_command(None, words[0]).make_context(words[0], words[1:])
        elif words not in SERVING:
            run = pisti(words, scratch)
            assert run.returncode == 0, run.stderr
            assert run.stdout
            assert not [line for line in run.stderr.splitlines() if "Written: " not in line]


@pytest.mark.parametrize("words", SERVING[:1])
def test_the_page_is_served_until_it_is_stopped(words, tmp_path):
    # Any free port, and a browser that does nothing.
    command = [sys.executable, "-m", "advisor.cli", *words, "--port", "0"]
    quiet = {
        "BROWSER": f'"{Path(sys.executable).as_posix()}" -c pass %s',
        "PISTI_DATA": str(tmp_path),
        "PYTHONUNBUFFERED": "1",
    }
    with subprocess.Popen(
        command, cwd=tmp_path, stdout=subprocess.PIPE, encoding="utf-8", env=environment() | quiet
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


@pytest.mark.parametrize(
    ("document", "target"),
    [
        (name, target)
        for name, text in DOCUMENTS.items()
        for target in re.findall(r"\]\((?!https?:)([^)#]+)", text)
    ],
)
def test_a_link_leads_somewhere(document, target):
    assert (ROOT / document).parent.joinpath(target).exists()


def test_samples_are_small():
    assert (SAMPLES / "table.jpg").stat().st_size < 150_000
