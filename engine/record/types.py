"""What a record holds: the rules, who played, and each deal's cards and plays as seen.

Cards are faces (the copy is always 0); `engine.record.build` turns a deal record into a `Deal`.
"""

from __future__ import annotations

import re
from dataclasses import dataclass, field
from typing import Final

from engine.cards import Card
from engine.errors import PistiError
from engine.plays import Claim
from engine.rules import RuleSet

FORMAT: Final = "pisti-record/1"
#: A record larger than this is refused unread; a long match with notes takes a tenth of it.
MAX_BYTES: Final = 4_000_000
#: More deals than any match has; what follows them is not read.
MAX_DEALS: Final = 500
#: Problems beyond this many are not listed: the file is then something else than a record.
MAX_PROBLEMS: Final = 100
#: A longer text from the record is cut where a problem quotes it.
_MAX_QUOTE: Final = 60
#: Names that a further header cannot have, because they mean something already.
RESERVED: Final = re.compile(
    r"(record|format|rules|names|deals|date|event|source|comment|seat\d+)\Z", re.IGNORECASE
)


@dataclass(frozen=True, slots=True)
class PlayRecord:
    """One play, with the second of the video it was seen at and how sure the reading was."""

    card: Card
    claim: Claim | None = None
    t: float | None = None
    confidence: float | None = None
    comment: str | None = None


@dataclass(frozen=True, slots=True)
class DealRecord:
    """One deal as far as it was seen.

    Attributes:
        dealer: the dealer's seat.
        centre: the centre's cards, bottom to top.
        centre_up: how many of them, from the top, lie face up.
        bottom: the shown bottom card, None when hidden or not seen.
        buried: Jacks that were turned up in the centre and put back into it.
        hands: for each seat the cards it was dealt, in order, as far as known; None if not known.
        plays: the plays in order.
        comment: a note on the deal.
    """

    dealer: int
    centre: tuple[Card, ...]
    centre_up: int = 1
    bottom: Card | None = None
    buried: tuple[Card, ...] = ()
    hands: tuple[tuple[Card, ...], ...] | None = None
    plays: tuple[PlayRecord, ...] = ()
    comment: str | None = None


@dataclass(frozen=True, slots=True)
class Record:
    """A whole game record, the value behind both the text and the JSON form.

    Attributes:
        rules: the rule set.
        names: the players' names by seat; empty when not given.
        deals: the deals in order.
        date, event, source: when, at which occasion, and from which video.
        comment: a note on the game.
        tags: further headers, kept as they are.
    """

    rules: RuleSet
    names: tuple[str, ...] = ()
    deals: tuple[DealRecord, ...] = ()
    date: str | None = None
    event: str | None = None
    source: str | None = None
    comment: str | None = None
    tags: dict[str, str] = field(default_factory=dict)


@dataclass(frozen=True, slots=True)
class Problem:
    """Something wrong in a record, and where: line and column count from 1."""

    error: PistiError
    line: int = 1
    column: int = 1

    @classmethod
    def quoting(cls, error: PistiError, place: tuple[int, int]) -> Problem:
        """Return the problem at *place*, with what *error* quotes from the record cut short."""
        values = {name: _quote(value) for name, value in error.values.items()}
        return cls(type(error)(error.key, **values), *place)

    def __str__(self) -> str:
        return str(self.error)

    def to_json(self) -> dict[str, object]:
        """Return the problem as listed in `pisti-score/1`."""
        return {"line": self.line, "column": self.column, "message": str(self.error)}


def _quote(value: object) -> object:
    """Return *value* as a sentence can hold it: parts of JSON and long texts are cut short."""
    if isinstance(value, dict):
        return "{…}"
    if isinstance(value, list):
        return "[…]"
    long = isinstance(value, str | int) and not isinstance(value, bool) and str(value)
    return long[:_MAX_QUOTE] + "…" if long and len(long) > _MAX_QUOTE else value
