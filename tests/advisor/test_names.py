"""Names stay with their seats, whatever is typed."""

from pathlib import Path

import pytest
from click.testing import CliRunner

from advisor.cli.main import group
from advisor.errors import NamesError
from advisor.messages import Catalogue
from advisor.names import check_names, isolated, parse_names, plain_name
from advisor.sheet import score_sheet
from engine.record import read_file, read_record

SAMPLE = Path(__file__).parents[2] / "advisor" / "samples" / "sample.pisti"


@pytest.mark.parametrize(
    ("text", "names"),
    [
        (None, ()),
        ("", ()),
        (",,", ()),
        ("Ayşe,Can", ("Ayşe", "Can", "", "")),
        (" Ayşe ,  Can  Su ", ("Ayşe", "Can Su", "", "")),
        (",Can", ("", "Can", "", "")),
        ("Ayşe,,Can,", ("Ayşe", "", "Can", "")),
        ("A\nB\x1b[31m,\u202eC\u2028", ("A B [31m", "C", "", "")),
        ("\udcff,x", ("", "x", "", "")),
        ("Ays\u0327e", ("Ayşe", "", "", "")),
    ],
)
def test_names_stay_with_their_seats(text: str | None, names: tuple[str, ...]) -> None:
    assert parse_names(text, 4) == names


@pytest.mark.parametrize(
    ("names", "key"),
    [
        (["a", "b", "c"], "names.many"),
        (["", "", "c"], "names.many"),
        (["Can", "can"], "names.twice"),
        (["x" * 61], "names.long"),
    ],
)
def test_names_that_do_not_fit(names: list[str], key: str) -> None:
    with pytest.raises(NamesError) as refused:
        check_names(names, 2)
    assert refused.value.key == key
    assert len(str(refused.value)) < 90
    assert check_names([*names[:0], "a", "b", "", ""], 2) == ("a", "b")


def test_letters_that_run_to_the_left_turn_nothing_beside_them() -> None:
    assert isolated("שרה") == "\u2068שרה\u2069"
    assert isolated("Ayşe") == "Ayşe"
    assert plain_name("\u2067שרה\u2069") == "שרה"
    record = read_record(SAMPLE.read_text(encoding="utf-8"))
    sheet = score_sheet(record.match, ("שרה", "Can\n"), Catalogue("en"))
    assert "\u2068שרה\u2069  Can" in sheet


def run(*words: object, typed: str = "") -> tuple[int, str, str]:
    done = CliRunner().invoke(group, ["--language", "en", *map(str, words)], input=typed)
    return done.exit_code, done.stdout, done.stderr


def test_play_calls_the_players_by_their_names(tmp_path: Path) -> None:
    file = tmp_path / "game.pisti"
    words = ("play", "--against", "greedy", "--deals", 1, "--seed", 3)
    code, out, _ = run(*words, "--names", ",Can", "-o", file, typed="1\n" * 24)
    assert code == 0
    assert "\nYou: " in out
    assert "\nCan: " in out
    reading = read_file(file)
    assert (reading.record.names, reading.problems) == (("", "Can"), ())
    run(*words, "--names", "Ayşe", "-o", file, typed="1\nq\n")
    reading = read_file(file)
    assert (reading.record.names, reading.problems) == (("Ayşe", ""), ())
    _, out, _ = run(*words, typed="1\n" * 24)
    assert "\nComputer: " in out
    assert "You  Computer\n" in out


@pytest.mark.parametrize("command", [("score", "no.mp4"), ("watch", "--port", "0"), ("play",)])
def test_commands_refuse_too_many_names(command: tuple[str, ...], tmp_path: Path) -> None:
    words = (*command, "--names", "a,b,c,d,e,f,g")
    code, _, err = run(*words)
    assert code == 1
    assert "There are 7 names for " in err
    assert err.count("\n") == 1
