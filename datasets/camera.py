"""A pinhole camera over a table. World units are centimetres: x right, y away, z up."""

from __future__ import annotations

from dataclasses import dataclass
from math import cos, radians, sin
from typing import Final

import numpy as np
from numpy.typing import NDArray

Matrix = NDArray[np.float64]

#: Height of a playing card.
CARD_HEIGHT: Final = 8.8


@dataclass(frozen=True)
class Camera:
    """A camera; `matrix` (3 x 4) takes homogeneous world points to homogeneous pixels."""

    matrix: Matrix
    position: Matrix
    width: int
    height: int

    @classmethod
    def look(
        cls,
        size: tuple[int, int],
        *,
        focal: float,
        distance: float,
        elevation: float,
        azimuth: float = 0.0,
        roll: float = 0.0,
        target: tuple[float, float] = (0.0, 0.0),
        centre: tuple[float, float] | None = None,
    ) -> Camera:
        """A camera that looks at *target* on the table.

        Args:
            size: width and height of the picture.
            focal: focal length in pixels.
            distance: from the camera to the target, in centimetres.
            elevation: angle of the view above the table in degrees; 90 is straight down.
            azimuth: where around the table the camera stands, in degrees.
            roll: turn about the view axis, in degrees.
            target: the point of the table that is looked at.
            centre: the pixel at which the target appears; the middle of the picture by default.
        """
        up, turn = radians(elevation), radians(azimuth)
        offset = np.array([sin(turn) * cos(up), -cos(turn) * cos(up), sin(up)])
        position = np.array([*target, 0.0]) + distance * offset
        forward = -offset
        right = np.array([cos(turn), sin(turn), 0.0])
        down = np.cross(forward, right)
        c, s = cos(radians(roll)), sin(radians(roll))
        axes = np.stack([c * right + s * down, c * down - s * right, forward])
        middle = centre or (size[0] / 2, size[1] / 2)
        intrinsics = np.array([[focal, 0, middle[0]], [0, focal, middle[1]], [0, 0, 1.0]])
        outer = np.concatenate([axes, (-axes @ position)[:, None]], axis=1)
        return cls(intrinsics @ outer, position, *size)

    def project(self, points: NDArray[np.floating]) -> NDArray[np.float32]:
        """Pixels of world *points*: (N, 3) or, for points of the table, (N, 2); gives (N, 2)."""
        if points.shape[1] == 2:
            points = np.concatenate([points, np.zeros((len(points), 1))], axis=1)
        homogeneous = points @ self.matrix[:, :3].T + self.matrix[:, 3]
        depth = np.maximum(homogeneous[:, 2:], 1e-6)
        return np.asarray(homogeneous[:, :2] / depth, np.float32)

    @property
    def table(self) -> Matrix:
        """The homography (3 x 3) from table centimetres (x, y) to pixels."""
        return self.matrix[:, [0, 1, 3]]

    def on_table(self, pixels: NDArray[np.floating]) -> NDArray[np.float32]:
        """Table points (N, 2) seen at *pixels* (N, 2)."""
        homogeneous = np.concatenate([pixels, np.ones((len(pixels), 1))], axis=1)
        world = homogeneous @ np.linalg.inv(self.table).T
        return np.asarray(world[:, :2] / world[:, 2:], np.float32)


def card_corners(
    centre: tuple[float, float, float],
    angle: float,
    aspect: float,
    axes: NDArray[np.floating] | None = None,
) -> NDArray[np.float64]:
    """World corners (4, 3) of a card, from the top-left of its upright face.

    Args:
        centre: the card's centre.
        angle: turn in its plane in degrees, counter-clockwise; at 0 its top points along +y.
        aspect: width over height.
        axes: (2, 3) right and up directions of its plane; the table's by default.
    """
    height, width = CARD_HEIGHT, CARD_HEIGHT * aspect
    corners = np.array([[-1, 1], [1, 1], [1, -1], [-1, -1]]) * (width / 2, height / 2)
    c, s = cos(radians(angle)), sin(radians(angle))
    turned = corners @ np.array([[c, s], [-s, c]])
    plane = np.array([[1.0, 0, 0], [0, 1.0, 0]]) if axes is None else axes
    return np.asarray(turned @ plane + np.array(centre), np.float64)
