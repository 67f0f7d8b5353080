from __future__ import annotations

import threading
from collections.abc import Callable
from itertools import islice, pairwise
from time import monotonic
from typing import Any

import pytest

from vision.sources import SourceError, Status, Timing, open_source
from vision.sources.devices import DeviceSource, Patience

Wait = Callable[[Callable[[], object]], None]

#: Nothing counts as frozen or blocked but what a test makes so.
CALM = Patience(opening=60, frozen=60, blocked=60, pause=0.001, longest_pause=0.01)


def open_fake(camera: Any, patience: Patience = CALM, **options: Any) -> DeviceSource:
    return DeviceSource(0, capture=camera, patience=patience, **options)


def grabbers() -> list[threading.Thread]:
    return [thread for thread in threading.enumerate() if thread.name.startswith("grab ")]


@pytest.fixture(autouse=True)
def _no_thread_is_left(camera: Any, wait_until: Wait) -> Any:
    yield
    camera.unblock.set()
    wait_until(lambda: not grabbers())
    assert camera.released == camera.opened


def test_frames_come_in_order(camera: Any) -> None:
    with open_fake(camera) as source:
        assert (source.size, source.duration, source.is_live) == ((64, 48), None, True)
        assert (source.status, source.problem, source.timing) == (Status.LIVE, None, Timing.CLOCK)
        frames = list(islice(source, 5))
    assert all(a.time < b.time and a.number < b.number for a, b in pairwise(frames))
    assert frames[0].image.shape == (48, 64, 3)
    assert source.status is Status.ENDED
    assert list(source) == []


def test_only_the_newest_is_kept(camera: Any, wait_until: Wait) -> None:
    with open_fake(camera) as source:
        next(source)
        wait_until(lambda: source.dropped >= 10)
        after = next(source)
        assert after.number >= 10


def test_every_and_largest(camera: Any, wait_until: Wait) -> None:
    with open_fake(camera, every=3600.0, largest=32) as source:
        assert next(source).image.shape == (24, 32, 3)
        assert source.size == (32, 24)
        wait_until(lambda: camera.reads > 20)
        assert source.read(timeout=0.0) is None
        assert source.dropped == 0


@pytest.mark.parametrize("mode", ["fails", "throws", "absent"])
def test_comes_back_after_a_loss(camera: Any, wait_until: Wait, mode: str) -> None:
    with open_fake(camera) as source:
        next(source)
        camera.mode = mode if mode != "absent" else "fails"
        wait_until(lambda: source.status is Status.LOST)
        assert source.problem is not None
        assert source.problem.key == "source.lost"
        camera.mode = mode
        opened = camera.opened
        wait_until(lambda: camera.opened > opened + 2)
        camera.mode = "good"
        wait_until(lambda: source.status is Status.LIVE)
        assert source.problem is None
        source.read(timeout=0.0)
        assert next(source) is not None


def test_the_same_picture_again_and_again_is_a_freeze(camera: Any, wait_until: Wait) -> None:
    patience = Patience(opening=60, frozen=0.05, blocked=60, pause=0.001, longest_pause=0.01)
    with open_fake(camera, patience) as source:
        next(source)
        camera.mode = "frozen"
        wait_until(lambda: source.status in (Status.FROZEN, Status.LOST))
        wait_until(lambda: camera.opened > 2)
        camera.mode = "good"
        wait_until(lambda: source.status is Status.LIVE)


def test_a_driver_that_hangs_is_opened_anew(camera: Any, wait_until: Wait) -> None:
    patience = Patience(opening=60, frozen=0.05, blocked=0.1, pause=0.001, longest_pause=0.01)
    with open_fake(camera, patience) as source:
        next(source)
        camera.mode = "blocks"
        wait_until(lambda: source.status is Status.FROZEN)
        assert source.problem is not None
        # Someone waits for a frame meanwhile; further attempts hang as well, a few are made.
        wait_until(lambda: source.read(timeout=0.01) or len(grabbers()) == 3)
        wait_until(lambda: source.read(timeout=0.4) is None)
        assert len(grabbers()) == 3
        camera.mode = "good"
        camera.unblock.set()
        wait_until(lambda: source.read(timeout=0.1))
        wait_until(lambda: len(grabbers()) == 1)
        wait_until(lambda: source.status is Status.LIVE)


def test_a_driver_that_cannot_let_go(
    camera: Any, wait_until: Wait, monkeypatch: pytest.MonkeyPatch
) -> None:
    release = camera.release

    def confused() -> None:
        release()
        raise OSError("no such device any more")

    monkeypatch.setattr(camera, "release", confused)
    with open_fake(camera) as source:
        camera.mode = "fails"
        wait_until(lambda: camera.opened > 2)
        camera.mode = "good"
        wait_until(lambda: source.status is Status.LIVE)


def test_size_that_changes(camera: Any, wait_until: Wait) -> None:
    with open_fake(camera) as source:
        next(source)
        camera.size = (32, 24)
        wait_until(lambda: source.size == (32, 24))
        wait_until(lambda: next(source).image.shape == (24, 32, 3))


def test_close_returns_while_the_driver_hangs(camera: Any, wait_until: Wait) -> None:
    source = open_fake(camera)
    camera.mode = "blocks"
    wait_until(lambda: source.read(timeout=0.05) is None)
    start = monotonic()
    source.close()
    source.close()
    assert monotonic() - start < 20
    assert list(source) == []
    assert source.status is Status.ENDED


def test_close_wakes_who_waits(camera: Any, wait_until: Wait) -> None:
    source = open_fake(camera)
    camera.mode = "fails"
    got: list[object] = []
    reader = threading.Thread(target=lambda: got.extend(source))
    reader.start()
    wait_until(lambda: source.status is Status.LOST)
    source.close()
    reader.join(20)
    assert not reader.is_alive()


def test_given_up(camera: Any) -> None:
    patience = Patience(pause=0.001, longest_pause=0.01, give_up=0.1)
    with open_fake(camera, patience) as source:
        camera.mode = "fails"
        assert len(list(source)) <= 1
        assert source.status is Status.ENDED
        assert source.problem is not None
        assert source.problem.key == "source.lost"


@pytest.mark.parametrize("mode", ["absent", "fails", "throws"])
def test_no_answer(camera: Any, mode: str) -> None:
    camera.mode = mode
    with pytest.raises(SourceError) as caught:
        open_fake(camera)
    assert str(caught.value) == "Camera 0 does not answer; is it plugged in and free?"


def test_no_answer_from_a_driver_that_hangs(camera: Any) -> None:
    camera.mode = "blocks"
    with pytest.raises(SourceError) as caught:
        DeviceSource("rtsp://x/", capture=camera, patience=Patience(opening=0.05))
    assert caught.value.key == "source.stream"


def test_real_opencv_without_such_a_camera_or_stream() -> None:
    for text in ("9999", "http://127.0.0.1:9/none"):
        with pytest.raises(SourceError, match="does not answer"):
            open_source(text)
