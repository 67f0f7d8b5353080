"""When a photo was taken, from the EXIF data of a JPEG file."""

from __future__ import annotations

import struct
from datetime import UTC, datetime
from pathlib import Path
from typing import Final

from vision.headers import Entry, tiff_entries, tiff_number, tiff_order

_HEAD_BYTES: Final = 1 << 17
_EXIF_FOLDER: Final = 0x8769
_TAKEN: Final = 0x9003
_TAKEN_FRACTION: Final = 0x9291


def time_taken(path: Path) -> float | None:
    """Return when the photo *path* was taken, in seconds on the camera's clock.

    The clock has no time zone; only differences mean something. None where the file does not say
    or cannot be read.
    """
    try:
        with path.open("rb") as file:
            head = file.read(_HEAD_BYTES)
        block = _exif_block(head)
        return None if block is None else _taken(block)
    except (OSError, ValueError, struct.error):
        return None


def _exif_block(head: bytes) -> bytes | None:
    """Return the EXIF part of the beginning of a JPEG file: a TIFF structure."""
    if not head.startswith(b"\xff\xd8"):
        return None
    at = 2
    while at + 4 <= len(head) and head[at] == 0xFF and head[at + 1] != 0xDA:
        length = int.from_bytes(head[at + 2 : at + 4], "big")
        segment = head[at + 4 : at + 2 + length]
        if head[at + 1] == 0xE1 and segment.startswith(b"Exif\0\0"):
            return segment[6:]
        at += 2 + length
    return None


def _taken(block: bytes) -> float | None:
    order = tiff_order(block)
    if order is None:
        return None
    first = tiff_entries(block, struct.unpack_from(order + "I", block, 4)[0], order)
    if _EXIF_FOLDER not in first:
        return None
    entries = tiff_entries(block, tiff_number(block, first[_EXIF_FOLDER], order), order)
    if _TAKEN not in entries:
        return None
    text = _text(block, entries[_TAKEN])
    taken = datetime.strptime(text, "%Y:%m:%d %H:%M:%S").replace(tzinfo=UTC).timestamp()
    fraction = _text(block, entries[_TAKEN_FRACTION]) if _TAKEN_FRACTION in entries else ""
    return taken + (float(f"0.{fraction}") if fraction.isdecimal() else 0.0)


def _text(block: bytes, entry: Entry) -> str:
    return block[entry.place : entry.place + entry.length].split(b"\0")[0].decode("ascii").strip()
