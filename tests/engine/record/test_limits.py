"""Files that are much too large, or made to cost time and memory, get an answer all the same."""

import subprocess
import sys
from pathlib import Path

import pytest

from engine.record import read_file, read_record
from engine.record.types import MAX_BYTES, MAX_DEALS

ROOT = Path(__file__).parents[3]
#: Reads a file with no more memory than this many bytes of address space.
_MEMORY = 600_000_000
_READ = f"""
import sys
from pathlib import Path
if sys.platform != "win32":
    import resource
    resource.setrlimit(resource.RLIMIT_AS, ({_MEMORY}, {_MEMORY}))
from engine.record import read_file
reading = read_file(Path(sys.argv[1]))
print(reading.problems[0].error.key if reading.problems else "fine")
"""


def first_problem(path: Path) -> str:
    """The key of the first problem that a process with little memory finds in the file."""
    run = subprocess.run(
        [sys.executable, "-c", _READ, str(path)],
        cwd=ROOT,
        capture_output=True,
        text=True,
        timeout=300,
        check=False,
    )
    assert run.stderr == ""
    return run.stdout.strip()


def test_a_huge_file_is_not_read(tmp_path: Path) -> None:
    path = tmp_path / "huge.pisti"
    with path.open("wb") as file:
        file.truncate(100_000_000)
    assert first_problem(path) == "record.too_large"
    with path.open("r+b") as file:
        file.truncate(MAX_BYTES + 1)
    (problem,) = read_file(path).problems
    assert str(problem) == f"The record is too large; a record has at most {MAX_BYTES} bytes."


#: What fills a file to its largest size: before, again and again, after.
_FILLERS = {
    "empty deals": ('{"deals": [', "{},", "{}]}", "record.centre_missing"),
    "lists for deals": ('{"deals": [', "[],", "[]]}", "record.deal"),
    "open brackets": ("", "[", "", "record.json_depth"),
    "open objects": ("", '{"deals":', "", "record.json_depth"),
    "cards": ('{"rules":"players=2","deals":[{"centre":[', '"7S",', '"7S"]}]}', "play.twice"),
    "plays": (
        '{"rules":"players=2","deals":[{"plays":[',
        '"7S",',
        '"7S"]}]}',
        "record.centre_missing",
    ),
    "deals in text": ("", "deal ", "", "record.centre_missing"),
    "plays in text": ("deal plays ", "7S ", "", "record.centre_missing"),
    "words": ('[Rules "classic"] ', "a ", "", "record.token"),
    "comments": ("deal ", "{a}", "", "record.centre_missing"),
    "backslashes": ("deal {", "\\\\", "}", "record.centre_missing"),
    "open braces": ("deal ", "{", "", "record.centre_missing"),
    "notes": ("deal plays 7S {", "[t 1]", "}", "record.centre_missing"),
    "play numbers": (
        '[Rules "players=2"] deal centre ?? ?? ?? / 7S plays ',
        "1. ",
        "",
        "record.too_long",
    ),
    "headers": ("", '[a "b"]', "", "record.again"),
}


@pytest.mark.parametrize("name", _FILLERS)
def test_a_full_file_is_read_with_little_memory(name: str, tmp_path: Path) -> None:
    before, again, after, key = _FILLERS[name]
    count = (MAX_BYTES - len(before) - len(after)) // len(again)
    path = tmp_path / "full.pisti"
    path.write_text(before + again * count + after)
    assert first_problem(path) == key


def test_deals_beyond_the_most_are_not_read() -> None:
    deal = "deal dealer 1 centre ?? ?? ?? / 7S plays 7H "
    for written in (
        '[Rules "players=2"] ' + deal * (MAX_DEALS + 5),
        '{"rules": "players=2", "deals": ['
        + ", ".join(['{"dealer": 1, "centre": ["??", "??", "??", "7S"]}'] * (MAX_DEALS + 5))
        + "]}",
    ):
        # Each deal but the last is also one that another follows though it is not complete.
        reading = read_record(written)
        assert len(reading.record.deals) == MAX_DEALS
        assert reading.problems[-1].error.key in ("record.more", "record.too_many_deals")


def test_missing_files_and_folders_raise_as_files_do(tmp_path: Path) -> None:
    with pytest.raises(FileNotFoundError):
        read_file(tmp_path / "none.pisti")
    with pytest.raises(OSError, match=r"directory|denied"):
        read_file(tmp_path)
