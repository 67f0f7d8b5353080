"""The entry point of the `pisti` command."""

from __future__ import annotations

from importlib import import_module, metadata
from typing import Final

import click

from advisor.cli.common import PistiGroup, language_option, use_utf8

#: Commands and the modules that hold them; a module is imported when its command is used, so that
#: `pisti replay` does not wait for what only `pisti read` needs.
_COMMANDS: Final = {
    "advise": "advisor.cli.advise",
    "arena": "advisor.cli.arena",
    "bench": "advisor.cli.bench",
    "calibrate": "advisor.cli.calibrate",
    "cameras": "advisor.cli.cameras",
    "demo": "advisor.cli.demo",
    "doctor": "advisor.cli.doctor",
    "evaluate": "advisor.cli.evaluate",
    "play": "advisor.cli.play",
    "read": "advisor.cli.read",
    "render": "advisor.cli.render",
    "replay": "advisor.cli.replay",
    "score": "advisor.cli.score",
    "train": "advisor.cli.train",
    "watch": "advisor.cli.watch",
}


class LazyGroup(PistiGroup):
    """A group that imports a command when it is asked for."""

    def list_commands(self, ctx: click.Context) -> list[str]:
        """Return the names of all commands."""
        return sorted([*super().list_commands(ctx), *_COMMANDS])

    def get_command(self, ctx: click.Context, cmd_name: str) -> click.Command | None:
        """Return the command called *cmd_name*."""
        if cmd_name in _COMMANDS:
            command = import_module(_COMMANDS[cmd_name]).command
            assert isinstance(command, click.Command)
            return command
        return super().get_command(ctx, cmd_name)


def _version() -> str:
    try:
        return metadata.version("pisti")
    except metadata.PackageNotFoundError:
        return "(not installed, run from its source)"


@click.group(
    cls=LazyGroup,
    invoke_without_command=True,
    context_settings={"help_option_names": ["-h", "--help"], "max_content_width": 100},
    epilog="Try 'pisti demo' first; 'pisti COMMAND --help' shows examples.",
)
@click.version_option(_version(), prog_name="pisti")
@click.option("--debug", is_flag=True, help="Show the traceback of an error.")
@language_option
@click.pass_context
def group(ctx: click.Context, debug: bool, language: str | None) -> None:  # noqa: ARG001
    """Reads a game of Pişti, keeps the score and says what to play."""
    if ctx.invoked_subcommand is None:
        click.echo(ctx.get_help())


def main() -> None:
    """Run the `pisti` command."""
    use_utf8()
    group(prog_name="pisti")
