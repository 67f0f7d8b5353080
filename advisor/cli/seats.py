"""The options that name the players and say where they sit."""

from __future__ import annotations

from collections.abc import Callable, Sequence
from typing import Any, TypeVar

import click

from advisor.cli.usage import WrongUsage
from advisor.messages import Catalogue
from advisor.names import seat_called

F = TypeVar("F", bound=Callable[..., Any])


def names_option(command: F) -> F:
    """Add ``--names``."""
    return click.option(
        "--names",
        metavar="NAME,NAME,...",
        help="The players' names, separated by commas, in the order of play.",
    )(command)


def dealer_option(command: F) -> F:
    """Add ``--dealer``."""
    return click.option(
        "--dealer",
        metavar="PLAYER",
        help="Who deals first: a name from --names, or a seat counted from 0 (default: the last).",
    )(command)


def seat_given(
    option: str, words: str, names: Sequence[str], players: int, catalogue: Catalogue
) -> int:
    """Return the seat that *words* after *option* mean: a player's name, or a seat from 0.

    Args:
        option: what the option is called.
        words: what was typed after it.
        names: the players' names by seat; empty ones where they have none.
        players: how many there are.
        catalogue: the language to say it in where it is wrong.

    Raises:
        WrongUsage: there is no such player.
    """
    seat = seat_called(words, names)
    if seat is None and words.strip().isdecimal():
        seat = int(words)
    if seat is None or seat >= players:
        known = ", ".join([*filter(None, names), *map(str, range(players))])
        raise WrongUsage(catalogue.text("cli.player", option=option, words=words, known=known))
    return seat
