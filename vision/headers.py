"""What the beginning of a picture file says of it, before anything of it is decoded."""

from __future__ import annotations

import re
import struct
from typing import Final, NamedTuple

_SIGNATURES: Final = (
    (b"\xff\xd8\xff", "JPEG"),
    (b"\x89PNG\r\n\x1a\n", "PNG"),
    (b"GIF87a", "GIF"),
    (b"GIF89a", "GIF"),
    (b"BM", "BMP"),
    (b"II*\x00", "TIFF"),
    (b"MM\x00*", "TIFF"),
)
_FRAME_MARKERS: Final = frozenset(range(0xC0, 0xD0)) - {0xC4, 0xC8, 0xCC}
#: Where a part of a JPEG file begins that has a length: not zeros, fillings and bare markers.
_PART: Final = re.compile(rb"\xff([^\x00\x01\xd0-\xd9\xff])", re.DOTALL)

_MOST_ENTRIES: Final = 512
#: The types of a TIFF structure's values that are read here, as `struct` calls them.
_TYPES: Final = {2: "s", 3: "H", 4: "I", 13: "I"}
_WIDTH, _HEIGHT, _BITS, _TILE_WIDTH, _TILE_HEIGHT = _SIZES = 256, 257, 258, 322, 323


class Header(NamedTuple):
    """What a picture will need.

    Attributes:
        width: pixels.
        height: pixels.
        depth: bytes of each of a pixel's values while it is decoded.
    """

    width: int
    height: int
    depth: int = 1


def image_kind(data: bytes) -> str | None:
    """Return the kind of picture that *data* begins like, or None."""
    if data[:4] == b"RIFF" and data[8:12] == b"WEBP":
        return "WebP"
    for signature, kind in _SIGNATURES:
        if data.startswith(signature):
            return kind
    return None


def read_header(data: bytes, kind: str) -> Header | None:
    """Return what the header of *data*, a picture of *kind*, says; None where it is broken."""
    read = {
        "BMP": _bmp,
        "GIF": _gif,
        "JPEG": _jpeg,
        "PNG": _png,
        "TIFF": _tiff,
        "WebP": _webp,
    }[kind]
    try:
        return read(data)
    except (struct.error, KeyError):
        return None


def tiff_order(block: bytes) -> str | None:
    """Return how `struct` calls the order of bytes in the TIFF structure *block*."""
    return {b"II": "<", b"MM": ">"}.get(block[:2])


class Entry(NamedTuple):
    """An entry of a TIFF folder: the type of its values, how many, and where they stand."""

    type: str
    length: int
    place: int


def tiff_entries(block: bytes, at: int, order: str) -> dict[int, Entry]:
    """Return the entries, by tag, of the folder at *at* of the TIFF structure *block*.

    Raises:
        struct.error: *block* ends before the folder does.
    """
    entries: dict[int, Entry] = {}
    count = min(struct.unpack_from(order + "H", block, at)[0], _MOST_ENTRIES)
    for start in range(at + 2, at + 2 + 12 * count, 12):
        tag, number, length, place = struct.unpack_from(order + "HHII", block, start)
        if number not in _TYPES:
            continue
        # Values of up to four bytes stand in the entry itself.
        if length * struct.calcsize(order + _TYPES[number]) <= 4:
            place = start + 8
        # Decoders take the first where a tag stands there twice.
        entries.setdefault(tag, Entry(_TYPES[number], length, place))
    return entries


def tiff_number(block: bytes, entry: Entry, order: str) -> int:
    """Return the first value of *entry*.

    Raises:
        struct.error: it is no number, or *block* ends before it.
    """
    value = struct.unpack_from(order + entry.type, block, entry.place)[0]
    if not isinstance(value, int):
        raise struct.error("a text is no number")
    return value


def _png(data: bytes) -> Header | None:
    if data[12:16] != b"IHDR":
        return None
    width, height, bits = struct.unpack_from(">IIB", data, 16)
    return Header(width, height, -(-bits // 8))


def _gif(data: bytes) -> Header:
    # Its decoder keeps two pictures more.
    width, height = struct.unpack_from("<HH", data, 6)
    return Header(width, height, 2)


def _bmp(data: bytes) -> Header:
    # The oldest headers have twelve bytes, and sizes of two.
    old = struct.unpack_from("<I", data, 14)[0] == 12
    width, height = struct.unpack_from("<HH" if old else "<ii", data, 18)
    return Header(abs(width), abs(height))


def _webp(data: bytes) -> Header | None:
    if data[12:16] == b"VP8X":
        width, more_width, height, more_height = struct.unpack_from("<HBHB", data, 24)
        return Header((more_width << 16 | width) + 1, (more_height << 16 | height) + 1)
    if data[12:16] == b"VP8L":
        bits = struct.unpack_from("<I", data, 21)[0]
        return Header((bits & 0x3FFF) + 1, (bits >> 14 & 0x3FFF) + 1)
    if data[12:16] == b"VP8 ":
        width, height = struct.unpack_from("<HH", data, 26)
        return Header(width & 0x3FFF, height & 0x3FFF)
    return None


def _jpeg(data: bytes) -> Header | None:
    # As decoders do, whatever stands between two parts is passed over.
    at = 2
    while found := _PART.search(data, at):
        at = found.end()
        if found[1][0] in _FRAME_MARKERS:
            height, width = struct.unpack_from(">HH", data, at + 3)
            return Header(width, height)
        length = struct.unpack_from(">H", data, at)[0]
        if length < 2:
            return None
        at += length
    return None


def _tiff(data: bytes) -> Header | None:
    order = tiff_order(data)
    assert order is not None
    entries = tiff_entries(data, struct.unpack_from(order + "I", data, 4)[0], order)
    found = {tag: tiff_number(data, entries[tag], order) for tag in _SIZES if tag in entries}
    # A tile is decoded whole, however small the picture is.
    width = max(found[_WIDTH], found.get(_TILE_WIDTH, 0))
    height = max(found[_HEIGHT], found.get(_TILE_HEIGHT, 0))
    return Header(width, height, -(-found.get(_BITS, 1) // 8))
