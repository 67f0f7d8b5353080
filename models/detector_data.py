"""Batches for the detector: cached scenes, cropped, turned and scaled at random."""

from __future__ import annotations

from pathlib import Path
from typing import Any, Final

import cv2
import numpy as np
import torch
from numpy.typing import NDArray
from torch import Tensor

from models.scene_cache import CachedScene, load_scene
from vision.quads import quad_area, symmetric_from_quad

#: By class (index, face, back): taught as present from this visible fraction on …
_PRESENT: Final = np.array([0.7, 0.3, 0.3])
#: … and as absent below this one; between the two the network may say what it likes.
_ABSENT: Final = np.array([0.3, 0.1, 0.1])
_MOST: Final = 48


def make_batch(
    labels: list[Path], rng: np.random.Generator, size: int
) -> tuple[Tensor, dict[str, Tensor]]:
    """Return pictures (B × 3 × *size* × *size*, RGB in 0 to 1) and targets for `CardLoss`."""
    pictures, targets = zip(*(_sample(load_scene(path), rng, size) for path in labels), strict=True)
    stacked = np.ascontiguousarray(np.stack(pictures)[..., ::-1])
    images = torch.from_numpy(stacked).permute(0, 3, 1, 2).float().div_(255)
    merged = {name: torch.from_numpy(np.stack([t[name] for t in targets])) for name in targets[0]}
    return images.contiguous(memory_format=torch.channels_last), merged


def _sample(
    scene: CachedScene, rng: np.random.Generator, size: int
) -> tuple[NDArray[np.uint8], dict[str, NDArray[Any]]]:
    matrix = _random_view(scene, rng, size)
    image = cv2.warpAffine(
        _shrunk(scene.image, matrix), _after_shrink(scene.image, matrix), (size, size),
        flags=cv2.INTER_LINEAR, borderMode=cv2.BORDER_CONSTANT, borderValue=(114, 114, 114),
    )  # fmt: skip
    if rng.random() < 0.3:
        gain, offset = rng.uniform(0.6, 1.3), rng.uniform(-25, 25)
        image = cv2.convertScaleAbs(image, alpha=gain, beta=max(offset, 0))
    quads = scene.quads @ matrix[:, :2].T.astype(np.float32) + matrix[:, 2].astype(np.float32)
    return np.asarray(image, np.uint8), _targets(quads, scene, size)


def _random_view(scene: CachedScene, rng: np.random.Generator, size: int) -> NDArray[np.float64]:
    """Return a 2 × 3 matrix from the scene to a square of *size*: zoom, turn, shift."""
    height, width = scene.image.shape[:2]
    fit = size / max(height, width)
    # Up to the pixels as they are and a little closer: so small cards are looked at when read.
    closest = fit * max(2.2, 1.25 / fit)
    zoom = float(np.exp(rng.uniform(np.log(0.75 * fit), np.log(closest))))
    turn = rng.integers(4) * 90 + rng.uniform(-8, 8)
    matrix = cv2.getRotationMatrix2D((width / 2, height / 2), float(turn), zoom)
    # Where the view is smaller than the scene, look at any part of it, mostly at a thing.
    target = np.array([width / 2, height / 2])
    if len(scene.quads) and rng.random() < 0.8:
        target = scene.quads[rng.integers(len(scene.quads))].mean(0)
    wanted = np.array([size / 2, size / 2]) + rng.uniform(-0.35, 0.35, 2) * size
    if zoom <= fit * 1.05:
        target = np.array([width / 2, height / 2])
        wanted = np.array([size / 2, size / 2]) + rng.uniform(-0.1, 0.1, 2) * size
    matrix[:, 2] += wanted - (matrix[:, :2] @ target + matrix[:, 2])
    return np.asarray(matrix, np.float64)


def _shrink_factor(matrix: NDArray[np.float64]) -> int:
    return max(1, int(1 / np.hypot(matrix[0, 0], matrix[0, 1]) + 0.25))


def _shrunk(image: NDArray[np.uint8], matrix: NDArray[np.float64]) -> NDArray[np.uint8]:
    """Return *image* averaged down by a whole factor, so that warping does not alias."""
    factor = _shrink_factor(matrix)
    if factor == 1:
        return image
    height, width = image.shape[:2]
    way = cv2.INTER_AREA
    return np.asarray(cv2.resize(image, (width // factor, height // factor), interpolation=way))


def _after_shrink(image: NDArray[np.uint8], matrix: NDArray[np.float64]) -> NDArray[np.float64]:
    factor = _shrink_factor(matrix)
    height, width = image.shape[:2]
    across, along = width / (width // factor), height / (height // factor)
    adapted = matrix.copy()
    adapted[:, 0] *= across
    adapted[:, 1] *= along
    return adapted


def _targets(quads: NDArray[np.float32], scene: CachedScene, size: int) -> dict[str, NDArray[Any]]:
    frame = np.array([[0, 0], [size, 0], [size, size], [0, size]], np.float32)
    source = np.array([[0, 0], [1, 0], [1, 1], [0, 1]], np.float32) * scene.image.shape[1::-1]
    rows, ignored = [], []
    for quad, before, kind, visible in zip(
        quads, scene.quads, scene.classes, scene.visible, strict=True
    ):
        inside, clipped = cv2.intersectConvexConvex(quad, frame)
        whole = cv2.intersectConvexConvex(before, source.astype(np.float32))[0]
        scale = quad_area(quad) / max(quad_area(before), 1e-6)
        if inside <= 0 or whole <= 0:
            continue
        left, top = clipped.reshape(-1, 2).min(0)
        right, bottom = clipped.reshape(-1, 2).max(0)
        seen = float(visible) * min(1.0, inside / (whole * scale))
        box = [left, top, right, bottom]
        small = min(right - left, bottom - top) < (4 if kind == 0 else 10)
        if seen >= _PRESENT[kind] and not small:
            rows.append((box, kind, symmetric_from_quad(quad[None])[0], min(seen, 1.0)))
        elif seen >= _ABSENT[kind]:
            ignored.append(box)
    rows, ignored = rows[:_MOST], ignored[:_MOST]
    result: dict[str, NDArray[Any]] = {
        "boxes": np.zeros((_MOST, 4), np.float32),
        "classes": np.zeros((_MOST, 1), np.int64),
        "quads": np.ones((_MOST, 8), np.float32),
        "visible": np.zeros(_MOST, np.float32),
        "used": np.zeros((_MOST, 1), bool),
        "ignored": np.full((_MOST, 4), -1, np.float32),
    }
    for i, (box, kind, numbers, seen) in enumerate(rows):
        result["boxes"][i] = box
        result["classes"][i] = kind
        result["quads"][i] = numbers
        result["visible"][i] = seen
        result["used"][i] = True
    if ignored:
        result["ignored"][: len(ignored)] = ignored
    return result
