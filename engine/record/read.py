"""Reading a record in either form: never raises, keeps what is legal, lists what is wrong."""

from __future__ import annotations

import json
import re
from pathlib import Path
from typing import BinaryIO, Final

from engine.errors import RecordError
from engine.match import Match
from engine.record.build import Builder, Reading
from engine.record.json_form import find
from engine.record.text_form import TextReader
from engine.record.types import MAX_BYTES, Problem, Record
from engine.rules import RuleSet

_LOOKS_LIKE_JSON: Final = re.compile(r'\s*(\{\s*["}]|\[\s*[\]{\["0-9])')
_BYTE_ORDER_MARKS: Final = ((b"\xff\xfe", "utf-16"), (b"\xfe\xff", "utf-16"))


def read_file(path: Path) -> Reading:
    """Read the record in the file at *path*; one that is too large is not read at all.

    Raises:
        OSError: the file cannot be opened or read.
    """
    with path.open("rb") as file:
        return read_stream(file)


def read_stream(file: BinaryIO) -> Reading:
    """Read the record that *file* holds from here to its end, as `read_file`."""
    data = file.read(MAX_BYTES + 1)
    if len(data) > MAX_BYTES:
        return _nothing("record.too_large", most=MAX_BYTES)
    return read_record(data)


def read_record(data: str | bytes) -> Reading:
    """Read a record from *data*, in text or JSON form."""
    if isinstance(data, bytes):
        try:
            data = _decode(data)
        except UnicodeDecodeError:
            return _nothing("record.encoding")
    if not data.strip():
        return _nothing("record.empty")
    if _LOOKS_LIKE_JSON.match(data):
        return _read_json(data)
    reader = TextReader(data)
    if reader.is_empty:
        return _nothing("record.not_a_record")
    reading = Builder(reader.where).build(reader.data)
    problems = sorted(
        (*reader.problems, *reading.problems), key=lambda problem: (problem.line, problem.column)
    )
    return Reading(reading.record, reading.match, tuple(problems))


def _read_json(text: str) -> Reading:
    try:
        data = json.loads(text)
    except json.JSONDecodeError as error:
        return _nothing("record.json", error.lineno, error.colno, reason=error.msg.lower())
    except RecursionError:
        return _nothing("record.json", reason="it is nested too deeply")
    except ValueError:
        return _nothing("record.json", reason="a number in it has too many digits")
    return Builder(lambda path: find(text, path)).build(data)


def _decode(data: bytes) -> str:
    for mark, encoding in _BYTE_ORDER_MARKS:
        if data.startswith(mark):
            return data.decode(encoding)
    text = data.decode("utf-8-sig")
    if "\0" in text:
        raise UnicodeDecodeError("utf-8", data, 0, 1, "binary data")
    return text


def _nothing(key: str, line: int = 1, column: int = 1, **values: object) -> Reading:
    rules = RuleSet.classic()
    problem = Problem(RecordError(key, **values), line, column)
    return Reading(Record(rules), Match(rules), (problem,))
