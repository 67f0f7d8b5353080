"""Everything a source of pictures raises or notes.

::

    PistiError
    └── SourceError(ValueError)    a source that cannot be opened, or what went wrong on the way
"""

from __future__ import annotations

from typing import Final

from engine.errors import PistiError

MESSAGES: Final[dict[str, str]] = {
    "source.broken_images": "{count} of {total} pictures in {path} cannot be read. {reason}",
    "source.camera": "Camera {name} does not answer; is it plugged in and free?",
    "source.codec": "{path} is coded in a way that cannot be decoded here.",
    "source.damaged": "{path} is damaged near {time:.1f} s; what could be read was read.",
    "source.denied": "{path} cannot be opened: {reason}.",
    "source.empty": "{path} is empty.",
    "source.lost": "{name} sends no pictures any more.",
    "source.missing": "There is no file or folder {path}.",
    "source.no_image": "No picture in the folder {path} can be read. {reason}",
    "source.no_images": "The folder {path} holds no pictures (JPEG, PNG, WebP, BMP or TIFF).",
    "source.no_picture": "{path} holds no picture that can be decoded.",
    "source.no_video": "{path} has no video, only sound or other data.",
    "source.none": "Name a source: a camera number, a file, a folder of pictures or an address.",
    "source.not_video": "{path} is not a video, or the part that describes it is missing.",
    "source.scheme": "{scheme}:// is not a kind of stream known here; known are {known}.",
    "source.special": "{path} is neither a file nor a folder.",
    "source.stream": "The stream {name} does not answer.",
    "source.truncated": "{path} breaks off at {time:.1f} s of {duration:.1f} s.",
}


class SourceError(PistiError, ValueError):
    """Raised when a source cannot be opened; noted as `Source.problem` when it ends badly."""

    sentences = MESSAGES
