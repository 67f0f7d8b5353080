"""`pisti score` of a camera or a stream: it ends when it is told to, or when nothing comes."""

from __future__ import annotations

import json
import os
import signal
import subprocess
import sys
from collections.abc import Iterator
from contextlib import contextmanager
from http.server import BaseHTTPRequestHandler, ThreadingHTTPServer
from pathlib import Path
from threading import Event, Thread
from typing import ClassVar

import cv2
import numpy as np
import pytest
from click.testing import CliRunner
from numpy.typing import NDArray

from advisor import scorer
from advisor.cli.ending import until_ctrl_c
from advisor.cli.main import group
from datasets.scenes import render_scene
from tests.rendered import empty_cache
from vision.sources import Frame, Status

__all__ = ["empty_cache"]

ROOT = Path(__file__).parents[2]
#: Runs `pisti` with the seconds after which a lost stream is given up.
PISTI = (
    "import sys; from advisor import scorer; scorer.GIVE_UP = float(sys.argv.pop(1));"
    "from advisor.cli import main; main()"
)


class Stream:
    """An MJPEG stream of one card that lies still in a picture that is never twice the same.

    Attributes:
        address: where it is.
        lost: set to send nothing any more.
    """

    def __init__(self, image: NDArray[np.uint8]) -> None:
        self.lost = Event()
        stream = self

        class Handler(BaseHTTPRequestHandler):
            def log_message(self, *_: object) -> None: ...

            def do_GET(self) -> None:
                if stream.lost.is_set():
                    self.send_error(503)
                    return
                self.send_response(200)
                self.send_header("Content-Type", "multipart/x-mixed-replace; boundary=f")
                self.end_headers()
                number = 0
                while not stream.lost.wait(0.05):
                    number += 1
                    shown = image.copy()
                    shown[:40, :40] = number % 250
                    part = cv2.imencode(".jpg", shown)[1].tobytes()
                    head = f"--f\r\nContent-Type: image/jpeg\r\nContent-Length: {len(part)}\r\n\r\n"
                    try:
                        self.wfile.write(head.encode() + part + b"\r\n")
                    except OSError:
                        return

        self._server = ThreadingHTTPServer(("127.0.0.1", 0), Handler)
        self.address = f"http://127.0.0.1:{self._server.server_port}/table.mjpg"
        Thread(target=self._server.serve_forever, daemon=True).start()

    def close(self) -> None:
        self.lost.set()
        self._server.shutdown()
        self._server.server_close()


@pytest.fixture
def stream(empty_cache: Path) -> Iterator[Stream]:
    image = cv2.resize(render_scene("single", 5, 8).image, (640, 360))
    running = Stream(image)
    yield running
    running.close()


@contextmanager
def scoring(stream: Stream, folder: Path, *, give_up: float) -> Iterator[subprocess.Popen[str]]:
    """Start `pisti score` of *stream* with all that can be wanted, and wait until it reads."""
    words = ["score", stream.address, "--players", "2", "--json"]
    words += ["-o", str(folder / "game.pisti"), "--report", str(folder / "game.html")]
    process = subprocess.Popen(
        [sys.executable, "-c", PISTI, str(give_up), "--language", "en", *words],
        cwd=ROOT,
        env=os.environ | {"PISTI_DATA": str(folder / "data"), "OMP_NUM_THREADS": "1"},
        stdout=subprocess.PIPE,
        stderr=subprocess.PIPE,
        text=True,
        encoding="utf-8",
    )
    with process:
        try:
            assert process.stderr is not None
            assert "until Ctrl-C" in process.stderr.readline()
            yield process
        finally:
            process.kill()


@pytest.mark.skipif(sys.platform == "win32", reason="one process cannot press another's Ctrl-C")
def test_ctrl_c_ends_a_stream_and_what_was_read_is_scored(stream: Stream, tmp_path: Path) -> None:
    with scoring(stream, tmp_path, give_up=60) as process:
        with pytest.raises(subprocess.TimeoutExpired):
            process.wait(3)
        process.send_signal(signal.SIGINT)
        told, problems = process.communicate(timeout=60)
    written = f"Written: {tmp_path / 'game.pisti'}, {tmp_path / 'game.html'}\n"
    # The card that the stream shows lies there all the time.
    assert process.returncode == 1
    assert problems.endswith(written)
    assert "No play was seen" in problems
    assert json.loads(told)["players_from"] == "given"
    assert (tmp_path / "game.pisti").is_file()
    assert (tmp_path / "game.html").is_file()


def test_a_stream_that_stays_lost_is_scored_too(stream: Stream, tmp_path: Path) -> None:
    with scoring(stream, tmp_path, give_up=5) as process:
        with pytest.raises(subprocess.TimeoutExpired):
            process.wait(3)
        stream.lost.set()
        told, problems = process.communicate(timeout=60)
    assert process.returncode == 1
    lost, _no_play, written = problems.splitlines()
    assert lost == f"{stream.address}: {stream.address} sends no pictures any more."
    assert written.startswith("Written: ")
    assert json.loads(told)["players_from"] == "given"
    assert (tmp_path / "game.pisti").is_file()


@pytest.mark.parametrize("option", ["--annotate", "--cluster"])
def test_what_needs_a_recording_is_refused_at_once(tmp_path: Path, option: str) -> None:
    words = ["score", "http://127.0.0.1:9/table", option, str(tmp_path / "out.mp4")]
    result = CliRunner().invoke(group, words)
    assert result.exit_code == 2
    assert "work on recordings only" in result.stderr


def test_a_second_ctrl_c_stops_at_once(capsys: pytest.CaptureFixture[str]) -> None:
    before = signal.getsignal(signal.SIGINT)
    with until_ctrl_c("0", "en") as ending:
        assert not ending()
        signal.raise_signal(signal.SIGINT)
        assert ending()
        with pytest.raises(KeyboardInterrupt):
            signal.raise_signal(signal.SIGINT)
    assert signal.getsignal(signal.SIGINT) is before
    assert len(capsys.readouterr().err.splitlines()) == 1


def test_pictures_of_another_size_are_fitted_into_that_of_the_first() -> None:
    class Changing:
        sizes: ClassVar = [(64, 48), (32, 24), (48, 64)]
        size = sizes[0]

        @property
        def status(self) -> Status:
            return Status.LIVE if self.sizes else Status.ENDED

        def read(self, _timeout: float) -> Frame:
            self.size = width, height = self.sizes.pop(0)
            return Frame(np.full((height, width, 3), 200, np.uint8), 0.0, 0)

    frames = list(scorer._until(lambda: False, Changing(), (64, 48)))  # type: ignore[arg-type]
    assert [frame.image.shape for frame in frames] == [(48, 64, 3)] * 3
    assert [frame.image.mean() > 100 for frame in frames] == [True] * 3
