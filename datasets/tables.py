"""The ground of a scene: a table or cloth, at times with an edge and a room beyond it."""

from __future__ import annotations

import cv2
import numpy as np
from numpy.typing import NDArray

from datasets.camera import Camera
from datasets.textures import SIDE, recolour, surface, view

Image = NDArray[np.uint8]


def table(camera: Camera, rng: np.random.Generator) -> Image:
    """A table filling the picture, at times with an edge and something else beyond it."""
    picture = recolour(_plane(surface(rng), camera, rng), rng)
    if rng.random() < 0.3:
        size = (camera.width, camera.height)
        room = view(rng, size) if rng.random() < 0.4 else np.asarray(cv2.resize(surface(rng), size))
        room = np.asarray(cv2.GaussianBlur(room, (0, 0), rng.uniform(1, 12)), np.uint8)
        room = np.asarray(cv2.convertScaleAbs(room, alpha=rng.uniform(0.15, 0.9)), np.uint8)
        picture = np.where(_beyond_edge(camera, rng)[..., None], room, picture)
    return np.ascontiguousarray(picture, np.uint8)


def _beyond_edge(camera: Camera, rng: np.random.Generator) -> NDArray[np.bool_]:
    """The pixels (H x W) beyond a straight edge of the table, somewhere off the middle."""
    centre = np.array([[camera.width / 2, camera.height / 2]])
    middle = camera.on_table(centre)[0]
    corner = camera.on_table(np.array([[0.0, camera.height]]))[0]
    reach = float(np.linalg.norm(corner - middle)) * rng.uniform(0.3, 0.9)
    angle = rng.uniform(0, 2 * np.pi)
    outward = np.array([np.cos(angle), np.sin(angle)])
    edge = float(middle @ outward) + reach
    # The table coordinate along `outward` of each pixel, as a fraction of two linear forms.
    inverse = np.linalg.inv(camera.table)
    over = (outward @ inverse[:2]) - edge * inverse[2]
    y, x = np.ogrid[: camera.height, : camera.width]
    below = inverse[2, 0] * x + inverse[2, 1] * y + inverse[2, 2]
    return np.asarray((over[0] * x + over[1] * y + over[2]) * np.sign(below) > 0)


def _plane(texture: Image, camera: Camera, rng: np.random.Generator) -> Image:
    """*texture* tiled over the table, as the camera sees it."""
    middle = np.array([[camera.width / 2, camera.height / 2]])
    step = camera.on_table(middle + np.array([[1.0, 0.0]])) - camera.on_table(middle)
    per_pixel = float(np.linalg.norm(step))
    tile = rng.uniform(25, 110)
    texels = SIDE / tile * per_pixel
    if texels > 1:
        side = max(24, round(SIDE / texels))
        shrunk = cv2.resize(texture, (side, side), interpolation=cv2.INTER_AREA)
        texture = np.asarray(shrunk, np.uint8)
    scale = texture.shape[0] / tile
    turn = rng.uniform(0, 6.28)
    c, s = np.cos(turn) * scale, np.sin(turn) * scale
    shift = rng.uniform(0, SIDE, 2)
    to_texture = np.array([[c, -s, shift[0]], [s, c, shift[1]], [0, 0, 1.0]])
    matrix = to_texture @ np.linalg.inv(camera.table)
    return np.asarray(
        cv2.warpPerspective(
            texture,
            matrix,
            (camera.width, camera.height),
            flags=cv2.INTER_LINEAR | cv2.WARP_INVERSE_MAP,
            borderMode=cv2.BORDER_WRAP,
        ),
        np.uint8,
    )
