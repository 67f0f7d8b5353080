"""What the arena found: points a deal with intervals, ratings, a plot."""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass
from typing import Final
from xml.sax.saxutils import escape

import numpy as np
import numpy.typing as npt

Floats = npt.NDArray[np.float64]

_SIGMAS: Final = 1.959964


@dataclass(frozen=True)
class Result:
    """How *first* did against *second*.

    Attributes:
        first, second: the players' names.
        rules: the rule set's line.
        gains: what *first* gained in each deal (mirrored: the mean of both seatings).
        adjusted: the same with the luck of the cards taken out, of the same mean.
        control_error: standard error of `points` from not knowing the control's mean better.
        ms_per_move: processor milliseconds that a move of a searching player took.
    """

    first: str
    second: str
    rules: str
    gains: Floats
    adjusted: Floats
    control_error: float
    ms_per_move: float

    @property
    def points(self) -> float:
        """Points a deal that *first* gains."""
        return float(self.adjusted.mean())

    @property
    def interval(self) -> tuple[float, float]:
        """The 95 % confidence interval of `points`."""
        sampling = float(self.adjusted.var(ddof=1)) / len(self.adjusted)
        margin = _SIGMAS * (sampling + self.control_error**2) ** 0.5
        return self.points - margin, self.points + margin

    def to_json(self) -> dict[str, object]:
        """Return the result in the form that `pisti arena --json` prints."""
        return {
            "a": self.first,
            "b": self.second,
            "rules": self.rules,
            "deals": len(self.gains),
            "points": round(self.points, 3),
            "ci95": [round(bound, 3) for bound in self.interval],
            "unadjusted": round(float(self.gains.mean()), 3),
            "ms_per_move": round(self.ms_per_move, 4),
        }


def without_luck(gains: Floats, control: Floats) -> tuple[Floats, float]:
    """Return *gains* less the part that *control*, whose true mean is 0, explains, and its slope.

    Each half is adjusted by the slope fitted on the other half, so the mean stays unbiased.
    """
    adjusted, slopes = gains.copy(), [0.0]
    even = np.arange(len(gains)) % 2 == 0
    for part, other in ((even, ~even), (~even, even)):
        spread = control[other].var()
        if spread > 0:
            covariance = np.mean(
                (gains[other] - gains[other].mean()) * (control[other] - control[other].mean())
            )
            slopes.append(float(covariance / spread))
            adjusted[part] -= slopes[-1] * control[part]
    return adjusted, max(map(abs, slopes))


def ratings(results: Sequence[Result]) -> dict[str, float]:
    """Return for each player the points a deal it is above the mean, by least squares."""
    names = sorted({name for result in results for name in (result.first, result.second)})
    rows, gains = [], []
    for result in results:
        low, high = result.interval
        weight = 1 / max(1e-6, high - low)
        row = np.zeros(len(names))
        row[names.index(result.first)] += weight
        row[names.index(result.second)] -= weight
        rows.append(row)
        gains.append(weight * result.points)
    rows.append(np.ones(len(names)))
    gains.append(0.0)
    solved = np.linalg.lstsq(np.array(rows), np.array(gains), rcond=None)[0]
    return {name: round(float(value), 3) for name, value in zip(names, solved, strict=True)}


def to_svg(results: Sequence[Result], table: dict[str, float]) -> str:
    """Return a picture of the results: a line for each pair, its interval as a bar."""
    rows = [(f"{each.first} – {each.second}", each.points, each.interval) for each in results]
    bounds = [bound for _, _, interval in rows for bound in interval] + [0.0]
    low, high = min(bounds), max(bounds)
    span = (high - low) or 1.0
    left, width, step = 260, 480, 26
    height = step * (len(rows) + 3)

    def across(value: float) -> float:
        return round(left + (value - low) / span * width, 1)

    zero = across(0.0)
    lines = [
        f'<svg xmlns="http://www.w3.org/2000/svg" width="{left + width + 90}" height="{height}"'
        ' font-family="sans-serif" font-size="13">',
        '<rect width="100%" height="100%" fill="white"/>',
        f'<line x1="{zero}" y1="10" x2="{zero}" y2="{height - step}" stroke="#999"/>',
    ]
    for number, (name, points, (start, end)) in enumerate(rows):
        y = step * (number + 1)
        lines += [
            f'<text x="8" y="{y + 4}">{escape(name)}</text>',
            f'<line x1="{across(start)}" y1="{y}" x2="{across(end)}" y2="{y}"'
            ' stroke="#2a6" stroke-width="3"/>',
            f'<circle cx="{across(points)}" cy="{y}" r="4" fill="#174"/>',
            f'<text x="{left + width + 12}" y="{y + 4}">{points:+.2f}</text>',
        ]
    best = ", ".join(
        f"{name} {value:+.2f}" for name, value in sorted(table.items(), key=lambda item: -item[1])
    )
    lines += [f'<text x="8" y="{height - 10}">{escape(best)}</text>', "</svg>"]
    return "\n".join(lines) + "\n"
