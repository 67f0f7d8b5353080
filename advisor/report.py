"""A scored recording as one HTML page that needs nothing else: sheet, plays, pictures, doubts."""

from __future__ import annotations

import base64
from collections.abc import Iterator, Mapping
from html import escape
from importlib import resources
from pathlib import Path
from typing import Final

import cv2

from advisor.messages import Catalogue
from advisor.moments import Moment, moments
from advisor.outputs import write_whole
from advisor.scorer import LARGEST, Scored
from advisor.sheet import clock, score_sheet, seat_name
from engine import Card, PistiError
from vision.decoder import Doubt
from vision.sources import open_source
from vision.sources.opening import path_of
from vision.table import Region

#: Seconds after a play at which its picture is taken: the hand is then going.
_AFTER: Final = 0.2
#: Half the side of a picture, in radii of the pile's zone, and its width in pixels.
_REACH: Final = 1.5
_WIDTH: Final = 168
#: Plays below this are marked as unsure; what is listed for checking says so by itself.
_SURE: Final = 0.9
_PLOT: Final = (960, 150)


def write_report(scored: Scored, out: Path, catalogue: Catalogue) -> None:
    """Write the page of *scored* to *out*.

    Raises:
        OutputError: *out* cannot be written.
    """
    told = list(moments(scored.record))
    write_whole(out, _page(scored, told, _pictures(scored, told), catalogue))


def _pictures(scored: Scored, told: list[Moment]) -> dict[tuple[int, int], str]:
    """Return a data address of the picture of each play, by deal and play.

    A recording that cannot be opened any more has none, nor has a camera or a stream.
    """
    found: dict[tuple[int, int], str] = {}
    if path_of(scored.source) is None:
        return found
    try:
        with open_source(scored.source, largest=LARGEST) as frames:
            for moment in told:
                if moment.t is None:
                    continue
                wanted = moment.t + _AFTER
                zone = scored.zone_at(wanted)
                region = Region.around(zone.centre, _REACH * zone.radius, scored.size)
                frame = next((frame for frame in frames if frame.time >= wanted), None)
                if frame is None:
                    break
                part = region.cut(frame.image)
                size = (_WIDTH, max(1, round(_WIDTH * part.shape[0] / part.shape[1])))
                small = cv2.resize(part, size, interpolation=cv2.INTER_AREA)
                data = cv2.imencode(".jpg", small, [cv2.IMWRITE_JPEG_QUALITY, 78])[1].tobytes()
                address = "data:image/jpeg;base64," + base64.b64encode(data).decode()
                found[moment.deal, moment.play] = address
    except (OSError, PistiError):
        return found
    return found


def _page(
    scored: Scored,
    told: list[Moment],
    pictures: Mapping[tuple[int, int], str],
    catalogue: Catalogue,
) -> str:
    words = catalogue.text
    style = resources.files("advisor").joinpath("paper.css").read_text(encoding="utf-8")
    title = escape(words("report.title", name=Path(scored.source).name))
    sheet = escape(score_sheet(scored.match, scored.record.names, catalogue))
    sheet_head = escape(words("report.sheet"))
    review_head, plays_head = escape(words("report.review")), escape(words("report.plays"))
    sure_head = escape(words("report.confidence"))
    parts = [
        f'<!doctype html>\n<html lang="{catalogue.language}"><head><meta charset="utf-8">',
        '<meta name="viewport" content="width=device-width, initial-scale=1">',
        f"<title>{title}</title><style>{style}</style></head><body><h1>{title}</h1>",
        f"<section><h2>{sheet_head}</h2><pre>{sheet}</pre></section>",
        f"<section><h2>{review_head}</h2>",
        *_review(scored, told, pictures, catalogue),
        f"</section><section><h2>{sure_head}</h2>{_plot(told, catalogue)}",
        f"</section><section><h2>{plays_head}</h2>",
        *_timeline(scored, told, pictures, catalogue),
        "</section></body></html>\n",
    ]
    return "\n".join(parts)


def _review(
    scored: Scored,
    told: list[Moment],
    pictures: Mapping[tuple[int, int], str],
    catalogue: Catalogue,
) -> Iterator[str]:
    if scored.lost is not None:
        lost = escape(catalogue.text("score.view_lost", time=clock(scored.lost, catalogue)))
        yield f"<p>{lost}</p>"
    if not scored.review:
        nothing = escape(catalogue.text("report.nothing"))
        yield f"<p>{nothing}</p>"
        return
    perhaps = escape(catalogue.text("report.perhaps"))
    by_place = {(moment.deal, moment.play): moment for moment in told}
    yield '<ul class="doubts">'
    for doubt in scored.review:
        moment = by_place[doubt.deal, doubt.play]
        others = " ".join(_card(card) for card in doubt.alternatives)
        yield (
            f"<li>{_picture(pictures, moment)}<div><b>{clock(doubt.t, catalogue)}</b> "
            f"{_who(moment, scored, catalogue)} {_card(doubt.read)} {_percent(moment, catalogue)}"
            f"<br>{perhaps} {others}</div></li>"
        )
    yield "</ul>"


def _timeline(
    scored: Scored,
    told: list[Moment],
    pictures: Mapping[tuple[int, int], str],
    catalogue: Catalogue,
) -> Iterator[str]:
    unsure: dict[tuple[int, int], Doubt] = {(d.deal, d.play): d for d in scored.review}
    deal = -1
    for moment in told:
        if moment.deal != deal:
            if deal >= 0:
                yield "</ol>"
            deal = moment.deal
            dealer = seat_name(scored.match.deals[deal].dealer, scored.record.names, catalogue)
            heading = catalogue.text("sheet.deal", number=deal + 1, dealer=dealer)
            yield f"<h3>{escape(heading)}</h3><ol>"
        kinds = ["doubt"] if (moment.deal, moment.play) in unsure else []
        kinds += ["pisti"] if moment.bonus else ["capture"] if moment.captured else []
        took = f" +{moment.captured}" if moment.captured else ""
        bonus = f" ★{moment.bonus}" if moment.bonus else ""
        state = catalogue.text("demo.state", pile=moment.pile, jacks=moment.jacks)
        sure = _percent(moment, catalogue)
        yield (
            f'<li class="{" ".join(kinds)}">{_picture(pictures, moment)}'
            f"<span>{moment.play + 1}. {_who(moment, scored, catalogue)}</span> "
            f"<span>{_card(moment.card)}{took}{bonus}</span>"
            f"<small>{clock(moment.t or 0, catalogue)} · {sure}<br>{escape(state)}</small></li>"
        )
    if told:
        yield "</ol>"


def _plot(told: list[Moment], catalogue: Catalogue) -> str:
    """How sure each play is, as a picture: a point a play, over the recording's time."""
    width, height = _PLOT
    points = [(moment.t or 0.0, moment.confidence or 0.0, moment) for moment in told]
    longest = max((t for t, _, _ in points), default=1.0) or 1.0
    label = escape(catalogue.text("report.confidence"))
    lines = [f'<svg viewBox="-40 -10 {width + 60} {height + 40}" role="img" aria-label="{label}">']
    for share in (0.0, 0.5, _SURE, 1.0):
        y = height * (1 - share)
        lines.append(f'<line x1="0" x2="{width}" y1="{y}" y2="{y}"/>')
        lines.append(
            f'<text x="-6" y="{y + 4}" text-anchor="end">{catalogue.percent(share)}</text>'
        )
    for t, confidence, moment in points:
        x, y = width * t / longest, height * (1 - confidence)
        kind = "low" if confidence < _SURE else "high"
        name = escape(f"{clock(t, catalogue)} {moment.card.symbol} {catalogue.percent(confidence)}")
        circle = f'<circle class="{kind}" cx="{x:.1f}" cy="{y:.1f}" r="4">'
        lines.append(f"{circle}<title>{name}</title></circle>")
    for part in range(5):
        x = width * part / 4
        mark = clock(longest * part / 4, catalogue)
        lines.append(f'<text x="{x}" y="{height + 20}" text-anchor="middle">{mark}</text>')
    return "".join([*lines, "</svg>"])


def _picture(pictures: Mapping[tuple[int, int], str], moment: Moment) -> str:
    address = pictures.get((moment.deal, moment.play))
    return f'<img src="{address}" alt="">' if address else ""


def _who(moment: Moment, scored: Scored, catalogue: Catalogue) -> str:
    return escape(seat_name(moment.seat, scored.record.names, catalogue))


def _card(card: Card) -> str:
    red = str(card.suit) in ("H", "D")
    return f'<b class="{"red" if red else "black"}">{escape(card.symbol)}</b>'


def _percent(moment: Moment, catalogue: Catalogue) -> str:
    return "" if moment.confidence is None else catalogue.percent(moment.confidence)
