"""The JSON form of a record (`pisti-record/1`): writing, and finding a value's line and column."""

from __future__ import annotations

import itertools
import json
from collections.abc import Iterator
from typing import Any, Final

from engine.record.types import FORMAT, DealRecord, PlayRecord, Record

#: The way to a value in a JSON document: keys and positions from the outermost in.
Path = tuple[str | int, ...]

#: Finds the end of a value; what objects hold is not kept.
_SKIPPER: Final = json.JSONDecoder(object_pairs_hook=lambda _: None)
_SPACE: Final = " \t\n\r"


def to_json(record: Record) -> dict[str, Any]:
    """Return *record* as the object that its JSON form holds."""
    data: dict[str, Any] = {"format": FORMAT, "rules": record.rules.to_json()}
    if record.names:
        data["names"] = list(record.names)
    for key in ("date", "event", "source", "comment"):
        if getattr(record, key) is not None:
            data[key] = getattr(record, key)
    return data | record.tags | {"deals": [_deal_to_json(deal) for deal in record.deals]}


def write_json(record: Record) -> str:
    """Return *record* in its JSON form, for people as much as for programs."""
    return json.dumps(to_json(record), ensure_ascii=False, indent=1) + "\n"


def _deal_to_json(deal: DealRecord) -> dict[str, Any]:
    data: dict[str, Any] = {
        "dealer": deal.dealer,
        "centre": [str(card) for card in deal.centre],
        "centre_up": deal.centre_up,
        "bottom": str(deal.bottom) if deal.bottom else None,
    }
    if deal.buried:
        data["buried"] = [str(card) for card in deal.buried]
    if deal.hands is not None:
        data["hands"] = [[str(card) for card in hand] for hand in deal.hands]
    if deal.comment is not None:
        data["comment"] = deal.comment
    data["plays"] = [_play_to_json(play) for play in deal.plays]
    return data


def _play_to_json(play: PlayRecord) -> str | dict[str, Any]:
    data: dict[str, Any] = {"card": str(play.card)}
    if play.claim is not None:
        data["claim"] = play.claim.value
    for key in ("t", "confidence", "comment"):
        if getattr(play, key) is not None:
            data[key] = getattr(play, key)
    return str(play.card) if len(data) == 1 else data


def position(text: str, offset: int) -> tuple[int, int]:
    """Return the line and column, from 1, of *offset* in *text*."""
    line_start = text.rfind("\n", 0, offset) + 1
    return text.count("\n", 0, offset) + 1, offset - line_start + 1


class Places:
    """Where the values of a valid JSON document stand; each part of it is looked through once."""

    def __init__(self, text: str) -> None:
        self._text = text
        self._known: dict[int, tuple[dict[str | int, int], Iterator[tuple[str | int, int]]]] = {}

    def where(self, path: Path) -> tuple[int, int]:
        """Return the line and column of the value at *path*.

        Where the document has no such value (a key is missing), that of the innermost value that
        would hold it.
        """
        at = _skip_space(self._text, 0)
        for step in path:
            if self._text[at] not in "{[" or (inner := self._step_into(at, step)) is None:
                break
            at = inner
        return position(self._text, at)

    def _step_into(self, at: int, step: str | int) -> int | None:
        """Return where the value of key or position *step* starts in the container at *at*."""
        if at not in self._known:
            self._known[at] = ({}, _values(self._text, at))
        places, others = self._known[at]
        if step not in places:
            # A key written twice counts as its last value, as the decoder takes it; so an object
            # is looked through to its end.
            for key, place in others:
                places[key] = place
                if key == step and isinstance(step, int):
                    break
        return places.get(step)


def _values(text: str, at: int) -> Iterator[tuple[str | int, int]]:
    """Yield key or position and place of each value in the container at *at*."""
    is_object = text[at] == "{"
    at = _skip_space(text, at + 1)
    for count in itertools.count():
        if text[at] in "}]":
            return
        key: str | int = count
        if is_object:
            key, at = _SKIPPER.raw_decode(text, at)
            at = _skip_space(text, _skip_space(text, at) + 1)
        yield key, at
        _, at = _SKIPPER.raw_decode(text, at)
        at = _skip_space(text, at)
        if text[at] == ",":
            at = _skip_space(text, at + 1)


def _skip_space(text: str, at: int) -> int:
    while text[at] in _SPACE:
        at += 1
    return at
