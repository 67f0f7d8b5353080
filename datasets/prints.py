"""How a deck's print looks on the day: ink, paper, wear. Cheap enough for every card drawn."""

from __future__ import annotations

from dataclasses import dataclass

import cv2
import numpy as np
from numpy.typing import NDArray

Image = NDArray[np.uint8]


@dataclass(frozen=True)
class Print:
    """The print of one deck, the same for all its cards in a scene.

    Attributes:
        black: grey level of the darkest ink.
        red: how much of the red is lost (0: bright red, 0.9: nearly black).
        paper: BGR factors of the paper.
        edge: brightness of the cut edge.
    """

    black: float
    red: float
    paper: tuple[float, float, float]
    edge: float

    @classmethod
    def draw(cls, rng: np.random.Generator) -> Print:
        """A likely print."""
        red = rng.uniform(0.3, 0.75) if rng.random() < 0.15 else rng.uniform(0, 0.3)
        tint = 1 - rng.uniform(0, 0.14) * rng.random()
        paper = (tint * rng.uniform(0.94, 1), tint, tint * rng.uniform(0.98, 1))
        return cls(float(rng.uniform(0, 70) * rng.random()), float(red), paper, rng.uniform(0.7, 1))

    def apply(self, face: Image) -> Image:
        """*face* (H x W x 3) as this print shows it."""
        blue, green, red = cv2.split(np.ascontiguousarray(face))
        if self.red > 0.02:
            red = cv2.addWeighted(red, 1 - self.red, cv2.min(blue, green), self.red, 0)
        gain = (255 - self.black) / 255
        channels = [
            cv2.convertScaleAbs(channel, alpha=gain * tint, beta=self.black * tint)
            for channel, tint in zip((blue, green, red), self.paper, strict=True)
        ]
        out = cv2.merge(channels)
        cv2.rectangle(out, (0, 0), (out.shape[1] - 1, out.shape[0] - 1),
                      tuple(float(255 * self.edge * t) for t in self.paper), 1)  # fmt: skip
        return np.asarray(out, np.uint8)
