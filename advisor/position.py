"""Positions as people and programs write them: a record, a seat, and that seat's hand."""

from __future__ import annotations

import json
from collections.abc import Sequence
from typing import Any

from advisor.errors import AdviceError
from engine import Card, View, score_deal
from engine.record import Reading, read_record


def read_position(text: str) -> View:
    """Return the view that the position in *text* (JSON, interfaces.md) describes.

    Raises:
        PistiError: the text is not a position, or its record or hand is wrong.
    """
    try:
        data = json.loads(text)
    except (ValueError, RecursionError):
        data = None
    if not isinstance(data, dict) or not {"record", "seat", "hand"} <= data.keys():
        raise AdviceError("advise.position")
    reading = read_record(json.dumps(data["record"]))
    hand = data["hand"]
    if not isinstance(hand, list) or not all(isinstance(card, str) for card in hand):
        raise AdviceError("advise.position")
    return view_in(reading, data["seat"], [Card.parse(card) for card in hand])


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
