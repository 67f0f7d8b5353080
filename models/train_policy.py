"""Tune a row of weights (advisor.policies.linear) in mirrored deals, by CMA-ES.

    python -m models.train_policy --minutes 3 --seed 1 -o advisor/policies/tuned.json

The same seed, number of generations and start give the same row. The evolution strategy is the
plain one of Hansen's tutorial (arXiv:1604.00772) with a full covariance matrix.
"""

from __future__ import annotations

import json
import time
from collections.abc import Callable, Sequence
from pathlib import Path
from typing import Final

import click
import numpy as np
import numpy.typing as npt

from advisor.arena.match import duel
from advisor.arena.players import Player
from advisor.arena.table import ROW
from advisor.policies.linear import FEATURES
from advisor.policies.rows import NAMED, read_row
from engine import RuleSet

Floats = npt.NDArray[np.float64]

#: Who the row is tuned against, and how much each counts.
OPPONENTS: Final = {
    "counting": 0.25,
    "tips": 0.25,
    "greedy": 0.15,
    "hunter": 0.1,
    "row-careful": 0.25,
}


class Evolution:
    """CMA-ES for a maximum."""

    def __init__(self, start: Floats, scales: Floats, seed: int, population: int = 16) -> None:
        size = len(start)
        self.mean = start.copy()
        self._scales = scales
        self._rng = np.random.default_rng(seed)
        self._population = population
        self._parents = population // 2
        ranks = np.log(self._parents + 0.5) - np.log(np.arange(1, self._parents + 1))
        self._weights = ranks / ranks.sum()
        self._effective = 1 / (self._weights**2).sum()
        effective = self._effective
        self._path_rate = (4 + effective / size) / (size + 4 + 2 * effective / size)
        self._step_rate = (effective + 2) / (size + effective + 5)
        self._rank_one = 2 / ((size + 1.3) ** 2 + effective)
        self._rank_many = min(
            1 - self._rank_one,
            2 * (effective - 2 + 1 / effective) / ((size + 2) ** 2 + effective),
        )
        self._damping = 1 + self._step_rate + 2 * max(0, ((effective - 1) / (size + 1)) ** 0.5 - 1)
        self._usual = size**0.5 * (1 - 1 / (4 * size) + 1 / (21 * size**2))
        self._step = 1.0
        self._covariance = np.eye(size)
        self._path = np.zeros(size)
        self._step_path = np.zeros(size)

    def generation(self, worth: Callable[[Floats], float]) -> float:
        """Try one population by *worth*; return the mean worth of the better half."""
        size = len(self.mean)
        values, vectors = np.linalg.eigh(self._covariance)
        roots = np.sqrt(np.maximum(values, 1e-12))
        normal = self._rng.standard_normal((self._population, size))
        steps = normal * roots @ vectors.T
        worths = np.array([worth(self.mean + self._step * s * self._scales) for s in steps])
        order = np.argsort(-worths)[: self._parents]
        moved = self._weights @ steps[order]
        self.mean += self._step * moved * self._scales
        whitened = vectors @ ((vectors.T @ moved) / roots)
        self._step_path = (1 - self._step_rate) * self._step_path + (
            self._step_rate * (2 - self._step_rate) * self._effective
        ) ** 0.5 * whitened
        self._path = (1 - self._path_rate) * self._path + (
            self._path_rate * (2 - self._path_rate) * self._effective
        ) ** 0.5 * moved
        kept = 1 - self._rank_one - self._rank_many
        many = (steps[order].T * self._weights) @ steps[order]
        self._covariance = (
            kept * self._covariance
            + self._rank_one * np.outer(self._path, self._path)
            + self._rank_many * many
        )
        length = float(np.linalg.norm(self._step_path))
        self._step *= float(np.exp(self._step_rate / self._damping * (length / self._usual - 1)))
        return float(worths[order].mean())


def tune(
    start: Floats,
    opponents: Sequence[tuple[Player, float]],
    *,
    rules: RuleSet,
    seed: int,
    generations: int,
    deals: int,
    minutes: float,
    report: Callable[[str], None],
) -> Floats:
    """Return *start* tuned against *opponents*, for so many generations or minutes."""
    size = len(FEATURES)
    scales = np.maximum(0.5, 0.3 * np.abs(start[:size]))
    evolution = Evolution(start[:size], scales, seed)
    began = time.monotonic()
    for number in range(generations):
        if time.monotonic() - began > 60 * minutes:
            break

        def worth(weights: Floats, number: int = number) -> float:
            player = Player("tuned", ROW, own=np.concatenate([weights, start[size:]]))
            return sum(
                share * float(duel(rules, player, other, deals, seed + 1000 + number).mean())
                for other, share in opponents
            )

        best = evolution.generation(worth)
        if number % 10 == 0:
            report(f"generation {number}: {best:+.3f}")
    return np.concatenate([evolution.mean, start[size:]])


def write_row(path: Path, row: Floats) -> None:
    """Write a row of weights by the names of its features."""
    names = (*FEATURES, "noise", "error")
    data = {name: round(float(weight), 4) for name, weight in zip(names, row, strict=True)}
    path.write_text(json.dumps(data, indent=1) + "\n", encoding="utf-8")


@click.command()
@click.option("--start", default="careful", help="A row by name, or a file.")
@click.option("--against", multiple=True, help="Players, as NAME or NAME=SHARE.")
@click.option("--rules", "rule_line", default="classic players=2")
@click.option("--seed", default=1)
@click.option("--generations", default=1000)
@click.option("--deals", default=2000, help="Mirrored deals for each opponent and candidate.")
@click.option("--minutes", default=3.0)
@click.option("--check", default=20_000, help="Other deals on which the result is measured.")
@click.option("-o", "--output", type=click.Path(path_type=Path), required=True)
def main(
    start: str,
    against: tuple[str, ...],
    rule_line: str,
    seed: int,
    generations: int,
    deals: int,
    minutes: float,
    check: int,
    output: Path,
) -> None:
    """Tune a row of weights against fixed players."""
    rules = RuleSet.parse(rule_line)
    shares = dict(OPPONENTS)
    if against:
        parts = [each.rpartition("=") if "=" in each else (each, "", "1") for each in against]
        shares = {name: float(share) for name, _, share in parts}
    total = sum(shares.values())
    opponents = [(Player.parse(name), share / total) for name, share in shares.items()]
    row = NAMED[start] if start in NAMED else read_row(Path(start).read_text(encoding="utf-8"))
    tuned = tune(
        row,
        opponents,
        rules=rules,
        seed=seed,
        generations=generations,
        deals=deals,
        minutes=minutes,
        report=click.echo,
    )
    write_row(output, tuned)
    for other, _ in opponents:
        gains = duel(rules, Player("tuned", ROW, own=tuned), other, check, 99)
        margin = 1.96 * gains.std() / len(gains) ** 0.5
        click.echo(f"{other.name}: {gains.mean():+.3f} ± {margin:.3f}")


if __name__ == "__main__":
    main()
