"""How far long work is: one calm line on a terminal, nothing in a pipe."""

from __future__ import annotations

import shutil
import sys
import time
from collections.abc import Callable
from types import TracebackType
from typing import Final, Self

import click

from advisor.cli.common import WIPE, catalogue

#: Seconds between two forms of the line: it is to be read, not to flicker.
_CALM: Final = 0.5
#: After so many seconds and so much of the work it can be told how long it will take.
_TELLING_TIME: Final = 3.0
_TELLING_SHARE: Final = 0.02


class Progress:
    """One line on standard error that is written again and again, and is gone at the end.

    Args:
        name: what is being worked on; empty where that is plain.
        clock: tells the seconds.
    """

    def __init__(self, name: str = "", clock: Callable[[], float] = time.monotonic) -> None:
        self._name = name
        self._clock = clock
        self._begun = clock()
        self._due = self._begun
        self._words = catalogue()
        self._line = ""
        self._shown = sys.stderr.isatty()

    def __enter__(self) -> Self:
        self.at(0.0)
        return self

    def __exit__(
        self,
        kind: type[BaseException] | None,
        error: BaseException | None,
        trace: TracebackType | None,
    ) -> None:
        self._write("")

    def at(self, share: float) -> None:
        """Note that the *share* (0 to 1) of the work is done."""
        now = self._clock()
        if not self._is_due(now):
            return
        took = now - self._begun
        if share >= 1:
            said = self._words.text("cli.progress_last")
        elif share < _TELLING_SHARE or took < _TELLING_TIME:
            said = self._words.percent(share)
        else:
            left = _minutes(took * (1 - share) / share)
            said = self._words.text("cli.progress", share=self._words.percent(share), time=left)
        self._say(said)

    def since(self, seconds: float) -> None:
        """Note that so many *seconds* of what has no known end are done."""
        if self._is_due(self._clock()):
            self._say(self._words.text("cli.progress_open", time=_minutes(seconds)))

    def print(self, line: str) -> None:
        """Print *line* on standard output; the line of progress comes back below it."""
        kept = self._line
        self._write("")
        click.echo(line)
        self._write(kept)

    def _is_due(self, now: float) -> bool:
        """Whether the line is to be written anew by *now*; not so soon again then."""
        if not self._shown or now < self._due:
            return False
        self._due = now + _CALM
        return True

    def _say(self, said: str) -> None:
        self._write(f"{self._name}: {said}" if self._name else said)

    def _write(self, line: str) -> None:
        """Show *line* in the place of the one before, cut to the terminal's width."""
        if not self._shown or line == self._line:
            return
        self._line = line
        width = shutil.get_terminal_size().columns - 1
        cut = line if len(line) <= width else f"…{line[len(line) - width + 1 :]}"
        click.echo(WIPE + cut, nl=False, err=True)


def _minutes(seconds: float) -> str:
    """Return *seconds* as minutes and seconds: ``1:07``."""
    minutes, rest = divmod(round(seconds), 60)
    return f"{minutes}:{rest:02}"
