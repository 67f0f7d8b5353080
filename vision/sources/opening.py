"""The one grammar of SOURCE that all commands share."""

from __future__ import annotations

import re
from pathlib import Path
from typing import TYPE_CHECKING, Final
from urllib.parse import unquote, urlsplit
from urllib.request import url2pathname

from vision.sources.errors import SourceError
from vision.sources.frames import Recording, Source

if TYPE_CHECKING:
    from vision.sources.captures import CaptureFactory
    from vision.sources.devices import Patience

#: The kinds of stream addresses that are taken.
SCHEMES: Final = ("http", "https", "rtmp", "rtmps", "rtp", "rtsp", "rtsps", "srt", "tcp", "udp")

_CAMERA = re.compile(r"[0-9]{1,4}")
_ADDRESS = re.compile(r"([A-Za-z][A-Za-z0-9+.-]*)://")
_LOGIN = re.compile(r"(?<=://)[^/]*@")


def open_source(
    text: str | Path,
    *,
    every: float | None = None,
    largest: int | None = None,
    paced: bool = False,
    held: bool = False,
    rate: float = 10.0,
    capture: CaptureFactory | None = None,
    patience: Patience | None = None,
) -> Source:
    """Open the source that *text* names.

    Up to four digits are the number of a camera; ``rtsp://``, ``http://`` and the like a stream;
    an existing folder stands for its pictures; everything else is a file (so is ``./0``).

    Args:
        text: the source.
        every: least distance of two frames, in seconds; None gives all.
        largest: no side of an image is longer than this, in pixels; larger ones are scaled down.
        paced: play files and folders as if they were cameras: in real time, newest frame only.
        held: what is paced waits at its first frame; see `PacedSource`.
        rate: pictures a second of a folder whose pictures do not tell when they were taken.
        capture: opens cameras and streams; OpenCV does by default.
        patience: how long to wait for cameras and streams.

    Raises:
        SourceError: there is no such source, or nothing can be read from it.
        ValueError: an option is out of its range.
    """
    name = str(text).strip()
    if not name:
        raise SourceError("source.none")
    if _CAMERA.fullmatch(name):
        return _device(int(name), name, every, largest, capture, patience)
    if address := _ADDRESS.match(name):
        scheme = address[1].lower()
        if scheme in SCHEMES:
            return _device(name, public_name(name), every, largest, capture, patience)
        if scheme != "file":
            raise SourceError("source.scheme", scheme=scheme, known=", ".join(SCHEMES))
    path = path_of(name)
    assert path is not None
    recording = _recording(path, every, largest, rate)
    if not paced:
        return recording
    from vision.sources.paced import PacedSource

    return PacedSource(recording, held=held)


def path_of(text: str) -> Path | None:
    """Return the file or folder that *text* names as a source; None for a camera or a stream."""
    name = text.strip()
    if not name or _CAMERA.fullmatch(name):
        return None
    if address := _ADDRESS.match(name):
        if address[1].lower() != "file":
            return None
        name = url2pathname(urlsplit(name).path)
    return Path(name)


def public_name(address: str) -> str:
    """Return *address* as it may be shown: without user, password and query."""
    return unquote(_LOGIN.sub("", address).split("?")[0])


def shown_name(source: str) -> str:
    """Return what *source* may be called: a file as it was given, what else as `public_name`."""
    return source if path_of(source) else public_name(source)


# The kinds are imported when they are used: commands that only name a source start quickly.


def _device(
    address: int | str,
    name: str,
    every: float | None,
    largest: int | None,
    capture: CaptureFactory | None,
    patience: Patience | None,
) -> Source:
    from vision.sources.captures import open_capture
    from vision.sources.devices import DeviceSource

    return DeviceSource(
        address,
        name=name,
        every=every,
        largest=largest,
        capture=capture or open_capture,
        patience=patience,
    )


def _recording(path: Path, every: float | None, largest: int | None, rate: float) -> Recording:
    if _is_folder(path):
        from vision.sources.folders import FolderSource

        return FolderSource(path, every=every, largest=largest, rate=rate)
    from vision.sources.files import FileSource

    return FileSource(path, every=every, largest=largest)


def _is_folder(path: Path) -> bool:
    try:
        return path.is_dir()
    except OSError:
        return False
