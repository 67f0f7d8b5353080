"""Positions as people and programs write them: a record, a seat, and that seat's hand."""

from __future__ import annotations

import json
from collections.abc import Sequence
from typing import Any, Final

from advisor.errors import AdviceError
from advisor.readings import Doubt
from engine import Card, View, score_deal
from engine.record import Reading, read_record
from engine.record.read import decoded
from engine.record.types import MAX_BYTES

#: A position is a record and a hand; a longer text is none.
MOST_BYTES: Final = MAX_BYTES


def read_position(data: str | bytes) -> tuple[View, tuple[Doubt, ...]]:
    """Return the view that the position in *data* (JSON, docs/advisor.md) describes, and doubts.

    Raises:
        PistiError: the text is not a position, or its record or hand is wrong.
    """
    if len(data) > MOST_BYTES:
        raise AdviceError("advise.large", most=MOST_BYTES)
    try:
        text = decoded(data) if isinstance(data, bytes) else data
    except UnicodeDecodeError:
        raise AdviceError("advise.encoding") from None
    if not text.strip():
        raise AdviceError("advise.empty")
    try:
        form = json.loads(text.removeprefix("\ufeff"))
    except json.JSONDecodeError as error:
        raise AdviceError("advise.json", line=error.lineno, column=error.colno) from None
    except (ValueError, RecursionError):
        form = None
    if not isinstance(form, dict) or not {"record", "seat", "hand"} <= form.keys():
        raise AdviceError("advise.position")
    reading = read_record(json.dumps(form["record"]))
    hand = form["hand"]
    if not isinstance(hand, list) or not all(isinstance(card, str) for card in hand):
        raise AdviceError("advise.position")
    view = view_in(reading, form["seat"], [Card.parse(card) for card in hand])
    return view, _doubts(form.get("doubts", []))


def _doubts(form: Any) -> tuple[Doubt, ...]:
    if not isinstance(form, list) or not all(isinstance(each, dict) for each in form):
        raise AdviceError("advise.doubts")
    return tuple(_doubt(each) for each in form)


def _doubt(form: dict[str, Any]) -> Doubt:
    play, faces = form.get("play"), form.get("faces")
    if isinstance(play, bool) or not isinstance(play, int) or not isinstance(faces, dict):
        raise AdviceError("advise.doubts")
    numbers = all(
        isinstance(chance, int | float) and not isinstance(chance, bool)
        for chance in faces.values()
    )
    if not numbers:
        raise AdviceError("advise.doubts")
    return Doubt(play, tuple((Card.parse(card), chance) for card, chance in faces.items()))


def view_in(reading: Reading, seat: Any, hand: Sequence[Card]) -> View:
    """Return the view of *seat*, holding *hand*, in the last deal of *reading*.

    Raises:
        PistiError: the record has a problem, there is no such seat, or the hand does not fit.
    """
    if reading.problems:
        raise reading.problems[0].error
    rules, deals = reading.match.rules, reading.match.deals
    if not deals:
        raise AdviceError("advise.position")
    if isinstance(seat, bool) or not isinstance(seat, int) or not 0 <= seat < rules.players:
        raise AdviceError("advise.seat", seat=seat, last=rules.players - 1)
    totals = [0] * rules.sides
    for before in deals[:-1]:
        points = score_deal(before).points
        totals = [sum(pair) for pair in zip(totals, points, strict=True)]
    deal = deals[-1]
    if deal.is_over:
        raise AdviceError("advise.over")
    deal.reveal(seat, hand)
    return View.of(deal, seat, totals)
