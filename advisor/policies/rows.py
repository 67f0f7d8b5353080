"""Rows of weights: the players of the family in `linear` that are written by hand."""

from __future__ import annotations

import json
from importlib import resources
from typing import Any, Final

import numpy as np
import numpy.typing as npt

from advisor.policies.linear import COLUMNS, ERROR, FEATURES, NOISE

Row = npt.NDArray[np.float64]


def row_of(noise: float = 0.05, error: float = 0.02, **weights: float) -> Row:
    """Return the row with these weights by name of feature, all others 0."""
    row = np.zeros(COLUMNS)
    for name, weight in weights.items():
        row[FEATURES.index(name)] = weight
    row[NOISE] = noise
    row[ERROR] = error
    return row


# The rules of thumb of `thumb` as rows: a rule that comes before another outweighs all that the
# other can add up, so the row lays what the rule lays, and is as sure of it.
#: Captures by rank, else with a Jack, else lays what counts least; a Jack last of all.
GREEDY: Final = row_of(match=90_000, jack=9000, lay_points=-12, lay_jack=-5000)
#: Keeps the Jack for three cards or a top card that scores; lays pairs and low ranks first.
HUNTER: Final = row_of(
    match=90_000,
    jack=-5000,
    jack_three=9000,
    jack_top_scores=9000,
    lay_points=-400,
    lay_jack=-40_000,
    lay_pair=40,
    lay_high=-36,
)
#: Counts cards: takes with the Jack what scores or is large, lays ranks of which few are left.
COUNTING: Final = row_of(
    match=90_000,
    jack=-3000,
    jack_any_stake=6000,
    jack_seven=6000,
    jack_covered=6000,
    lay_unseen=-6,
    lay_jack=-9000,
    lay_safe_master=30_000,
)
#: The hints of rules.md. The Jack takes five cards, or a stake of two points: no weight alone can
#: say "or". The risk is there for the bottom card, which the next player has for certain.
TIPS: Final = row_of(
    match=90_000,
    jack=-1800,
    jack_stake=3200,
    jack_any_stake=-1600,
    jack_pile=1600,
    jack_last_round=9000,
    lay_points=-15,
    lay_unseen=-3.5,
    lay_risk=-30,
    lay_jack=-1000,
    lay_pair_lead=60,
)
#: A careful counter before any tuning.
CAREFUL: Final = row_of(
    match=8,
    match_single=8,
    match_stake=1,
    jack=-3,
    jack_single=-4,
    jack_double=14,
    jack_stake=2,
    jack_pile=2.5,
    jack_covered=1.5,
    jack_last_round=6,
    lay_points=-1.0,
    lay_jack=-6,
    lay_unseen=-0.5,
    lay_risk=-1,
    lay_risk_stake=-1.5,
    lay_risk_pile=-1.5,
    lay_risk_single=-7,
    lay_pair_lead=0.5,
    lay_points_jack_risk=-0.5,
    noise=0.01,
)


def read_row(text: str) -> Row:
    """Return the row of weights in *text*, a JSON object by name of feature.

    Raises:
        KeyError: a feature is missing.
    """
    data = json.loads(text)
    return np.array([data[name] for name in (*FEATURES, "noise", "error")])


def _packaged(name: str) -> Row:
    return read_row(resources.files(__package__).joinpath(name).read_text(encoding="utf-8"))


#: The careful counter, tuned (models/train_policy.py).
TUNED: Final = _packaged("tuned.json")
#: The same with a partner opposite.
PARTNERS: Final = _packaged("partners.json")
#: How players who search lay their cards, fitted to their plays (models/fit_row.py).
SEARCHING: Final = _packaged("searching.json")
#: The same for the advisor itself; and a row tuned against the advisor (models/train_policy.py).
LIKE_ADVISOR: Final = _packaged("like-advisor.json")
EXPLOITER: Final = _packaged("exploiter.json")
#: By name of an opponent the tuned player, tuned further against that one.
ANSWERS: Final = {
    name: _packaged(f"against-{name}.json") for name in ("greedy", "hunter", "counting", "tips")
}
#: Lays any card.
RANDOM: Final = row_of(noise=1.0, error=1.0)

NAMED: Final[dict[str, Any]] = {
    "random": RANDOM,
    "greedy": GREEDY,
    "hunter": HUNTER,
    "counting": COUNTING,
    "tips": TIPS,
    "careful": CAREFUL,
    "tuned": TUNED,
    "partners": PARTNERS,
    "searching": SEARCHING,
    "like-advisor": LIKE_ADVISOR,
    "exploiter": EXPLOITER,
    **{f"against-{name}": row for name, row in ANSWERS.items()},
}
