"""Everything `vision` raises about pictures and weights.

::

    PistiError
    └── VisionError(ValueError)
        ├── ImageError     a file that holds no picture that can be read
        ├── LayoutError    a layout of the table that cannot be read
        └── WeightsError   weights that are missing, changed or of an unknown kind
"""

from __future__ import annotations

from typing import Final

from engine.errors import PistiError

MESSAGES: Final[dict[str, str]] = {
    "image.missing": "There is no file {path}.",
    "image.folder": "{path} is a folder, not a picture.",
    "image.empty": "{path} is empty.",
    "image.huge": "{path} is {size}; pictures up to {limit} are read.",
    "image.kind": "{path} is not a picture of a known kind (JPEG, PNG, WebP, BMP, TIFF, GIF).",
    "image.broken": "{path} is a broken {kind} picture.",
    "image.pixels": "{path} has {width} × {height} pixels; of its kind, pictures of up to {limit} "
    "million pixels are read.",
    "image.special": "{path} is neither a file nor a folder.",
    "image.unreadable": "{path} cannot be opened: {reason}.",
    "image.array": "A picture is an array H × W × 3 of uint8, not {shape} of {dtype}.",
    "layout.file": "The layout {path} cannot be taken: {reason}",
    "layout.flat": "{name} has no room; write its four corners one after the other, all around it.",
    "layout.format": "This is not a layout of a table ({expected}).",
    "layout.point": "{name}: {value} is not a point; write [x, y], each from 0 to 1.",
    "layout.points": "{name} is written as a list of {count} points.",
    "layout.seats": "seats is written as a list of at most {count} points.",
    "layout.unknown": "There is no part {name!r} of a layout.",
    "layout.zones": "zones is written as an object with {known}.",
    "score.no_cards": "No card shows in the recording; are the cards of the pile in the picture, "
    "large enough and lit?",
    "weights.missing": "The weights {path} are missing.",
    "weights.changed": "The weights {path} are damaged: sha256 {found}, expected {expected}.",
    "weights.manifest": "The weights' manifest {path} cannot be read: {reason}.",
    "weights.runtime": "There is no runtime {name!r}; choose one of {known}.",
    "weights.not_detector": "The .pt file of the weights holds no detector that is known here.",
    "weights.openvino": "OpenVINO is not installed. In the program's folder: {command}",
    "weights.torch": "Weights in .pt files need torch and Ultralytics. In the program's folder: "
    "{command}",
}


class VisionError(PistiError, ValueError):
    """Base of what `vision` raises; key and values as in `PistiError`."""

    sentences = MESSAGES


class ImageError(VisionError):
    """Raised for a file that holds no picture that can be read."""


class LayoutError(VisionError):
    """Raised when a layout of the table cannot be read."""


class WeightsError(VisionError):
    """Raised when weights are missing, changed, or ask for a runtime that is not there."""
