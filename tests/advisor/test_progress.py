"""How far long work is, as a terminal shows it."""

from __future__ import annotations

import os

import pytest

from advisor.cli.progress import Progress


def on_terminal(monkeypatch: pytest.MonkeyPatch) -> None:
    """Let standard error, as it is in the test, be a terminal of 40 columns."""
    monkeypatch.setattr("sys.stderr.isatty", lambda: True)
    monkeypatch.setattr("shutil.get_terminal_size", lambda: os.terminal_size((40, 20)))
    monkeypatch.setenv("PISTI_LANGUAGE", "en")


def lines(capsys: pytest.CaptureFixture[str]) -> list[str]:
    return [line for line in capsys.readouterr().err.split("\r\x1b[2K") if line]


def test_one_line_is_written_again_and_calmly(
    capsys: pytest.CaptureFixture[str], monkeypatch: pytest.MonkeyPatch
) -> None:
    on_terminal(monkeypatch)
    seconds = iter([0.0, *(number / 10 for number in range(202))])
    with Progress("game.mp4", lambda: next(seconds)) as line:
        for number in range(1, 202):
            line.at(number / 200)
    shown = lines(capsys)
    assert len(shown) <= 41
    assert shown[0] == "game.mp4: 0%"
    assert "game.mp4: 50%, 0:10 left" in shown
    assert shown[-1] == "game.mp4: almost done"
    assert not any("\n" in each for each in shown)


def test_a_long_name_is_cut_to_the_width(
    capsys: pytest.CaptureFixture[str], monkeypatch: pytest.MonkeyPatch
) -> None:
    on_terminal(monkeypatch)
    with Progress("a/very/long/path/" * 4 + "game.mp4"):
        pass
    (shown,) = lines(capsys)
    assert len(shown) == 39
    assert shown.endswith("game.mp4: 0%")


def test_what_has_no_known_end_tells_how_much_was_read(
    capsys: pytest.CaptureFixture[str], monkeypatch: pytest.MonkeyPatch
) -> None:
    on_terminal(monkeypatch)
    seconds = iter([0.0, 0.0, 70.0])
    with Progress(clock=lambda: next(seconds)) as line:
        line.since(65)
    assert lines(capsys)[-1] == "1:05 read"


def test_what_is_printed_stands_on_a_line_of_its_own(
    capsys: pytest.CaptureFixture[str], monkeypatch: pytest.MonkeyPatch
) -> None:
    on_terminal(monkeypatch)
    with Progress("game.mp4") as line:
        line.print("Ayşe plays 7♥.")
    told = capsys.readouterr()
    assert told.out == "Ayşe plays 7♥.\n"
    assert told.err.count("game.mp4: 0%") == 2
    assert told.err.endswith("\r\x1b[2K")


def test_a_pipe_gets_nothing(capsys: pytest.CaptureFixture[str]) -> None:
    with Progress("game.mp4") as line:
        line.at(0.5)
        line.print("told")
    assert tuple(capsys.readouterr()) == ("told\n", "")
