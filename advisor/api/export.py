"""A game as a file: a record, a table of plays, and the score sheet as a page to print."""

from __future__ import annotations

import csv
import io
from dataclasses import replace
from html import escape
from typing import Final

from advisor.api.state import as_shown
from advisor.messages import Catalogue
from advisor.session import Session
from advisor.sheet import score_sheet, seat_name
from engine.record import Record, recorded, write_json, write_text

#: The formats and their media types.
EXPORTS: Final = {
    "pisti": "text/plain; charset=utf-8",
    "json": "application/json",
    "csv": "text/csv; charset=utf-8",
}

#: The style of the printed sheet; the policy of the page names it by its hash.
STYLE: Final = (
    "body{font:12pt serif;max-width:48em;margin:2em auto;padding:0 1em}"
    "pre{font:11pt monospace;white-space:pre-wrap}"
    "@media print{body{margin:0}}"
)


def export(session: Session, form: str) -> str:
    """Return the game as *form* (a key of `EXPORTS`) writes it."""
    record = _as_shown(session)
    if form == "pisti":
        return write_text(record)
    if form == "json":
        return write_json(record)
    return _table(session)


def _as_shown(session: Session) -> Record:
    """Return the game's record; of deals that are not over, what the person may know."""
    record = session.record()
    if session.created.opponent is None:
        return record
    seen = recorded(as_shown(session)).deals
    over = [deal.is_over for deal in session.match.deals]
    kept = zip(record.deals, seen, over, strict=True)
    return replace(record, deals=tuple(whole if done else part for whole, part, done in kept))


def sheet(session: Session, language: str) -> str:
    """Return the match's score sheet as an HTML page to print."""
    catalogue = Catalogue(language)
    names = session.created.names
    title = " – ".join(
        seat_name(seat, names, catalogue) for seat in range(session.created.rules.players)
    )
    text = score_sheet(as_shown(session), names, catalogue)
    date = f"<p>{escape(session.created.date)}</p>" if session.created.date else ""
    return (
        f'<!doctype html><html lang="{language}"><head><meta charset="utf-8">'
        f"<title>Pişti: {escape(title)}</title><style>{STYLE}</style></head>"
        f"<body><h1>{escape(title)}</h1>{date}<pre>{escape(text)}</pre></body></html>"
    )


def _table(session: Session) -> str:
    """Return all plays as CSV; numbers of deals and plays count from 1, seats from 0."""
    out = io.StringIO()
    writer = csv.writer(out, lineterminator="\r\n")
    writer.writerow(
        ["deal", "play", "seat", "name", "card", "claim", "captured", "bonus", "by", "seconds"]
    )
    names = session.created.names
    for number, (facts, deal) in enumerate(
        zip(session.facts, as_shown(session).deals, strict=True), 1
    ):
        for at, (laid, played) in enumerate(zip(facts.plays, deal.history, strict=True), 1):
            name = names[played.seat] if played.seat < len(names) else ""
            writer.writerow(
                [
                    number,
                    at,
                    played.seat,
                    _harmless(name),
                    played.card.face,
                    played.claim.value if played.claim else "",
                    played.captured,
                    played.bonus,
                    laid.by,
                    "" if laid.t is None else laid.t,
                ]
            )
    return out.getvalue()


def _harmless(name: str) -> str:
    """Return *name* so that a spreadsheet takes it for text, not for a formula."""
    return f"'{name}" if name[:1] in tuple("=+-@\t\r") and name else name
