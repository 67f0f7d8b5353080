"""Files that are sent: written straight to the data folder, under names of our own."""

from __future__ import annotations

import re
import secrets
import shutil
from collections.abc import AsyncIterator
from dataclasses import dataclass, field
from pathlib import Path
from typing import BinaryIO, Final

from python_multipart.multipart import MultipartParser, parse_options_header
from starlette.concurrency import run_in_threadpool

from advisor.errors import ApiError

FOLDER: Final = "uploads"
#: What a form may hold beside its file.
_MOST_TEXT: Final = 10_000
#: Bytes of the disk that stay free.
_SPARE: Final = 200_000_000


@dataclass(slots=True)
class Upload:
    """A form that was sent.

    Attributes:
        fields: its texts by name.
        path: where its file lies; None where it holds none.
        name: what the sender calls the file.
    """

    fields: dict[str, str] = field(default_factory=dict)
    path: Path | None = None
    name: str = ""


async def receive(
    stream: AsyncIterator[bytes], content_type: str, folder: Path, length: int
) -> Upload:
    """Return the form in *stream*; its file is written to *folder* as it comes.

    Args:
        stream: the body.
        content_type: the header that says how it is made.
        folder: the data folder.
        length: how many bytes were announced.

    Raises:
        ApiError: it is no such form, holds several files or long texts, or the disk is full.
    """
    _, options = parse_options_header(content_type.encode("latin-1", "replace"))
    boundary = options.get(b"boundary")
    if not boundary:
        raise ApiError("api.form")
    place = folder / FOLDER
    writer = _Writer(place)
    try:
        await run_in_threadpool(place.mkdir, parents=True, exist_ok=True)
        if length + _SPARE > shutil.disk_usage(place).free:
            raise ApiError("api.disk")
        parser = MultipartParser(boundary, writer.callbacks())  # type: ignore[arg-type]
        async for chunk in stream:
            if chunk:
                await run_in_threadpool(parser.write, chunk)
        parser.finalize()
        if not writer.ended:
            raise ApiError("api.form")
    except BaseException as error:
        writer.close()
        if writer.upload.path is not None:
            writer.upload.path.unlink(missing_ok=True)
        if isinstance(error, OSError):
            raise ApiError("api.disk") from error
        if isinstance(error, ValueError):
            # Whatever the parser finds wrong with it.
            raise ApiError("api.form") from error
        raise
    writer.close()
    return writer.upload


class _Writer:
    """Takes the parts of a form from the parser."""

    def __init__(self, folder: Path) -> None:
        self.upload = Upload()
        self.ended = False
        self._folder = folder
        self._file: BinaryIO | None = None
        self._header = bytearray()
        self._value = bytearray()
        self._disposition = b""
        self._text = bytearray()
        self._field: str | None = None

    def callbacks(self) -> dict[str, object]:
        return {
            "on_part_begin": self._begin,
            "on_header_field": lambda data, start, end: self._header.extend(data[start:end]),
            "on_header_value": lambda data, start, end: self._value.extend(data[start:end]),
            "on_header_end": self._header_end,
            "on_headers_finished": self._headers_finished,
            "on_part_data": self._data,
            "on_part_end": self._part_end,
            "on_end": self._end,
        }

    def close(self) -> None:
        if self._file is not None:
            self._file.close()
            self._file = None

    def _begin(self) -> None:
        self._disposition, self._field = b"", None
        self._text.clear()

    def _header_end(self) -> None:
        if bytes(self._header).lower() == b"content-disposition":
            self._disposition = bytes(self._value)
        self._header.clear()
        self._value.clear()

    def _headers_finished(self) -> None:
        _, options = parse_options_header(self._disposition)
        name = options.get(b"name", b"").decode("utf-8", "replace")
        if b"filename" not in options:
            self._field = name
            return
        if name != "file" or self.upload.path is not None:
            raise ApiError("api.form")
        self.upload.name = _last_name(options[b"filename"].decode("utf-8", "replace"))
        self.upload.path = self._folder / f"{secrets.token_hex(8)}{_suffix(self.upload.name)}"
        self._file = self.upload.path.open("xb")

    def _data(self, data: bytes, start: int, end: int) -> None:
        if self._file is not None:
            self._file.write(data[start:end])
        else:
            self._text.extend(data[start:end])
            if len(self._text) > _MOST_TEXT or len(self.upload.fields) > 20:
                raise ApiError("api.form")

    def _part_end(self) -> None:
        if self._field is not None:
            self.upload.fields[self._field] = self._text.decode("utf-8", "replace")
        self.close()

    def _end(self) -> None:
        self.ended = True


def _last_name(name: str) -> str:
    """Return the last part of a path of any system, as it may be shown."""
    last = re.split(r"[\\/]", name)[-1]
    return "".join(letter for letter in last if letter.isprintable())[:120] or "recording"


def _suffix(name: str) -> str:
    found = re.search(r"\.[A-Za-z0-9]{1,5}\Z", name)
    return found[0].lower() if found else ".video"
