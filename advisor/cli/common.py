"""What all commands share: language, errors as one sentence, JSON output, exit codes.

Exit codes: 0 fine, 1 the work could not be done, 2 wrong usage.
"""

from __future__ import annotations

import json
import sys
from collections.abc import Callable
from typing import Any, TypeVar

import click

from advisor.messages import LANGUAGES, Catalogue, preferred_language
from engine import PistiError

F = TypeVar("F", bound=Callable[..., Any])


class PistiGroup(click.Group):
    """The command group: every error ends as one sentence and exit code 1."""

    def invoke(self, ctx: click.Context) -> Any:
        """Run the command; with ``--debug``, errors keep their traceback."""
        try:
            return super().invoke(ctx)
        except (click.ClickException, click.Abort, click.exceptions.Exit, BrokenPipeError):
            raise
        except Exception as error:
            if ctx.params.get("debug"):
                raise
            raise click.ClickException(_sentence(error)) from error


def catalogue() -> Catalogue:
    """Return the message catalogue of the language in use."""
    context = click.get_current_context(silent=True)
    language = context.find_root().params.get("language") if context else None
    return Catalogue(language or preferred_language())


def json_option(command: F) -> F:
    """Add ``--json``, for programs that read the result."""
    return click.option(
        "--json", "as_json", is_flag=True, help="Print the result as JSON, for other programs."
    )(command)


def language_option(command: F) -> F:
    """Add ``--language``."""
    return click.option(
        "--language",
        type=click.Choice(LANGUAGES),
        help="Language of what is printed (default: the system's, or $PISTI_LANGUAGE).",
    )(command)


def print_json(value: object) -> None:
    """Print *value* as one JSON document on standard output."""
    click.echo(json.dumps(value, ensure_ascii=False, indent=1))


def complain(sentence: str) -> None:
    """Print one sentence about something wrong on standard error."""
    click.echo(sentence, err=True)


def _sentence(error: Exception) -> str:
    if isinstance(error, PistiError):
        return catalogue().error(error)
    if not isinstance(error, OSError):
        reason = " ".join(f"{type(error).__name__}: {error}".split())
        return catalogue().text("cli.fault", error=reason)
    if error.filename is None:
        return catalogue().text("cli.system", reason=error.strerror or str(error))
    return catalogue().text("cli.file", file=error.filename, reason=error.strerror)


def use_utf8() -> None:
    """Print Turkish letters and suit signs whatever the terminal's encoding is."""
    for stream in (sys.stdout, sys.stderr):
        if hasattr(stream, "reconfigure"):
            stream.reconfigure(encoding="utf-8", errors="replace")


def progress_bar(length: int, label: str = "") -> Any:
    """Return a progress bar with an ETA on standard error; in a pipe it stays quiet."""
    return click.progressbar(
        length=length, label=label, file=sys.stderr, hidden=not sys.stderr.isatty()
    )
