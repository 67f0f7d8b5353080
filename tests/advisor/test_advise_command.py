"""`pisti advise`."""

import json
import re
import shlex
import subprocess
import sys
from pathlib import Path

from click.testing import CliRunner

from advisor.cli.main import group
from tests.advisor.test_advice import POSITION

ROOT = Path(__file__).parents[2]


def advise(*args: str, text: str = POSITION) -> tuple[int, str, str]:
    result = CliRunner().invoke(group, ["--language", "en", "advise", *args, "-"], input=text)
    return result.exit_code, result.stdout, result.stderr


def test_it_prints_the_card_the_reasons_and_a_table() -> None:
    code, out, err = advise("--samples", "64")
    assert (code, err) == (0, "")
    assert out.startswith("Play 9♥.\n  It takes 8 cards.\n")
    assert len(out.splitlines()) >= 6


def test_json_is_the_same_for_the_same_seed(tmp_path: Path) -> None:
    file = tmp_path / "position.json"
    file.write_text(POSITION, encoding="utf-8")
    args = ["advise", "--json", "--samples", "50", "--seed", "3", str(file)]
    first = CliRunner().invoke(group, args)
    assert json.loads(first.stdout)["best"] == "9H"
    assert CliRunner().invoke(group, args).stdout == first.stdout


def test_what_is_wrong_is_one_sentence() -> None:
    for text, words in [
        ("nonsense", "broken JSON at line 1, column 1"),
        ("{\n", "broken JSON at line 2, column 1"),
        (" \r\n", "The position is empty."),
        ("[" * 100_000, "A position is an object"),
        ('{"seat": ' + "1" * 5000 + "}", "A position is an object"),
        ("[]", "A position is an object"),
        (POSITION.replace('"seat": 1', '"seat": 7'), "There is no seat 7"),
        (POSITION.replace('"9H", ', ""), "holds 3 cards now, not 2"),
        (POSITION.replace('"9H"', '"9X"'), "'9X' is not a card"),
        (POSITION.replace('"9H"', '"9S"'), "9S lies elsewhere"),
        (POSITION.replace('"3H"', '"3X"'), "'3X' is not a card"),
    ]:
        code, out, err = advise(text=text)
        assert (code, out) == (1, ""), text
        assert words in err
        assert err.count("\n") == 1
        assert "Traceback" not in err


def test_wrong_usage() -> None:
    assert advise("--samples", "0")[0] == 2
    assert advise("--time", "0")[0] == 2


def test_importing_the_advisor_loads_no_compiler() -> None:
    code = "import sys, advisor; print(sorted({'numba', 'numpy'} & sys.modules.keys()))"
    done = subprocess.run([sys.executable, "-c", code], capture_output=True, text=True, check=True)
    assert done.stdout.strip() == "[]"


def test_one_world_tells_nothing_of_the_error() -> None:
    def never(word: str) -> None:
        raise AssertionError(word)

    code, out, _ = advise("--samples", "1", "--json")
    assert code == 0
    answer = json.loads(out, parse_constant=never)
    assert answer["moves"][0]["stderr"] is None
    assert all(move["points"] is not None for move in answer["moves"])
    assert " ± ?" in advise("--samples", "1")[1]
    assert json.loads(advise("--samples", "2", "--json")[1])["moves"][0]["stderr"] is not None


def test_positions_of_any_editor_are_read(tmp_path: Path) -> None:
    plain = advise("--samples", "8")
    for data in (
        b"\xef\xbb\xbf" + POSITION.encode(),
        POSITION.replace("\n", "\r\n").encode(),
        POSITION.encode("utf-16"),
    ):
        file = tmp_path / "a position.json"
        file.write_bytes(data)
        words = ["--language", "en", "advise", "--samples", "8", str(file)]
        done = CliRunner().invoke(group, words)
        assert (done.exit_code, done.stdout, done.stderr) == plain


def test_what_is_no_position_file_is_one_sentence(tmp_path: Path) -> None:
    huge, odd = tmp_path / "huge", tmp_path / "odd"
    huge.write_bytes(b" " * 4_000_001)
    odd.write_bytes(b"\xff\x00\x80")
    for path, sentence in (
        (tmp_path, f"{tmp_path}: it is a folder."),
        (tmp_path / "none", "none: it does not exist."),
        (huge, "The position is too large; it has at most 4000000 bytes."),
        (odd, "This is not text in UTF-8; a position is a JSON file."),
    ):
        done = CliRunner().invoke(group, ["--language", "en", "advise", str(path)])
        assert (done.exit_code, done.stdout) == (1, "")
        assert done.stderr.endswith(f"{sentence}\n")
        assert not done.stderr.startswith("Error")
        assert done.stderr.count("\n") == 1


def test_the_position_of_the_documentation() -> None:
    text = (ROOT / "docs" / "advisor.md").read_text(encoding="utf-8")
    blocks = dict(re.findall(r"<!-- (\w+): begin.*?-->\n```\w*\n(.*?)```", text, re.DOTALL))
    sample = ROOT / "advisor" / "samples" / "position.json"
    assert json.loads(blocks["position"]) == json.loads(sample.read_text(encoding="utf-8"))
    shown, _, printed = blocks["advice"].partition("\n")
    words = shlex.split(shown.removeprefix("$ pisti "))
    words[-1] = str(ROOT / words[-1])
    done = CliRunner().invoke(group, ["--language", "en", *words])
    assert (done.exit_code, done.stderr) == (0, "")
    # Another processor may round the last digit otherwise.
    without_numbers = re.compile(r"[-+]?\d+\.\d+|\b\d+ %")
    assert without_numbers.sub("", done.stdout).split() == without_numbers.sub("", printed).split()
