"""A reading that was killed goes on where it was, and comes to what an unbroken one comes to."""

from __future__ import annotations

import os
import subprocess
import sys
import time
from pathlib import Path

import av
import cv2
import numpy as np
import pytest

from datasets.scenes import render_scene
from tests.rendered import empty_cache

__all__ = ["empty_cache"]

ROOT = Path(__file__).parents[2]
FRAMES = 90


@pytest.fixture
def recording(empty_cache: Path, tmp_path: Path) -> Path:
    """A short video in which something always moves, so that every frame is read.

    By less than the view is followed: a reading that goes on begins with a view of its own.
    """
    image = cv2.resize(render_scene("single", 5, 8).image, (640, 360))
    path = tmp_path / "oyun 1.mp4"
    with av.open(str(path), "w") as container:
        stream = container.add_stream("mpeg4", rate=10)
        stream.width, stream.height, stream.pix_fmt = 640, 360, "yuv420p"
        for number in range(FRAMES):
            moved = np.roll(image, (number % 5, number % 4), (0, 1))
            frame = av.VideoFrame.from_ndarray(np.ascontiguousarray(moved), format="bgr24")
            container.mux(stream.encode(frame))
        container.mux(stream.encode())
    return path


def score(recording: Path, data: Path, out: Path) -> subprocess.Popen[bytes]:
    words = ["score", str(recording), "--players", "2", "-o", str(out), "--json"]
    return subprocess.Popen(
        [sys.executable, "-m", "advisor.cli", *words],
        cwd=ROOT,
        env=os.environ | {"PISTI_DATA": str(data), "OMP_NUM_THREADS": "1"},
        stdout=subprocess.PIPE,
        stderr=subprocess.PIPE,
    )


def lines_of(data: Path) -> list[bytes]:
    """Return the whole lines of the one journal in *data*."""
    journals = list((data / "readings").glob("*.jsonl"))
    if not journals:
        return []
    lines = journals[0].read_bytes().splitlines(keepends=True)
    return [line for line in lines if line.endswith(b"\n")]


def test_a_killed_reading_goes_on_where_it_was(recording: Path, tmp_path: Path) -> None:
    data, out = tmp_path / "data", tmp_path / "game.pisti"
    out.write_text("the record of yesterday", encoding="utf-8")
    first = score(recording, data, out)
    while first.poll() is None and len(lines_of(data)) < 12:
        time.sleep(0.01)
    first.kill()
    first.communicate()
    before = lines_of(data)
    assert 12 <= len(before) < FRAMES // 2
    assert out.read_text(encoding="utf-8") == "the record of yesterday"
    assert [each.name for each in tmp_path.glob(".*")] == []
    again = score(recording, data, out)
    told, problems = again.communicate(timeout=300)
    # The card of the recording lies there all the time: it is read, and nobody plays.
    assert again.returncode == 1
    assert problems.decode().splitlines()[1:] == [f"Written: {out}"]
    after = lines_of(data)
    assert after[: len(before)] == before
    assert len(after) > len(before)
    unbroken = score(recording, tmp_path / "other", tmp_path / "other.pisti")
    assert unbroken.communicate(timeout=300)[0] == told
    assert (tmp_path / "other.pisti").read_bytes() == out.read_bytes()
