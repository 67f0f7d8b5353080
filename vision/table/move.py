"""How the picture of a camera has moved: by a shift, a turn and a zoom."""

from __future__ import annotations

from dataclasses import dataclass, replace
from math import atan2, degrees, hypot
from typing import Final, Self

import numpy as np
from numpy.typing import NDArray

from vision.sightings import Sighting


@dataclass(frozen=True, slots=True)
class Move:
    """From where something at rest was seen to where it is seen now; equal by value.

    A point (x, y) is now at (right + along × x - across × y, down + across × x + along × y).

    Attributes:
        right: pixels by which the picture's top left corner moved to the right.
        down: pixels by which it moved down.
        along: the zoom, times the cosine of the turn.
        across: the zoom, times the sine of the turn.
    """

    right: float = 0.0
    down: float = 0.0
    along: float = 1.0
    across: float = 0.0

    @classmethod
    def of(cls, matrix: NDArray[np.float64]) -> Self:
        """Return the move that the 2 × 3 *matrix* of a shift, turn and zoom describes."""
        (along, _, right), (across, _, down) = matrix.tolist()
        return cls(right, down, along, across)

    @classmethod
    def about(cls, middle: tuple[float, float], turn: float, zoom: float) -> Self:
        """Return a turn by *turn* degrees, clockwise as seen, and a zoom about *middle*, pixels."""
        (x, y), by = middle, zoom * np.exp(1j * np.radians(turn))
        left = complex(x, y) * (1 - by)
        return cls(float(left.real), float(left.imag), float(by.real), float(by.imag))

    @property
    def shift(self) -> tuple[float, float]:
        """(right, down) in pixels; of a turn or zoom that of the picture's top left corner."""
        return self.right, self.down

    @property
    def zoom(self) -> float:
        """How many times larger things are seen now."""
        return hypot(self.along, self.across)

    @property
    def turn(self) -> float:
        """By how many degrees things are turned now, clockwise as seen."""
        return degrees(atan2(self.across, self.along))

    @property
    def matrix(self) -> NDArray[np.float64]:
        """The move as a 2 × 3 matrix."""
        return np.array(
            [[self.along, -self.across, self.right], [self.across, self.along, self.down]]
        )

    def place(self, point: tuple[float, float]) -> tuple[float, float]:
        """Return where what was seen at *point* (x, y) is seen now, in pixels."""
        x, y = point
        return (
            self.right + self.along * x - self.across * y,
            self.down + self.across * x + self.along * y,
        )

    def then(self, other: Move) -> Move:
        """Return this move and the *other* one after it."""
        right, down = other.place((self.right, self.down))
        return Move(
            right,
            down,
            other.along * self.along - other.across * self.across,
            other.across * self.along + other.along * self.across,
        )

    def back(self) -> Move:
        """Return the move that undoes this one."""
        size = self.along**2 + self.across**2
        turned = Move(0.0, 0.0, self.along / size, -self.across / size)
        right, down = turned.place((-self.right, -self.down))
        return Move(right, down, turned.along, turned.across)

    def bring_back(self, sighting: Sighting) -> Sighting:
        """Return *sighting* as it would be seen, had the camera not moved.

        Its box keeps its shape: it is turned with the picture, not drawn anew around the card.
        """
        undone = self.back()
        matrix = undone.matrix.astype(np.float32)
        quad = sighting.quad @ matrix[:, :2].T + matrix[:, 2]
        low, high = sighting.box[:2], sighting.box[2:]
        half = (high - low) * np.float32(undone.zoom / 2)
        at = (low + high) / 2 @ matrix[:, :2].T + matrix[:, 2]
        return replace(sighting, quad=quad, box=np.concatenate([at - half, at + half]))

    def unturned(self, way: NDArray[np.float64]) -> NDArray[np.float64]:
        """Return the *way* (right, down) as it would be seen without the turn; as long as it is."""
        along, across = self.along / self.zoom, self.across / self.zoom
        return np.array([along * way[0] + across * way[1], along * way[1] - across * way[0]])

    def scaled(self, by: float) -> Move:
        """Return the same move of pictures that are *by* times as large."""
        return Move(self.right * by, self.down * by, self.along, self.across)

    def apart(self, other: Move, size: tuple[float, float]) -> float:
        """Return how far the moves are apart at the worst corner of a picture of *size*; pixels."""
        width, height = size
        corners = ((0.0, 0.0), (width, 0.0), (0.0, height), (width, height))
        pairs = ((self.place(corner), other.place(corner)) for corner in corners)
        return max(hypot(x - u, y - v) for (x, y), (u, v) in pairs)


#: Of a camera that has not moved.
STILL: Final = Move()
