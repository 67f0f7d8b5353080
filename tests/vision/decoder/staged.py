"""Close-ups of a recorded game without its pictures: what a reader would see of the choreography.

The renderer's plan says which card lies or moves where at each moment; here each card that shows is
a sighting, read well or badly, so that whole games are decoded without drawing or reading a frame.
"""

from __future__ import annotations

from dataclasses import dataclass, replace

import numpy as np

from datasets.decks import BACK
from datasets.games.director import Director
from datasets.games.levels import LEVELS
from datasets.games.plan import Lying, Plan
from datasets.games.script import play_deal
from engine import Deal, RuleSet
from vision.sightings import Sighting
from vision.table import Closeup, PileZone

#: Pixels a centimetre, and where the pile is.
SCALE, PILE = 10.0, (400.0, 300.0)
ZONE = PileZone(PILE, 1.2 * 8.8 * SCALE)
FPS = 10


@dataclass
class Staged:
    """A staged game: what was seen of it, and the truth.

    Attributes:
        seen: the close-ups.
        plan: who moved what.
        deals: the deals as they were played.
    """

    seen: list[Closeup]
    plan: Plan
    deals: list[Deal]


def stage(
    rules: RuleSet, seed: int, *, level: int = 3, deals: int = 1, sure: float = 0.93
) -> Staged:
    """Return a game of *level*, read with the probability *sure* for the right card."""
    rng = np.random.default_rng(seed)
    manner = replace(LEVELS[level - 1], shown_hand=0.0)
    director = Director(manner, rules.players, [32.0] * rules.players, rng)
    played, dealer = [], rules.players - 1
    for number in range(deals):
        deal, turns = play_deal(rules, dealer, seed + number)
        director.deal(deal, turns)
        played.append(deal)
        dealer = (dealer + 1) % rules.players
    plan = director.plan
    seen: list[Closeup] = []
    changes = np.array([at for at, _ in plan.states])
    for t in np.arange(0, plan.duration, 1 / FPS):
        one = _closeup(plan, float(t), sure, rng)
        since = t - changes[changes <= t].max()
        # As the gate does: what rests is read twice again, and then now and then.
        again = any(0 <= since - wait < 1 / FPS for wait in (0.0, 0.2, 0.6))
        if one.motion or again or not seen or t - seen[-1].time >= 2:
            seen.append(one)
    return Staged(seen, plan, played)


def _closeup(plan: Plan, t: float, sure: float, rng: np.random.Generator) -> Closeup:
    state = [state for at, state in plan.states if at <= t][-1]
    shown: list[Sighting] = []
    # Of the pile the top card shows whole, and corners of the two below it.
    for below, card in enumerate(reversed(state.pile[-3:])):
        whole = below == 0
        if card.face == BACK:
            shown += [_back(card)] if whole else []
        elif whole or rng.random() < 0.5:
            shown.append(_sighting(card, whole, sure, rng))
    motion, pull = 0.0, np.zeros(2)
    for track in plan.tracks:
        if not track.keys[0].t <= t <= track.keys[-1].t:
            continue
        x, y, _ = track.place(t)
        if np.hypot(x, y) < 14:
            motion = 0.7
            pull += np.array([x, -y]) / 14
            if track.seat is not None and np.hypot(x, y) < 3 and rng.random() < 0.5:
                # The hand hides what lies there.
                shown = shown[:1] if rng.random() < 0.6 else []
        for one in track.carried[-1:]:
            if one.start <= t <= one.end and one.card.face != BACK and np.hypot(x, y) < 12:
                ax, ay, _ = track.place(one.at)
                moved = replace(one.card, x=one.card.x + x - ax, y=one.card.y + y - ay)
                if rng.random() < 0.5:
                    shown.append(_sighting(moved, True, 0.5 * sure, rng))
    return Closeup(t, tuple(shown), motion, pull=(float(pull[0]), float(pull[1])))


def _back(card: Lying) -> Sighting:
    seen = _sighting(replace(card, face=0), True, 0.9, np.random.default_rng(0))
    return replace(seen, face_up=False, probabilities=np.zeros(52, np.float32), certainty=0.75)


def _sighting(card: Lying, whole: bool, sure: float, rng: np.random.Generator) -> Sighting:
    names = rng.dirichlet(np.full(52, 0.05)).astype(np.float32) * (1 - sure)
    face = card.face
    if not whole and rng.random() < 0.1:
        face = int(rng.integers(52))
    names[face] += sure * float(rng.uniform(0.75, 1.0))
    x, y = PILE[0] + card.x * SCALE, PILE[1] - card.y * SCALE
    half = np.array([3.1, 4.4]) * SCALE if whole else np.array([0.6, 1.2]) * SCALE
    middle = np.array([x, y]) if whole else np.array([x - 24, y - 32])
    middle = middle + rng.normal(0, 0.7, 2)
    low, high = middle - half, middle + half
    quad = np.array([low, [high[0], low[1]], high, [low[0], high[1]]], np.float32)
    return Sighting(
        quad=quad,
        face_up=True,
        probabilities=names,
        certainty=1.0,
        visible=0.85 if whole else 0.1,
        box=np.concatenate([low, high]).astype(np.float32),
        whole=whole,
    )
