"""What the reader says about one card in a picture."""

from __future__ import annotations

from dataclasses import dataclass

import numpy as np
from numpy.typing import NDArray

from engine.cards import UNKNOWN, Card, deck


@dataclass(frozen=True)
class Sighting:
    """One physical card in one picture, however many of its corners show.

    Attributes:
        quad: (4, 2) float32, pixels; the card's corners clockwise, starting at the corner that is
            at the top left when the card is held upright (either end: both are alike). Of a card
            of which only an index shows, the corners of that index.
        face_up: False for a back.
        probabilities: (52,) float32 in the order of `Card.index`; they sum to at most 1, the rest
            is the chance that this is no such card. All zero for a back.
        certainty: the probability that there is a card at all, with that side up.
        visible: how much of the card's area shows, 0 to 1, as the detector estimates it.
        box: (4,) float32, pixels; left, top, right, bottom of what was found.
        whole: whether the card's body was found, so that `quad` is that of the card.
    """

    quad: NDArray[np.float32]
    face_up: bool
    probabilities: NDArray[np.float32]
    certainty: float
    visible: float
    box: NDArray[np.float32]
    whole: bool

    @property
    def card(self) -> Card:
        """The most likely card; `UNKNOWN` for a back."""
        return deck()[int(np.argmax(self.probabilities))] if self.face_up else UNKNOWN

    @property
    def confidence(self) -> float:
        """The probability that `card` is right; of a back, that it is one."""
        return float(self.probabilities.max()) if self.face_up else self.certainty

    def as_json(self) -> dict[str, object]:
        """Return the sighting as an item of `pisti read --json`; pixels to a tenth."""
        return {
            "card": str(self.card),
            "face": "up" if self.face_up else "down",
            "confidence": round(self.confidence, 4),
            "quad": np.round(self.quad.astype(float), 1).tolist(),
            "box": np.round(self.box.astype(float), 1).tolist(),
        }
