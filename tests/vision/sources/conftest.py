"""Small video files, pictures and a camera that the tests of sources make themselves."""

from __future__ import annotations

import struct
from collections.abc import Callable, Sequence
from fractions import Fraction
from functools import partial
from pathlib import Path
from threading import Event
from time import monotonic, sleep
from typing import Any

import av
import cv2
import numpy as np
import pytest
from numpy.typing import NDArray

_SIZE = (64, 48)
_H264 = "libx264" if "libx264" in av.codecs_available else "mpeg4"


def _grey(index: int, size: tuple[int, int] = _SIZE) -> NDArray[np.uint8]:
    """Return a picture whose brightness says which of a clip's pictures it is."""
    image = np.full((size[1], size[0], 3), 20 + index * 7 % 216, np.uint8)
    image[: size[1] // 4, : size[0] // 4] = 255  # the upper left corner is white
    return image


def _write_clip(
    folder: Path,
    name: str,
    count: int = 20,
    *,
    codec: str = _H264,
    size: tuple[int, int] = _SIZE,
    rate: int = 25,
    stamps: Sequence[int] | None = None,
    base: Fraction | None = None,
    draw: Callable[[int], NDArray[np.uint8]] | None = None,
    pixels: str | None = None,
    codec_options: dict[str, str] | None = None,
    container_options: dict[str, str] | None = None,
    setup: Callable[[Any], None] | None = None,
    sound: bool = False,
    container_format: str | None = None,
) -> Path:
    """Write *count* pictures to a video; *stamps* are their times in units of *base* seconds."""
    path = folder / name
    with av.open(str(path), "w", container_format, options=container_options or {}) as container:
        stream: Any = container.add_stream(codec, rate=rate, options=codec_options or {})
        stream.width, stream.height = size
        stream.pix_fmt = pixels or ("yuvj420p" if codec == "mjpeg" else "yuv420p")
        if base is not None:
            stream.codec_context.time_base = base
        if setup:
            setup(stream)
        if sound:
            _add_sound(container, count / rate)
        for index in range(count):
            image = draw(index) if draw else _grey(index, size)
            frame = av.VideoFrame.from_ndarray(image, "bgr24")
            frame.pts = index if stamps is None else stamps[index]
            frame.time_base = base or Fraction(1, rate)
            container.mux(stream.encode(frame))
        container.mux(stream.encode(None))
    return path


def _add_sound(container: Any, seconds: float) -> None:
    """Add silence to *container*."""
    stream = container.add_stream("aac", rate=8000)
    for index in range(max(1, int(seconds * 8000 / 1024))):
        frame = av.AudioFrame.from_ndarray(np.zeros((1, 1024), np.float32), "fltp", "mono")
        frame.sample_rate = 8000
        frame.pts = index * 1024
        container.mux(stream.encode(frame))
    container.mux(stream.encode(None))


def _write_image(
    folder: Path, name: str, image: NDArray[np.uint8], taken: str | None = None, **exif: Any
) -> Path:
    """Write *image*; a JPEG says that it was *taken* at a time ``2026:01:31 20:15:00[.25]``."""
    path = folder / name
    data = cv2.imencode(path.suffix, image)[1].tobytes()
    if taken is not None:
        data = data[:2] + _exif(taken, **exif) + data[2:]
    path.write_bytes(data)
    return path


def _exif(taken: str, order: str = "<", orientation: int = 1) -> bytes:
    """Return the part of a JPEG file that says when it was taken and how it was held."""
    text, _, fraction = taken.partition(".")
    block = (b"II" if order == "<" else b"MM") + struct.pack(order + "HI", 42, 8)
    block += struct.pack(order + "H", 2)
    block += struct.pack(order + "HHIHH", 0x0112, 3, 1, orientation, 0)
    block += struct.pack(order + "HHIII", 0x8769, 4, 1, 38, 0)
    assert len(block) == 38
    block += struct.pack(order + "H", 2)
    block += struct.pack(order + "HHII", 0x9003, 2, len(text) + 1, 38 + 2 + 24 + 4)
    block += struct.pack(order + "HHI4sI", 0x9291, 2, len(fraction) + 1, fraction.encode(), 0)
    block += text.encode() + b"\0"
    payload = b"Exif\0\0" + block
    return b"\xff\xe1" + struct.pack(">H", len(payload) + 2) + payload


class FakeCamera:
    """Opens fake captures, and behaves as a test says while they are read.

    Its pictures are grey and all different. `mode` is "good", "absent" (cannot be opened), "fails"
    (reads nothing), "throws", "frozen" (the same picture again and again) or "blocks" (in reading,
    until `unblock` is set).
    """

    def __init__(self) -> None:
        self.mode = "good"
        self.size = _SIZE
        self.opened = 0
        self.released = 0
        self.reads = 0
        self.unblock = Event()

    def __call__(self, address: int | str) -> FakeCamera:
        self.opened += 1
        return self

    def isOpened(self) -> bool:
        return self.mode != "absent"

    def read(self) -> tuple[bool, NDArray[np.uint8] | None]:
        sleep(0.001)
        mode = self.mode
        if mode == "blocks":
            self.unblock.wait()
        if mode == "throws":
            raise cv2.error("the driver is confused")
        if mode in ("fails", "absent"):
            return False, None
        if mode != "frozen":
            self.reads += 1
        image = np.full((self.size[1], self.size[0], 3), self.reads % 256, np.uint8)
        image[:, :, 1] = self.reads // 256 % 256
        return True, image

    def release(self) -> None:
        self.released += 1


def _wait_until(condition: Callable[[], object]) -> None:
    """Wait until *condition* holds; how long that takes is not judged."""
    end = monotonic() + 60
    while not condition():
        assert monotonic() < end, "waited in vain"
        sleep(0.002)


@pytest.fixture
def write_clip(tmp_path: Path) -> Callable[..., Path]:
    """Write a video into the test's folder; the arguments are those of `_write_clip`."""
    return partial(_write_clip, tmp_path)


@pytest.fixture
def write_image(tmp_path: Path) -> Callable[..., Path]:
    """Write a picture into the test's folder; the arguments are those of `_write_image`."""
    return partial(_write_image, tmp_path)


@pytest.fixture
def grey() -> Callable[..., NDArray[np.uint8]]:
    """Return the picture of a number."""
    return _grey


@pytest.fixture
def camera() -> FakeCamera:
    """A camera that behaves as the test says."""
    return FakeCamera()


@pytest.fixture
def wait_until() -> Callable[[Callable[[], object]], None]:
    """Wait until a condition holds."""
    return _wait_until
