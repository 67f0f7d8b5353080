"""The window's keys on a running game, and the commands as they are typed."""

from __future__ import annotations

import json
import os
import re
import signal
import subprocess
import sys
from collections.abc import Iterator
from pathlib import Path
from time import sleep

import cv2
import httpx
import numpy as np
import pytest
from click.testing import CliRunner

from advisor.api.adviser import Adviser
from advisor.api.desk import Desk
from advisor.api.serve import Server
from advisor.cli.main import group
from advisor.live.show import Evening
from advisor.live.station import Station
from advisor.live.window import Action
from advisor.session import Created
from tests.advisor.api.tables import Table
from vision.layout import Layout


@pytest.fixture
def table(tmp_path: Path) -> Iterator[Table]:
    made = Table(tmp_path)
    yield made
    made.running.close()


def test_keys_change_the_evening(table: Table) -> None:
    adviser: Adviser = table.running.app.state.adviser
    evening = Evening(table.running.desk, table.running.station, adviser)
    assert evening.canvas().shape == (720, 1280, 3)
    evening.do(Action.UNDO)
    evening.do(Action.PAUSE)
    game = table.start()
    table.wait(lambda: len(table.cards(game)) >= 3)
    table.script.hold.set()
    sleep(0.5)
    count = len(table.cards(game))
    assert evening.canvas()[:, :860].std() > 1
    evening.do(Action.UNDO)
    assert len(table.cards(game)) == count - 1
    evening.do(Action.PAUSE)
    assert table.state(game)["camera"]["status"] == "paused"
    evening.do(Action.PAUSE)
    for action, name in ((Action.HINTS, "hints"), (Action.FULL_SCREEN, "full_screen")):
        before = getattr(evening, name)
        evening.do(action)
        assert getattr(evening, name) is not before
    evening.do(Action.QUIT)
    assert evening.ended


@pytest.fixture
def environment(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> dict[str, str]:
    monkeypatch.setenv("PISTI_DATA", str(tmp_path / "data"))
    monkeypatch.setenv("PISTI_LANGUAGE", "en")
    for name in ("DISPLAY", "WAYLAND_DISPLAY"):
        monkeypatch.delenv(name, raising=False)
    return dict(os.environ)


def pictures(folder: Path) -> Path:
    folder.mkdir()
    for number in range(3):
        image = np.full((120, 200, 3), 60 + number, np.uint8)
        cv2.imwrite(str(folder / f"{number}.png"), image)
    return folder


def test_watch_serves_until_it_is_told_to_stop(environment: dict[str, str], tmp_path: Path) -> None:
    source = pictures(tmp_path / "table")
    command = [sys.executable, "-m", "advisor.cli", "watch", str(source), "--port", "0"]
    command += ["--rules", "modern", "--names", "Ayşe,Can"]
    process = subprocess.Popen(
        command, stdout=subprocess.PIPE, stderr=subprocess.PIPE, env=environment, encoding="utf-8"
    )
    try:
        assert process.stdout is not None
        address = re.search(r"http://127\.0\.0\.1:\d+/", process.stdout.readline())
        assert address
        with httpx.Client(base_url=address[0], timeout=30) as client:
            (game,) = client.get("/api/v1/games").json()["games"]
            assert (game["names"], game["rules"]) == (["Ayşe", "Can"], {"preset": "modern"})
            camera = client.get("/api/v1/sources").json()["camera"]
            assert camera["game"] == game["id"]
            assert "Pişti" in client.get("/").text
    finally:
        process.send_signal(signal.SIGINT)
        _, errors = process.communicate(timeout=30)
    assert (process.returncode, errors) == (0, "")


@pytest.mark.usefixtures("environment")
def test_the_page_opens_where_the_command_leads(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    source = str(pictures(tmp_path / "table"))
    asked: list[dict[str, object]] = []
    shown: list[str] = []
    monkeypatch.setattr(Station, "open", lambda _, text, **how: asked.append({"text": text} | how))
    monkeypatch.setattr(Server, "serve_until_stopped", lambda *_: None)
    monkeypatch.setattr("webbrowser.open", shown.append)
    for before, words, view in (
        ([], [], r"/"),
        ([], [source], r"/#/watch"),
        (["--language", "tr"], [source], r"/\?language=tr#/watch"),
        ([], [source, "--names", "Ayşe,Can", "--players", "2", "--me", "can"], r"/#/game/\w+"),
    ):
        result = CliRunner().invoke(group, [*before, "watch", *words, "--port", "0", "--open"])
        assert result.exit_code == 0, result.output
        assert re.fullmatch(r"http://127\.0\.0\.1:\d+" + view, shown[-1])
        assert shown[-1] in result.output
    game = shown[-1].rpartition("/")[2]
    assert asked == [{"text": source, "game": each, "keep": True} for each in (None, None, game)]


@pytest.mark.parametrize("rules", [["--rules", "classic"], []])
@pytest.mark.usefixtures("environment")
def test_as_many_play_as_are_named(rules: list[str], monkeypatch: pytest.MonkeyPatch) -> None:
    made: list[Created] = []
    monkeypatch.setattr(Server, "serve_until_stopped", lambda *_: None)
    create = Desk.create
    monkeypatch.setattr(Desk, "create", lambda desk, new: made.append(new) or create(desk, new))
    words = ["watch", *rules, "--names", "Ayşe,Can,Ece", "--port", "0"]
    assert CliRunner().invoke(group, words).exit_code == 0
    assert [(each.rules.players, each.names) for each in made] == [(3, ("Ayşe", "Can", "Ece"))]


@pytest.mark.parametrize(
    ("words", "code", "said"),
    [
        (["watch", "no-such-file.mp4", "--port", "0"], 1, "no-such-file.mp4"),
        (["watch", "--rules", "home", "--port", "0"], 1, "preset"),
        (["watch", "--rules", "modern players=2", "--players", "3", "--port", "0"], 1, "twice"),
        (["watch", "--rules", "modern", "--dealer", "5", "--port", "0"], 2, "no player '5'"),
        (["watch", "--rules", "modern players=2", "--names", "a,b,c", "--port", "0"], 1, "names"),
        (["watch", "--window", "--port", "0"], 1, "screen"),
        (["watch", "--port", "99999"], 2, "65535"),
        (["watch", "--layout", "no-such-layout"], 1, "no-such-layout"),
        (["calibrate", "no-such-file.mp4"], 1, "no-such-file.mp4"),
    ],
)
@pytest.mark.usefixtures("environment")
def test_what_cannot_be_watched_is_said_in_one_sentence(
    words: list[str], code: int, said: str
) -> None:
    if sys.platform != "linux" and "--window" in words:
        words, code, said = ["watch", "--port", "99999"], 2, "65535"
    result = CliRunner().invoke(group, words)
    assert result.exit_code == code
    assert said in result.stderr
    assert "Traceback" not in result.stderr
    assert result.stdout == ""


@pytest.mark.usefixtures("environment")
def test_calibrate_keeps_a_layout(tmp_path: Path) -> None:
    source, out = pictures(tmp_path / "table"), tmp_path / "table.json"
    words = ["calibrate", str(source), "-o", str(out), "--draw", str(tmp_path / "drawn.png")]
    result = CliRunner().invoke(group, [*words, "--json"])
    assert result.exit_code == 0, result.output
    assert Layout.load(out) == Layout.from_json(json.loads(result.stdout))
    drawn = cv2.imread(str(tmp_path / "drawn.png"))
    assert drawn is not None
    assert drawn.shape == (120, 200, 3)
    said = CliRunner().invoke(group, words).stdout
    assert "is saved" in said


@pytest.mark.usefixtures("environment")
def test_cameras_are_listed(monkeypatch: pytest.MonkeyPatch) -> None:
    from advisor.live.cameras import CameraName

    monkeypatch.setattr("advisor.live.cameras.list_cameras", lambda: [CameraName(2, "Kamera")])
    assert CliRunner().invoke(group, ["cameras"]).stdout == "2  Kamera\n"
    as_json = CliRunner().invoke(group, ["cameras", "--json"]).stdout
    assert json.loads(as_json) == [{"source": "2", "name": "Kamera"}]
    monkeypatch.setattr("advisor.live.cameras.list_cameras", lambda: [])
    assert "No camera" in CliRunner().invoke(group, ["cameras"]).stdout
