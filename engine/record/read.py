"""Reading a record in either form: never raises, keeps what is legal, lists what is wrong."""

from __future__ import annotations

import json
import re
from collections.abc import Iterable
from dataclasses import replace
from pathlib import Path
from typing import BinaryIO, Final

from engine.errors import RecordError
from engine.match import Match
from engine.record.build import Builder, Reading
from engine.record.json_form import Places
from engine.record.text_form import TextReader
from engine.record.types import MAX_BYTES, MAX_PROBLEMS, Problem, Record
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
            data = decoded(data)
        except UnicodeDecodeError:
            return _nothing("record.encoding")
    data = data.removeprefix("\ufeff")
    if "\0" in data:
        return _nothing("record.encoding")
    if not data or data.isspace():
        return _nothing("record.empty")
    if _LOOKS_LIKE_JSON.match(data):
        return _read_json(data)
    reader = TextReader(data)
    if reader.is_empty:
        return _nothing("record.not_a_record")
    reading = Builder(reader.where).build(reader.data)
    return _in_order(reading, reader.problems)


def _read_json(text: str) -> Reading:
    try:
        data = json.loads(text)
    except json.JSONDecodeError as error:
        return _nothing("record.json", error.lineno, error.colno, reason=error.msg.lower())
    except RecursionError:
        return _nothing("record.json_depth")
    except ValueError:
        return _nothing("record.json_digits")
    return _in_order(Builder(Places(text).where).build(data))


def _in_order(reading: Reading, others: Iterable[Problem] = ()) -> Reading:
    """Return *reading* with its problems and *others* in the order of the file, not too many."""
    problems = sorted((*reading.problems, *others), key=lambda each: (each.line, each.column))
    if len(problems) > MAX_PROBLEMS:
        more = problems[MAX_PROBLEMS]
        problems[MAX_PROBLEMS:] = [Problem(RecordError("record.more"), more.line, more.column)]
    return replace(reading, problems=tuple(problems))


def decoded(data: bytes) -> str:
    """Return the text in *data*, in UTF-8, or in UTF-16 where a byte order mark says so.

    Raises:
        UnicodeDecodeError: it is no such text.
    """
    for mark, encoding in _BYTE_ORDER_MARKS:
        if data.startswith(mark):
            return data.decode(encoding)
    return data.decode("utf-8")


def _nothing(key: str, line: int = 1, column: int = 1, **values: object) -> Reading:
    rules = RuleSet.classic()
    problem = Problem(RecordError(key, **values), line, column)
    return Reading(Record(rules), Match(rules), (problem,))
