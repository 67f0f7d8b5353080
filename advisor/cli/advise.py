"""`pisti advise`: advice for one position."""

from __future__ import annotations

import click

from advisor.advice import Advice, Limit, Move
from advisor.advisor import Advisor
from advisor.cli.common import catalogue, json_option, patience, print_json, read_bytes
from advisor.position import MOST_BYTES, read_position


@click.command(
    epilog="\b\nExamples:\n  pisti advise position.json\n"
    "  pisti advise --json --samples 1000 --seed 7 position.json\n"
    "  pisti advise --time 0.5 - < position.json"
)
@click.argument("position", metavar="POSITION", type=str)
@click.option("--time", type=click.FloatRange(0, 3600, min_open=True), help="Seconds to think.")
@click.option("--samples", type=click.IntRange(1), help="Worlds to play out.")
@click.option("--seed", type=int, default=0, show_default=True, help="For the same answer again.")
@json_option
def command(
    position: str, time: float | None, samples: int | None, seed: int, as_json: bool
) -> None:
    """Say what to play in a position, and why.

    POSITION is a JSON file, or - for standard input: a record whose last deal is not over, the
    seat to advise, and that seat's hand; where cards are not certain, what they may be.
    """
    view, doubts = read_position(read_bytes(position, MOST_BYTES + 1))
    limit = Limit(time, samples, seed)
    with patience():
        Advisor.warm_up()
    advice = Advisor(catalogue().language).advise(view, limit, doubts=doubts)
    if as_json:
        print_json(advice.to_json())
    else:
        click.echo(format_advice(advice))


def format_choice(advice: Advice) -> str:
    """Return what *advice* says to do, and why."""
    say = catalogue().text
    if advice.best is None:
        said = say("advise.challenge" if advice.challenge else "advise.accept")
    else:
        key = "advise.claim" if advice.claim else "advise.play"
        said = say(key, card=advice.best.symbol)
    return "\n".join([said, *(f"  {sentence}" for sentence in advice.why)])


def format_advice(advice: Advice) -> str:
    """Return *advice* as text for a terminal: the card, why, and every move's numbers."""
    say, percent = catalogue().text, catalogue().percent
    lines = [format_choice(advice)]
    if not advice.moves:
        return lines[0]
    names = ("advise.card", "advise.points", "advise.win", "advise.captured", "advise.pisti")
    rows = [[say(name) for name in names]]
    for move in advice.moves:
        rows.append(
            [
                f"({move.card.symbol})" if move.claim else move.card.symbol,
                catalogue().decimal(_points(move)),
                percent(move.win),
                percent(move.risk.captured),
                percent(move.risk.pisti),
            ]
        )
    widths = [max(map(len, column)) for column in zip(*rows, strict=True)]
    lines.append("")
    lines += [
        "  ".join(cell.rjust(width) for cell, width in zip(row, widths, strict=True))
        for row in rows
    ]
    return "\n".join(lines)


def _points(move: Move) -> str:
    """Return the points of *move* with their standard error; of one world there is none."""
    error = "?" if move.stderr is None else f"{move.stderr:.2f}"
    return f"{move.points:+.2f} ± {error}"
