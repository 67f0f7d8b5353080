"""Judging the reader on rendered scenes of one difficulty each, and on pictures without cards."""

from __future__ import annotations

from collections import Counter
from collections.abc import Sequence
from typing import Final

import numpy as np

from datasets.labels import Scene
from datasets.scenes import render_scene
from models.scoring import Score
from vision.reader import CardReader

#: Kinds and sizes of the table: cards 45, 60 and 80 pixels tall seen at 35°, 45° and 60° above the
#: table, then one difficulty each. Their decks are in no training.
STRESS: Final = (
    *(f"stress-{height}-{angle}" for height in (45, 60, 80) for angle in (35, 45, 60)),
    "stress-hands",
    "stress-shake",
    "stress-dim",
    "stress-washed",
    "stress-fan",
)
#: Cards with so much showing, or with a corner index showing that is so many pixels long, count as
#: there to be read.
_VISIBLE: Final = 0.6
_INDEX_VISIBLE: Final = 0.9
_INDEX_LENGTH: Final = 12.0


def evaluate_stress(
    reader: CardReader, recipes: Sequence[str] = STRESS, scenes: int = 20, seed: int = 7001
) -> dict[str, dict[str, float]]:
    """Return the scores (`Score.as_json`) of *reader* on *scenes* scenes of each of *recipes*."""
    table = {}
    for recipe in recipes:
        total = Score()
        for number in range(scenes):
            scene = render_scene(recipe, seed, number)
            due, tolerated = due_cards(scene)
            read = Counter(str(s.card) for s in reader.read(scene.image) if s.face_up)
            # Reading a card of which little shows is no fault.
            read -= (read - due) & tolerated
            total.add(list(due.elements()), list(read.elements()), complete=True)
        table[recipe] = total.as_json()
    return table


def due_cards(scene: Scene) -> tuple[Counter[str], Counter[str]]:
    """Return the face-up cards of *scene* that must be read, and those that may be."""
    shown = {
        index.card
        for index in scene.indexes
        if index.visible >= _INDEX_VISIBLE and np.ptp(index.quad, axis=0).max() >= _INDEX_LENGTH
    }
    due: Counter[str] = Counter()
    tolerated: Counter[str] = Counter()
    for number, card in enumerate(scene.cards):
        if card.face_up:
            must = card.visible >= _VISIBLE or number in shown
            (due if must else tolerated)[card.name] += 1
    return due, tolerated


def false_card_share(
    reader: CardReader, scenes: int = 300, seed: int = 7002, recipe: str = "negative"
) -> float:
    """Return the share of *scenes* rendered pictures without cards in which a face was read."""
    false = 0
    for number in range(scenes):
        scene = render_scene(recipe, seed, number)
        false += any(sighting.face_up for sighting in reader.read(scene.image))
    return false / scenes
