"""The commands as a user of the terminal meets them."""

import json
import os
import subprocess
import sys
from dataclasses import replace
from pathlib import Path
from typing import Any

import click
import pytest
from click.testing import CliRunner, Result

from advisor.cli.main import _COMMANDS, group
from engine import RuleSet
from engine.record import read_record

ROOT = Path(__file__).parents[2]
DATA = ROOT / "tests" / "data"
DEMO = ROOT / "advisor" / "samples" / "demo.pisti"
SAMPLE = ROOT / "advisor" / "samples" / "sample.pisti"
BLUFF = DATA / "bluff.pisti"
PARTNERS = DATA / "partners.pisti"
BROKEN = '[Rules "classic players=2"]\ndeal 1 dealer 1 centre ?? ?? ?? / 7S\nplays 7H 4C 7H\n'


@pytest.fixture(autouse=True)
def _english(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setenv("PISTI_LANGUAGE", "en")


def pisti(*words: object, stdin: str | bytes | None = None) -> Result:
    """Run the command in this process."""
    return CliRunner().invoke(group, list(map(str, words)), input=stdin, prog_name="pisti")


def process(
    *words: object, stdin: bytes = b"", **environment: str
) -> subprocess.CompletedProcess[bytes]:
    """Run the command as a process of its own."""
    return subprocess.run(
        [sys.executable, "-m", "advisor.cli", *map(str, words)],
        cwd=ROOT,
        input=stdin,
        capture_output=True,
        env=os.environ | environment,
        timeout=120,
        check=False,
    )


# Help and usage.


def test_alone_it_prints_help() -> None:
    result = pisti()
    assert result.exit_code == 0
    assert result.stdout.startswith("Usage: pisti ")
    for name in _COMMANDS:
        assert f"\n  {name} " in result.stdout
    assert result.stdout == pisti("--help").stdout == pisti("-h").stdout


@pytest.mark.parametrize("name", sorted(_COMMANDS))
def test_each_command_has_help_with_examples(name: str) -> None:
    result = pisti(name, "--help")
    assert result.exit_code == 0
    assert f"Usage: pisti {name}" in result.stdout
    assert "Examples:\n" in result.stdout
    assert f"\n    pisti {name}" in result.stdout
    command = group.get_command(click.Context(group), name)
    assert command is not None
    for option in command.params:
        assert isinstance(option, click.Argument) or option.help


def test_version() -> None:
    result = pisti("--version")
    assert result.exit_code == 0
    assert result.stdout.startswith("pisti, version ")


@pytest.mark.parametrize(
    "words",
    [
        ["repaly"],
        ["--nonsense"],
        ["replay"],
        ["replay", "--nonsense"],
        ["demo", "more"],
        ["--language", "xx", "demo"],
    ],
)
def test_wrong_usage(words: list[str]) -> None:
    result = pisti(*words)
    assert result.exit_code == 2
    assert result.stdout == ""
    assert result.stderr.count("\n") == 1
    assert "Traceback" not in result.stderr


@pytest.mark.parametrize(
    ("words", "sentence"),
    [
        (["repaly"], "There is no command repaly; is it replay? See 'pisti --help'."),
        (["xyz"], "There is no command xyz. See 'pisti --help'."),
        (["bench", "egine"], "There is no command egine; is it engine? See 'pisti bench --help'."),
        (["--nonsense"], "There is no option --nonsense. See 'pisti --help'."),
        (
            ["play", "--rule"],
            "There is no option --rule; is it --rules? See 'pisti play --help'.",
        ),
        (["replay"], "RECORD... is missing. See 'pisti replay --help'."),
        (["play", "--rules"], "--rules needs a value. See 'pisti play --help'."),
        (["demo", "--open=1"], "--open takes no value. See 'pisti demo --help'."),
        (
            ["demo", "a", "b"],
            "Too many words: a b was not expected. See 'pisti demo --help'.",
        ),
        (
            ["play", "--deals", "0"],
            "--deals must be a whole number (≥ 1). See 'pisti play --help'.",
        ),
        (["play", "--seed", "x"], "--seed must be a whole number. See 'pisti play --help'."),
        (
            ["advise", "--time", "0", "-"],
            "--time must be a number (> 0, ≤ 3600). See 'pisti advise --help'.",
        ),
        (
            ["--language", "xx", "demo"],
            "--language must be one of en, tr, fr, pt, es. See 'pisti --help'.",
        ),
        (["arena", "random"], "Name at least two players. See 'pisti arena --help'."),
    ],
)
def test_wrong_usage_is_one_sentence(words: list[str], sentence: str) -> None:
    result = pisti(*words)
    assert result.exit_code == 2
    assert result.stderr == f"{sentence}\n"


def test_wrong_usage_is_said_in_the_language_in_use(monkeypatch: pytest.MonkeyPatch) -> None:
    said = "--nonsense diye bir seçenek yok. Bakınız: 'pisti replay --help'.\n"
    assert pisti("--language", "tr", "replay", "--nonsense").stderr == said
    monkeypatch.setenv("PISTI_LANGUAGE", "tr")
    assert pisti("replay", "--nonsense").stderr == said
    assert pisti("repaly").stderr.startswith("repaly diye bir komut yok; replay ")


# The demonstration.


@pytest.fixture
def read_at_once(monkeypatch: pytest.MonkeyPatch) -> None:
    """The sample is read as what its record says, without looking at it."""
    from advisor import scorer
    from vision.table import PileZone, Survey

    def read(source: str, rules: RuleSet, reader: object, **options: Any) -> scorer.Scored:
        zone = PileZone((10.0, 10.0), 5.0)
        options.get("told", lambda _seen, _found: None)([], Survey(zone, None))
        options["progress"](1.0, 2.0)
        reading = read_record(SAMPLE.read_text(encoding="utf-8"))
        record = replace(reading.record, names=options["names"])
        dealer = options.get("dealer")
        first = record.deals[0] if dealer is None else replace(record.deals[0], dealer=dealer)
        record = replace(record, deals=(first, *record.deals[1:]))
        known = "assumed" if dealer is None else "given"
        return scorer.Scored(
            source, record, reading.match, (), None, zone, (20, 20), told_dealer=known
        )

    monkeypatch.setattr(scorer, "score_recording", read)


@pytest.mark.usefixtures("read_at_once")
def test_demo() -> None:
    result = pisti("demo")
    assert result.exit_code == 0
    assert result.stderr == ""
    plays = [line for line in result.stdout.splitlines() if line.endswith(".") and "Pile" in line]
    assert len(plays) == 48
    assert "pişti, 10 points!" in result.stdout
    assert result.stdout.count("Hint for Ayşe: ") == 24
    assert "Total" in result.stdout.splitlines()[-1]


@pytest.mark.usefixtures("read_at_once")
def test_demo_as_json_is_the_score_of_what_was_read() -> None:
    assert json.loads(pisti("demo", "--json").stdout) == json.loads(
        pisti("replay", "--json", SAMPLE).stdout
    )


@pytest.mark.usefixtures("read_at_once")
def test_demo_in_turkish() -> None:
    result = pisti("--language", "tr", "demo")
    assert "oynadı: pişti, 10 puan!" in result.stdout
    assert "Ayşe için öneri" in result.stdout
    assert "Toplam" in result.stdout


@pytest.mark.usefixtures("read_at_once")
@pytest.mark.parametrize(
    ("words", "said"),
    [
        ((), "First dealer: Can. The recording does not show who dealt, so Ayşe is taken to play "),
        (("--dealer", "can"), "First dealer: Can, as --dealer says."),
        (("--dealer", " AYŞE"), "First dealer: Ayşe, as --dealer says."),
        (("--dealer", "1"), "First dealer: Can, as --dealer says."),
    ],
)
def test_score_says_who_dealt_and_how_that_is_known(
    words: tuple[str, ...], said: str, tmp_path: Path
) -> None:
    game = tmp_path / "game.mp4"
    game.write_bytes(b"x")
    result = pisti("score", "--players", "2", "--names", "Ayşe,Can", *words, game)
    assert (result.exit_code, result.stderr) == (0, "")
    assert said in result.stdout.splitlines()[-1]


@pytest.mark.parametrize("dealer", ["2", "-1", "Mehmet", ""])
@pytest.mark.parametrize("command", [("score", "game.mp4"), ("watch", "--port", "0")])
def test_who_is_no_player_cannot_have_dealt(command: tuple[str, ...], dealer: str) -> None:
    words = ("--players", "2", "--names", "Ayşe,Can", f"--dealer={dealer}")
    result = pisti(*command, *words)
    assert (result.exit_code, result.stdout) == (2, "")
    known = "write one of Ayşe, Can, 0, 1 (a number is a seat, counted from 0)."
    said = f"--dealer: there is no player {dealer!r}; {known}"
    assert result.stderr.startswith(said)


def test_score_says_when_the_view_was_lost(read_at_once: None, monkeypatch, tmp_path) -> None:  # type: ignore[no-untyped-def]
    from advisor import scorer

    read = scorer.score_recording
    monkeypatch.setattr(
        scorer,
        "score_recording",
        lambda *given, **more: replace(read(*given, **more), lost=83.04),
    )
    game = tmp_path / "game.mp4"
    game.write_bytes(b"x")
    assert "at about 1:23.0" in pisti("score", "--players", "2", game).stdout
    told = json.loads(pisti("score", "--players", "2", "--json", game).stdout)
    assert told["view_lost"] == 83.04


# Replay.


@pytest.mark.parametrize("language", ["en", "tr"])
@pytest.mark.parametrize("record", [BLUFF, PARTNERS], ids=lambda path: path.stem)
def test_replay_prints_the_score_sheet(record: Path, language: str) -> None:
    result = pisti("--language", language, "replay", record)
    assert result.exit_code == 0
    assert result.stderr == ""
    assert result.stdout == record.with_suffix(f".{language}.txt").read_text(encoding="utf-8")


def test_replay_of_one_record_as_json_is_an_object() -> None:
    score = json.loads(pisti("replay", "--json", PARTNERS).stdout)
    assert score["format"] == "pisti-score/1"
    assert score["totals"] == [66, 0]
    assert score["winner"] == 0
    assert score["problems"] == []


def test_replay_of_several_records_as_json_is_a_list_in_their_order(tmp_path: Path) -> None:
    broken = tmp_path / "broken.pisti"
    broken.write_text(BROKEN, encoding="utf-8")
    result = pisti("replay", PARTNERS, broken, tmp_path / "none", BLUFF, "--json")
    assert result.exit_code == 1
    scores = json.loads(result.stdout)
    assert [score["totals"] for score in scores] == [[66, 0], [0, 0], [0, 0], [21, 22]]
    assert [len(score["problems"]) for score in scores] == [0, 1, 1, 0]
    assert len(result.stderr.splitlines()) == 2


def test_replay_of_several_records_names_each() -> None:
    result = pisti("replay", PARTNERS, BLUFF)
    partners, bluff = (
        path.with_suffix(".en.txt").read_text(encoding="utf-8") for path in (PARTNERS, BLUFF)
    )
    assert result.stdout == f"{PARTNERS}\n{partners}\n{BLUFF}\n{bluff}"


def test_replay_says_where_a_record_is_wrong_and_scores_the_rest(tmp_path: Path) -> None:
    broken = tmp_path / "broken.pisti"
    broken.write_text(BROKEN, encoding="utf-8")
    result = pisti("replay", broken)
    assert result.exit_code == 1
    assert result.stderr == (
        f"{broken}:3:13: 7H lies elsewhere in this deal; a card cannot be in two places.\n"
    )
    assert "2 plays made" in result.stdout
    turkish = pisti("--language", "tr", "replay", broken)
    assert turkish.stderr.startswith(f"{broken}:3:13: 7H bu elde başka bir yerde")


@pytest.mark.parametrize(
    ("content", "sentence"),
    [
        (b"", "The record is empty."),
        (b"\x89PNG\r\n\x1a\n\x00\xff\xfe\xfd", "This is not text in UTF-8;"),
        (b"Dear all,", "This is not a P"),
        (b'{"deals": [', "The JSON is broken: "),
        (b"[1, 2, 3]", "This is not a P"),
    ],
)
def test_replay_of_what_is_no_record(tmp_path: Path, content: bytes, sentence: str) -> None:
    path = tmp_path / "junk"
    path.write_bytes(content)
    result = pisti("replay", path)
    assert result.exit_code == 1
    assert result.stdout == ""
    assert len(result.stderr.splitlines()) == 1
    assert sentence in result.stderr
    with_json = pisti("replay", "--json", path)
    assert with_json.exit_code == 1
    (problem,) = json.loads(with_json.stdout)["problems"]
    assert problem["message"] in with_json.stderr


def test_replay_of_what_cannot_be_opened(tmp_path: Path) -> None:
    for path in (tmp_path / "none.pisti", tmp_path, tmp_path / "none" / "a", "a" * 5000):
        result = pisti("replay", path)
        assert result.exit_code == 1
        assert result.stdout == ""
        assert result.stderr.startswith(f"{path}: The record cannot be read: ")
        assert len(result.stderr.splitlines()) == 1


def test_replay_of_a_file_that_may_not_be_read(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    def refuse(*_: object, **__: object) -> None:
        raise PermissionError(13, "Permission denied")

    monkeypatch.setattr(Path, "open", refuse)
    result = pisti("replay", "secret.pisti")
    assert result.exit_code == 1
    assert result.stderr == "secret.pisti: The record cannot be read: there is no permission.\n"


def test_replay_reads_standard_input() -> None:
    result = pisti("replay", "-", stdin=PARTNERS.read_bytes())
    assert result.exit_code == 0
    assert result.stdout == PARTNERS.with_suffix(".en.txt").read_text(encoding="utf-8")


def test_replay_reads_its_own_kind_of_answer() -> None:
    answer = json.dumps({"record": {"rules": "players=2", "deals": []}, "review": []})
    result = pisti("replay", "-", stdin=answer)
    assert result.exit_code == 0
    assert result.stdout.startswith("Rules: classic players=2\n")


# Errors that are nobody's fault.


def test_an_error_of_the_system_is_one_sentence(monkeypatch: pytest.MonkeyPatch) -> None:
    for error, sentence in (
        (OSError(28, "No space left on device", "a.pisti"), "a.pisti: the disk is full."),
        (OSError(28, "No space left on device"), "The system refused: the disk is full."),
        (OSError("something"), "The system refused: something."),
    ):
        monkeypatch.setattr("advisor.cli.demo.read_record", _raising(error))
        result = pisti("demo")
        assert result.exit_code == 1
        assert result.stderr == f"{sentence}\n"
        debugged = pisti("--debug", "demo")
        assert debugged.exception is error


def test_a_fault_of_the_program_is_one_sentence(monkeypatch: pytest.MonkeyPatch) -> None:
    error = IndexError("list index out of range")
    monkeypatch.setattr("advisor.cli.demo.read_record", _raising(error))
    result = pisti("demo")
    assert result.exit_code == 1
    assert result.stderr.startswith("The program has a fault (IndexError: list index ")
    assert len(result.stderr.splitlines()) == 1
    assert pisti("--debug", "demo").exception is error


def test_an_error_of_the_game_is_one_sentence(monkeypatch: pytest.MonkeyPatch) -> None:
    from engine import RuleSetError

    error = RuleSetError("rules.unknown", name="x")
    monkeypatch.setattr("advisor.cli.demo.read_record", _raising(error))
    result = pisti("demo")
    assert result.exit_code == 1
    assert result.stderr == "There is no rule 'x'.\n"
    assert pisti("--debug", "demo").exception is error


def _raising(error: Exception):
    def fail(*_: object) -> None:
        raise error

    return fail


# As processes.


def test_exit_codes_and_streams() -> None:
    fine = process("replay", BLUFF)
    assert (fine.returncode, fine.stderr) == (0, b"")
    assert fine.stdout.decode() == BLUFF.with_suffix(".en.txt").read_text(encoding="utf-8")
    wrong = process("replay", "-", stdin=BROKEN.encode())
    assert wrong.returncode == 1
    assert wrong.stderr.startswith(b"-:3:13: 7H lies elsewhere")
    assert wrong.stdout.startswith(b"Rules: ")
    usage = process("nonsense")
    assert (usage.returncode, usage.stdout) == (2, b"")


def test_junk_on_standard_input() -> None:
    result = process("replay", "-", "--json", stdin=bytes(range(256)) * 1000)
    assert result.returncode == 1
    assert len(result.stderr.splitlines()) == 1
    assert json.loads(result.stdout)["problems"][0]["line"] == 1


def test_a_closed_standard_input_is_one_sentence(
    monkeypatch: pytest.MonkeyPatch, capsys: pytest.CaptureFixture[str]
) -> None:
    monkeypatch.setattr("sys.stdin", None)
    with pytest.raises(SystemExit) as end:
        group(["replay", "-"], prog_name="pisti")
    assert end.value.code == 1
    assert (
        capsys.readouterr().err == "-: The record cannot be read: there is nothing to read from.\n"
    )


def test_any_terminal_gets_turkish_letters() -> None:
    result = process(
        "replay",
        PARTNERS,
        PYTHONIOENCODING="ascii",
        LC_ALL="C",
        PYTHONUTF8="0",
        PISTI_LANGUAGE="tr",
    )
    assert result.returncode == 0
    assert result.stdout.decode("utf-8") == PARTNERS.with_suffix(".tr.txt").read_text("utf-8")


def test_language_of_the_environment() -> None:
    result = process("replay", BLUFF, PISTI_LANGUAGE="", LC_ALL="tr_TR.UTF-8")
    assert result.stdout.decode() == BLUFF.with_suffix(".tr.txt").read_text(encoding="utf-8")


@pytest.mark.skipif(sys.platform == "win32", reason="pipes break in another way there")
@pytest.mark.parametrize("words", [["demo"], ["--help"], ["replay", "--json", str(DEMO)]])
def test_a_reader_that_goes_away_is_no_error(words: list[str]) -> None:
    reading, writing = os.pipe()
    os.close(reading)
    try:
        run = subprocess.run(
            [sys.executable, "-m", "advisor.cli", *words],
            cwd=ROOT,
            stdout=writing,
            stderr=subprocess.PIPE,
            timeout=120,
            check=False,
        )
    finally:
        os.close(writing)
    assert run.stderr == b""
    assert run.returncode in (0, 1)


def test_starting_does_not_load_what_is_not_needed() -> None:
    code = (
        "import sys; import advisor.cli.main, advisor.cli.replay;"
        "print([n for n in ('numpy', 'numba', 'cv2', 'torch', 'fastapi') if n in sys.modules])"
    )
    run = subprocess.run(
        [sys.executable, "-c", code], cwd=ROOT, capture_output=True, text=True, check=True
    )
    assert run.stdout.strip() == "[]"
