"""The score sheet of a match as text, deal by deal."""

from __future__ import annotations

import unicodedata
from collections.abc import Iterator, Sequence
from dataclasses import dataclass

from advisor.messages import Catalogue
from advisor.names import isolated, plain_name
from engine import Deal, Match, RuleSet, SideScore, resolved, score_deal


@dataclass(frozen=True, slots=True)
class Part:
    """A part of a score sheet: a deal, or the totals.

    Attributes:
        heading: what it is; empty for the totals.
        rows: its table; the first row names the sides, the first column what is counted.
        remarks: sentences below it.
    """

    heading: str
    rows: tuple[tuple[str, ...], ...]
    remarks: tuple[str, ...]


def score_sheet(match: Match, names: Sequence[str], catalogue: Catalogue) -> str:
    """Return the score sheet of *match* as text; *names* as in `sheet_parts`."""
    lines = [catalogue.text("sheet.rules", rules=match.rules)]
    for part in sheet_parts(match, names, catalogue):
        lines += ["", *([part.heading] if part.heading else ())]
        lines += _table(part.rows)
        lines += part.remarks
    return "\n".join(lines)


def sheet_parts(match: Match, names: Sequence[str], catalogue: Catalogue) -> Iterator[Part]:
    """Yield the deals of *match* and its totals.

    Args:
        match: what was played.
        names: the players' names by seat, filled up where there are too few.
        catalogue: the language.
    """
    sides = side_names(match.rules, names, catalogue)
    head = ("", *sides)
    for number, deal in enumerate(match.deals, 1):
        dealer = seat_name(deal.dealer, names, catalogue)
        heading = catalogue.text("sheet.deal", number=number, dealer=dealer)
        rows = map(tuple, _deal_rows(deal, catalogue))
        yield Part(heading, (head, *rows), tuple(_remarks(deal, catalogue)))
    totals = (catalogue.text("sheet.total"), *map(str, match.totals))
    won: tuple[str, ...] = ()
    if match.winner is not None:
        won = (catalogue.text("sheet.winner", side=sides[match.winner]),)
    yield Part("", (head, totals), won)


def seat_name(seat: int, names: Sequence[str], catalogue: Catalogue) -> str:
    """Return the name of the player at *seat*, or a word with the player's number, from 1."""
    name = plain_name(names[seat]) if seat < len(names) else ""
    return isolated(name) or catalogue.text("sheet.seat", number=seat + 1)


def side_names(rules: RuleSet, names: Sequence[str], catalogue: Catalogue) -> list[str]:
    """Return each side's name: its players' names, joined."""
    return [
        " & ".join(
            seat_name(seat, names, catalogue) for seat in range(side, rules.players, rules.sides)
        )
        for side in range(rules.sides)
    ]


def _deal_rows(deal: Deal, catalogue: Catalogue) -> Iterator[list[str]]:
    score = score_deal(deal)

    def row(key: str, values: Sequence[object]) -> list[str]:
        return [catalogue.text(key), *(str(value or "–") for value in values)]

    def column(name: str) -> list[int]:
        return [getattr(side, name) for side in score.sides]

    yield row("sheet.cards", column("cards"))
    for name in ("aces", "jacks"):
        yield row(f"sheet.{name}", column(name))
    yield row("sheet.two_of_clubs", [2 * count for count in column("two_of_clubs")])
    yield row("sheet.ten_of_diamonds", [3 * count for count in column("ten_of_diamonds")])
    caught = _caught_bluffs(deal)
    sides = zip(score.sides, caught, strict=True)
    yield row("sheet.pistis", [_pistis(side, bluffs) for side, bluffs in sides])
    if any(caught):
        yield row("sheet.bluffs", caught)
    yield row("sheet.majority", column("majority"))
    mark = "" if score.exact else " ?"
    points = [f"{points}{mark}" for points in score.points]
    yield [catalogue.text("sheet.points"), *points]


def _caught_bluffs(deal: Deal) -> list[int]:
    """Return the points that each side got for bluffs it caught; they are part of its bonus."""
    points = [0] * deal.rules.sides
    for played in deal.history:
        points[deal.rules.side_of(played.seat - 1)] += played.penalty
    return points


def _pistis(side: SideScore, bluffs: int) -> str:
    """Return the pişti points with how many they were: ``30 (1 + 1×2)``."""
    if side.bonus == bluffs:
        return ""
    double = f" + {side.double_pistis}×2" if side.double_pistis else ""
    return f"{side.bonus - bluffs} ({side.pistis}{double})"


def _remarks(deal: Deal, catalogue: Catalogue) -> Iterator[str]:
    if not deal.is_over:
        yield catalogue.text("sheet.open", played=len(deal.history), left=deal.plays_left)
    if not score_deal(deal).exact:
        yield catalogue.text("sheet.inexact")
    hidden = len(deal.setup.centre) - deal.setup.centre_up
    named = resolved(deal).setup.centre[:hidden]
    if deal.is_over and named and all(card.known for card in named):
        cards = " ".join(card.symbol for card in named)
        yield catalogue.text("sheet.centre", cards=cards)


def _table(rows: Sequence[Sequence[str]]) -> list[str]:
    """Return *rows* as lines: the first column to the left, the others to the right."""
    widths = [max(map(_width, column)) for column in zip(*rows, strict=True)]
    lines = []
    for first, *others in rows:
        cells = [first + " " * (widths[0] - _width(first))]
        cells += [
            " " * (width - _width(cell)) + cell
            for cell, width in zip(others, widths[1:], strict=True)
        ]
        lines.append("  ".join(cells).rstrip())
    return lines


def _width(text: str) -> int:
    """Return how many terminal columns *text* takes: wide letters two, combining marks none."""
    return sum(
        1 + (unicodedata.east_asian_width(letter) in "WF")
        for letter in text
        if unicodedata.category(letter) not in ("Mn", "Me", "Cf")
    )


def clock(seconds: float, catalogue: Catalogue) -> str:
    """Return *seconds* as minutes and seconds: ``1:07.3``, with the language's decimal point."""
    minutes, rest = divmod(max(0.0, round(seconds, 1)), 60)
    return catalogue.decimal(f"{int(minutes)}:{rest:04.1f}")
