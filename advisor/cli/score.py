"""`pisti score`: recordings to score sheets."""

from __future__ import annotations

import sys
from pathlib import Path
from typing import Any

import click

from advisor.cli.common import catalogue, complain, json_option, print_json, progress_bar
from advisor.scorer import Scored, score_recording
from advisor.sheet import score_sheet
from engine import PistiError, RuleSet
from engine.record import score_to_json, to_json, write_text


@click.command(
    epilog="\b\nExamples:\n  pisti score game.mp4\n"
    "  pisti score game.mp4 -o game.pisti --names Ayşe,Can\n"
    "  pisti score --rules modern --players 2 --json a.mp4 b.mp4"
)
@click.argument("sources", metavar="SOURCE...", nargs=-1, required=True)
@click.option("-o", "--output", type=click.Path(path_type=Path), help="Write the record there.")
@click.option("--rules", "rule_line", default="classic", help="Rule set (default: classic).")
@click.option("--players", type=int, help="Number of players.")
@click.option("--dealer", type=int, help="Seat of the first dealer (default: the last).")
@click.option("--names", default="", help="The players' names by seat, separated by commas.")
@json_option
def command(
    sources: tuple[str, ...],
    output: Path | None,
    rule_line: str,
    players: int | None,
    dealer: int | None,
    names: str,
    as_json: bool,
) -> None:
    """Read recorded games and print their score sheets.

    A SOURCE is a video file or a folder of pictures. Plays to check are listed after the sheet.
    """
    from vision.reader import CardReader

    rules = _rules(rule_line, players)
    if dealer is not None and not 0 <= dealer < rules.players:
        raise click.UsageError(catalogue().text("score.dealer", players=rules.players))
    if output and len(sources) > 1:
        raise click.UsageError(catalogue().text("score.one_output"))
    reader = CardReader("fast")
    results: list[dict[str, Any]] = []
    failed = False
    for source in sources:
        try:
            with progress_bar(1000, source) as bar:

                def progress(at: float, of: float | None, bar: Any = bar) -> None:
                    if of:
                        bar.update(int(1000 * min(1.0, at / of)) - bar.pos)

                scored = score_recording(
                    source,
                    rules,
                    reader,
                    dealer=dealer,
                    names=tuple(filter(None, names.split(","))),
                    progress=progress,
                )
        except PistiError as error:
            complain(f"{source}: {catalogue().error(error)}")
            failed = True
            continue
        if scored.problem is not None:
            complain(f"{source}: {catalogue().error(scored.problem)}")
            failed = True
        if output:
            output.write_text(write_text(scored.record), encoding="utf-8")
        if as_json:
            results.append(_as_json(scored))
        else:
            click.echo(score_sheet(scored.match, scored.record.names, catalogue()))
            _print_review(scored)
    if as_json and results:
        print_json(results if len(sources) > 1 else results[0])
    sys.exit(1 if failed else 0)


def _rules(line: str, players: int | None) -> RuleSet:
    fields: dict[str, Any] = RuleSet.split(line)
    if players is not None:
        fields["players"] = players
    return RuleSet.of(**fields)


def _as_json(scored: Scored) -> dict[str, Any]:
    return {
        "record": to_json(scored.record),
        "score": score_to_json(scored.match),
        "review": [doubt.to_json() for doubt in scored.review],
    }


def _print_review(scored: Scored) -> None:
    for doubt in scored.review:
        minutes, seconds = divmod(doubt.t, 60)
        click.echo(
            catalogue().text(
                "score.check",
                time=f"{int(minutes)}:{seconds:04.1f}",
                card=doubt.read.symbol,
                others=" ".join(card.symbol for card in doubt.alternatives),
            )
        )
