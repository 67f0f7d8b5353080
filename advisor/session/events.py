"""What happens in a session, one small value each, with a JSON form that reads back.

The list of events is the truth about a game and is only ever appended to; see `Session`.
"""

from __future__ import annotations

from collections.abc import Callable, Mapping, Sequence
from dataclasses import dataclass, fields
from types import UnionType
from typing import Any, Final, Literal, get_args

from advisor.errors import SessionError
from engine import Card, Claim, PistiError, RuleSet

#: Who says so. What a person says is never overwritten by the camera.
By = Literal["person", "camera", "computer"]

#: How a card was laid: face up, or face down with a claimed pişti that was answered so.
How = Literal["open", "accepted", "challenged"]

Cards = tuple[Card, ...]


@dataclass(frozen=True, slots=True)
class Created:
    """A game was begun.

    Attributes:
        rules: the rule set.
        names: the players' names by seat; empty when not given.
        dealer: the dealer of the first deal.
        me: the seat that is advised; None when nobody is.
        opponent: the policy that plays all other seats; None at a real table.
        date: the day, YYYY-MM-DD.
    """

    rules: RuleSet
    names: tuple[str, ...] = ()
    dealer: int = 0
    me: int | None = None
    opponent: str | None = None
    date: str | None = None


@dataclass(frozen=True, slots=True)
class Begun:
    """The cards of a deal were laid out; fields as in `engine.record.DealRecord`."""

    by: By
    dealer: int
    centre: Cards
    centre_up: int = 1
    bottom: Card | None = None
    buried: Cards = ()
    hands: tuple[Cards, ...] = ()
    t: float | None = None


@dataclass(frozen=True, slots=True)
class Laid:
    """A card was played.

    Attributes:
        by: who said so.
        card: the card; `UNKNOWN` where nobody saw it.
        claim: the answer to a claimed pişti, for a card laid face down.
        t: seconds into the recording, or since the camera was opened.
        confidence: how sure the reading is, 0 to 1; None where a person said it.
        alternatives: other cards it may have been with their probabilities, likeliest first.
    """

    by: By
    card: Card
    claim: Claim | None = None
    t: float | None = None
    confidence: float | None = None
    alternatives: tuple[tuple[Card, float], ...] = ()


@dataclass(frozen=True, slots=True)
class Claimed:
    """A card was laid face down on a single one as a pişti; the player before must answer.

    Attributes:
        by: who said so.
        card: the card; `UNKNOWN` where nobody but its player knows it.
    """

    by: By
    card: Card


@dataclass(frozen=True, slots=True)
class Answered:
    """The claim that waits was answered, and the card is played.

    Attributes:
        by: who said so.
        claim: the answer.
        turned: the card, where it was turned over and not known before.
    """

    by: By
    claim: Claim
    turned: Card | None = None


@dataclass(frozen=True, slots=True)
class Corrected:
    """A person said what a play of a deal (both from 0) was: a hard fact.

    Attributes:
        deal, play: which play.
        card: the card.
        how: how it was laid; None where that was read right.
    """

    deal: int
    play: int
    card: Card
    how: How | None = None


@dataclass(frozen=True, slots=True)
class Reread:
    """The camera changed its mind: from *play* on, *deal* went as *plays* say."""

    deal: int
    play: int
    plays: tuple[Laid, ...]


@dataclass(frozen=True, slots=True)
class CentreSet:
    """The centre of a deal, or the stock's bottom card, became known or was put right."""

    by: By
    deal: int
    centre: Cards
    centre_up: int
    bottom: Card | None = None


@dataclass(frozen=True, slots=True)
class HandSet:
    """The cards that a seat holds now, in the last deal; none where nobody knows them any more."""

    by: By
    seat: int
    cards: Cards


@dataclass(frozen=True, slots=True)
class Ended:
    """The deal in play ended before all its cards were played, or seen.

    Attributes:
        by: who said so.
        kept: whether it stays in the game, with the score of what was seen of it; otherwise it
            never happened, and the same dealer deals again.
    """

    by: By
    kept: bool = True


@dataclass(frozen=True, slots=True)
class Undone:
    """The last event that still counts was taken back."""


@dataclass(frozen=True, slots=True)
class Redone:
    """What was taken back last counts again."""


Event = (
    Created
    | Begun
    | Laid
    | Claimed
    | Answered
    | Corrected
    | Reread
    | CentreSet
    | HandSet
    | Ended
    | Undone
    | Redone
)

_KINDS: Final[dict[str, type[Any]]] = {
    kind.__name__.lower(): kind for kind in get_args(Event) if not isinstance(kind, UnionType)
}


def event_to_json(event: Event | Laid) -> dict[str, Any]:
    """Return *event* as an object: its kind, and the fields that do not have their default."""
    data: dict[str, Any] = {"kind": type(event).__name__.lower()}
    for field in fields(event):
        value = getattr(event, field.name)
        if value != field.default:
            data[field.name] = _written(value)
    return data


def event_from_json(data: object) -> Event:
    """Return the event written as *data*.

    Raises:
        SessionError: *data* is no event; what is wrong stands in it.
    """
    try:
        if not isinstance(data, Mapping):
            raise TypeError("not an object")
        values = dict(data)
        kind = _KINDS[str(values.pop("kind"))]
        known = {field.name for field in fields(kind)}
        if unknown := values.keys() - known:
            raise ValueError(f"{min(unknown)} is not known")
        made: Event = kind(**{name: _READERS[name](value) for name, value in values.items()})
    except (PistiError, LookupError, TypeError, ValueError, AttributeError) as error:
        raise SessionError("session.event", reason=str(error) or type(error).__name__) from error
    return made


def _written(value: object) -> Any:
    if isinstance(value, Card):
        return str(value)
    if isinstance(value, RuleSet):
        return value.to_json()
    if isinstance(value, Claim):
        return value.value
    if isinstance(value, Laid):
        return {name: part for name, part in event_to_json(value).items() if name != "kind"}
    if isinstance(value, tuple):
        return [_written(part) for part in value]
    return value


def _whole(value: object) -> int:
    if isinstance(value, bool) or not isinstance(value, int) or not 0 <= value < 10_000:
        raise ValueError(f"{value!r} is not a number of that kind")
    return value


def _number(value: object) -> float:
    if isinstance(value, bool) or not isinstance(value, int | float):
        raise ValueError(f"{value!r} is not a number")
    return float(value)


def _text(value: object) -> str:
    if not isinstance(value, str):
        raise ValueError(f"{value!r} is not a text")
    return value


def _yes(value: object) -> bool:
    if not isinstance(value, bool):
        raise ValueError(f"{value!r} is neither true nor false")
    return value


def _one_of(known: Any, otherwise: str) -> Callable[[Any], Any]:
    """Return what reads one of the texts of the literal type *known*; else it says *otherwise*."""

    def read(value: object) -> object:
        if value not in get_args(known):
            raise ValueError(f"{value!r} is {otherwise}")
        return value

    return read


def _cards(value: Sequence[str]) -> Cards:
    return tuple(map(Card.parse, value))


def _plays(value: Sequence[object]) -> tuple[Laid, ...]:
    plays = []
    for play in value:
        if not isinstance(play, Mapping):
            raise ValueError("a play is an object")
        made = event_from_json({"kind": "laid", **play})
        assert isinstance(made, Laid)
        plays.append(made)
    return tuple(plays)


def _optional(read: Callable[[Any], Any]) -> Callable[[Any], Any]:
    return lambda value: None if value is None else read(value)


#: How each field is read; a field of one name is of one kind in all events.
_READERS: Final[dict[str, Callable[[Any], Any]]] = {
    "alternatives": lambda value: tuple((Card.parse(c), _number(p)) for c, p in value),
    "bottom": _optional(Card.parse),
    "buried": _cards,
    "by": _one_of(By, "nobody"),
    "card": Card.parse,
    "cards": _cards,
    "centre": _cards,
    "centre_up": _whole,
    "claim": _optional(Claim),
    "confidence": _optional(_number),
    "date": _optional(_text),
    "deal": _whole,
    "dealer": _whole,
    "hands": lambda value: tuple(map(_cards, value)),
    "how": _optional(_one_of(How, "no way to lay a card")),
    "kept": _yes,
    "me": _optional(_whole),
    "names": lambda value: tuple(map(_text, value)),
    "opponent": _optional(_text),
    "play": _whole,
    "plays": _plays,
    "rules": lambda value: RuleSet.of(**value),
    "seat": _whole,
    "t": _optional(_number),
    "turned": _optional(Card.parse),
}
