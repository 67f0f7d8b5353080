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

from collections.abc import Mapping
from typing import ClassVar, Final

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
    "play.claim_waits": "Player {player} must first accept or challenge the claimed pişti.",
    "play.hand_size": "Player {player} holds {count} cards now, not {got}.",
    "play.no_bluff": "The rules of this game do not allow a claimed pişti (bluff is off).",
    "play.no_claim": "No claimed pişti waits for an answer.",
    "play.not_in_hand": "Player {player} does not hold {card}.",
    "play.nothing_to_undo": "There is no play to take back.",
    "play.over": "The deal is over; every card has been played.",
    "play.twice": "{card} lies elsewhere in this deal; a card cannot be in two places.",
    "play.undecided": "What {card} captures and scores cannot be known: {top} is on top.",
    "record.again": "{name} is written twice; only the first counts.",
    "record.bottom_hidden": "The rules hide the bottom card, but the record shows {card}.",
    "record.bottom_jack": "The shown bottom card cannot be a Jack: {card}; the deck is cut again.",
    "record.buried": "A buried card must be a Jack among the face-down cards of the centre.",
    "record.card": "A card is written as text, such as 7S, not {value!r}.",
    "record.cards": "Cards are written as a list.",
    "record.centre": "The centre holds {expected} cards, not {count}.",
    "record.centre_missing": "The centre's cards are missing; write ?? for those not seen.",
    "record.claim": "A claim is accepted or challenged, not {claim!r}.",
    "record.deal": "Deal {number} is not written as an object.",
    "record.deal_open": "Deal {number} is not complete, yet another follows.",
    "record.deals": "The deals are written as a list.",
    "record.encoding": "This is not text in UTF-8; a record is a text or a JSON file.",
    "record.empty": "The record is empty.",
    "record.file": "The record cannot be read: {reason}.",
    "record.format": "The format {format!r} is not known here; expected {expected}.",
    "record.hand_size": "Player {player} cannot be dealt {count} cards.",
    "record.hands": "The hands are written as one list for each of the {players} players.",
    "record.json": "The JSON is broken: {reason}.",
    "record.json_depth": "The JSON is nested too deeply.",
    "record.json_digits": "A number in the JSON has too many digits.",
    "record.jack_on_centre": "The centre's top card cannot be a Jack ({card}) when play begins.",
    "record.mark": "The mark {mark!r} is wrong: {card} earns {earned!r}.",
    "record.mark_none": "The mark {mark!r} is wrong: {card} captures nothing.",
    "record.match_over": "Side {side} had won the match after deal {number}, yet another follows.",
    "record.more": "There are more problems; they are not listed.",
    "record.names": "The names are written as a list of texts.",
    "record.names_count": "There are {names} names for {players} players.",
    "record.not_a_record": "This is not a Pişti record.",
    "record.number": "{name} cannot be {value!r}.",
    "record.plays": "The plays are written as a list.",
    "record.rules": "The rules are written as an object with a preset and the fields that differ.",
    "record.text": "{name} must be text.",
    "record.token": "{token!r} is not expected here.",
    "record.too_large": "The record is too large; a record has at most {most} bytes.",
    "record.too_long": "The record is too long; what follows is not read.",
    "record.too_many_deals": "A record holds at most {most} deals; what follows is not read.",
    "record.unknown_key": "{name!r} is not known here and was left out.",
    "record.unclosed": "A comment or a header is not closed.",
    "record.whole": "{name} must be a whole number from {low} to {high}, not {value!r}.",
    "rules.alone": "{players} players without partners are {players} sides, not {sides}.",
    "rules.decks": "{players} players need two decks, not {decks}.",
    "rules.partnership": "{players} players cannot play as partners; 4 or 6 can.",
    "rules.preset": "There is no preset {preset!r}; the presets are {allowed}.",
    "rules.sides": "{players} partners cannot form {sides} sides.",
    "rules.twice": "The rule {name} is written twice.",
    "rules.unknown": "There is no rule {name!r}.",
    "rules.value": "The rule {name} cannot be {value!r}; choose from {allowed}.",
    "rules.word": "{word!r} is not a rule; write name=value, such as players=2.",
}


class PistiError(Exception):
    """Base of all errors of this project that a user may see.

    Attributes:
        key: what went wrong, as the name of a sentence in `MESSAGES` or the message catalogue.
        values: what to fill into the sentence.
        sentences: the English sentences of this kind of error, by key.
    """

    sentences: ClassVar[Mapping[str, str]] = MESSAGES

    def __init__(self, key: str, **values: object) -> None:
        super().__init__(key, values)
        self.key = key
        self.values = values

    def __str__(self) -> str:
        return self.sentences[self.key].format(**self.values)

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
