"""Everything the engine raises.

::

    PistiError
    ├── CardParseError(ValueError)    a text that is not a card, a rank or a suit
    ├── RuleSetError(ValueError)      an unknown rule, a bad value, an impossible combination
    ├── IllegalPlayError(ValueError)  a play the rules or the cards forbid
    └── RecordError(ValueError)       a record that cannot be opened at all

An error carries a key and values, so that a front end can say it in the user's language; `str()`
says it in English. `MESSAGES` is the one place where the English sentences stand.
"""

from __future__ import annotations

from typing import Final

MESSAGES: Final[dict[str, str]] = {
    "card.card": "{text!r} is not a card; write rank and suit, such as 7S or 10D.",
    "card.none": "There is no card of rank {rank}, suit {suit} in deck {copy}.",
    "card.rank": "{text!r} is not a rank; write one of A 2 3 4 5 6 7 8 9 10 J Q K.",
    "card.suit": "{text!r} is not a suit; write one of S H D C.",
    "match.deal_not_over": "The deal in progress is not over; finish it before the next.",
    "match.no_deal": "No deal was started yet.",
    "match.won": "Side {side} has already won the match.",
    "play.challenged_unknown": "A challenged card is turned over; say which card it is.",
    "play.claim_needs_single": "A pişti is claimed on exactly one card; {count} lie there.",
    "play.claim_waits": "Seat {seat} must first accept or challenge the claimed pişti.",
    "play.no_bluff": "The rules of this game do not allow a claimed pişti (bluff is off).",
    "play.no_claim": "No claimed pişti waits for an answer.",
    "play.not_in_hand": "Seat {seat} does not hold {card}.",
    "play.nothing_to_undo": "There is no play to take back.",
    "play.over": "The deal is over; every card has been played.",
    "play.twice": "{card} lies elsewhere in this deal; a card cannot be in two places.",
    "play.undecided": "Whether {card} captures cannot be known: {top} is on top.",
    "rules.alone": "{players} players without partners are {players} sides, not {sides}.",
    "rules.decks": "{players} players cannot play with {decks} deck(s): the cards do not divide.",
    "rules.partnership": "{players} players cannot play as partners; 4 or 6 can.",
    "rules.preset": "There is no preset {preset!r}; the presets are {allowed}.",
    "rules.sides": "{players} partners cannot form {sides} sides.",
    "rules.unknown": "There is no rule {name!r}.",
    "rules.value": "The rule {name} cannot be {value!r}; it can be {allowed}.",
    "rules.word": "{word!r} is not a rule; write name=value, such as players=2.",
}


class PistiError(Exception):
    """Base of all errors of this project that a user may see.

    Attributes:
        key: what went wrong, as the name of a sentence in `MESSAGES` or the message catalogue.
        values: what to fill into the sentence.
    """

    def __init__(self, key: str, **values: object) -> None:
        super().__init__(key, values)
        self.key = key
        self.values = values

    def __str__(self) -> str:
        return MESSAGES[self.key].format(**self.values)

    def __reduce__(self) -> tuple[object, ...]:
        return (_restore, (type(self), self.key, self.values))


def _restore(kind: type[PistiError], key: str, values: dict[str, object]) -> PistiError:
    return kind(key, **values)


class CardParseError(PistiError, ValueError):
    """Raised when a text is not a card, a rank or a suit."""


class RuleSetError(PistiError, ValueError):
    """Raised for an unknown rule, a value a rule cannot take, or rules that exclude each other."""


class IllegalPlayError(PistiError, ValueError):
    """Raised when the rules or the cards forbid a play."""


class RecordError(PistiError, ValueError):
    """Raised when a record cannot be opened or is not a record at all."""
