"""OpenCV says in English, on the terminal, what is told as an error anyway: it is kept from it."""

from __future__ import annotations

import os

import cv2


def hush() -> None:
    """Silence OpenCV and its FFmpeg in this process."""
    os.environ.setdefault("OPENCV_FFMPEG_LOGLEVEL", "-8")
    if hasattr(cv2, "utils"):
        cv2.utils.logging.setLogLevel(cv2.utils.logging.LOG_LEVEL_SILENT)
