"""Tables, cloths and floors: pictures from the asset packages and patterns drawn by code."""

from __future__ import annotations

import struct
from collections.abc import Iterator
from functools import lru_cache
from pathlib import Path
from typing import Final

import cv2
import numpy as np
from numpy.typing import NDArray

from datasets.assets import asset_dir, cache_dir, has_asset

Image = NDArray[np.uint8]

#: Side of a stored texture.
SIDE: Final = 768
#: How many different surfaces are drawn by code, with and without a cache to keep them.
_DRAWN: Final = 120
_DRAWN_OFFLINE: Final = 8
_NOT_SURFACES: Final = {"can", "cereal", "soda", "lemon", "bread", "glass", "real_door", "height1"}


def texture_sources() -> Iterator[tuple[str, Image]]:
    """Every fetched texture as (name, H x W x 3 BGR)."""
    for asset, folder in (
        ("robosuite", "robosuite/models/assets/textures"),
        ("metaworld", "metaworld/assets"),
    ):
        if not has_asset(asset):
            continue
        for path in sorted((asset_dir(asset) / folder).rglob("*.png")):
            if path.stem not in _NOT_SURFACES and "texture" in str(path.parent):
                picture = cv2.imread(str(path), cv2.IMREAD_COLOR)
                if picture is not None:
                    yield f"{asset}-{path.parent.parent.name}-{path.stem}", _u8(picture)
    if has_asset("gimp-patterns"):
        folder_path = asset_dir("gimp-patterns") / "usr/share/gimp/2.0/patterns"
        for path in sorted(folder_path.rglob("*.pat")):
            yield f"gimp-{path.stem}", _read_pattern(path)


def _u8(picture: NDArray[np.generic]) -> Image:
    return np.asarray(picture, np.uint8)


def _read_pattern(path: Path) -> Image:
    """Read a GIMP pattern: big-endian header (size, version, width, height, bytes), then pixels."""
    data = path.read_bytes()
    header, _, width, height, depth = struct.unpack(">5I", data[:20])
    pixels = np.frombuffer(data, np.uint8, width * height * depth, header)
    pixels = pixels.reshape(height, width, depth)
    if depth < 3:
        return np.repeat(pixels[..., :1], 3, axis=2)
    return np.ascontiguousarray(pixels[..., 2::-1])


def store_textures() -> None:
    """Write the fetched and the drawn textures to the cache at one size, small ones tiled."""
    folder = cache_dir() / "textures"
    folder.mkdir(parents=True, exist_ok=True)
    for name, picture in texture_sources():
        target = folder / f"{name}.npy"
        if not target.exists():
            np.save(target, _square(picture))
    for number in range(_DRAWN):
        target = folder / f"drawn-{number:03d}.npy"
        if not target.exists():
            np.save(target, _drawn(number))


def _square(picture: Image) -> Image:
    height, width = picture.shape[:2]
    if max(height, width) < SIDE // 2:
        repeats = (-(-SIDE // height), -(-SIDE // width), 1)
        picture = np.tile(picture, repeats)[:SIDE, :SIDE]
    return _u8(cv2.resize(picture, (SIDE, SIDE), interpolation=cv2.INTER_AREA))


def store_views() -> None:
    """Write the fetched photos to the cache, 960 pixels wide."""
    root = asset_dir("mate-backgrounds") / "usr/share/backgrounds/mate"
    folder = cache_dir() / "views"
    folder.mkdir(parents=True, exist_ok=True)
    for path in sorted([*root.glob("nature/*.jpg"), *root.glob("abstract/*.*")]):
        picture = cv2.imread(str(path), cv2.IMREAD_COLOR)
        target = folder / f"{path.stem}.npy"
        if picture is not None and not target.exists():
            size = (960, round(960 * picture.shape[0] / picture.shape[1]))
            np.save(target, cv2.resize(picture, size, interpolation=cv2.INTER_AREA))


@lru_cache(maxsize=1)
def _views() -> tuple[Image, ...]:
    paths = sorted((cache_dir() / "views").glob("*.npy"))
    return tuple(np.load(path, mmap_mode="r") for path in paths)


def view(rng: np.random.Generator, size: tuple[int, int]) -> Image:
    """A photo or, without a cache, a surface, cut to *size* (width and height) somewhere."""
    found = _views()
    whole = found[int(rng.integers(len(found)))] if found else surface(rng)
    share = rng.uniform(0.3, 1.0)
    height, width = (max(8, round(n * share)) for n in whole.shape[:2])
    y = int(rng.integers(whole.shape[0] - height + 1))
    x = int(rng.integers(whole.shape[1] - width + 1))
    part = np.ascontiguousarray(whole[y : y + height, x : x + width])
    if rng.random() < 0.5:
        part = np.ascontiguousarray(part[:, ::-1])
    return recolour(_u8(cv2.resize(part, size, interpolation=cv2.INTER_AREA)), rng)


@lru_cache(maxsize=1)
def _stored() -> tuple[Image, ...]:
    paths = sorted((cache_dir() / "textures").glob("*.npy"))
    return tuple(np.load(path, mmap_mode="r") for path in paths)


@lru_cache(maxsize=_DRAWN_OFFLINE)
def _drawn(number: int) -> Image:
    rng = np.random.default_rng([number, 77])
    draw = (_cloth, _plain, _wood, _checks)[number % 4]
    return draw(rng)


def surface(rng: np.random.Generator) -> Image:
    """A surface, SIDE x SIDE x 3: a stored texture or a drawn one."""
    stored = _stored()
    if stored:
        return stored[int(rng.integers(len(stored)))]
    return _drawn(int(rng.integers(_DRAWN_OFFLINE)))


def recolour(picture: Image, rng: np.random.Generator) -> Image:
    """*picture* in another colour half of the time."""
    if rng.random() < 0.5:
        return picture
    gains = rng.uniform(0.5, 1.25) * np.exp(rng.normal(0, 0.1, 3))
    return _u8((picture * gains.astype(np.float32)).clip(0, 255))


def patch(rng: np.random.Generator, side: int) -> Image:
    """A small piece of a surface, side x side x 3."""
    if _views() and rng.random() < 0.08:
        return view(rng, (side, side))
    whole = surface(rng)
    part = int(min(SIDE, side * rng.choice([0.6, 1.0, 2.0, 5.0])))
    y, x = (int(v) for v in rng.integers(0, SIDE - part + 1, 2))
    piece = cv2.resize(
        whole[y : y + part, x : x + part], (side, side), interpolation=cv2.INTER_AREA
    )
    return recolour(_u8(piece), rng)


def _colour(rng: np.random.Generator) -> NDArray[np.float32]:
    """A likely colour of a table or cloth, BGR."""
    hue = rng.choice(
        [rng.uniform(0, 180), rng.normal(60, 10), rng.normal(15, 5)], p=[0.4, 0.3, 0.3]
    )
    pixel = np.array([[[hue % 180, rng.uniform(0, 220), rng.uniform(15, 245)]]], np.uint8)
    return np.asarray(cv2.cvtColor(pixel, cv2.COLOR_HSV2BGR)[0, 0], np.float32)


def _grain(rng: np.random.Generator, sigma: float, side: int = SIDE) -> NDArray[np.float32]:
    small = max(8, int(side / max(1.0, sigma)))
    field = rng.standard_normal((small, small)).astype(np.float32)
    return np.asarray(cv2.resize(field, (side, side), interpolation=cv2.INTER_CUBIC), np.float32)


def _plain(rng: np.random.Generator) -> Image:
    base = _colour(rng)
    tone = 1 + _grain(rng, 200) * rng.uniform(0, 0.05) + _grain(rng, 1) * rng.uniform(0, 0.03)
    return _u8((base * tone[..., None]).clip(0, 255))


def _cloth(rng: np.random.Generator) -> Image:
    base = _colour(rng)
    fuzz = _grain(rng, 1) * rng.uniform(0.02, 0.14) + _grain(rng, 3) * rng.uniform(0, 0.08)
    if rng.random() < 0.5:
        y, x = np.mgrid[:SIDE, :SIDE].astype(np.float32)
        period = rng.uniform(3, 12)
        fuzz += (
            0.5 * rng.uniform(0.02, 0.15) * (np.sin(x * 6.28 / period) * np.sin(y * 6.28 / period))
        )
    tone = 1 + fuzz + _grain(rng, 150) * rng.uniform(0, 0.12)
    return _u8((base * tone[..., None]).clip(0, 255))


def _wood(rng: np.random.Generator) -> Image:
    light = np.array(
        [rng.uniform(30, 150), rng.uniform(80, 190), rng.uniform(110, 225)], np.float32
    )
    rows = rng.standard_normal((int(rng.integers(30, 200)), int(rng.integers(3, 9))))
    streaks = cv2.resize(rows.astype(np.float32), (SIDE, SIDE), interpolation=cv2.INTER_CUBIC)
    fine = cv2.resize(rng.standard_normal((SIDE, 24)).astype(np.float32), (SIDE, SIDE))
    tone = 1 + streaks * rng.uniform(0.03, 0.12) + fine * rng.uniform(0.01, 0.06)
    boards = int(rng.integers(1, 9))
    shift = np.repeat(rng.normal(0, 0.08, boards), -(-SIDE // boards))[:SIDE].astype(np.float32)
    tone += shift[:, None]
    if rng.random() < 0.5:
        tone = tone.T
    return _u8((light * rng.uniform(0.3, 1.05) * tone[..., None]).clip(0, 255))


def _checks(rng: np.random.Generator) -> Image:
    """A chequered, striped or dotted cloth."""
    first, second = _colour(rng), _colour(rng)
    y, x = np.mgrid[:SIDE, :SIDE]
    period = int(rng.integers(16, 192))
    kind = rng.random()
    across, along = (x // period) % 2, (y // period) % 2
    if kind < 0.35:
        share = (across ^ along).astype(np.float32)
    elif kind < 0.65:
        share = ((across + along) / 2).astype(np.float32)
    elif kind < 0.85:
        share = ((x % period) < period * rng.uniform(0.1, 0.6)).astype(np.float32)
    else:
        radius = period * rng.uniform(0.12, 0.4)
        near = (x % period - period / 2) ** 2 + (y % period - period / 2) ** 2 < radius**2
        share = near.astype(np.float32)
    mixed = first + (second - first) * share[..., None]
    tone = 1 + _grain(rng, 1) * rng.uniform(0, 0.08)
    return _u8((mixed * tone[..., None]).clip(0, 255))
