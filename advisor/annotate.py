"""The recording once more, with what was read written into it."""

from __future__ import annotations

from bisect import bisect_right
from collections.abc import Callable, Iterator
from contextlib import contextmanager
from fractions import Fraction
from pathlib import Path
from typing import Final

import av
import cv2
import numpy as np
from av.container import OutputContainer
from numpy.typing import NDArray

from advisor.messages import Catalogue
from advisor.moments import CHECK_BELOW, Moment, moments
from advisor.outputs import failed, writing
from advisor.scorer import LARGEST, Scored
from advisor.sheet import seat_name, side_names
from vision.pen import Pen
from vision.sources import open_source

_CLOCK: Final = 90_000
#: Seconds for which a play is marked at the pile.
_MARKED: Final = 1.5
#: So many plays are listed.
_LISTED: Final = 5
_GOLD: Final = (60, 200, 250)
_GREEN: Final = (90, 200, 90)
_ORANGE: Final = (40, 150, 250)


def annotate(
    scored: Scored,
    out: Path,
    catalogue: Catalogue,
    progress: Callable[[float, float | None], None] = lambda _at, _of: None,
) -> None:
    """Write the recording to *out* as an H.264 MP4 with plays, pile, Jacks and running score.

    Raises:
        OutputError: *out* cannot be written.
        SourceError: the recording cannot be opened any more.
    """
    told = list(moments(scored.record))
    times = [moment.t or 0.0 for moment in told]
    width, height = (side // 2 * 2 for side in scored.size)
    with (
        open_source(scored.source, largest=LARGEST) as frames,
        writing(out) as part,
        _container(part, out) as file,
    ):
        stream = file.add_stream("libx264", options={"crf": "23", "preset": "veryfast"})
        stream.width, stream.height, stream.pix_fmt = width, height, "yuv420p"
        stream.time_base = stream.codec_context.time_base = Fraction(1, _CLOCK)
        for frame in frames:
            image = np.ascontiguousarray(frame.image[:height, :width])
            seen = told[: bisect_right(times, frame.time)]
            draw(image, frame.time, seen, scored, catalogue)
            picture = av.VideoFrame.from_ndarray(image, format="bgr24")
            picture.pts = round(frame.time * _CLOCK)
            picture.time_base = Fraction(1, _CLOCK)
            file.mux(stream.encode(picture))
            progress(frame.time, frames.duration)
        file.mux(stream.encode())


@contextmanager
def _container(part: Path, out: Path) -> Iterator[OutputContainer]:
    """Yield an MP4 file that is written to *part* for *out*."""
    try:
        with av.open(str(part), "w", format="mp4") as file:
            yield file
    except av.FFmpegError as error:
        raise failed(out, error) from error


def draw(
    image: NDArray[np.uint8],
    time: float,
    seen: list[Moment],
    scored: Scored,
    catalogue: Catalogue,
) -> None:
    """Write into *image* what had been seen at *time*: the moments *seen*, newest last."""
    height, width = image.shape[:2]
    line = height / 32
    pen = Pen(image, line)
    top = height - round(2.4 * line)
    pen.veil((0, top), (width, height))
    base = height - 0.75 * line
    x = 0.8 * line
    names = scored.record.names
    for moment in seen[-_LISTED:]:
        x = pen.text(seat_name(moment.seat, names, catalogue), (x, base)) + 0.3 * line
        x = pen.card(moment.card, (x, base + 0.35 * line)) + 0.2 * line
        mark = "!" if moment.bonus else "×" if moment.captured else ""
        x = pen.text(mark, (x, base), _GOLD) + 0.7 * line
    _state(pen, seen, scored, catalogue)
    _pile(pen, time, seen, scored, catalogue)


def _state(pen: Pen, seen: list[Moment], scored: Scored, catalogue: Catalogue) -> None:
    """The running score, the pile and the Jacks, at the top."""
    width, line = pen.image.shape[1], pen.height
    pen.veil((0, 0), (width, round(2.1 * line)))
    totals = seen[-1].totals if seen else (0,) * scored.record.rules.sides
    sides = side_names(scored.record.rules, scored.record.names, catalogue)
    score = "   ".join(f"{side} {points}" for side, points in zip(sides, totals, strict=True))
    x = pen.text(score, (0.8 * line, 1.4 * line), _GOLD) + 2 * line
    if seen:
        words = catalogue.text("demo.state", pile=seen[-1].pile, jacks=seen[-1].jacks)
        pen.text(words, (max(x, 0.6 * width), 1.4 * line))


def _pile(pen: Pen, time: float, seen: list[Moment], scored: Scored, catalogue: Catalogue) -> None:
    """The pile's place, and for a moment the card that was just played there."""
    zone = scored.zone_at(time)
    (x, y), radius = zone.centre, zone.radius
    place, line = (round(x), round(y)), pen.height
    cv2.circle(pen.image, place, round(radius), _GREEN, 1, cv2.LINE_AA)
    last = seen[-1] if seen else None
    if last is None or last.t is None or time - last.t > _MARKED:
        return
    unsure = last.confidence is not None and last.confidence < CHECK_BELOW
    colour = _ORANGE if unsure else _GOLD if last.bonus else _GREEN
    cv2.circle(pen.image, place, round(radius), colour, 3, cv2.LINE_AA)
    right = pen.card(last.card, (x + 0.75 * radius, y - 0.75 * radius))
    words = "?" if unsure else ""
    if last.bonus:
        words = catalogue.text("sheet.pistis") + f" +{last.bonus}"
    elif last.captured:
        words = f"+{last.captured} {words}"
    pen.text(words, (right + 0.3 * line, y - 0.75 * radius - 0.35 * line), colour)
