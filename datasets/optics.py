"""What light, lens and sensor do to a picture. Every function works on H x W x 3 BGR uint8."""

from __future__ import annotations

from dataclasses import dataclass
from functools import lru_cache
from math import cos, pi, sin
from typing import Final

import cv2
import numpy as np
from numpy.typing import NDArray

from datasets.codec import compress

Image = NDArray[np.uint8]
Floats = NDArray[np.float32]

_NOISE_SIDE: Final = 1024


@dataclass(frozen=True)
class Harshness:
    """How bad the picture may get, 0 (a good photo) to 1 (dim, shaken, overexposed).

    Attributes:
        light: of the light, reflections and stray light.
        blur: of defocus and shake.
        sensor: of noise, lost resolution and compression.
        always: "shake", "dim" or "wash" is sure to happen, and strongly.
    """

    light: float
    blur: float
    sensor: float
    always: str = ""

    @classmethod
    def draw(cls, rng: np.random.Generator) -> Harshness:
        """Mostly mild, each part on its own, sometimes bad, one picture in six bad for sure."""
        light, blur, sensor = (float(v) for v in rng.beta(1.1, 1.9, size=3))
        always = ("dim", "shake", "wash")[int(rng.integers(3))] if rng.random() < 1 / 6 else ""
        return cls(light, blur, sensor, always)


def light(image: Image, rng: np.random.Generator, harsh: float) -> Image:
    """Light the picture: warm or cold, a slope or a pool of light, shadows with hard edges."""
    height, width = image.shape[:2]
    rows, columns = 24, max(8, round(24 * width / height))
    y, x = np.mgrid[0 : 1 : rows * 1j, 0 : width / height : columns * 1j].astype(np.float32)
    field = np.ones((rows, columns), np.float32)
    angle = rng.uniform(0, 2 * pi)
    slope = rng.uniform(0, 0.25 + 0.6 * harsh)
    field *= 1 + slope * (cos(angle) * (x - width / height / 2) + sin(angle) * (y - 0.5))
    if rng.random() < 0.4:
        field *= _pool(x, y, rng, width / height, 0.3 + 0.6 * harsh)
    level = rng.uniform(0.75, 1.15) * (1 - 0.6 * harsh * rng.random())
    gains = _cast(rng, harsh) * np.float32(level)
    gain = cv2.merge([field * g for g in gains])
    if rng.random() < 0.25 + 0.3 * harsh:
        gain *= _edge_shadow(rng, rows, columns, harsh)[..., None]
    full = cv2.resize(gain, (width, height), interpolation=cv2.INTER_LINEAR)
    return np.asarray(cv2.multiply(image, full, dtype=cv2.CV_8U), np.uint8)


def _pool(x: Floats, y: Floats, rng: np.random.Generator, aspect: float, depth: float) -> Floats:
    cx, cy = rng.uniform(0, aspect), rng.uniform(0, 1)
    size = rng.uniform(0.3, 1.0)
    near = np.exp(-((x - cx) ** 2 + (y - cy) ** 2) / (2 * size**2))
    return np.asarray(1 - depth + depth * near, np.float32)


def _cast(rng: np.random.Generator, harsh: float) -> Floats:
    """Channel gains (blue, green, red) of warm, cold or coloured light."""
    if rng.random() < 0.08:
        return rng.uniform(0.55, 1.1, 3).astype(np.float32)
    warmth = rng.normal(0, 0.07 + 0.11 * harsh)
    tint = rng.normal(0, 0.03 + 0.03 * harsh)
    return np.asarray(np.exp([-warmth, tint, warmth]).clip(0.4, 1.7), np.float32)


def _edge_shadow(rng: np.random.Generator, rows: int, columns: int, harsh: float) -> Floats:
    mask = np.zeros((rows * 8, columns * 8), np.uint8)
    points = rng.uniform(-0.3, 1.3, (int(rng.integers(3, 6)), 2)) * (columns * 8, rows * 8)
    cv2.fillPoly(mask, [points.astype(np.int32)], 255)
    soft = cv2.GaussianBlur(mask, (0, 0), rng.uniform(0.8, 12))
    small = cv2.resize(soft, (columns, rows), interpolation=cv2.INTER_AREA)
    strength = rng.uniform(0.15, 0.35 + 0.35 * harsh)
    return np.asarray(1 - small.astype(np.float32) / 255 * strength, np.float32)


def glare(image: Image, rng: np.random.Generator, harsh: float, where: Image | None) -> Image:
    """Add reflections of lamps and windows; *where* (H x W, 0 or 255) marks glossy parts."""
    height, width = image.shape[:2]
    scale = 4 if max(height, width) > 400 else 1
    small = np.zeros((max(2, height // scale), max(2, width // scale)), np.float32)
    for _ in range(int(rng.integers(1, 4))):
        centre = rng.uniform(0, 1, 2) * (small.shape[1], small.shape[0])
        side = min(small.shape) * rng.uniform(0.04, 0.35)
        stretch = rng.uniform(1, 4)
        box = (
            (float(centre[0]), float(centre[1])),
            (float(side), float(side * stretch)),
            float(rng.uniform(0, 180)),
        )
        spot = np.zeros_like(small)
        if rng.random() < 0.3:
            cv2.fillPoly(spot, [cv2.boxPoints(box).astype(np.int32)], 1.0)
        else:
            cv2.ellipse(spot, box, 1.0, -1)
        blur = cv2.GaussianBlur(spot, (0, 0), max(0.6, side * rng.uniform(0.05, 0.6)))
        small += blur * np.float32(rng.uniform(20, 90 + 190 * harsh))
    if where is not None:
        glossy = cv2.resize(where, small.shape[::-1], interpolation=cv2.INTER_AREA)
        floor = rng.uniform(0.1, 0.6)
        small *= floor + (1 - floor) * glossy.astype(np.float32) / 255
    added = cv2.resize(small.clip(0, 255), (width, height), interpolation=cv2.INTER_LINEAR)
    layer = cv2.merge([added.astype(np.uint8)] * 3)
    return np.asarray(cv2.add(image, layer), np.uint8)


def wash(image: Image, rng: np.random.Generator, harsh: float) -> Image:
    """Veil the picture as stray light does, or lift its shadows."""
    veil = rng.uniform(0, 20 + 110 * harsh)
    keep = 1 - veil / 255 * rng.uniform(0.4, 1.0)
    return np.asarray(cv2.convertScaleAbs(image, alpha=keep, beta=veil * 0.9), np.uint8)


def blur(image: Image, rng: np.random.Generator, harsh: float, reach: float) -> Image:
    """Defocus or shake; *reach* is the largest blur in pixels that leaves something to read."""
    kind = rng.random()
    amount = reach * harsh * rng.random()
    if kind < 0.45:
        sigma = 0.25 + amount * 0.5
        return np.asarray(cv2.GaussianBlur(image, (0, 0), sigma), np.uint8)
    if kind < 0.7:
        return np.asarray(cv2.filter2D(image, -1, _disk(0.5 + amount * 0.7)), np.uint8)
    if kind < 0.9:
        kernel = _motion(1 + 1.6 * amount, rng.uniform(0, pi))
        return np.asarray(cv2.filter2D(image, -1, kernel), np.uint8)
    return image


def _disk(radius: float) -> Floats:
    side = 2 * int(np.ceil(radius)) + 1
    y, x = np.mgrid[:side, :side] - side // 2
    kernel = np.clip(radius + 0.5 - np.hypot(x, y), 0, 1).astype(np.float32)
    return np.asarray(kernel / kernel.sum(), np.float32)


def _motion(length: float, angle: float) -> Floats:
    side = 2 * int(np.ceil(length / 2)) + 1
    kernel = np.zeros((side, side), np.float32)
    middle = side // 2
    for t in np.linspace(-length / 2, length / 2, 2 * side + 1):
        x, y = middle + t * cos(angle), middle + t * sin(angle)
        i, j = int(np.floor(y)), int(np.floor(x))
        for di, dj in ((0, 0), (0, 1), (1, 0), (1, 1)):
            if i + di < side and j + dj < side:
                kernel[i + di, j + dj] += (1 - abs(y - i - di)) * (1 - abs(x - j - dj))
    return np.asarray(kernel / kernel.sum(), np.float32)


@lru_cache(maxsize=1)
def _noise_bank() -> NDArray[np.int8]:
    """Unit noise times 32, of three grains: sharp, soft, coarse."""
    rng = np.random.default_rng(20_260)
    raw = rng.standard_normal((3, _NOISE_SIDE, _NOISE_SIDE)).astype(np.float32)
    for grain, sigma in ((1, 0.7), (2, 1.6)):
        soft = cv2.GaussianBlur(raw[grain], (0, 0), sigma, borderType=cv2.BORDER_REFLECT)
        raw[grain] = soft / soft.std()
    return (raw * 32).clip(-127, 127).astype(np.int8)


def noise(image: Image, rng: np.random.Generator, harsh: float) -> Image:
    """Sensor noise, stronger in each colour than in brightness at times, of varying grain."""
    sigma = rng.uniform(0.5, 3 + 11 * harsh)
    height, width = image.shape[:2]
    grain = _noise_bank()[int(rng.integers(3))]
    colour = rng.random() < 0.6
    fields = []
    for _ in range(3 if colour else 1):
        dy, dx = (int(v) for v in rng.integers(0, _NOISE_SIDE // 4, 2))
        part = grain[dy : dy + height, dx : dx + width]
        if part.shape != (height, width):
            part = np.take(np.take(grain, range(dy, dy + height), 0, mode="wrap"),
                           range(dx, dx + width), 1, mode="wrap")  # fmt: skip
        fields.append(part)
    if not colour:
        fields *= 3
    layer = cv2.merge([np.ascontiguousarray(f) for f in fields])
    return np.asarray(cv2.addWeighted(image, 1, layer, sigma / 32, 0, dtype=cv2.CV_8U), np.uint8)


def sensor(image: Image, rng: np.random.Generator, harsh: float) -> Image:
    """Exposure, white balance, tone curve and saturation of a camera."""
    gains = np.exp(rng.normal(0, 0.02 + 0.06 * harsh, 3)) * rng.uniform(0.9, 1.12)
    contrast, gamma = rng.uniform(0.8, 1.25), np.exp(rng.normal(0, 0.16))
    levels = np.arange(256, dtype=np.float32) / 255
    tables = []
    for gain in gains:
        curve = (levels * gain).clip(0, 1) ** gamma
        curve = (curve - 0.5) * contrast + 0.5
        tables.append((curve * 255).clip(0, 255).astype(np.uint8))
    table = np.stack(tables, axis=1)[:, None, :]
    out = cv2.LUT(image, table)
    if rng.random() < 0.5:
        grey = cv2.cvtColor(cv2.cvtColor(out, cv2.COLOR_BGR2GRAY), cv2.COLOR_GRAY2BGR)
        keep = rng.uniform(0.35, 1.5) if rng.random() < 0.9 else 0.0
        out = cv2.addWeighted(out, keep, grey, 1 - keep, 0)
    return np.asarray(out, np.uint8)


def sharpen(image: Image, rng: np.random.Generator) -> Image:
    """The over-sharpening of phone and laptop cameras."""
    soft = cv2.GaussianBlur(image, (0, 0), rng.uniform(0.8, 2.0))
    amount = rng.uniform(0.3, 1.6)
    return np.asarray(cv2.addWeighted(image, 1 + amount, soft, -amount, 0), np.uint8)


def soften(image: Image, rng: np.random.Generator, harsh: float) -> Image:
    """Lose resolution, as a camera does that scales its picture up."""
    height, width = image.shape[:2]
    factor = rng.uniform(0.85 - 0.4 * harsh, 1.0)
    size = (max(8, round(width * factor)), max(8, round(height * factor)))
    small = cv2.resize(image, size, interpolation=cv2.INTER_AREA)
    way = cv2.INTER_CUBIC if rng.random() < 0.5 else cv2.INTER_LINEAR
    return np.asarray(cv2.resize(small, (width, height), interpolation=way), np.uint8)


def photograph(
    image: Image,
    rng: np.random.Generator,
    *,
    reach: float,
    glossy: Image | None = None,
    harsh: Harshness | None = None,
) -> Image:
    """Light *image* and take it with a camera; *reach* limits the blur (pixels)."""
    bad = harsh or Harshness.draw(rng)
    image = light(image, rng, bad.light)
    if bad.always == "dim":
        image = np.asarray(cv2.convertScaleAbs(image, alpha=rng.uniform(0.2, 0.45)), np.uint8)
    if rng.random() < 0.25 + 0.3 * bad.light:
        image = glare(image, rng, bad.light, glossy)
    if bad.always == "wash":
        image = wash(image, rng, 1.0)
    elif rng.random() < 0.35:
        image = wash(image, rng, bad.light)
    if bad.always == "shake":
        kernel = _motion(reach * rng.uniform(1.2, 2.4), rng.uniform(0, pi))
        image = np.asarray(cv2.filter2D(image, -1, kernel), np.uint8)
    else:
        image = blur(image, rng, bad.blur, reach)
    if rng.random() < 0.3:
        image = soften(image, rng, bad.sensor * min(1.0, reach / 3))
    image = noise(image, rng, bad.sensor)
    if rng.random() < 0.3:
        image = sharpen(image, rng)
    image = sensor(image, rng, bad.sensor)
    if rng.random() < 0.85:
        image = compress(image, rng, bad.sensor)
    return image
