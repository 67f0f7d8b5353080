from __future__ import annotations

import threading
from collections.abc import Callable
from itertools import pairwise
from pathlib import Path
from time import sleep
from typing import Any

import numpy as np
import pytest

from vision.sources import Frame, LiveSource, Recording, Status, Timing, open_source
from vision.sources.paced import PacedSource

Write = Callable[..., Path]
Wait = Callable[[Callable[[], object]], None]


@pytest.fixture(autouse=True)
def _no_thread_is_left() -> Any:
    yield
    assert not [thread for thread in threading.enumerate() if thread.name.startswith("play ")]


def test_plays_to_the_end(write_clip: Write) -> None:
    with open_source(write_clip("a.mp4", 10), paced=True) as source:
        assert isinstance(source, LiveSource)
        assert (source.size, source.is_live, source.duration) == ((64, 48), True, 0.4)
        frames = list(source)
        assert source.status is Status.ENDED
        assert source.problem is None
    assert frames
    assert frames[-1].number == 9
    assert frames[-1].time == pytest.approx(0.36)
    assert all(a.time < b.time and a.number < b.number for a, b in pairwise(frames))
    # What was not fetched in time is counted or was passed over unconverted.
    assert len(frames) + source.dropped <= 10


def test_only_the_newest_is_kept(write_clip: Write, wait_until: Wait) -> None:
    with open_source(write_clip("a.mp4", 10), paced=True) as source:
        assert isinstance(source, LiveSource)
        wait_until(lambda: source.dropped >= 2)
        first = source.read(timeout=60)
        assert first is not None
        assert first.number >= 2


def test_last_frame_waits_to_be_fetched(write_clip: Write, wait_until: Wait) -> None:
    with open_source(write_clip("a.mp4", 3), paced=True) as source:
        assert isinstance(source, LiveSource)
        wait_until(lambda: not [t for t in threading.enumerate() if t.name.startswith("play ")])
        assert source.status is Status.LIVE
        assert [frame.number for frame in source] == [2]
        assert source.status is Status.ENDED


def test_close_in_the_middle(write_clip: Write) -> None:
    stamps = [0, 1000]
    source = open_source(write_clip("a.mp4", 2, stamps=stamps), paced=True)
    next(source)
    source.close()
    assert list(source) == []


def test_nothing_comes_before_it_is_due(write_clip: Write) -> None:
    stamps = [0, 25 * 3600]
    with open_source(write_clip("a.mp4", 2, stamps=stamps), paced=True) as source:
        assert isinstance(source, LiveSource)
        assert source.read(timeout=60) is not None
        assert source.read(timeout=0.05) is None
        assert source.status is Status.LIVE


class SlowRecording(Recording):
    """A thousand pictures, a millisecond apart, of which each takes longer than that to decode."""

    name = "slow"
    timing = Timing.STAMPS
    size = (4, 4)
    problem = None
    duration = 1.0

    def __init__(self) -> None:
        self.number = 0
        self.least = 0.0

    def seek(self, time: float, number: int = 0) -> None:
        raise NotImplementedError

    def skip_until(self, time: float) -> None:
        self.least = max(self.least, time)

    def close(self) -> None:
        self.number = 1000

    def __next__(self) -> Frame:
        while self.number < 1000:
            sleep(0.002)
            self.number += 1
            if self.number / 1000 >= self.least:
                return Frame(np.zeros((4, 4, 3), np.uint8), self.number / 1000, self.number)
        raise StopIteration


def test_decoding_that_cannot_keep_up() -> None:
    with PacedSource(SlowRecording()) as source:
        frames = list(source)
    assert len(frames) + source.dropped < 1000
    assert frames[-1].time == 1.0
    # Beside what was fetched, only what was dropped by a slow test is missing.
    assert source.dropped or all(b.time - a.time < 0.51 for a, b in pairwise(frames))


def test_folder(tmp_path: Path, write_image: Write, grey: Callable[..., Any]) -> None:
    for number in range(3):
        write_image(f"{number}.png", grey(number))
    with open_source(tmp_path, paced=True, rate=50) as source:
        assert list(source)[-1].number == 2


def test_a_held_recording_waits_at_its_first_frame(write_clip: Write) -> None:
    with open_source(write_clip("a.mp4", 10), paced=True, held=True) as source:
        assert isinstance(source, PacedSource)
        first = source.read(timeout=60)
        assert first is not None
        assert (first.number, first.time) == (0, 0.0)
        assert source.held
        assert source.read(timeout=0.1) is None
        assert source.status is Status.LIVE
        source.start()
        # From the first frame on: nothing of it is lost.
        frames = list(source)
        assert not source.held
        assert frames[-1].number == 9
        assert len(frames) + source.dropped == 10


def test_a_held_recording_is_closed(write_clip: Write) -> None:
    source = open_source(write_clip("a.mp4", 10), paced=True, held=True)
    next(source)
    source.close()
    assert list(source) == []
