"""A scored recording as one HTML page that needs nothing else: sheet, plays, pictures, doubts."""

from __future__ import annotations

import base64
from collections.abc import Iterator, Mapping
from html import escape
from importlib import resources
from pathlib import Path
from typing import Final

from advisor.messages import Catalogue
from advisor.moments import CHECK_BELOW, Moment, moments
from advisor.outputs import write_whole
from advisor.remarks import remarks
from advisor.scorer import Scored
from advisor.sheet import Part, clock, seat_name, sheet_parts
from advisor.shots import LARGE, Place, take_shots
from engine import Card

_PLOT: Final = (480, 110)


def write_report(scored: Scored, out: Path, catalogue: Catalogue) -> None:
    """Write the page of *scored* to *out*.

    Raises:
        OutputError: *out* cannot be written.
    """
    told = list(moments(scored.record))
    # What is to be checked is shown large, and once: in the list of plays a link leads there.
    shots = take_shots(scored, told, {(doubt.deal, doubt.play): LARGE for doubt in scored.review})
    write_whole(out, _page(scored, told, shots, catalogue))


def _page(
    scored: Scored, told: list[Moment], shots: Mapping[Place, bytes], catalogue: Catalogue
) -> str:
    words = catalogue.text
    style = resources.files("advisor").joinpath("paper.css").read_text(encoding="utf-8")
    title = escape(words("report.title", name=Path(scored.source).name))
    sheet, review = escape(words("report.sheet")), escape(words("report.review"))
    sure, plays = escape(words("report.confidence")), escape(words("report.plays"))
    rules = escape(words("sheet.rules", rules=scored.record.rules))
    said = "<br>".join(map(escape, remarks(scored, catalogue)))
    parts = [
        f'<!doctype html>\n<html lang="{catalogue.language}"><head><meta charset="utf-8">',
        '<meta name="viewport" content="width=device-width, initial-scale=1">',
        f"<title>{title}</title><style>{style}</style></head><body><h1>{title}</h1>",
        f"<section><h2>{sheet}</h2><p>{rules}</p>",
        *map(_part, sheet_parts(scored.match, scored.record.names, catalogue)),
        f"<p>{said}</p>" if said else "",
        f"</section><section><h2>{review}</h2>",
        *_review(scored, told, shots, catalogue),
        f"</section><section><h2>{sure}</h2>",
        _plot(told, catalogue),
        f"</section><section><h2>{plays}</h2>",
        *_timeline(scored, told, shots, catalogue),
        "</section></body></html>\n",
    ]
    return "\n".join(parts)


def _part(part: Part) -> str:
    """Return a part of the score sheet as a table, with its heading and its remarks."""
    first, *rows = part.rows
    head = "".join(f'<th scope="col">{escape(name)}</th>' for name in first)
    body = "".join(
        f'<tr><th scope="row">{escape(name)}</th>'
        + "".join(f"<td>{escape(value)}</td>" for value in values)
        + "</tr>"
        for name, *values in rows
    )
    heading = f"<h3>{escape(part.heading)}</h3>" if part.heading else ""
    said = "".join(f"<p>{escape(sentence)}</p>" for sentence in part.remarks)
    return f"{heading}<table><thead><tr>{head}</tr></thead><tbody>{body}</tbody></table>{said}"


def _review(
    scored: Scored, told: list[Moment], shots: Mapping[Place, bytes], catalogue: Catalogue
) -> Iterator[str]:
    if not scored.review:
        nothing = escape(catalogue.text("report.nothing"))
        yield f"<p>{nothing}</p>"
        return
    perhaps = escape(catalogue.text("report.perhaps"))
    by_place = {(moment.deal, moment.play): moment for moment in told}
    yield '<ul class="doubts">'
    for doubt in scored.review:
        place = doubt.deal, doubt.play
        moment = by_place[place]
        others = " ".join(map(_card, doubt.alternatives))
        yield (
            f'<li id="{_anchor(place)}">{_picture(shots, place)}<div>'
            f"<b>{clock(doubt.t, catalogue)}</b> {_who(moment, scored, catalogue)}"
            f'<p class="read">{_card(doubt.read)} {_percent(moment, catalogue)}</p>'
            f"{perhaps} {others}</div></li>"
        )
    yield "</ul>"


def _timeline(
    scored: Scored, told: list[Moment], shots: Mapping[Place, bytes], catalogue: Catalogue
) -> Iterator[str]:
    unsure = {(doubt.deal, doubt.play) for doubt in scored.review}
    check = escape(catalogue.text("report.review"))
    deal = -1
    for moment in told:
        if moment.deal != deal:
            if deal >= 0:
                yield "</ol>"
            deal = moment.deal
            dealer = seat_name(scored.match.deals[deal].dealer, scored.record.names, catalogue)
            heading = catalogue.text("sheet.deal", number=deal + 1, dealer=dealer)
            yield f"<h3>{escape(heading)}</h3><ol>"
        place = moment.deal, moment.play
        kinds = ["doubt"] if place in unsure else []
        kinds += ["pisti"] if moment.bonus else ["capture"] if moment.captured else []
        took = f" +{moment.captured}" if moment.captured else ""
        bonus = f" ★{moment.bonus}" if moment.bonus else ""
        state = catalogue.text("demo.state", pile=moment.pile, jacks=moment.jacks)
        time = " · ".join(
            filter(None, (clock(moment.t or 0, catalogue), _percent(moment, catalogue)))
        )
        link = f'<a class="check" href="#{_anchor(place)}">{check}</a>'
        yield (
            f'<li class="{" ".join(kinds)}">{link if place in unsure else _picture(shots, place)}'
            f"<span>{moment.play + 1}. {_who(moment, scored, catalogue)}</span> "
            f"<span>{_card(moment.card)}{took}{bonus}</span>"
            f"<small>{time}<br>{escape(state)}</small></li>"
        )
    if told:
        yield "</ol>"


def _plot(told: list[Moment], catalogue: Catalogue) -> str:
    """How sure each play is, as a picture: a point a play, over the recording's time."""
    width, height = _PLOT
    points = [(moment.t or 0.0, moment.confidence or 0.0, moment) for moment in told]
    longest = max((t for t, _, _ in points), default=1.0) or 1.0
    label = escape(catalogue.text("report.confidence"))
    lines = [f'<svg viewBox="-50 -12 {width + 74} {height + 42}" role="img" aria-label="{label}">']
    for share in (0.0, 0.5, CHECK_BELOW, 1.0):
        y = height * (1 - share)
        lines.append(f'<line x1="0" x2="{width}" y1="{y}" y2="{y}"/>')
        if share != CHECK_BELOW:
            mark = catalogue.percent(share)
            lines.append(f'<text x="-6" y="{y + 4}" text-anchor="end">{mark}</text>')
    for t, confidence, moment in points:
        x, y = width * t / longest, height * (1 - confidence)
        kind = "low" if confidence < CHECK_BELOW else "high"
        name = escape(f"{clock(t, catalogue)} {moment.card.symbol} {catalogue.percent(confidence)}")
        circle = f'<circle class="{kind}" cx="{x:.1f}" cy="{y:.1f}" r="3">'
        lines.append(f"{circle}<title>{name}</title></circle>")
    for part in range(5):
        x = width * part / 4
        mark = clock(longest * part / 4, catalogue)
        lines.append(f'<text x="{x}" y="{height + 20}" text-anchor="middle">{mark}</text>')
    return "".join([*lines, "</svg>"])


def _picture(shots: Mapping[Place, bytes], place: Place) -> str:
    if place not in shots:
        return ""
    return f'<img src="data:image/jpeg;base64,{base64.b64encode(shots[place]).decode()}" alt="">'


def _anchor(place: Place) -> str:
    """Return the name of the place in the list of what is to be checked."""
    return f"check-{place[0] + 1}-{place[1] + 1}"


def _who(moment: Moment, scored: Scored, catalogue: Catalogue) -> str:
    return escape(seat_name(moment.seat, scored.record.names, catalogue))


def _card(card: Card) -> str:
    red = str(card.suit) in ("H", "D")
    return f'<b class="{"red" if red else "black"}">{escape(card.symbol)}</b>'


def _percent(moment: Moment, catalogue: Catalogue) -> str:
    return "" if moment.confidence is None else catalogue.percent(moment.confidence)
