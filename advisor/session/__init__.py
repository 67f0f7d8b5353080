"""The session: one live or recorded game as an append-only list of events."""

from advisor.errors import SessionError
from advisor.session.events import (
    Answered,
    Begun,
    By,
    CentreSet,
    Claimed,
    Corrected,
    Created,
    Ended,
    Event,
    HandSet,
    Laid,
    Redone,
    Reread,
    Undone,
    event_from_json,
    event_to_json,
)
from advisor.session.facts import DealFacts, Shown
from advisor.session.session import Session

__all__ = [
    "Answered",
    "Begun",
    "By",
    "CentreSet",
    "Claimed",
    "Corrected",
    "Created",
    "DealFacts",
    "Ended",
    "Event",
    "HandSet",
    "Laid",
    "Redone",
    "Reread",
    "Session",
    "SessionError",
    "Shown",
    "Undone",
    "event_from_json",
    "event_to_json",
]
