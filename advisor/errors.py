"""Errors of the advisor that a user may see."""

from __future__ import annotations

from collections.abc import Mapping
from typing import ClassVar, Final

from engine.errors import PistiError

MESSAGES: Final[dict[str, str]] = {
    "arena.dask": "Dask is not installed; run: pip install 'pisti[cluster]'.",
    "arena.player": "There is no player {player!r}; the players are {known}.",
    "advise.hand": "The hand of seat {seat} must be named; {count} of its cards are not known.",
    "advise.limit": "A limit needs a time above 0 seconds or at least one sample.",
    "advise.not_turn": "Seat {seat} is not on turn; seat {turn} is.",
    "advise.over": "The deal is over; there is nothing left to decide.",
    "advise.position": "A position is an object with record, seat and hand.",
    "advise.seat": "There is no seat {seat!r}; seats run from 0 to {last}.",
}


class AdviceError(PistiError, ValueError):
    """Raised when there is nothing to advise, or the position does not say enough."""

    sentences: ClassVar[Mapping[str, str]] = MESSAGES
