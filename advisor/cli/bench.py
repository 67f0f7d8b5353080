"""`pisti bench`: the benchmarks, beside the peers they are measured against."""

from __future__ import annotations

import click

from advisor.cli.common import json_option, print_json
from engine import bench


@click.group(epilog="\b\nExamples:\n  pisti bench engine\n  pisti bench engine --seconds 5 --json")
def command() -> None:
    """Run the benchmarks: one table each, with ratios to named peers."""


@command.command(
    epilog="\b\nExamples:\n  pisti bench engine\n  pip install 'pisti[bench]'  # for the peers"
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
