"""Records with a ¶ where a problem must be found; it is taken out before reading."""

from pathlib import Path

from engine.record import Reading, read_record

DEMO = (Path(__file__).parents[3] / "advisor" / "samples" / "demo.pisti").read_text("utf-8")
NO_CENTRE = "centre ?? ?? ?? / 7S"


def read(marked: str) -> tuple[Reading, tuple[int, int]]:
    """The reading of *marked* without its ¶, and the line and column of that."""
    before, mark, after = marked.partition("¶")
    assert mark
    return read_record(before + after), (before.count("\n") + 1, len(before.split("\n")[-1]) + 1)


def check(marked: str, key: str, kept: list[int]) -> None:
    """One problem *key* is listed at the ¶, and of each deal the given number of plays is kept."""
    reading, place = read(marked)
    found = [(problem.error.key, (problem.line, problem.column)) for problem in reading.problems]
    assert found == [(key, place)]
    assert [len(deal.plays) for deal in reading.record.deals] == kept
    assert [len(deal.history) for deal in reading.match.deals] == kept


def text(plays: str, rules: str = "players=2", deal: str = "", head: str = "") -> str:
    lead = f'{head}[Rules "{rules}"]\n'
    return f"{lead}\ndeal 1\ndealer 1\n{deal or NO_CENTRE}\nplays\n{plays}\n"


def data(plays: str = '"7H"', deal: str = "", head: str = "", rules: str = '{"players": 2}') -> str:
    deal = deal or '"dealer": 1, "centre": ["??", "??", "??", "7S"]'
    lead = f'{{"format": "pisti-record/1", {head}\n "rules": {rules}, "deals": ['
    return f'{lead}\n  {{{deal},\n   "plays": [{plays}]}}]}}'


def keys(reading: Reading) -> list[str]:
    return [problem.error.key for problem in reading.problems]
