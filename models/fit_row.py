"""Fit a row of weights (advisor.policies.linear) to how players lay their cards.

    python -m models.fit_row --seed 1 -o advisor/policies/searching.json pimc16 mc48

The row is the most likely one (conditional logit with a small ridge), found by Newton's method.
"""

from __future__ import annotations

from pathlib import Path
from typing import Any, Final

import click
import numpy as np
import numpy.typing as npt

from advisor.arena.match import play, shuffled
from advisor.arena.players import Player
from advisor.policies.linear import COLUMNS, ERROR, FEATURES, NOISE, sums
from advisor.search.worlds import place_of
from engine import RuleSet
from engine.kernel.compiling import compiled
from engine.kernel.layout import Rules, whole
from engine.kernel.stepping import push, view_of
from engine.rules import HAND_SIZE
from models.train_policy import write_row

Floats = npt.NDArray[np.float64]
Whole = npt.NDArray[np.int64]

_STEPS: Final = 30
_RIDGE: Final = 3.0
_NOISE: Final = 0.05
_ERROR: Final = 0.02


def _collect(
    rules: Rules, states: Any, plays: Any, seat: int, units: Floats, out: Floats, laid: Whole
) -> int:
    """Write each choice of *seat* in recorded deals; return how many there were.

    Args:
        rules: the rule set.
        states: the deals at their start; they are changed.
        plays: deal × play, the cards laid.
        seat: whose choices.
        units: feature × `COLUMNS`, the rows that weigh one feature alone.
        out: filled: choice × place in the hand × feature.
        laid: filled: the place of the card laid.
    """
    room = np.empty(HAND_SIZE)
    count = 0
    for number in range(len(states)):
        state = states[number]
        for at in range(plays.shape[1]):
            view = view_of(rules, state)
            place = place_of(view.hand, view.held, plays[number, at])
            if whole(state.turn) == seat and view.held > 1:
                for feature in range(len(units)):
                    sums(rules.cards, view, units[feature], room)
                    for card in range(view.held):
                        out[count, card, feature] = room[card]
                laid[count] = place
                # Places without a card are never the likeliest.
                for card in range(view.held, HAND_SIZE):
                    out[count, card, 0] = np.nan
                count += 1
            push(rules, state, place)
    return count


def choices(rules: RuleSet, name: str, other: str, deals: int, seed: int) -> tuple[Floats, Whole]:
    """Return the features (choice × place × feature) and places of what player *name* laid."""
    plays = np.zeros((deals, rules.plays), np.int64)
    players = [Player.parse(name if seat == 0 else other) for seat in range(rules.players)]
    play(rules, players, deals, seed, record=plays)
    most = deals * rules.plays // rules.players
    units = np.zeros((len(FEATURES), COLUMNS))
    units[:, : len(FEATURES)] = np.eye(len(FEATURES))
    out = np.zeros((most, HAND_SIZE, len(FEATURES)))
    laid = np.zeros(most, np.int64)
    collect = compiled(_collect, parts=(sums, place_of, push))
    states = shuffled(rules, deals, seed)
    count = collect(Rules.of(rules), states, plays, 0, units, out, laid)
    return out[:count], laid[:count]


def log_chances(features: Floats, weights: Floats) -> Floats:
    """Return the log of the chance of each card (choice × place); -inf where there is none."""
    totals = np.nan_to_num(features) @ weights
    totals[np.isnan(features[..., 0])] = -np.inf
    totals -= totals.max(axis=1, keepdims=True)
    chances: Floats = totals - np.log(np.exp(totals).sum(axis=1, keepdims=True))
    return chances


def fit(features: Floats, laid: Whole) -> Floats:
    """Return the weights under which the cards *laid* are likeliest."""
    size = features.shape[2]
    weights = np.zeros(size)
    known = np.nan_to_num(features)
    every = np.arange(len(laid))
    for _ in range(_STEPS):
        chances = np.exp(log_chances(features, weights))
        mean = np.einsum("np,npf->nf", chances, known)
        slope = (known[every, laid] - mean).sum(axis=0) - _RIDGE * weights
        weighed = chances[..., None] * known
        curve = np.einsum("npf,npg->fg", weighed, known, optimize=True) - mean.T @ mean
        step = np.linalg.solve(curve + _RIDGE * np.eye(size), slope)
        # Far from the top a whole step may leap too far.
        weights += step * min(1.0, 3.0 / float(np.abs(step).max()))
    return weights


@click.command()
@click.argument("players", nargs=-1, required=True)
@click.option("--other", default="row-tuned", help="Who they play against.")
@click.option("--rules", "rule_line", default="classic players=2")
@click.option("--deals", default=800)
@click.option("--seed", default=1)
@click.option("-o", "--output", type=click.Path(path_type=Path), required=True)
def main(
    players: tuple[str, ...], other: str, rule_line: str, deals: int, seed: int, output: Path
) -> None:
    """Fit one row to the plays of PLAYERS."""
    rules = RuleSet.parse(rule_line)
    found = [choices(rules, name, other, deals, seed) for name in players]
    weights = fit(np.concatenate([f for f, _ in found]), np.concatenate([at for _, at in found]))
    row = np.zeros(COLUMNS)
    row[: len(weights)] = weights
    row[NOISE], row[ERROR] = _NOISE, _ERROR
    write_row(output, row)
    for name in players:
        features, laid = choices(rules, name, other, deals // 4, seed + 1)
        chance = log_chances(features, weights)
        hits = (chance.argmax(axis=1) == laid).mean()
        mean = np.exp(chance[np.arange(len(laid)), laid].mean())
        click.echo(f"{name}: {hits:.1%} of new choices named, chance {mean:.3f} on average")


if __name__ == "__main__":
    main()
