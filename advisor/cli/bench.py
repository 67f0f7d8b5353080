"""`pisti bench`: the benchmarks, beside the peers they are measured against."""

from __future__ import annotations

from pathlib import Path

import click

from advisor.cli.common import PistiGroup, catalogue, json_option, needs_checkout, print_json
from engine import bench
from vision.extras import install_command


@click.group(
    cls=PistiGroup,
    epilog="\b\nExamples:\n  pisti bench engine\n  pisti bench engine --seconds 5 --json",
)
def command() -> None:
    """Run the benchmarks: one table each, with ratios to named peers."""


@command.command(
    epilog="\b\nExamples:\n  pisti bench engine\n  " + install_command("bench") + "  # peers"
)
@click.option(
    "--seconds",
    type=click.FloatRange(0.01, 60),
    default=2.0,
    show_default=True,
    help="Processor time for each line.",
)
@json_option
def engine(seconds: float, as_json: bool) -> None:
    """Plays a second: the readable engine, the kernel, RLCard and OpenSpiel, on one core."""
    rows = bench.run(seconds)
    if as_json:
        print_json(bench.to_json(rows))
    else:
        click.echo(bench.format(rows))


@command.command(
    epilog="\b\nExamples:\n  pisti bench score --level 1\n  pisti bench score --game level4-2\n"
    "  pisti bench score --no-rules\n"
    "  pisti bench score --json"
)
@click.option("--game", "names", multiple=True, metavar="NAME", help="Only this game; repeatable.")
@click.option("--level", type=click.IntRange(1, 5), help="Only the games of this level.")
@click.option(
    "--folder",
    type=click.Path(file_okay=False, path_type=Path),
    help="Where the recordings are kept (default: games in the renderer's cache).",
)
@click.option(
    "--no-rules",
    is_flag=True,
    help="Without the decoder: every card that comes to lie on the pile is a play.",
)
@json_option
def score(
    names: tuple[str, ...], level: int | None, folder: Path | None, no_rules: bool, as_json: bool
) -> None:
    """Twenty recorded games in five levels of difficulty: rendered, scored, compared.

    Needs a checkout with the renderer's cache (pisti render fetch) and the train extra.
    """
    from advisor import recordings_bench

    try:
        from datasets.assets import cache_dir
    except ImportError as error:
        raise needs_checkout(error) from error
    try:
        lines = list(
            recordings_bench.run(
                folder or cache_dir() / "games",
                names,
                level,
                lambda name: click.echo(name, err=True),
                rules=not no_rules,
            )
        )
    except ValueError as error:
        raise click.UsageError(str(error)) from error
    if as_json:
        print_json(recordings_bench.to_json(lines))
    else:
        click.echo(recordings_bench.table(lines))


@command.command(
    epilog="\b\nExamples:\n  pisti bench advice\n  pisti bench advice --count 500 --json"
)
@click.option(
    "--count", type=click.IntRange(2), default=100, show_default=True, help="Answers to time."
)
@json_option
def advice(count: int, as_json: bool) -> None:
    """How long advice takes at the default limit, and the first one after the start."""
    from advisor.arena.pace import measure

    found = measure(count)
    if as_json:
        print_json(found.to_json())
    else:
        click.echo(catalogue().text("bench.advice", **found.to_json()))
