"""Whether the advisor's numbers are true: predicted points and chances against what came.

    python -m advisor.arena.calibration --positions 2000 --seed 1 --plot reliability.svg

Deals are played by the tuned player at seat 0 against players drawn from the pool by their prior
chances. At one random turn of seat 0 in each deal the advisor says what it expects of the card
that is then played.
"""

from __future__ import annotations

import json
import time
from collections.abc import Callable
from dataclasses import dataclass
from pathlib import Path
from typing import Final

import click
import numpy as np
import numpy.typing as npt

from advisor.advice import Limit
from advisor.advisor import Advisor
from advisor.arena.match import play, shuffled
from advisor.arena.players import Player
from advisor.outputs import check_outputs, write_whole
from advisor.policies.thumb import NAMES
from advisor.search.pool import POOL_NAMES, PRIOR
from engine import Deal, Rank, RuleSet, View, deck

Floats = npt.NDArray[np.float64]

_POOL: Final = tuple(name if name in NAMES else f"row-{name}" for name in POOL_NAMES)
_BINS: Final = 10


@dataclass(frozen=True)
class Calibration:
    """Predictions beside what came.

    Attributes:
        points: positions × 2, predicted and realised results of the deal.
        captured: positions × 2, the chance that the next player captures, and whether it did.
        has_rank: positions and ranks × 2, the chance that the opponent holds it, and whether.
        seconds: how long each advice took.
    """

    points: Floats
    captured: Floats
    has_rank: Floats
    seconds: Floats

    @property
    def slope(self) -> tuple[float, float]:
        """The slope of realised on predicted points, and its standard error."""
        predicted, realised = self.points.T
        centred = predicted - predicted.mean()
        slope = float(centred @ (realised - realised.mean()) / (centred @ centred))
        rest = realised - realised.mean() - slope * centred
        error = float(np.sqrt(rest @ rest / (len(rest) - 2) / (centred @ centred)))
        return slope, error

    def to_json(self) -> dict[str, object]:
        """Return the slope, reliability tables, and times in milliseconds."""
        slope, error = self.slope
        return {
            "positions": len(self.points),
            "slope": round(slope, 3),
            "slope_stderr": round(error, 3),
            "bias": round(float((self.points[:, 1] - self.points[:, 0]).mean()), 3),
            "captured": reliability(self.captured),
            "has_rank": reliability(self.has_rank),
            "ms_median": round(1000 * float(np.median(self.seconds)), 1),
            "ms_p95": round(1000 * float(np.quantile(self.seconds, 0.95)), 1),
        }


def reliability(pairs: Floats) -> list[dict[str, float]]:
    """Return for tenths of the chance how often it was said, its mean, and how often it came."""
    rows = []
    bins = np.minimum((pairs[:, 0] * _BINS).astype(int), _BINS - 1)
    for number in range(_BINS):
        part = pairs[bins == number]
        if len(part):
            said, came = part.mean(axis=0)
            rows.append({"count": len(part), "said": round(said, 3), "came": round(came, 3)})
    return rows


def measure(
    rules: RuleSet,
    positions: int,
    seed: int,
    limit: Limit,
    progress: Callable[[int], object] = lambda _: None,
) -> Calibration:
    """Return predictions and what came, at one position of each of *positions* deals of two."""
    rng = np.random.default_rng(seed)
    advisor, faces = Advisor(), deck(1)
    points, captured, has_rank, seconds = [], [], [], []
    shares = np.round(np.array(PRIOR) * positions).astype(int)
    start = 0
    for name, count in zip(_POOL, shares, strict=True):
        plays = np.zeros((count, rules.plays), np.int64)
        players = [Player.parse("row-tuned"), Player.parse(name)]
        results = play(rules, players, count, seed, start, record=plays)
        for state, cards, result in zip(
            shuffled(rules, count, seed, start), plays, results, strict=True
        ):
            order = [faces[index] for index in state["cards"][: rules.cards]]
            deal = Deal.from_order(rules, int(state["dealer"]), order)
            at = 2 * int(rng.integers(rules.plays // 2)) + (deal.turn != 0)
            for index in cards[:at]:
                deal.push(faces[index])
            began = time.perf_counter()
            advice = advisor.advise(View.of(deal, 0), limit)
            seconds.append(time.perf_counter() - began)
            move = next(each for each in advice.moves if each.card is faces[cards[at]])
            points.append((move.points, result[0] - result[1]))
            held = {card.rank for card in deal.hands[1]}
            chances = advice.opponents[0].has_rank
            has_rank += [(chances[str(rank)], float(rank in held)) for rank in Rank]
            deal.push(faces[cards[at]])
            if at + 1 < rules.plays:
                deal.push(faces[cards[at + 1]])
                captured.append((move.risk.captured, float(deal.history[-1].captured > 0)))
            progress(1)
        start += count
    return Calibration(*(np.array(each, float) for each in (points, captured, has_rank, seconds)))


def to_svg(tables: dict[str, list[dict[str, float]]]) -> str:
    """Return a reliability plot: a square for each table, what was said against what came."""
    size, margin = 240, 40
    width = (size + margin) * len(tables) + margin
    lines = [
        f'<svg xmlns="http://www.w3.org/2000/svg" width="{width}" height="{size + 2 * margin}"'
        ' font-family="sans-serif" font-size="13">',
        '<rect width="100%" height="100%" fill="white"/>',
    ]
    for number, (name, rows) in enumerate(tables.items()):
        left = margin + number * (size + margin)
        bottom = margin + size
        lines += [
            f'<rect x="{left}" y="{margin}" width="{size}" height="{size}" fill="none"'
            ' stroke="#999"/>',
            f'<line x1="{left}" y1="{bottom}" x2="{left + size}" y2="{margin}" stroke="#bbb"/>',
            f'<text x="{left}" y="{margin - 12}">{name}</text>',
        ]
        for row in rows:
            x, y = left + size * row["said"], bottom - size * row["came"]
            radius = 2 + 1.2 * np.log10(row["count"] + 1)
            lines.append(f'<circle cx="{x:.1f}" cy="{y:.1f}" r="{radius:.1f}" fill="#174"/>')
    return "\n".join([*lines, "</svg>"]) + "\n"


@click.command()
@click.option("--positions", default=2000)
@click.option("--samples", default=128)
@click.option("--time", "seconds", type=float, help="Seconds an advice, instead of samples.")
@click.option("--rules", "rule_line", default="classic players=2")
@click.option("--seed", default=1)
@click.option("--plot", type=click.Path(path_type=Path))
def main(
    positions: int,
    samples: int,
    seconds: float | None,
    rule_line: str,
    seed: int,
    plot: Path | None,
) -> None:
    """Print the calibration as JSON."""
    check_outputs([plot])
    limit = Limit(seconds, None if seconds else samples, seed)
    found = measure(RuleSet.parse(rule_line), positions, seed, limit)
    click.echo(json.dumps(found.to_json()))
    if plot:
        tables = {
            "risk.captured": reliability(found.captured),
            "has_rank": reliability(found.has_rank),
        }
        write_whole(plot, to_svg(tables))


if __name__ == "__main__":
    main()
