"""What was written wrongly on the command line, as one sentence in the user's language."""

from __future__ import annotations

import re
from collections.abc import Sequence
from difflib import get_close_matches

import click

from advisor.messages import Catalogue


class SaidError(click.ClickException):
    """The work could not be done: one sentence on standard error, and exit code 1."""

    def show(self, file: object = None) -> None:  # noqa: ARG002
        """Print the sentence alone, without click's "Error:"."""
        click.echo(self.message, err=True)


class SaidUsage(SaidError):
    """Wrong usage: one sentence on standard error, and exit code 2."""

    exit_code = 2


class WrongUsage(click.UsageError):
    """Wrong usage that is said in the user's language already."""


def said(error: click.UsageError, command: click.Command, path: str, words: Catalogue) -> SaidUsage:
    """Return *error* in the language of *words*, with where help is found.

    Args:
        error: what click found wrong.
        command: the command that was used, where the error does not say.
        path: what that command is called.
        words: the catalogue.
    """
    if error.ctx is not None:
        command, path = error.ctx.command, error.ctx.command_path
    sentence = words.text("cli.help", sentence=_sentence(error, command, words), command=path)
    return SaidUsage(sentence)


def _sentence(error: click.UsageError, command: click.Command, words: Catalogue) -> str:
    if isinstance(error, click.NoSuchOption):
        known = ", ".join(error.possibilities or ())
        key = "cli.perhaps_option" if known else "cli.no_option"
        return words.text(key, name=error.option_name, **({"known": known} if known else {}))
    if isinstance(error, click.BadOptionUsage):
        key = "cli.not_value" if _is_flag(error.option_name, command) else "cli.no_value"
        return words.text(key, name=error.option_name)
    if isinstance(error, click.MissingParameter):
        return words.text("cli.missing", name=_name(error))
    if isinstance(error, click.BadParameter):
        return _bad_value(error, words)
    if isinstance(error, WrongUsage):
        return error.message
    # What is left of click's own: words that no argument takes.
    extra = re.search(r"\((.*)\)\Z", error.message, re.DOTALL)
    return words.text("cli.extra", words=extra[1]) if extra else error.message


def _bad_value(error: click.BadParameter, words: Catalogue) -> str:
    name, kind = _name(error), error.param.type if error.param else None
    if isinstance(kind, click.Choice):
        return words.text("cli.choice", name=name, known=", ".join(map(str, kind.choices)))
    if isinstance(kind, click.IntRange | click.FloatRange):
        key = "cli.whole_range" if isinstance(kind, click.IntRange) else "cli.number_range"
        return words.text(key, name=name, range=_range(kind))
    if kind in (click.INT, click.FLOAT):
        return words.text("cli.whole" if kind is click.INT else "cli.number", name=name)
    return words.text("cli.value", name=name, reason=error.message)


def no_command(name: str, known: Sequence[str], command: str, words: Catalogue) -> SaidUsage:
    """Return that *command* has no command *name*, with those of *known* that it may be."""
    near = ", ".join(get_close_matches(name, known, n=1))
    key = "cli.perhaps_command" if near else "cli.no_command"
    sentence = words.text(key, name=name, **({"known": near} if near else {}))
    return SaidUsage(words.text("cli.help", sentence=sentence, command=command))


def _is_flag(name: str, command: click.Command) -> bool:
    """Whether the option *name* of *command* takes no value."""
    return any(
        isinstance(option, click.Option) and option.is_flag and name in option.opts
        for option in command.params
    )


def _name(error: click.BadParameter) -> str:
    """Return what the parameter of *error* is called on the command line."""
    if error.param is None:
        return str(error.param_hint or "")
    if isinstance(error.param, click.Option):
        return max(error.param.opts, key=len)
    return error.param.metavar or str(error.param.name).upper()


def _range(kind: click.IntRange | click.FloatRange) -> str:
    low = "" if kind.min is None else f"{'>' if kind.min_open else '≥'} {kind.min}"
    high = "" if kind.max is None else f"{'<' if kind.max_open else '≤'} {kind.max}"
    return ", ".join(filter(None, (low, high)))
