"""The text form of a record: for people and for version control.

::

    [Rules "classic players=2"]
    [Seat0 "Ayşe"]
    [Seat1 "Mehmet"]

    deal 1
    dealer 1
    centre ?? ?? ?? / 7S
    bottom KD
    plays
    7Hx 4C 4D! 9C:challenged ??:accepted
    {[t 51.2] [confidence 0.98] the camera was bumped} 3H

Headers come first, then a block a deal. In `centre`, the cards after the slash lie face up. After
a card, ``x`` says that it captures, ``!`` that it makes a pişti and ``!!`` a double one; the reader
checks these marks and never needs them. A comment in braces belongs to the play before it.
"""

from __future__ import annotations

import re
from collections.abc import Iterator, Sequence
from typing import Any, Final, NamedTuple

from engine.errors import RecordError
from engine.record.json_form import Path, position
from engine.record.replay import mark_of, start
from engine.record.types import (
    FORMAT,
    MAX_DEALS,
    MAX_PROBLEMS,
    RESERVED,
    DealRecord,
    PlayRecord,
    Problem,
    Record,
)
from engine.rules import MAX_CARDS, RuleSet

_TOKEN: Final = re.compile(
    r"""
    (?P<space>[\s,]+)
  | \[ \s* (?P<tag>[^\W\d]\w*) \s+ "(?P<value>(?:[^"\\]++|\\.)*+)" \s* \]
  | \{ (?P<comment>(?:[^}\\]++|\\.)*+) \}
  | (?P<open>["{] | \[ (?: \s* [^\W\d]\w* \s+ ".* | \s* [^\W\d_]{4,} )? )  # cut off: no words
  | (?P<word>[^\s,{\[]+)
    """,
    re.VERBOSE,
)
_PLAY: Final = re.compile(
    r"(?P<card>[^:x!]+)(?P<mark>x|!!|!)?(?::(?P<claim>\w+))?\Z", re.IGNORECASE
)
_NOTE: Final = re.compile(r"\[(?P<name>t|confidence) (?P<number>[0-9.eE+-]+)\]\s?")
_PLAY_NUMBER: Final = re.compile(r"\d+\.+\Z")
_SECTIONS: Final = ("dealer", "centre", "bottom", "buried", "hand", "plays")
_HEADERS: Final = {"Format": "format", "Rules": "rules", "Date": "date", "Event": "event"} | {
    "Source": "source"
}
_PLAYS_A_LINE: Final = 8
#: More words, headers and comments than any match has; what follows them is not read.
_MOST_TOKENS: Final = 200_000


# Reading.


class _Token(NamedTuple):
    kind: str
    text: str
    at: int


class TextReader:
    """Turns a text into the objects of the JSON form, remembering where each value stood.

    Attributes:
        data: the objects, for `engine.record.build.Builder`.
        problems: words that mean nothing where they stand.
    """

    def __init__(self, text: str) -> None:
        self.data: dict[str, Any] = {"deals": []}
        self.problems: list[Problem] = []
        self._text = text
        self._places: dict[Path, int] = {}
        self._section = ""
        self._slash: int | None = None
        self._seat = 0
        self._read()

    @property
    def is_empty(self) -> bool:
        """Whether the text holds neither a header nor a deal."""
        return not self.data["deals"] and self.data.keys() <= {"deals", "comment"}

    def where(self, path: Path) -> tuple[int, int]:
        """Return the line and column of the value at *path*, or of what would hold it."""
        for length in range(len(path), 0, -1):
            if (at := self._places.get(path[:length])) is not None:
                return position(self._text, at)
        return 1, 1

    def _read(self) -> None:
        for count, (kind, text, at) in enumerate(_tokens(self._text)):
            if count == _MOST_TOKENS:
                self._problem("record.too_long", at)
                break
            if len(self.problems) > MAX_PROBLEMS or len(self.data["deals"]) > MAX_DEALS:
                break
            if kind == "comment":
                self._comment(text)
            elif kind == "tag":
                name, _, value = text.partition(" ")
                self._header(name, _unescape(value), at)
            elif kind == "open":
                self._problem("record.unclosed", at)
                if text == "{":
                    break
            else:
                self._word(text, at)
        self._close_centre()
        self._join_comments()

    def _problem(self, key: str, at: int, **values: object) -> None:
        error = RecordError(key, **values)
        self.problems.append(Problem.quoting(error, position(self._text, at)))

    def _header(self, name: str, value: str, at: int) -> None:
        if RESERVED.match(name):
            name = name.capitalize()
        if re.fullmatch(r"Seat[0-9]", name):
            path: Path = ("names", int(name[4:]))
        elif name in _HEADERS or not RESERVED.match(name):
            path = (_HEADERS.get(name, name),)
        else:
            self._problem("record.token", at, token=name)
            return
        if path in self._places:
            self._problem("record.again", at, name=name)
            return
        self._places[path] = at
        if len(path) == 1:
            self.data[str(path[0])] = value
        else:
            names, seat = self.data.setdefault("names", []), int(path[1])
            names += [""] * (seat + 1 - len(names))
            names[seat] = value
            self._places.setdefault(("names",), at)

    def _word(self, word: str, at: int) -> None:
        deals = self.data["deals"]
        lower = word.lower()
        if lower == "deal" and at + len(word) == len(self._text):
            # A text cut off here says nothing of a deal: it may as well be half of "dealer".
            self._problem("record.token", at, token=word)
        elif lower == "deal":
            self._close_centre()
            deals.append({"plays": []})
            self._section = lower
            self._places["deals", len(deals) - 1] = at
        elif not deals:
            self._problem("record.token", at, token=word)
        elif lower in _SECTIONS:
            self._close_centre()
            self._section = lower
            key = "hands" if lower == "hand" else lower
            if lower in ("centre", "buried", "hand"):
                deals[-1].setdefault(key, [])
            self._places["deals", len(deals) - 1, key] = at
        else:
            self._value(deals[-1], ("deals", len(deals) - 1), word, at)

    def _value(self, deal: dict[str, Any], path: Path, word: str, at: int) -> None:
        section = self._section
        if section == "plays":
            self._play(deal["plays"], path, word, at)
        elif section == "centre" and word == "/" and self._slash is None:
            self._slash = len(deal["centre"])
            self._places[*path, "centre_up"] = at
        elif section in ("centre", "buried") and word != "/":
            self._card(deal[section], (*path, section), word, at)
        elif section == "hand" and re.fullmatch(r"[0-9]", word):
            deal["hands"] += [[] for _ in range(int(word) + 1 - len(deal["hands"]))]
            self._seat = int(word)
        elif section == "hand" and deal["hands"]:
            self._card(deal["hands"][self._seat], (*path, "hands", self._seat), word, at)
        elif section in ("dealer", "bottom") and section not in deal:
            is_seat = section == "dealer" and re.fullmatch(r"[0-9]{1,4}", word)
            deal[section] = int(word) if is_seat else word
            self._places[*path, section] = at
        elif section != "deal" or not word.isdecimal():
            self._problem("record.token", at, token=word)

    def _card(self, cards: list[Any], path: Path, card: object, at: int) -> None:
        """Add a card, or a play, to a list; beyond a deal's cards it would only take memory."""
        if len(cards) <= MAX_CARDS:
            self._places[*path, len(cards)] = at
            cards.append(card)

    def _play(self, plays: list[dict[str, Any]], path: Path, word: str, at: int) -> None:
        if _PLAY_NUMBER.match(word):
            return
        play = {"card": word}
        if match := _PLAY.match(word):
            play = {name: text for name, text in match.groupdict().items() if text}
            play |= {name: play[name].lower() for name in ("mark", "claim") if name in play}
        self._card(plays, (*path, "plays"), play, at)

    def _close_centre(self) -> None:
        """At the end of a centre's cards, count those after the slash."""
        if self._slash is not None:
            deal = self.data["deals"][-1]
            deal["centre_up"] = len(deal["centre"]) - self._slash
            self._slash = None

    def _comment(self, text: str) -> None:
        """Add a comment to the play before it, else to the deal, else to the game."""
        holder = self.data
        if self.data["deals"]:
            holder = self.data["deals"][-1]
            if holder["plays"]:
                holder = holder["plays"][-1]
                end = 0
                while note := _NOTE.match(text, end):
                    holder[note["name"]] = _number(note["number"])
                    end = note.end()
                text = text[end:]
        if text:
            holder.setdefault("comment", []).append(_unescape(text))

    def _join_comments(self) -> None:
        """Make one text of all comments on the same thing."""
        deals = self.data["deals"]
        for holder in (self.data, *deals, *(play for deal in deals for play in deal["plays"])):
            if "comment" in holder:
                holder["comment"] = " ".join(holder["comment"])


def _tokens(text: str) -> Iterator[_Token]:
    for match in _TOKEN.finditer(text):
        kind = match.lastgroup or ""
        if kind == "value":
            yield _Token("tag", f"{match['tag']} {match['value']}", match.start())
        elif kind != "space":
            yield _Token(kind, match[kind], match.start())


def _number(text: str) -> float | str:
    try:
        return float(text)
    except ValueError:
        return text


def _unescape(text: str) -> str:
    return "\\".join(part.replace("\\", "") for part in text.split("\\\\"))


# Writing.


def write_text(record: Record) -> str:
    """Return *record* in its text form."""
    headers = {"Format": FORMAT, "Rules": str(record.rules)}
    headers |= {f"Seat{seat}": name for seat, name in enumerate(record.names)}
    for name in ("date", "event", "source"):
        if getattr(record, name) is not None:
            headers[name.capitalize()] = getattr(record, name)
    lines = [
        f'[{name} "{_escape(value, chr(34))}"]' for name, value in (headers | record.tags).items()
    ]
    if record.comment:
        lines += ["", _braced(record.comment)]
    for number, deal in enumerate(record.deals, 1):
        lines += ["", f"deal {number}", *_deal_lines(record.rules, deal)]
    return "\n".join(lines) + "\n"


def _deal_lines(rules: RuleSet, deal: DealRecord) -> Iterator[str]:
    down = len(deal.centre) - deal.centre_up
    yield f"dealer {deal.dealer}"
    yield " ".join(["centre", *map(str, deal.centre[:down]), "/", *map(str, deal.centre[down:])])
    if deal.buried:
        yield " ".join(["buried", *map(str, deal.buried)])
    if deal.bottom:
        yield f"bottom {deal.bottom}"
    for seat, hand in enumerate(deal.hands or ()):
        yield " ".join(["hand", str(seat), *map(str, hand)])
    if deal.comment:
        yield _braced(deal.comment)
    yield "plays"
    played = start(rules, deal)
    words = []
    for play in deal.plays:
        played.play(play.card, play.claim)
        words.append(_play_word(play, mark_of(rules, played.history[-1])))
    for first in range(0, len(words), _PLAYS_A_LINE):
        yield " ".join(words[first : first + _PLAYS_A_LINE])


def _play_word(play: PlayRecord, mark: str) -> str:
    word = str(play.card) + mark + (f":{play.claim.value}" if play.claim else "")
    notes = [
        f"[{name} {getattr(play, name)!r}]"
        for name in ("t", "confidence")
        if getattr(play, name) is not None
    ]
    if not notes and not play.comment:
        return word
    return f"{word} {_braced(play.comment or '', notes)}"


def _braced(text: str, notes: Sequence[str] = ()) -> str:
    """Return a comment; one that begins like a note is told from it by a backslash."""
    escaped = _escape(text, "}")
    if text.startswith("["):
        escaped = "\\" + escaped
    return "{" + " ".join([*notes, *([escaped] if escaped else [])]) + "}"


def _escape(text: str, closing: str) -> str:
    return text.replace("\\", "\\\\").replace(closing, "\\" + closing)
