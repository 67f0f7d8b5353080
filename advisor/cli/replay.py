"""`pisti replay`: check records and print their score sheets."""

from __future__ import annotations

import sys
from pathlib import Path
from typing import Any

import click

from advisor.cli.common import catalogue, check_input, complain, json_option, print_json
from advisor.sheet import score_sheet
from engine import Match, RecordError, RuleSet
from engine.record import Problem, Reading, Record, read_file, read_stream, score_to_json


@click.command(
    epilog="\b\nExamples:\n  pisti replay game.pisti\n  pisti replay --json a.pisti b.json\n"
    "  pisti replay - < game.pisti"
)
@click.argument("records", metavar="RECORD...", nargs=-1, required=True)
@json_option
def command(records: tuple[str, ...], as_json: bool) -> None:
    """Check records and print the score sheet, deal by deal.

    A RECORD is a file in text or JSON form, or - for standard input. What is wrong in it is listed
    with line and column, what is legal is scored, and the exit code is then 1.
    """
    failed = False
    scores: list[dict[str, Any]] = []
    for number, name in enumerate(records):
        reading = _read(name)
        failed = failed or bool(reading.problems)
        for problem in reading.problems:
            place = f":{problem.line}:{problem.column}"
            if problem.error.key == "record.file":
                place = ""
            complain(f"{name}{place}: {catalogue().error(problem.error)}")
        if as_json:
            scores.append(score_to_json(reading.match, reading.problems))
        elif reading.record.deals or not reading.problems:
            if number:
                click.echo()
            if len(records) > 1:
                click.echo(f"{name}")
            click.echo(score_sheet(reading.match, reading.record.names, catalogue()))
    if as_json:
        print_json(scores if len(scores) > 1 else scores[0])
    sys.exit(1 if failed else 0)


def _read(name: str) -> Reading:
    """Read the record called *name*; one that cannot be opened reads as empty, with a problem."""
    try:
        if name == "-":
            check_input()
            return read_stream(sys.stdin.buffer)
        return read_file(Path(name))
    except OSError as error:
        problem = Problem(RecordError("record.file", reason=error.strerror))
        rules = RuleSet.classic()
        return Reading(Record(rules), Match(rules), (problem,))
