"""Pictures of the plays of a recording that are to be checked."""

from __future__ import annotations

from dataclasses import replace
from pathlib import Path

import cv2
import numpy as np

from advisor.api.stills import stills
from advisor.scorer import Scored
from advisor.shots import take_shots
from engine import Card, RuleSet
from engine.match import Match
from engine.record import DealRecord, PlayRecord, Record
from vision.decoder import Doubt
from vision.table import PileZone


def scored(folder: Path) -> Scored:
    """A recording of four seconds, a picture each tenth, each brighter than the one before."""
    for number in range(40):
        picture = np.full((90, 160, 3), 5 * number, np.uint8)
        cv2.imwrite(str(folder / f"{number:03}.png"), picture)
    cards = [("7H", 1.0, 0.99), ("4C", 2.0, 0.5), ("9D", 3.0, 0.95)]
    plays = tuple(PlayRecord(Card.parse(card), t=t, confidence=sure) for card, t, sure in cards)
    rules = RuleSet.classic(players=2)
    centre = tuple(map(Card.parse, ("??", "??", "??", "7S")))
    record = Record(rules, deals=(DealRecord(1, centre, plays=plays),))
    doubt = Doubt(3.0, 0, 2, Card.parse("9D"), (Card.parse("9H"),))
    zone = PileZone((80.0, 45.0), 30.0)
    return Scored(str(folder), record, Match(rules), (doubt,), None, zone, (160, 90))


def brightness(data: bytes) -> float:
    return float(cv2.imdecode(np.frombuffer(data, np.uint8), cv2.IMREAD_COLOR).mean())


def test_doubtful_plays_have_pictures(tmp_path: Path) -> None:
    found = stills(scored(tmp_path))
    # Both what is listed and what is marked as unsure.
    assert [still.t for still in found] == [2.0, 3.0]
    # The hand has gone, and the next play has not begun.
    for still, shown in zip(found, (2.7, 3.9), strict=True):
        assert abs(brightness(still.picture) - 50 * shown) <= 6
        assert brightness(still.pile) > 0


def test_a_recording_that_is_gone_has_none(tmp_path: Path) -> None:
    assert stills(replace(scored(tmp_path), source=str(tmp_path / "gone.mp4"))) == []


def test_a_recording_without_plays_has_none(tmp_path: Path) -> None:
    without = scored(tmp_path)
    record = replace(without.record, deals=())
    assert stills(replace(without, record=record, review=())) == []
    assert take_shots(replace(without, record=record, review=()), [], {}) == {}
