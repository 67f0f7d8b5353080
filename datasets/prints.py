"""How a deck's print looks on the day: ink and paper. Cheap enough for every card drawn."""

from __future__ import annotations

from dataclasses import dataclass
from math import cos, radians, sin, sqrt
from typing import Final

import cv2
import numpy as np
from numpy.typing import NDArray

Image = NDArray[np.uint8]

#: Weights of blue, green and red in brightness.
_GREY: Final = np.array([0.114, 0.587, 0.299])


@dataclass(frozen=True)
class Print:
    """The print of one deck, the same for all its cards in a scene.

    Attributes:
        transform: 3 x 4, takes the BGR of a design (and 1) to the BGR on the card.
        edge: BGR of the cut edge.
    """

    transform: NDArray[np.float64]
    edge: tuple[float, float, float]

    @classmethod
    def draw(cls, rng: np.random.Generator) -> Print:
        """A likely print: inks of another tone, reds that are nearly black, tinted paper."""
        loss = rng.uniform(0.3, 0.8) if rng.random() < 0.15 else rng.uniform(0, 0.3)
        saturation = rng.uniform(0.6, 1.15)
        hue = rng.normal(0, 7) if rng.random() < 0.5 else 0.0
        black = rng.uniform(0, 70) * rng.random()
        tint = 1 - rng.uniform(0, 0.14) * rng.random()
        paper = np.array([tint * rng.uniform(0.94, 1), tint, tint * rng.uniform(0.98, 1)])
        matrix = _hue_turn(hue) @ (saturation * np.eye(3) + (1 - saturation) * _GREY)
        dulled = np.eye(3)
        dulled[2] = [loss / 2, loss / 2, 1 - loss]
        matrix = (255 - black) / 255 * (dulled @ matrix)
        transform = paper[:, None] * np.concatenate([matrix, np.full((3, 1), black)], axis=1)
        edge = 255 * rng.uniform(0.7, 1) * paper
        return cls(transform, (float(edge[0]), float(edge[1]), float(edge[2])))

    def apply(self, face: Image) -> Image:
        """*face* (H x W x 3) as this print shows it."""
        out = cv2.transform(np.ascontiguousarray(face), self.transform)
        cv2.rectangle(out, (0, 0), (out.shape[1] - 1, out.shape[0] - 1), self.edge, 1)
        return np.asarray(out, np.uint8)


def _hue_turn(degrees: float) -> NDArray[np.float64]:
    """The turn of colours about the grey axis."""
    c, s = cos(radians(degrees)), sin(radians(degrees))
    third, root = (1 - c) / 3, s / sqrt(3)
    return np.array(
        [
            [c + third, third - root, third + root],
            [third + root, c + third, third - root],
            [third - root, third + root, c + third],
        ]
    )
