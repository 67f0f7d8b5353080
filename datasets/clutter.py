"""Things on a table that are no cards: papers with writing, cut-outs, plain objects."""

from __future__ import annotations

import cv2
import numpy as np
from numpy.typing import NDArray

from datasets.camera import Camera
from datasets.canvas import UNIT, Canvas, Shadow, fit

Image = NDArray[np.uint8]
Points = NDArray[np.float32]


def scatter(
    canvas: Canvas, camera: Camera, rng: np.random.Generator, count: int, over: bool = False
) -> None:
    """Lay *count* things on the table; *over*: they may hide cards and are rather small."""
    for _ in range(count):
        pixel = rng.uniform(0, 1, (1, 2)) * (camera.width, camera.height)
        x, y = camera.on_table(pixel)[0]
        if over or rng.random() < 0.35:
            _thing(canvas, camera, rng, float(x), float(y))
        else:
            _paper(canvas, camera, rng, float(x), float(y))


def _paper(canvas: Canvas, camera: Camera, rng: np.random.Generator, x: float, y: float) -> None:
    height = rng.uniform(6, 30)
    width = height * rng.uniform(0.5, 1.5)
    turn = rng.uniform(0, 6.28)
    c, s = np.cos(turn), np.sin(turn)
    corners = np.array([[-1, 1], [1, 1], [1, -1], [-1, -1]]) * (width / 2, height / 2)
    world = corners @ np.array([[c, s], [-s, c]]) + (x, y)
    quad = camera.project(world)
    page = paper(rng, (280, max(60, round(280 * width / height))))
    shadow = Shadow(float(rng.uniform(0.1, 0.4)), (1.0, 1.0), 2.0)
    canvas.lay(fit(page, quad), quad, UNIT, shadow=shadow)


def paper(rng: np.random.Generator, shape: tuple[int, int]) -> Image:
    """A sheet, book or screen: writing, tables, printed figures; *shape* is (height, width)."""
    height, width = shape
    paper_tone = np.array([rng.uniform(190, 255)] * 3) - rng.uniform(0, 40, 3) * (
        rng.random() < 0.5
    )
    page = np.full((height, width, 3), paper_tone.clip(0, 255), np.uint8)
    if rng.random() < 0.15:
        page = 255 - page
    ink = tuple(float(v) for v in rng.choice([[30, 30, 30], [120, 40, 20], [30, 30, 170]]))
    line = int(rng.integers(12, 50))
    scale = line / 40
    letters = "AKQJ1234567890" if rng.random() < 0.4 else "etaoin shrdlu AEK 0123456789"
    if rng.random() < 0.5:
        for y in range(line, height, line):
            cv2.line(page, (0, y), (width, y), (200, 180, 160), 1)
    y = line
    while y < height:
        count = int(rng.integers(0, 24))
        text = "".join(letters[int(i)] for i in rng.integers(0, len(letters), count))
        font = int(rng.choice([0, 1, 2, 3, 4, 6, 7]))
        where = (int(rng.integers(2, 20)), y)
        cv2.putText(page, text, where, font, scale, ink, max(1, round(scale * 2)), cv2.LINE_AA)
        y += line
    return page


def _thing(canvas: Canvas, camera: Camera, rng: np.random.Generator, x: float, y: float) -> None:
    """A phone, coin, box or pen: a rounded shape with a light and a dark side."""
    kind = rng.random()
    long, wide = (
        (rng.uniform(5, 16), rng.uniform(0.8, 8)) if kind < 0.6 else (rng.uniform(2, 9),) * 2
    )
    turn = rng.uniform(0, 6.28)
    c, s = np.cos(turn), np.sin(turn)
    corners = np.array([[-1, 1], [1, 1], [1, -1], [-1, -1]]) * (wide / 2, long / 2)
    quad = camera.project(corners @ np.array([[c, s], [-s, c]]) + (x, y))
    outline = rounded(int(rng.integers(2, 40)) / 96) if kind < 0.6 else rounded(0.5)
    colour = rng.uniform(10, 240, 3)
    ramp = np.linspace(rng.uniform(0.5, 1), rng.uniform(0.8, 1.3), 96)[:, None, None]
    face = (np.ones((96, 96, 1)) * ramp * colour).clip(0, 255).astype(np.uint8)
    if rng.random() < 0.4:
        cv2.circle(face, (48, 48), int(rng.integers(8, 40)), tuple(rng.uniform(0, 255, 3)), -1)
    shadow = Shadow(float(rng.uniform(0.2, 0.6)), (2.0, 3.0), 4.0)
    canvas.lay(face, quad, outline, shadow=shadow)


def rounded(radius: float) -> Points:
    """The unit square rounded by *radius*, a circle at 0.5: (N, 2)."""
    turn = np.linspace(0, 2 * np.pi, 32, endpoint=False) + np.pi / 32
    way = np.stack([np.cos(turn), np.sin(turn)], axis=1)
    return np.asarray(0.5 + np.sign(way) * (0.5 - radius) + way * radius, np.float32)
