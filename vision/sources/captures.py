"""Cameras and streams as OpenCV opens them."""

from __future__ import annotations

import sys
from collections.abc import Callable
from typing import Any, Final, Protocol, TypeAlias

import cv2

from vision.quiet import hush

#: What a camera is asked for, (width, height); it gives the nearest it can.
CAMERA_SIZE: Final = (1280, 720)

_STREAM_TIMEOUT_MS: Final = 5000


class Capture(Protocol):
    """What is needed of `cv2.VideoCapture`. Every call may block for as long as a driver likes."""

    def isOpened(self) -> bool:
        """Return whether there is something to read from."""

    def read(self) -> tuple[bool, Any]:
        """Return (True, H × W × 3 BGR uint8) or (False, anything)."""

    def release(self) -> None:
        """Let go of the device."""


CaptureFactory: TypeAlias = Callable[[int | str], Capture]


def open_capture(address: int | str) -> Capture:
    """Return a capture of a camera, by its number, or of a stream, by its address."""
    hush()
    if isinstance(address, str):
        timeouts = [
            *(cv2.CAP_PROP_OPEN_TIMEOUT_MSEC, _STREAM_TIMEOUT_MS),
            *(cv2.CAP_PROP_READ_TIMEOUT_MSEC, _STREAM_TIMEOUT_MS),
        ]
        return cv2.VideoCapture(address, cv2.CAP_FFMPEG, timeouts)
    # Media Foundation takes many seconds to open some cameras.
    api = cv2.CAP_DSHOW if sys.platform == "win32" else cv2.CAP_ANY
    capture = cv2.VideoCapture(address, api)
    # Compressed pictures: uncompressed, most cameras give this size only a few times a second.
    capture.set(cv2.CAP_PROP_FOURCC, cv2.VideoWriter.fourcc(*"MJPG"))
    capture.set(cv2.CAP_PROP_FRAME_WIDTH, CAMERA_SIZE[0])
    capture.set(cv2.CAP_PROP_FRAME_HEIGHT, CAMERA_SIZE[1])
    capture.set(cv2.CAP_PROP_BUFFERSIZE, 1)
    return capture
