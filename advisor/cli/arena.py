"""`pisti arena`: players against each other on mirrored deals."""

from __future__ import annotations

from pathlib import Path
from typing import Any

import click

from advisor.cli.common import catalogue, json_option, patience, print_json
from advisor.cli.progress import Progress
from advisor.cli.usage import WrongUsage
from advisor.outputs import check_outputs, write_whole
from engine import RuleSet


@click.command(
    epilog="\b\nExamples:\n  pisti arena counting greedy\n"
    "  pisti arena advisor:64worlds counting mc48 --deals 500 --plot ratings.svg\n"
    "  pisti arena --json --seed 7 --rules 'classic players=4' advisor:16worlds counting"
)
@click.argument("players", metavar="PLAYER...", nargs=-1, required=True)
@click.option(
    "--deals", type=click.IntRange(2), default=1000, show_default=True, help="Deals for each pair."
)
@click.option("--seed", type=int, default=0, show_default=True, help="For the same cards again.")
@click.option(
    "--rules",
    "rule_line",
    default="classic players=2",
    show_default=True,
    help="Rule set, a preset and the fields that differ.",
)
@click.option("--mirror/--no-mirror", default=True, help="The same cards with seats exchanged.")
@click.option("--processes", type=click.IntRange(1), help="Default: one for each core.")
@click.option("--cluster", metavar="ADDRESS", help="Spread over a Dask cluster.")
@click.option("--plot", type=click.Path(path_type=Path), help="Draw the results there, as SVG.")
@json_option
def command(
    players: tuple[str, ...],
    deals: int,
    seed: int,
    rule_line: str,
    mirror: bool,
    processes: int | None,
    cluster: str | None,
    plot: Path | None,
    as_json: bool,
) -> None:
    """Play two or more PLAYERS against each other and say who is better, with intervals.

    Players: random, greedy, hunter, counting, tips, pimc16, mc48, open (sees all cards),
    advisor:64worlds, advisor:2ms, and learner:… for an advisor that learns its opponent within a
    match. Every pair plays the same deals twice, with seats exchanged; points are those a deal.
    """
    from advisor.arena.players import Player
    from advisor.arena.results import ratings, to_svg
    from advisor.arena.runner import run

    say, decimal = catalogue().text, catalogue().decimal
    check_outputs([plot])
    if len(players) < 2:
        raise WrongUsage(say("arena.two"))
    rules = RuleSet.parse(rule_line)
    parsed = [Player.parse(name) for name in players]
    pairs = [(a, b) for at, a in enumerate(parsed) for b in parsed[at + 1 :]]
    results = []
    played = 0
    with Progress() as line, patience() as started:

        def progress(count: int) -> None:
            nonlocal played
            started()
            played += count
            line.at(played / (deals * len(pairs)))

        for first, second in pairs:
            result = run(
                rules,
                first,
                second,
                deals,
                seed,
                mirror=mirror,
                processes=processes,
                cluster=cluster,
                progress=progress,
            )
            results.append(result)
    table = ratings(results)
    if plot:
        write_whole(plot, to_svg(results, table))
    if as_json:
        forms: list[dict[str, Any]] = [result.to_json() for result in results]
        print_json(forms[0] if len(forms) == 1 else {"pairs": forms, "ratings": table})
        return
    for result in results:
        low, high = result.interval
        click.echo(
            say(
                "arena.result",
                a=result.first,
                b=result.second,
                points=float(result.points),
                low=float(low),
                high=float(high),
                ms=float(result.ms_per_move),
            )
        )
    if len(parsed) > 2:
        click.echo("")
        for name, rating in sorted(table.items(), key=lambda item: -item[1]):
            click.echo(f"{decimal(f'{rating:+7.2f}')}  {name}")
