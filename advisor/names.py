"""The players' names as people type them, always in the order of the seats."""

from __future__ import annotations

import unicodedata
from collections.abc import Iterable
from typing import Final

from advisor.errors import NamesError

#: Letters that a name may have, as in the API.
MOST_LETTERS: Final = 60
#: Of the signs that nobody sees, which turn the direction of what follows beyond the name itself,
#: only those that join letters belong to names.
_JOINERS: Final = ("\u200c", "\u200d")
_BREAKING: Final = ("Cc", "Zl", "Zp", "Cs")


def parse_names(text: str | None, players: int) -> tuple[str, ...]:
    """Return the names in *text*, which are separated by commas; an empty one leaves its seat free.

    Raises:
        NamesError: as `check_names`.
    """
    return check_names((text or "").split(","), players)


def check_names(names: Iterable[str], players: int) -> tuple[str, ...]:
    """Return *names* as they may be shown, one for each player; none where no player has one.

    Args:
        names: by seat; an empty one for a seat whose player has none.
        players: how many there are.

    Raises:
        NamesError: there are more names than players, two are the same, or one is too long.
    """
    plain = [plain_name(name) for name in names]
    while plain and not plain[-1]:
        plain.pop()
    if len(plain) > players:
        raise NamesError("names.many", count=len(plain), players=players)
    seen: set[str] = set()
    for name in plain:
        if len(name) > MOST_LETTERS:
            raise NamesError("names.long", name=f"{name[:20]}…", most=MOST_LETTERS)
        if name and name.casefold() in seen:
            raise NamesError("names.twice", name=name)
        seen.add(name.casefold())
    return tuple(plain) + ("",) * (players - len(plain)) if plain else ()


def plain_name(name: str) -> str:
    """Return *name* on one line, without signs that would spoil what stands beside it."""
    words = "".join(
        " " if unicodedata.category(letter) in _BREAKING else letter
        for letter in unicodedata.normalize("NFC", name)
        if letter in _JOINERS or unicodedata.category(letter) != "Cf"
    )
    return " ".join(words.split())


def isolated(name: str) -> str:
    """Return *name* so that letters that run to the left do not turn the words beside it."""
    if any(unicodedata.bidirectional(letter) in ("R", "AL", "AN") for letter in name):
        return f"\u2068{name}\u2069"
    return name


def seat_called(name: str, names: Iterable[str]) -> int | None:
    """Return the seat of the player called *name* among *names* by seat; None where nobody is."""
    wanted = plain_name(name).casefold()
    seats = (seat for seat, one in enumerate(names) if one and one.casefold() == wanted)
    return next(seats, None)
