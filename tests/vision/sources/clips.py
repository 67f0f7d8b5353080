"""Small video files and pictures that the tests of sources write themselves."""

from __future__ import annotations

import struct
from collections.abc import Callable, Sequence
from fractions import Fraction
from pathlib import Path
from typing import Any

import av
import cv2
import numpy as np
from numpy.typing import NDArray

CODECS = set(av.codecs_available)
H264 = "libx264" if "libx264" in CODECS else "mpeg4"
SIZE = (64, 48)


def grey(index: int, size: tuple[int, int] = SIZE) -> NDArray[np.uint8]:
    """Return a picture whose brightness says which of a clip's pictures it is."""
    image = np.full((size[1], size[0], 3), 20 + index * 7 % 216, np.uint8)
    image[: size[1] // 4, : size[0] // 4] = 255  # the upper left corner is white
    return image


def write_clip(
    path: Path,
    count: int = 20,
    *,
    codec: str = H264,
    size: tuple[int, int] = SIZE,
    rate: int = 25,
    stamps: Sequence[int] | None = None,
    base: Fraction | None = None,
    draw: Callable[[int], NDArray[np.uint8]] | None = None,
    pixels: str | None = None,
    codec_options: dict[str, str] | None = None,
    container_options: dict[str, str] | None = None,
    setup: Callable[[Any], None] | None = None,
    sound: bool = False,
) -> Path:
    """Write *count* pictures to *path*; *stamps* are their times in units of *base* seconds."""
    with av.open(str(path), "w", options=container_options or {}) as container:
        stream: Any = container.add_stream(codec, rate=rate, options=codec_options or {})
        stream.width, stream.height = size
        stream.pix_fmt = pixels or ("yuvj420p" if codec == "mjpeg" else "yuv420p")
        if base is not None:
            stream.codec_context.time_base = base
        if setup:
            setup(stream)
        if sound:
            add_sound(container, count / rate)
        for index in range(count):
            image = draw(index) if draw else grey(index, size)
            frame = av.VideoFrame.from_ndarray(image, "bgr24")
            frame.pts = index if stamps is None else stamps[index]
            frame.time_base = base or Fraction(1, rate)
            container.mux(stream.encode(frame))
        container.mux(stream.encode(None))
    return path


def add_sound(container: Any, seconds: float) -> None:
    """Add silence to *container*."""
    stream = container.add_stream("aac", rate=8000)
    for index in range(max(1, int(seconds * 8000 / 1024))):
        frame = av.AudioFrame.from_ndarray(np.zeros((1, 1024), np.float32), "fltp", "mono")
        frame.sample_rate = 8000
        frame.pts = index * 1024
        container.mux(stream.encode(frame))
    container.mux(stream.encode(None))


def write_image(path: Path, image: NDArray[np.uint8], taken: str | None = None) -> Path:
    """Write *image*; a JPEG says that it was *taken* at a time ``2026:01:31 20:15:00[.25]``."""
    data = cv2.imencode(path.suffix, image)[1].tobytes()
    if taken is not None:
        data = data[:2] + exif_segment(taken) + data[2:]
    path.write_bytes(data)
    return path


def exif_segment(taken: str, order: str = "<", orientation: int = 1) -> bytes:
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
