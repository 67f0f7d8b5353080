"""Hands and forearms seen from above, drawn from rounded limbs with shading.

They are there to hide cards as hands do, with skin, sleeves and shadows of the right size; they
are no portrait of a hand.
"""

from __future__ import annotations

from dataclasses import dataclass
from math import cos, radians, sin
from typing import Final

import cv2
import numpy as np
from numpy.typing import NDArray

from datasets.canvas import UNIT, Canvas, Shadow

Image = NDArray[np.uint8]
Points = NDArray[np.float32]
Colour = NDArray[np.float64]

#: Skin tones from light to dark, BGR.
_SKINS: Final = (
    (180, 205, 240), (150, 180, 225), (125, 160, 210), (105, 140, 195), (80, 110, 165),
    (60, 85, 130), (45, 60, 95),
)  # fmt: skip


@dataclass(frozen=True)
class Limb:
    """A rounded limb from *start* to *end* (pixels) with radii at both."""

    start: NDArray[np.float64]
    end: NDArray[np.float64]
    radius: tuple[float, float]


def skin_tone(rng: np.random.Generator) -> Colour:
    """A colour of skin, BGR."""
    return np.array(_SKINS[int(rng.integers(len(_SKINS)))]) * rng.uniform(0.75, 1.1)


def lay_hand(
    canvas: Canvas,
    rng: np.random.Generator,
    tip: NDArray[np.floating],
    heading: float,
    size: float,
    *,
    squash: float = 1.0,
    skin: Colour | None = None,
    arm: bool = True,
) -> Points:
    """Lay a hand on *canvas* whose fingers end at about *tip*.

    Args:
        canvas: where to draw.
        rng: source of chance.
        tip: pixel at which the longest finger ends.
        heading: direction in which the fingers point, degrees in the picture (0 is right,
            90 is down).
        size: height of a card there, in pixels.
        squash: foreshortening of the picture's vertical.
        skin: colour of the skin, any by default.
        arm: whether a forearm with a sleeve follows.

    Returns:
        The outline of the hand without its arm, (N, 2) pixels, cut to the picture; empty when
        beside it.
    """
    way = np.array([cos(radians(heading)), sin(radians(heading))])
    side = np.array([-way[1], way[0]]) * rng.choice([-1, 1])
    fingers, palm = _fingers(rng, np.asarray(tip, np.float64), way, side, size)
    limbs = [palm, *fingers]
    pivot = np.asarray(tip, np.float64)
    limbs = [_squashed(limb, pivot, squash) for limb in limbs]
    tone = skin_tone(rng) if skin is None else skin
    shift = rng.normal(0, 0.06, 2) * size + (0, 0.05 * size)
    shadow = Shadow(float(rng.uniform(0.15, 0.6)), (float(shift[0]), float(shift[1])), 0.05 * size)
    if arm:
        wrist = limbs[0].start
        reach = -(way * (1, squash)) * (size * rng.uniform(4, 6) + max(canvas.image.shape))
        width = size * rng.uniform(0.4, 0.62)
        bare = wrist - way * (1, squash) * size * rng.choice([0.1, 0.6, 1.5, 100.0])
        limbs.insert(0, Limb(wrist + reach, wrist, (width * 0.85, size * 0.3)))
        sleeve = Limb(wrist + reach, bare, (width * 1.25, width * rng.uniform(0.9, 1.15)))
        for limb in (limbs[0], palm):
            canvas.throw(_outline(limb), shadow)
    for limb in limbs:
        _paint(canvas, limb, tone, rng, 0.0)
    if arm:
        cloth = (
            rng.uniform(10, 235, 3) if rng.random() < 0.6 else np.repeat(rng.uniform(20, 230), 3)
        )
        _paint(canvas, sleeve, cloth, rng, 0.35)
    for finger in limbs[-5:]:
        if rng.random() < 0.7:
            _nail(canvas, finger, tone)
    return _in_frame(np.concatenate([_outline(limb) for limb in limbs[-6:]]), canvas)


def lay_thumb(
    canvas: Canvas,
    rng: np.random.Generator,
    tip: NDArray[np.floating],
    heading: float,
    size: float,
    skin: Colour,
) -> Points:
    """Lay a thumb that holds cards from above; arguments and result as in `lay_hand`."""
    way = np.array([cos(radians(heading)), sin(radians(heading))])
    end = np.asarray(tip, np.float64)
    thumb = Limb(end - way * size * rng.uniform(0.5, 0.9), end, (0.16 * size, 0.115 * size))
    canvas.throw(_outline(thumb), Shadow(0.3, (0.02 * size, 0.03 * size), 0.03 * size))
    _paint(canvas, thumb, skin, rng, 0.0)
    _nail(canvas, thumb, skin)
    return _in_frame(_outline(thumb), canvas)


def _in_frame(points: Points, canvas: Canvas) -> Points:
    """The convex hull of *points* cut to the picture, (N, 2); empty when beside it."""
    height, width = canvas.image.shape[:2]
    frame = np.array([[0, 0], [width, 0], [width, height], [0, height]], np.float32)
    hull = cv2.convexHull(points)
    area, inside = cv2.intersectConvexConvex(hull, frame)
    if area <= 0:
        return np.zeros((0, 2), np.float32)
    # Points on the edge may come out a rounding error beyond it.
    return np.asarray(inside, np.float32).reshape(-1, 2).clip(0, (width, height))


def _fingers(
    rng: np.random.Generator,
    tip: NDArray[np.float64],
    way: NDArray[np.float64],
    side: NDArray[np.float64],
    size: float,
) -> tuple[list[Limb], Limb]:
    """Four fingers and a thumb, and the palm, of a hand that points along *way*."""
    curl, spread = rng.uniform(0.35, 1.0), rng.uniform(0.0, 0.35)
    length = 0.85 * size * curl
    knuckle = tip - way * length
    limbs = []
    for n, share in enumerate((0.88, 1.0, 0.94, 0.75)):
        across = (n - 1.3) * 0.215 * size
        base = knuckle + side * across - way * 0.05 * size * abs(n - 1.2)
        lean = (n - 1.3) * spread + rng.normal(0, 0.04)
        end = base + (way * cos(lean) + side * sin(lean)) * length * share * rng.uniform(0.85, 1.05)
        limbs.append(Limb(base, end, (0.115 * size, 0.09 * size)))
    palm = Limb(knuckle - way * 0.75 * size, knuckle - way * 0.1 * size, (0.34 * size, 0.45 * size))
    root = knuckle - way * 0.6 * size - side * 0.38 * size
    out = rng.uniform(-0.2, 0.9)
    thumb = root + (way * cos(out) - side * sin(out)) * size * rng.uniform(0.5, 0.75)
    limbs.append(Limb(root, thumb, (0.15 * size, 0.105 * size)))
    return limbs, palm


def _squashed(limb: Limb, pivot: NDArray[np.float64], squash: float) -> Limb:
    scale = np.array([1.0, squash])
    return Limb(
        pivot + (limb.start - pivot) * scale, pivot + (limb.end - pivot) * scale, limb.radius
    )


def _outline(limb: Limb) -> Points:
    """The convex outline of *limb*, (32, 2)."""
    axis = limb.end - limb.start
    turn = np.arctan2(axis[1], axis[0])
    front = turn + np.linspace(-np.pi / 2, np.pi / 2, 16)
    back = turn + np.linspace(np.pi / 2, 3 * np.pi / 2, 16)
    a = limb.end + np.stack([np.cos(front), np.sin(front)], axis=1) * limb.radius[1]
    b = limb.start + np.stack([np.cos(back), np.sin(back)], axis=1) * limb.radius[0]
    return np.concatenate([a, b]).astype(np.float32)


def _paint(
    canvas: Canvas, limb: Limb, colour: NDArray[np.floating], rng: np.random.Generator, folds: float
) -> None:
    """Paint *limb* rounded by light from above; *folds* adds the creases of cloth."""
    outline = _outline(limb)
    axis = limb.end - limb.start
    across = np.array([-axis[1], axis[0]]) / max(1e-6, float(np.linalg.norm(axis)))
    wide = max(limb.radius)
    quad = np.stack([limb.start - across * wide, limb.end - across * wide,
                     limb.end + across * wide, limb.start + across * wide])  # fmt: skip
    along = axis / max(1e-6, float(np.linalg.norm(axis)))
    quad += np.array([[-1], [1], [1], [-1]]) * along * wide
    v = np.linspace(-1, 1, 24)[:, None]
    tone = 0.55 + 0.5 * np.sqrt(np.clip(1.05 - v**2, 0, 1)) + 0.08 * v * rng.choice([-1, 1])
    tone = np.repeat(tone, 32, axis=1)
    if folds:
        creases = cv2.resize(rng.standard_normal((5, 9)), (32, 24), interpolation=cv2.INTER_CUBIC)
        tone = tone * (1 + folds * 0.5 * creases)
    picture = (tone[..., None] * colour).clip(0, 255).astype(np.uint8)
    matrix = cv2.getPerspectiveTransform(quad.astype(np.float32), UNIT)
    shape = cv2.perspectiveTransform(outline[None], matrix)[0]
    canvas.lay(picture, quad.astype(np.float32), np.asarray(shape, np.float32))


def _nail(canvas: Canvas, finger: Limb, skin: NDArray[np.floating]) -> None:
    axis = (finger.end - finger.start) / max(1e-6, float(np.linalg.norm(finger.end - finger.start)))
    radius = finger.radius[1]
    nail = Limb(
        finger.end - axis * radius * 0.3, finger.end + axis * radius * 0.35, (radius * 0.5,) * 2
    )
    pale = (skin * 0.6 + np.array([150, 160, 210]) * 0.45).clip(0, 255)
    polygon = _outline(nail)
    low, high = polygon.min(axis=0), polygon.max(axis=0)
    quad = np.array([low, [high[0], low[1]], high, [low[0], high[1]]], np.float32)
    shape = (polygon - low) / np.maximum(high - low, 1e-3)
    canvas.lay(np.full((4, 4, 3), pale, np.uint8), quad, shape.astype(np.float32))
