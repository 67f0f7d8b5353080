"""Things on a table that are no playing cards: papers, keyboards, other games, objects."""

from __future__ import annotations

from collections.abc import Callable
from typing import Final

import cv2
import numpy as np
from numpy.typing import NDArray

from datasets.camera import Camera
from datasets.canvas import UNIT, Canvas, Shadow, fit
from datasets.stamps import stamps, turned

Image = NDArray[np.uint8]
Points = NDArray[np.float32]
Colour = tuple[float, float, float]

_FONTS: Final = (0, 1, 2, 3, 4, 6, 7)


def scatter(
    canvas: Canvas, camera: Camera, rng: np.random.Generator, count: int, over: bool = False
) -> None:
    """Lay *count* things on the table; *over*: small ones that may hide cards."""
    for _ in range(count):
        pixel = rng.uniform(0, 1, (1, 2)) * (camera.width, camera.height)
        x, y = (float(v) for v in camera.on_table(pixel)[0])
        kind = rng.random()
        if over or kind < 0.45:
            if stamps() and rng.random() < 0.65:
                _stamp(canvas, camera, rng, x, y)
            else:
                _thing(canvas, camera, rng, x, y)
        elif kind < 0.82:
            height = rng.uniform(6, 30)
            shape = (height * rng.uniform(0.5, 1.5), height)
            _sheet(canvas, camera, rng, (x, y), shape, paper, UNIT)
        elif kind < 0.92:
            size = (rng.uniform(5.5, 6.5), rng.uniform(8, 9.2))
            _sheet(canvas, camera, rng, (x, y), size, other_card, rounded(0.06))
        else:
            size = (rng.uniform(22, 34), rng.uniform(9, 14))
            _sheet(canvas, camera, rng, (x, y), size, keyboard, rounded(0.03))


def _sheet(
    canvas: Canvas,
    camera: Camera,
    rng: np.random.Generator,
    place: tuple[float, float],
    size: tuple[float, float],
    draw: Callable[[np.random.Generator, tuple[int, int]], Image],
    outline: Points,
) -> None:
    """Lay a flat thing of *size* (width and height in centimetres) at *place*, turned anyhow."""
    quad = camera.project(_turned_box(place, size, rng))
    picture = draw(rng, (280, max(60, round(280 * size[0] / size[1]))))
    shadow = Shadow(float(rng.uniform(0.1, 0.4)), (1.0, 1.0), 2.0)
    canvas.lay(fit(picture, quad), quad, outline, shadow=shadow)


def _turned_box(
    place: tuple[float, float], size: tuple[float, float], rng: np.random.Generator
) -> NDArray[np.float64]:
    turn = rng.uniform(0, 2 * np.pi)
    c, s = np.cos(turn), np.sin(turn)
    corners = np.array([[-1, 1], [1, 1], [1, -1], [-1, -1]]) * (size[0] / 2, size[1] / 2)
    return np.asarray(corners @ np.array([[c, s], [-s, c]]) + place)


def paper(rng: np.random.Generator, shape: tuple[int, int]) -> Image:
    """A sheet, book or screen: writing, tables, printed figures; *shape* is (height, width)."""
    height, width = shape
    tone = np.array([rng.uniform(190, 255)] * 3) - rng.uniform(0, 40, 3) * (rng.random() < 0.5)
    page = np.full((height, width, 3), tone.clip(0, 255), np.uint8)
    if rng.random() < 0.15:
        page = 255 - page
    ink = tuple(float(v) for v in rng.choice([[30, 30, 30], [120, 40, 20], [30, 30, 170]]))
    line = int(rng.integers(12, 50))
    scale = line / 40
    letters = "AKQJ1234567890" if rng.random() < 0.4 else "etaoin shrdlu AEK 0123456789"
    if rng.random() < 0.5:
        for y in range(line, height, line):
            cv2.line(page, (0, y), (width, y), (200, 180, 160), 1)
    for y in range(line, height, line):
        count = int(rng.integers(0, 24))
        text = "".join(letters[int(i)] for i in rng.integers(0, len(letters), count))
        font, thick = int(rng.choice(_FONTS)), max(1, round(scale * 2))
        where = (int(rng.integers(2, 20)), y)
        cv2.putText(page, text, where, font, scale, ink, thick, cv2.LINE_AA)
    return page


def other_card(rng: np.random.Generator, shape: tuple[int, int]) -> Image:
    """A card of another game: coloured, with figures but no suit."""
    height, width = shape
    ink = _vivid(rng)
    face = np.full((height, width, 3), 245, np.uint8)
    rim = int(rng.integers(0, 16))
    if rng.random() < 0.7:
        cv2.rectangle(face, (rim, rim), (width - rim, height - rim), ink, -1)
        figure: Colour = (250.0, 250.0, 250.0)
    else:
        figure = ink
    middle = (width // 2, height // 2)
    if rng.random() < 0.6:
        axes = (round(width * 0.42), round(height * 0.25))
        cv2.ellipse(face, middle, axes, rng.uniform(-60, 60), 0, 360, (245, 245, 245), -1)
    sign = str(rng.choice(list("0123456789WSR+")))
    font = int(rng.choice(_FONTS))
    cv2.putText(face, sign, (middle[0] - 40, middle[1] + 40), font, 4, ink, 8, cv2.LINE_AA)
    small = (rim + 6, rim + 44)
    for _ in range(2):
        cv2.putText(face, sign, small, font, 1.2, figure, 3, cv2.LINE_AA)
        face = np.ascontiguousarray(face[::-1, ::-1])
    return face


def keyboard(rng: np.random.Generator, shape: tuple[int, int]) -> Image:
    """Rows of keys with letters and figures."""
    height, width = shape
    dark = rng.random() < 0.7
    key, ink = ((45, 45, 45), (225, 225, 225)) if dark else ((235, 235, 235), (40, 40, 40))
    board = np.full((height, width, 3), 25 if dark else 190, np.uint8)
    rows = ("1234567890", "QWERTYUIOP", "ASDFGHJKL", "ZXCVBNM")
    side = min(width // 11, height // 5)
    for n, row in enumerate(rows):
        for m, letter in enumerate(row):
            x, y = round(side * (0.4 + m + 0.25 * n)), round(side * (0.4 + n * 1.08))
            cv2.rectangle(board, (x, y), (x + side - 6, y + side - 6), key, -1)
            place = (x + side // 6, y + side // 2)
            cv2.putText(board, letter, place, 0, side / 64, ink, 1, cv2.LINE_AA)
    return board


def _vivid(rng: np.random.Generator) -> Colour:
    pixel = np.array([[[rng.uniform(0, 180), rng.uniform(130, 255), rng.uniform(80, 250)]]])
    blue, green, red = cv2.cvtColor(pixel.astype(np.uint8), cv2.COLOR_HSV2BGR)[0, 0]
    return float(blue), float(green), float(red)


def _stamp(canvas: Canvas, camera: Camera, rng: np.random.Generator, x: float, y: float) -> None:
    """A cut-out of a thing 2 to 12 centimetres large."""
    known = stamps()
    stamp = known[int(rng.integers(len(known)))]
    long = rng.uniform(2, 12)
    ends = camera.project(np.array([[x, y], [x + 1, y], [x, y + 1]]))
    scale = float(np.linalg.norm(ends[1:] - ends[0], axis=1).max())
    size = long * scale
    if not 4 < size < 2 * max(canvas.image.shape):
        return
    picture, mask = turned(stamp, size, rng.uniform(0, 360), rng.uniform(0.6, 1.0))
    picture = np.asarray(cv2.convertScaleAbs(picture, alpha=rng.uniform(0.5, 1.0)), np.uint8)
    corner = ends[0] - np.array(mask.shape[::-1]) / 2
    turn = np.linspace(0, 2 * np.pi, 16, endpoint=False)
    foot = ends[0] + np.stack([np.cos(turn), np.sin(turn)], axis=1) * 0.33 * size
    shadow = Shadow(float(rng.uniform(0.1, 0.5)), (0.03 * size, 0.06 * size), 0.06 * size)
    canvas.throw(foot.astype(np.float32), shadow)
    canvas.stamp(picture, mask, (int(corner[0]), int(corner[1])))


def _thing(canvas: Canvas, camera: Camera, rng: np.random.Generator, x: float, y: float) -> None:
    """A phone, coin, box or pen: a rounded shape with a light and a dark side."""
    flat = rng.random() < 0.6
    long, wide = (rng.uniform(5, 16), rng.uniform(0.8, 8)) if flat else (rng.uniform(2, 9),) * 2
    quad = camera.project(_turned_box((x, y), (wide, long), rng))
    outline = rounded(int(rng.integers(2, 40)) / 96) if flat else rounded(0.5)
    colour = rng.uniform(10, 240, 3)
    ramp = np.linspace(rng.uniform(0.5, 1), rng.uniform(0.8, 1.3), 96)[:, None, None]
    face = (np.ones((96, 96, 1)) * ramp * colour).clip(0, 255).astype(np.uint8)
    if rng.random() < 0.4:
        cv2.circle(face, (48, 48), int(rng.integers(8, 40)), _vivid(rng), -1)
    shadow = Shadow(float(rng.uniform(0.2, 0.6)), (2.0, 3.0), 4.0)
    canvas.lay(face, quad, outline, shadow=shadow)


def rounded(radius: float) -> Points:
    """The unit square rounded by *radius*, a circle at 0.5: (N, 2)."""
    turn = np.linspace(0, 2 * np.pi, 32, endpoint=False) + np.pi / 32
    way = np.stack([np.cos(turn), np.sin(turn)], axis=1)
    return np.asarray(0.5 + np.sign(way) * (0.5 - radius) + way * radius, np.float32)
