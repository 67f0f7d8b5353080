"""Rule sets: every house rule of Pişti as one field, and the presets that fix all of them.

A rule set prints as one line, the preset that is nearest followed by what differs from it
(``classic players=2 bluff=on``), and that line reads back to an equal rule set.
"""

from __future__ import annotations

import dataclasses
from collections.abc import Mapping
from dataclasses import dataclass
from typing import Any, Final

from engine.errors import RuleSetError

#: Cards of one hand deal to one player, and face-down and face-up cards of the centre.
HAND_SIZE: Final = 4
CENTRE_SIZE: Final = 4
DECK_SIZE: Final = 52
#: Most players, and most cards, that any rule set has.
MAX_PLAYERS: Final = 6
MAX_CARDS: Final = 2 * DECK_SIZE


@dataclass(frozen=True)
class Field:
    """What one field of a rule set may be.

    Attributes:
        values: the values allowed; empty for any whole number from *low* up.
        low: the least whole number allowed, when *values* is empty.
        words: how False and True are written, for a field that is one or the other.
    """

    values: tuple[object, ...] = ()
    low: int = 0
    words: tuple[str, str] | None = None

    def read(self, name: str, value: object) -> int | str | bool:
        """Return *value*, as written in a record or on a command line, in this field's type.

        Raises:
            RuleSetError: the field cannot take *value*.
        """
        if self.words:
            if isinstance(value, bool):
                return value
            word = str(value).strip().lower()
            for spelling in (self.words, ("no", "yes"), ("off", "on"), ("false", "true")):
                if word in spelling:
                    return word == spelling[1]
        elif self.values == ("another_deal",) and value in (True, "yes", "true"):
            return "another_deal"
        elif self.values and isinstance(self.values[0], str):
            if str(value).strip().lower() in self.values:
                return str(value).strip().lower()
        elif (number := _whole_number(value)) is not None and (
            number in self.values if self.values else self.low <= number <= _LARGEST
        ):
            return number
        raise RuleSetError("rules.value", name=name, value=value, allowed=self.allowed())

    def write(self, value: object) -> str:
        """Return the word for *value* in a rule set's line."""
        return self.words[bool(value)] if self.words else str(value)

    def allowed(self) -> str:
        """Return what this field takes, for a message in any language."""
        if self.words:
            return ", ".join(reversed(self.words))
        if self.values:
            return ", ".join(map(str, self.values))
        return f"{self.low} … {_LARGEST}"


# Totals and targets beyond this are typing errors, and would not fit the fast kernel's integers.
_LARGEST: Final = 1_000_000


def _whole_number(value: object) -> int | None:
    if isinstance(value, bool):
        return None
    if isinstance(value, int):
        return value
    if isinstance(value, str) and len(value) < 10 and value.strip().isdecimal():
        return int(value)
    return None


_ALLOWED: Final = ("not", "allowed")
_ON: Final = ("off", "on")

FIELDS: Final[Mapping[str, Field]] = {
    "players": Field(values=(2, 3, 4, 5, 6)),
    "partnership": Field(words=("no", "yes")),
    "sides": Field(values=(2, 3, 4, 5, 6)),
    "decks": Field(values=(1, 2)),
    "undealt": Field(values=("out", "centre")),
    "target": Field(low=1),
    "win_by": Field(),
    "tie_at_target": Field(values=("another_deal",)),
    "bottom_card": Field(values=("shown", "hidden")),
    "jack_on_centre": Field(values=("turn_next", "bury", "bottom")),
    "centre_seen_by": Field(values=("first_capturer", "all", "nobody")),
    "first_play_pisti": Field(words=_ALLOWED),
    "last_play_pisti": Field(words=_ALLOWED),
    "double_pisti": Field(values=(20, 10, 0)),
    "jack_on_single": Field(values=(0, 10)),
    "ten_of_diamonds_bonus": Field(values=(0, 3)),
    "majority_points": Field(),
    "no_capture_at_all": Field(values=("dealer", "nobody")),
    "bluff": Field(words=_ON),
    "bluff_jack_doubles": Field(words=_ON),
}

_CLASSIC: Final[dict[str, object]] = {
    "players": 4,
    "undealt": "out",
    "target": 151,
    "win_by": 0,
    "tie_at_target": "another_deal",
    "bottom_card": "shown",
    "jack_on_centre": "turn_next",
    "centre_seen_by": "first_capturer",
    "first_play_pisti": False,
    "last_play_pisti": False,
    "double_pisti": 20,
    "jack_on_single": 0,
    "ten_of_diamonds_bonus": 0,
    "majority_points": 3,
    "no_capture_at_all": "dealer",
    "bluff": False,
    "bluff_jack_doubles": False,
}
PRESETS: Final[Mapping[str, Mapping[str, object]]] = {
    "classic": _CLASSIC,
    "modern": _CLASSIC
    | {
        "players": 2,
        "bottom_card": "hidden",
        "jack_on_centre": "bury",
        "last_play_pisti": True,
    },
}


@dataclass(frozen=True)
class RuleSet:
    """One way to play, complete: every field is fixed. Equal by value, whatever made it.

    Make one with `classic`, `modern`, `of` or `parse`; they fill in what follows from the number
    of players: 4 play as two sides unless told otherwise, 5 and 6 play with two decks.
    """

    players: int
    #: Partners sit opposite and share one capture pile.
    partnership: bool
    #: Number of sides; seat s belongs to side s mod sides. With six players 2 or 3.
    sides: int
    decks: int
    #: Where 4 cards cannot be dealt evenly: `out` (nobody's) or `centre` (which starts with 8).
    undealt: str
    #: Points that end the match.
    target: int
    #: Lead over the second that the winner needs.
    win_by: int
    tie_at_target: str
    #: Whether the card at the bottom of the stock lies face up from the start.
    bottom_card: str
    #: What happens to a Jack turned up in the centre.
    jack_on_centre: str
    #: Who may look at the centre's face-down cards once they are captured.
    centre_seen_by: str
    #: A pişti needs a pile of one card, and the first play meets the whole centre; so this field,
    #: which only ever forbids, changes no score.
    first_play_pisti: bool
    last_play_pisti: bool
    #: Points of a Jack that captures a single Jack: 20, 10 (a normal pişti) or 0 (not special:
    #: it scores what `jack_on_single` says).
    double_pisti: int
    #: Points of a Jack that captures a single other card.
    jack_on_single: int
    #: Extra points of a pişti in which the 10♦ captures or is captured.
    ten_of_diamonds_bonus: int
    majority_points: int
    #: Who gets the cards of a deal in which nobody captured: `dealer` or `nobody`.
    no_capture_at_all: str
    bluff: bool
    bluff_jack_doubles: bool

    def __post_init__(self) -> None:
        for name, field in FIELDS.items():
            object.__setattr__(self, name, field.read(name, getattr(self, name)))
        if self.partnership and self.players not in (4, 6):
            raise RuleSetError("rules.partnership", players=self.players)
        if self.partnership and self.sides not in ((2,) if self.players == 4 else (2, 3)):
            raise RuleSetError("rules.sides", players=self.players, sides=self.sides)
        if not self.partnership and self.sides != self.players:
            raise RuleSetError("rules.alone", players=self.players, sides=self.sides)
        # With five players and one deck the cards would not divide; six share two decks as well.
        if self.players >= 5 and self.decks == 1:
            raise RuleSetError("rules.decks", players=self.players, decks=self.decks)

    @classmethod
    def of(cls, preset: str = "classic", **fields: object) -> RuleSet:
        """Return *preset* with *fields* changed; values may be as written in a record.

        Raises:
            RuleSetError: an unknown preset or field, a value a field cannot take, or fields that
                exclude each other. The sentence names what was wrong and what is allowed.
        """
        base = PRESETS.get(preset.strip().lower())
        if base is None:
            raise RuleSetError("rules.preset", preset=preset, allowed=", ".join(PRESETS))
        values: dict[str, Any] = dict(base)
        for name, value in fields.items():
            values[name] = cls.read(name, value)
        players = values["players"]
        if "sides" not in values:
            together = values.setdefault("partnership", players == 4)
            values["sides"] = {4: 2, 6: 3}.get(players, players) if together else players
        values.setdefault("partnership", values["sides"] < players)
        values.setdefault("decks", 2 if players >= 5 else 1)
        return cls(**values)

    @staticmethod
    def read(name: str, value: object) -> int | str | bool:
        """Return *value*, as people write it, as a value of the field *name*.

        Raises:
            RuleSetError: an unknown field, or a value it cannot take.
        """
        if name not in FIELDS:
            raise RuleSetError("rules.unknown", name=name)
        return FIELDS[name].read(name, value)

    @classmethod
    def classic(cls, **fields: object) -> RuleSet:
        """Return the club rules, with *fields* changed."""
        return cls.of("classic", **fields)

    @classmethod
    def modern(cls, **fields: object) -> RuleSet:
        """Return the modern rules, with *fields* changed."""
        return cls.of("modern", **fields)

    @classmethod
    def parse(cls, text: str) -> RuleSet:
        """Return the rule set written as one line: ``classic players=2 bluff=on``.

        Raises:
            RuleSetError: as `of`, or a word that is neither a preset nor ``name=value``.
        """
        return cls.of(**cls.split(text))

    @staticmethod
    def split(text: str) -> dict[str, Any]:
        """Return the words of a rule set's line as its JSON form holds them, unchecked.

        Raises:
            RuleSetError: a word that is neither a preset nor ``name=value``, or a name twice.
        """
        fields: dict[str, Any] = {}
        for position, word in enumerate(text.replace(",", " ").split()):
            name, equals, value = word.partition("=")
            if not equals:
                if position:
                    raise RuleSetError("rules.word", word=word)
                name, value = "preset", word
            if name in fields:
                raise RuleSetError("rules.twice", name=name)
            fields[name] = value
        return {"preset": "classic"} | fields

    def to_json(self) -> dict[str, object]:
        """Return the nearest preset and the fields that differ from it, for a record."""
        preset, differences = self._nearest_preset()
        return {"preset": preset, **differences}

    def __str__(self) -> str:
        preset, differences = self._nearest_preset()
        words = [f"{name}={FIELDS[name].write(value)}" for name, value in differences.items()]
        return " ".join([preset, *words])

    def __repr__(self) -> str:
        return f"RuleSet.parse({str(self)!r})"

    def _nearest_preset(self) -> tuple[str, dict[str, object]]:
        candidates = []
        for preset, base in PRESETS.items():
            like = RuleSet.of(preset, players=self.players)
            differences: dict[str, object] = {
                field.name: getattr(self, field.name)
                for field in dataclasses.fields(self)
                if getattr(self, field.name) != getattr(like, field.name)
            }
            if base["players"] != self.players:
                differences = {"players": self.players, **differences}
            candidates.append((preset, differences))
        return min(candidates, key=lambda candidate: len(candidate[1]))

    def side_of(self, seat: int) -> int:
        """Return the side that *seat* plays for."""
        return seat % self.sides

    def check_seat(self, seat: int) -> None:
        """Raise ValueError unless *seat* is one of this rule set's."""
        if not 0 <= seat < self.players:
            raise ValueError(f"seats run from 0 to {self.players - 1}, not {seat}")

    @property
    def cards(self) -> int:
        """Number of cards in play: 52 or 104."""
        return DECK_SIZE * self.decks

    @property
    def centre_size(self) -> int:
        """Number of cards the centre starts with: 4, or 8 when it takes the undealt four."""
        return CENTRE_SIZE + (self._left_over if self.undealt == "centre" else 0)

    @property
    def out_size(self) -> int:
        """Number of cards that stay undealt and are nobody's: 0 or 4."""
        return self._left_over if self.undealt == "out" else 0

    @property
    def hand_deals(self) -> int:
        """Number of times that every player gets four cards."""
        return (self.cards - CENTRE_SIZE) // (HAND_SIZE * self.players)

    @property
    def plays(self) -> int:
        """Number of plays in a complete deal."""
        return self.hand_deals * HAND_SIZE * self.players

    @property
    def _left_over(self) -> int:
        return (self.cards - CENTRE_SIZE) % (HAND_SIZE * self.players)
