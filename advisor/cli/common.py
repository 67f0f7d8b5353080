"""What all commands share: language, errors as one sentence, JSON output, exit codes.

Exit codes: 0 fine, 1 the work could not be done, 2 wrong usage.
"""

from __future__ import annotations

import errno
import json
import os
import sys
from collections.abc import Callable, Iterator
from contextlib import contextmanager
from pathlib import Path
from threading import Timer
from typing import Any, Final, TypeVar

import click

from advisor.cli.usage import SaidError, no_command, said
from advisor.messages import LANGUAGES, Catalogue, preferred_language
from engine import PistiError
from vision.extras import install_command

#: Takes a terminal back to the beginning of its line, and all of that line away.
WIPE: Final = "\r\x1b[2K"
#: Seconds after which somebody wonders.
_LONG: Final = 3.0
#: What libraries call standard error.
_STDERR: Final = 2
F = TypeVar("F", bound=Callable[..., Any])


class PistiGroup(click.Group):
    """The command group: every error ends as one sentence and exit code 1."""

    def invoke(self, ctx: click.Context) -> Any:
        """Run the command; with ``--debug``, errors keep their traceback."""
        try:
            return super().invoke(ctx)
        except (click.Abort, KeyboardInterrupt):
            raise SaidError(catalogue().text("cli.stopped")) from None
        except (click.exceptions.NoArgsIsHelpError, click.exceptions.Exit, BrokenPipeError):
            raise
        except click.UsageError as error:
            used = self.get_command(ctx, ctx.invoked_subcommand or "")
            path = f"{ctx.command_path} {ctx.invoked_subcommand}" if used else ctx.command_path
            raise said(error, used or self, path, catalogue(ctx)) from error
        except click.ClickException as error:
            if isinstance(error, SaidError):
                raise
            raise SaidError(error.message) from error
        except Exception as error:
            if ctx.find_root().params.get("debug"):
                raise
            raise SaidError(sentence_of(error, catalogue())) from error

    def make_context(
        self,
        info_name: str | None,
        args: list[str],
        parent: click.Context | None = None,
        **extra: Any,
    ) -> click.Context:
        """Return the context of *args*; what is wrong with the group's own options is said too."""
        try:
            return super().make_context(info_name, args, parent, **extra)
        except click.exceptions.NoArgsIsHelpError:
            raise
        except BrokenPipeError:
            raise
        except OSError as error:
            # Help is printed from here.
            raise SaidError(sentence_of(error, catalogue())) from error
        except click.UsageError as error:
            raise said(error, self, info_name or "", catalogue()) from error

    def resolve_command(
        self, ctx: click.Context, args: list[str]
    ) -> tuple[str | None, click.Command | None, list[str]]:
        """Return the command that *args* begin with, and the rest of them."""
        name = args[0]
        if not name.startswith("-") and self.get_command(ctx, name) is None:
            known = self.list_commands(ctx)
            raise no_command(name, known, ctx.command_path, catalogue(ctx))
        return super().resolve_command(ctx, args)


def catalogue(context: click.Context | None = None) -> Catalogue:
    """Return the message catalogue of the language in use, that of *context* where it is given."""
    context = context or click.get_current_context(silent=True)
    while context is not None:
        if language := context.params.get("language"):
            return Catalogue(language)
        context = context.parent
    return Catalogue(preferred_language())


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
    click.echo(json.dumps(value, ensure_ascii=False, indent=1, allow_nan=False))


def read_bytes(name: str, most: int) -> bytes:
    """Return what the file called *name* holds, or standard input for ``-``; *most* bytes of it.

    Raises:
        OSError: it cannot be opened or read.
    """
    if name != "-":
        with Path(name).open("rb") as file:
            return file.read(most)
    check_input()
    return sys.stdin.buffer.read(most)


def check_input() -> None:
    """Raise OSError where there is no standard input to read from."""
    if sys.stdin is None:
        raise OSError(errno.EBADF, os.strerror(errno.EBADF))


@contextmanager
def patience() -> Iterator[Callable[[], None]]:
    """Say on a terminal, where the block takes long, that the first start does.

    What the computer plays with is compiled once on each machine. Yields what is called once that
    is over; it is at the end of the block.
    """
    if not sys.stderr.isatty():
        yield lambda: None
        return
    words = catalogue()
    timer = Timer(_LONG, lambda: complain(words.text("cli.compiling")))
    timer.daemon = True
    timer.start()
    try:
        yield timer.cancel
    finally:
        timer.cancel()


@contextmanager
def libraries_silenced() -> Iterator[None]:
    """Let nothing through to the terminal in the block: libjpeg and libpng write there themselves.

    It silences all threads, so it is for commands that do one thing at a time.
    """
    try:
        terminal = os.dup(_STDERR)
    except OSError:
        # There is none, as in a program without a console.
        yield
        return
    try:
        with Path(os.devnull).open("wb") as nothing:
            os.dup2(nothing.fileno(), _STDERR)
        yield
    finally:
        os.dup2(terminal, _STDERR)
        os.close(terminal)


def complain(sentence: str) -> None:
    """Print one sentence on standard error, in the place of a line of progress that is there."""
    click.echo((WIPE if sys.stderr.isatty() else "") + sentence, err=True)


def sentence_of(error: Exception, words: Catalogue) -> str:
    """Return what *error* says, whatever it is, as one sentence in the language of *words*."""
    if isinstance(error, PistiError):
        return words.error(error)
    if isinstance(error, OSError):
        return words.system(error)
    reason = " ".join(f"{type(error).__name__}: {error}".split())
    return words.text("cli.fault", error=reason)


def needs_checkout(missing: ImportError) -> click.ClickException:
    """Return the error that says what brings the *missing* module of the training path."""
    command = install_command("train")
    words = catalogue().text("cli.checkout", missing=missing.name, command=command)
    return click.ClickException(words)


def use_utf8() -> None:
    """Print Turkish letters and suit signs whatever the terminal's encoding is."""
    for stream in (sys.stdout, sys.stderr):
        if hasattr(stream, "reconfigure"):
            stream.reconfigure(encoding="utf-8", errors="replace")
