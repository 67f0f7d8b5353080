"""Scenes of cards on tables. `render_scene` is a pure function of recipe, seed and index."""

from __future__ import annotations

import zlib
from dataclasses import dataclass
from math import radians, tan
from typing import Final

import cv2
import numpy as np
from numpy.typing import NDArray

from datasets.camera import CARD_HEIGHT, Camera
from datasets.canvas import Canvas, Shadow, fit, unit_to_pixels
from datasets.clutter import scatter
from datasets.decks import BACK, Deck, library
from datasets.labels import CardLabel, IndexLabel, Scene
from datasets.layouts import GROUPS, Hand, Placed
from datasets.optics import Harshness, photograph
from datasets.textures import SIDE, recolour, surface
from engine.cards import deck as all_cards

Image = NDArray[np.uint8]
Points = NDArray[np.float32]

_CARDS: Final = all_cards()
_SIZES: Final = ((640, 384), (640, 480), (800, 608), (960, 544), (1280, 720), (480, 640))


@dataclass(frozen=True)
class Recipe:
    """How scenes of one kind are made.

    Attributes:
        height: range of the height in pixels that a card at the centre has when seen squarely, as
            a fraction of the picture's height.
        elevation: range of the camera's angle above the table in degrees.
        groups: kinds of groups with their weights.
        count: range of the number of groups.
        sizes: picture sizes to choose from.
        clutter: mean number of things that are no cards.
        share: weight in "mix".
    """

    height: tuple[float, float]
    elevation: tuple[float, float]
    groups: dict[str, float]
    count: tuple[int, int]
    sizes: tuple[tuple[int, int], ...] = _SIZES
    clutter: float = 1.5
    share: float = 1.0


_MIXED: Final = {"single": 0.4, "pile": 0.25, "fan": 0.12, "row": 0.13, "stack": 0.1}

RECIPES: Final[dict[str, Recipe]] = {
    "table": Recipe((0.14, 0.32), (50, 90), _MIXED, (1, 6), share=2.0),
    "single": Recipe((0.3, 0.8), (35, 90), {"single": 1.0}, (1, 1), share=1.0),
    "far": Recipe(
        (0.10, 0.19), (30, 60), _MIXED, (2, 6), ((1280, 720), (960, 544)), 2.5, share=2.0
    ),
    "pile": Recipe((0.18, 0.5), (40, 90), {"pile": 1.0}, (1, 3)),
    "fan": Recipe((0.2, 0.5), (35, 90), {"fan": 1.0}, (1, 3)),
    "row": Recipe((0.14, 0.4), (40, 90), {"row": 1.0}, (1, 3)),
    "near": Recipe((0.6, 1.5), (40, 90), {"single": 0.5, "fan": 0.25, "pile": 0.25}, (1, 2), share=0.7),
    "backs": Recipe((0.14, 0.4), (35, 90), {"stack": 0.8, "single": 0.2}, (1, 5), share=0.5),
    "negative": Recipe((0.15, 0.5), (30, 90), {}, (0, 0), clutter=5.0, share=0.5),
}  # fmt: skip


def render_scene(recipe: str, seed: int, index: int) -> Scene:
    """Render scene *index* of *recipe* (a name in `RECIPES`, or "mix") for *seed*.

    The same arguments and the same cache give the same bytes.

    Raises:
        KeyError: there is no such recipe.
    """
    rng = np.random.default_rng([seed, index, zlib.crc32(recipe.encode())])
    if recipe == "mix":
        names = list(RECIPES)
        shares = np.array([RECIPES[name].share for name in names])
        recipe = names[int(rng.choice(len(names), p=shares / shares.sum()))]
    return _render(RECIPES[recipe], rng)


def pick_deck(rng: np.random.Generator) -> Deck:
    """One of the decks of the library, artwork and drawn decks about as often."""
    decks = library()
    return decks[int(rng.integers(len(decks)))]


def _render(recipe: Recipe, rng: np.random.Generator) -> Scene:
    size = recipe.sizes[int(rng.integers(len(recipe.sizes)))]
    card_height = rng.uniform(*recipe.height) * size[1]
    camera = _camera(recipe, size, card_height, rng)
    canvas = Canvas(table(camera, rng))
    scatter(canvas, camera, rng, rng.poisson(recipe.clutter))
    placed = _place(recipe, camera, rng)
    shadow = Shadow(
        float(rng.uniform(0.1, 0.55)),
        tuple(rng.normal(0, 0.02, 2) * card_height),
        max(0.6, card_height * rng.uniform(0.008, 0.05)),
    )
    quads = []
    for number, card in enumerate(placed):
        quad = camera.project(card.corners)
        quads.append(quad)
        lay_card(canvas, card, quad, number, shadow)
    if rng.random() < 0.3:
        scatter(canvas, camera, rng, 1, over=True)
    cards, indexes = label(canvas, placed, quads)
    glossy = np.where(canvas.ids >= 0, 255, 0).astype(np.uint8)
    reach = max(0.8, card_height * 0.035)
    image = photograph(canvas.image, rng, reach=reach, glossy=glossy, harsh=Harshness.draw(rng))
    return Scene(image, cards, indexes)


def _camera(
    recipe: Recipe, size: tuple[int, int], card_height: float, rng: np.random.Generator
) -> Camera:
    focal = size[0] / 2 / tan(radians(rng.uniform(42, 78) / 2))
    roll = rng.normal(0, 4) if rng.random() < 0.8 else rng.uniform(-180, 180)
    return Camera.look(
        size,
        focal=focal,
        distance=focal * CARD_HEIGHT / card_height,
        elevation=rng.uniform(*recipe.elevation),
        azimuth=rng.uniform(-180, 180),
        roll=roll,
    )


def table(camera: Camera, rng: np.random.Generator) -> Image:
    """A table filling the picture, at times with an edge and something else beyond it."""
    picture = recolour(_plane(surface(rng), camera, rng), rng)
    if rng.random() < 0.3:
        far = cv2.resize(surface(rng), (camera.width, camera.height))
        far = cv2.GaussianBlur(far, (0, 0), rng.uniform(1, 12))
        far = cv2.convertScaleAbs(far, alpha=rng.uniform(0.15, 0.9))
        middle = camera.on_table(np.array([[camera.width / 2, camera.height / 2]]))[0]
        reach = float(np.linalg.norm(camera.on_table(np.array([[0.0, camera.height]])) - middle))
        angle = rng.uniform(0, 6.28)
        outward = np.array([np.cos(angle), np.sin(angle)])
        side = np.array([-outward[1], outward[0]])
        edge = middle + outward * reach * rng.uniform(0.3, 0.9)
        wide = np.stack([edge + side * 400, edge - side * 400,
                         edge - side * 400 - outward * 600, edge + side * 400 - outward * 600])  # fmt: skip
        inside = _half_plane(camera, wide)
        picture = np.where(inside[..., None] > 0, picture, far)
    return np.ascontiguousarray(picture, np.uint8)


def _half_plane(camera: Camera, corners: NDArray[np.floating]) -> Image:
    """Pixels whose table point lies inside the convex polygon *corners* (table centimetres)."""
    matrix = np.linalg.inv(camera.table).astype(np.float32)
    x, y = np.meshgrid(
        np.arange(camera.width, dtype=np.float32), np.arange(camera.height, dtype=np.float32)
    )
    w = matrix[2, 0] * x + matrix[2, 1] * y + matrix[2, 2]
    u = (matrix[0, 0] * x + matrix[0, 1] * y + matrix[0, 2]) / w
    v = (matrix[1, 0] * x + matrix[1, 1] * y + matrix[1, 2]) / w
    normal = corners[0] - corners[3]
    inside = (u - corners[0, 0]) * normal[0] + (v - corners[0, 1]) * normal[1] < 0
    return inside.astype(np.uint8)


def _plane(texture: Image, camera: Camera, rng: np.random.Generator) -> Image:
    """*texture* tiled over the table, as the camera sees it."""
    middle = np.array([[camera.width / 2, camera.height / 2]])
    step = camera.on_table(middle + [[1.0, 0.0]]) - camera.on_table(middle)
    per_pixel = float(np.linalg.norm(step))
    tile = rng.uniform(25, 110)
    texels = SIDE / tile * per_pixel
    if texels > 1:
        side = max(24, round(SIDE / texels))
        texture = np.asarray(
            cv2.resize(texture, (side, side), interpolation=cv2.INTER_AREA), np.uint8
        )
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


def _place(recipe: Recipe, camera: Camera, rng: np.random.Generator) -> list[Placed]:
    if not recipe.groups:
        return []
    names = list(recipe.groups)
    weights = np.array([recipe.groups[name] for name in names])
    hands = [Hand(pick_deck(rng), rng) for _ in range(2 if rng.random() < 0.1 else 1)]
    placed: list[Placed] = []
    taken: list[NDArray[np.float32]] = []
    for _ in range(int(rng.integers(recipe.count[0], recipe.count[1] + 1))):
        spot = None
        for _ in range(8):
            pixel = rng.uniform([0.08, 0.1], [0.92, 0.92], (1, 2)) * (camera.width, camera.height)
            spot = camera.on_table(pixel)[0]
            if all(np.linalg.norm(spot - other) > 1.4 * CARD_HEIGHT for other in taken):
                break
        assert spot is not None
        taken.append(spot)
        name = names[int(rng.choice(len(names), p=weights / weights.sum()))]
        hand = hands[int(rng.integers(len(hands)))]
        placed.extend(GROUPS[name](hand, rng, float(spot[0]), float(spot[1])))
    return placed


def lay_card(
    canvas: Canvas, card: Placed, quad: Points, number: int, shadow: Shadow | None
) -> None:
    """Lay *card* at *quad* on *canvas* as card *number*."""
    tall = float(max(np.linalg.norm(quad[3] - quad[0]), np.linalg.norm(quad[2] - quad[1])))
    face = card.print.apply(fit(card.deck.face(card.face, tall), quad))
    canvas.lay(face, quad, card.deck.outline, number, shadow)


def box_quad(quad: Points, box: tuple[float, float, float, float], flipped: bool) -> Points:
    """Pixels of *box* (fractions of the card) of a card seen at *quad*; (4, 2)."""
    x0, y0, x1, y1 = box
    corners = np.array([[x0, y0], [x1, y0], [x1, y1], [x0, y1]], np.float32)
    points = unit_to_pixels(corners, quad)
    return np.roll(points, -2, axis=0) if flipped else points


def label(
    canvas: Canvas, placed: list[Placed], quads: list[Points]
) -> tuple[tuple[CardLabel, ...], tuple[IndexLabel, ...]]:
    """The labels of the cards that are seen in part."""
    cards: list[CardLabel] = []
    indexes: list[IndexLabel] = []
    for number, (card, quad) in enumerate(zip(placed, quads, strict=True)):
        visible = canvas.visible(quad, number)
        if visible == 0:
            continue
        up = card.face != BACK
        name = str(_CARDS[card.face]) if up else "??"
        for index in card.deck.indexes[card.face] if up else ():
            corner = box_quad(quad, index.box, index.upside_down)
            seen = canvas.visible(corner, number)
            if seen > 0:
                indexes.append(IndexLabel(corner, name, seen, len(cards)))
        cards.append(CardLabel(quad, name, up, visible))
    return tuple(cards), tuple(indexes)
