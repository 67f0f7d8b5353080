"""Scenes of cards on tables. `render_scene` is a pure function of recipe, seed and index."""

from __future__ import annotations

import zlib
from dataclasses import dataclass, replace
from math import radians, sin, tan
from typing import Final

import cv2
import numpy as np
from numpy.typing import NDArray

from datasets.camera import CARD_HEIGHT, Camera
from datasets.canvas import Canvas, Shadow, fit, unit_to_pixels
from datasets.clutter import scatter
from datasets.decks import BACK
from datasets.hands import lay_hand, lay_thumb, skin_tone
from datasets.labels import CardLabel, IndexLabel, Scene
from datasets.layouts import GROUPS, Hand, Placed
from datasets.library import pick_deck
from datasets.optics import Harshness, photograph
from datasets.ornate import ornate_ace
from datasets.sweeps import sweep
from datasets.tables import table
from datasets.textures import view
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
        hands: chance that a hand lies on or beside the cards.
        held: whether a hand holds the cards up to the camera.
        harsh: how bad the picture is; any by default.
        judging: whether the decks are those held out from training.
        share: weight in "mix".
        swept: whether a hand moves the cards of one group while the picture is taken.
    """

    height: tuple[float, float]
    elevation: tuple[float, float]
    groups: dict[str, float]
    count: tuple[int, int]
    sizes: tuple[tuple[int, int], ...] = _SIZES
    clutter: float = 1.5
    hands: float = 0.2
    held: bool = False
    harsh: Harshness | None = None
    judging: bool = False
    share: float = 1.0
    swept: bool = False


_MIXED: Final = {"single": 0.4, "pile": 0.25, "fan": 0.12, "row": 0.13, "stack": 0.1}

_LYING: Final = {"single": 0.1, "pile": 0.3, "fan": 0.3, "row": 0.3}

_CLOSE: Final = {"single": 0.5, "fan": 0.25, "pile": 0.25}

RECIPES: Final[dict[str, Recipe]] = {
    "table": Recipe((0.14, 0.32), (50, 90), _MIXED, (1, 6), share=2.0),
    "single": Recipe((0.3, 0.8), (35, 90), {"single": 1.0}, (1, 1), share=1.0),
    "far": Recipe(
        (0.075, 0.18), (30, 60), _MIXED, (2, 6), ((1280, 720), (960, 544)), 2.5, 0.35, share=2.0
    ),
    "low": Recipe((0.08, 0.19), (30, 60), _LYING, (2, 6), ((1280, 720),), 1.0, 0.2, share=2.0),
    "pile": Recipe((0.18, 0.5), (40, 90), {"pile": 1.0}, (1, 3)),
    "fan": Recipe((0.2, 0.5), (35, 90), {"fan": 1.0}, (1, 3)),
    "row": Recipe((0.14, 0.4), (40, 90), {"row": 1.0}, (1, 3)),
    "near": Recipe((0.6, 1.5), (40, 90), _CLOSE, (1, 2), share=0.7),
    "backs": Recipe((0.14, 0.4), (35, 90), {"stack": 0.8, "single": 0.2}, (1, 5), share=0.5),
    "held": Recipe((0.25, 0.6), (65, 90), {"fan": 1.0}, (1, 1), clutter=0.5, hands=0, held=True),
    "swept": Recipe(
        (0.09, 0.3), (35, 90), {"single": 0.35, "pile": 0.65}, (1, 3), hands=0.1, swept=True
    ),
    "dim": Recipe(
        (0.08, 0.25),
        (30, 80),
        _MIXED,
        (2, 5),
        ((1280, 720), (960, 544)),
        1.0,
        0.3,
        harsh=Harshness(0.5, 0.3, 0.5, always="dim"),
        share=0.5,
    ),
    "negative": Recipe((0.15, 0.5), (30, 90), {}, (0, 0), clutter=6.0, share=0.6),
}


def _stress() -> dict[str, Recipe]:
    """Recipes to judge by, on decks held out from training, all 1280 x 720.

    ``stress-60-45`` has cards 60 pixels tall (as foreshortened, in the middle) seen 45 degrees
    above the table; the others have 60 to 80 pixels at 45 degrees and one difficulty each.
    """
    frame, mild = ((1280, 720),), Harshness(0.3, 0.3, 0.4)

    def recipe(
        tall: tuple[float, float], degrees: float, hands: float = 0.0, always: str = ""
    ) -> Recipe:
        share = 720 * sin(radians(degrees))
        return Recipe(
            height=(tall[0] / share, tall[1] / share),
            elevation=(degrees, degrees),
            groups=_MIXED,
            count=(2, 5),
            sizes=frame,
            hands=hands,
            harsh=replace(mild, always=always),
            judging=True,
            share=0.0,
        )

    found = {
        f"stress-{tall}-{degrees}": recipe((tall, tall), degrees)
        for tall in (45, 60, 80)
        for degrees in (35, 45, 60)
    }
    found["stress-hands"] = recipe((60, 80), 45, hands=0.8)
    for name, always in (("shake", "shake"), ("dim", "dim"), ("washed", "wash")):
        found[f"stress-{name}"] = recipe((60, 80), 45, always=always)
    fan = Recipe((0.15, 0.35), (65, 90), {"fan": 1.0}, (1, 1), frame, 0.5, 0.0, True, mild, True, 0)
    return found | {"stress-fan": fan}


#: Recipes to judge a reader by; none of them is in "mix".
STRESS: Final = _stress()


def render_scene(recipe: str, seed: int, index: int) -> Scene:
    """Render scene *index* of *recipe* (in `RECIPES` or `STRESS`, or "mix") for *seed*.

    The same arguments and the same cache give the same bytes.

    Raises:
        KeyError: there is no such recipe.
    """
    rng = np.random.default_rng([seed, index, zlib.crc32(recipe.encode())])
    if recipe == "mix":
        names = list(RECIPES)
        shares = np.array([RECIPES[name].share for name in names])
        recipe = names[int(rng.choice(len(names), p=shares / shares.sum()))]
    return _render((RECIPES | STRESS)[recipe], rng)


def _render(recipe: Recipe, rng: np.random.Generator) -> Scene:
    size = recipe.sizes[int(rng.integers(len(recipe.sizes)))]
    card_height = rng.uniform(*recipe.height) * size[1]
    camera = _camera(recipe, size, card_height, rng)
    no_table = not recipe.groups and rng.random() < 0.25
    canvas = Canvas(view(rng, size) if no_table else table(camera, rng))
    scatter(canvas, camera, rng, 0 if no_table else rng.poisson(recipe.clutter))
    placed, spots = _place(recipe, camera, rng)
    shadow = Shadow(
        float(rng.uniform(0.1, 0.55)),
        tuple(rng.normal(0, 0.02, 2) * card_height),
        max(0.6, card_height * rng.uniform(0.008, 0.05)),
    )
    quads = [camera.project(card.corners) for card in placed]
    hands: list[Points] = []
    skin = skin_tone(rng)
    if recipe.held and quads:
        hands.append(_grip(canvas, camera, quads, spots[0], card_height, rng, skin, front=False))
    still = len(placed) - _moving(placed, spots) if recipe.swept else len(placed)
    for number, (card, quad) in enumerate(zip(placed[:still], quads, strict=False)):
        if card.depth > 0:
            _stack_sides(canvas, camera, card, quad, shadow)
        lay_card(canvas, card, quad, number, shadow)
    if still < len(placed):
        layer = Canvas(canvas.image.copy())
        for number in range(still, len(placed)):
            lay_card(layer, placed[number], quads[number], number, shadow)
        hands.append(sweep(canvas, layer, quads[still:], card_height, rng))
    if recipe.held and quads:
        hands.append(_grip(canvas, camera, quads, spots[0], card_height, rng, skin, front=True))
    while rng.random() < recipe.hands and len(hands) < 3:
        hands.append(_reach(canvas, camera, quads, card_height, rng))
    if rng.random() < 0.2:
        scatter(canvas, camera, rng, 1, over=True)
    cards, indexes = label(canvas, placed, quads)
    glossy = np.where(canvas.ids >= 0, 255, 0).astype(np.uint8)
    reach = max(0.8, card_height * 0.035)
    harsh = recipe.harsh or Harshness.draw(rng)
    image = photograph(canvas.image, rng, reach=reach, glossy=glossy, harsh=harsh)
    return Scene(image, cards, indexes, tuple(hand for hand in hands if len(hand)))


def _moving(placed: list[Placed], spots: list[NDArray[np.float32]]) -> int:
    """How many of the last cards belong to the last group."""
    apart = [np.linalg.norm(card.corners[:, :2].mean(axis=0) - spots[-1]) for card in placed]
    others = [number for number, gap in enumerate(apart) if gap > CARD_HEIGHT]
    return len(placed) - 1 - max(others, default=-1)


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


def _reach(
    canvas: Canvas,
    camera: Camera,
    quads: list[Points],
    card_height: float,
    rng: np.random.Generator,
) -> Points:
    """A hand that comes from beyond the frame to a card, or to nothing."""
    size = np.array([camera.width, camera.height])
    target = rng.uniform(0.1, 0.9, 2) * size
    if quads and rng.random() < 0.75:
        target = quads[int(rng.integers(len(quads)))].mean(axis=0)
    target = target + rng.normal(0, 0.45, 2) * card_height
    from_point = rng.uniform(0, 1, 2) * size
    from_point[1] = camera.height * rng.choice([1.3, 1.3, -0.3])
    way = target - from_point
    heading = float(np.degrees(np.arctan2(way[1], way[0])))
    squash = float(rng.uniform(0.75, 1.0))
    return lay_hand(
        canvas, rng, target, heading, card_height * rng.uniform(0.9, 1.25), squash=squash
    )


def _grip(
    canvas: Canvas,
    camera: Camera,
    quads: list[Points],
    pivot: NDArray[np.floating],
    card_height: float,
    rng: np.random.Generator,
    skin: NDArray[np.float64],
    *,
    front: bool,
) -> Points:
    """The part of a holding hand behind the cards, or the thumb in *front* of them."""
    root = camera.project(pivot[None])[0]
    middle = np.mean([quad.mean(axis=0) for quad in quads], axis=0)
    way = middle - root
    reach = max(1.0, float(np.linalg.norm(way)))
    heading = float(np.degrees(np.arctan2(way[1], way[0])))
    foot = root + way * max(0.0, 1 - 0.55 * card_height / reach)
    if front:
        tip = foot + way / reach * 0.2 * card_height
        return lay_thumb(canvas, rng, tip, heading + rng.normal(0, 25), card_height, skin)
    tip = foot + way / reach * card_height * rng.uniform(0.1, 0.5)
    return lay_hand(canvas, rng, tip, heading + rng.normal(0, 30), card_height, skin=skin)


def _stack_sides(
    canvas: Canvas, camera: Camera, card: Placed, quad: Points, shadow: Shadow
) -> None:
    """The cut edges of the cards below the top one of a stack."""
    bottom = camera.project(card.corners - np.array([0, 0, card.depth]))
    hull = cv2.convexHull(np.concatenate([quad, bottom]))[:, 0]
    low, high = hull.min(axis=0), hull.max(axis=0)
    box = np.array([low, [high[0], low[1]], high, [low[0], high[1]]], np.float32)
    edges = np.full((64, 64, 3), 205, np.uint8)
    edges[::3] = 170
    outline = (hull - low) / np.maximum(high - low, 1e-3)
    canvas.lay(edges, box, np.asarray(outline, np.float32), shadow=shadow)


def _place(
    recipe: Recipe, camera: Camera, rng: np.random.Generator
) -> tuple[list[Placed], list[NDArray[np.float32]]]:
    """The cards, lowest first, and the table points of their groups."""
    if not recipe.groups:
        return [], []
    names = list(recipe.groups)
    weights = np.array([recipe.groups[name] for name in names])
    hands = [
        Hand(pick_deck(rng, recipe.judging), rng) for _ in range(2 if rng.random() < 0.1 else 1)
    ]
    placed: list[Placed] = []
    taken: list[NDArray[np.float32]] = []
    for _ in range(int(rng.integers(recipe.count[0], recipe.count[1] + 1))):
        spot = None
        for _ in range(8):
            reach = ([0.35, 0.5], [0.65, 0.9]) if recipe.held else ([0.08, 0.1], [0.92, 0.92])
            pixel = rng.uniform(*reach, (1, 2)) * (camera.width, camera.height)
            spot = camera.on_table(pixel)[0]
            if all(np.linalg.norm(spot - other) > 1.4 * CARD_HEIGHT for other in taken):
                break
        assert spot is not None
        taken.append(spot)
        name = names[int(rng.choice(len(names), p=weights / weights.sum()))]
        hand = hands[int(rng.integers(len(hands)))]
        placed.extend(GROUPS[name](hand, rng, float(spot[0]), float(spot[1])))
    return placed, taken


def lay_card(
    canvas: Canvas, card: Placed, quad: Points, number: int, shadow: Shadow | None
) -> None:
    """Lay *card* at *quad* on *canvas* as card *number*."""
    tall = float(max(np.linalg.norm(quad[3] - quad[0]), np.linalg.norm(quad[2] - quad[1])))
    picture = card.deck.face(card.face, tall)
    if card.ornate is not None:
        picture = ornate_ace(picture, card.deck.indexes[card.face], card.ornate)
    face = card.print.apply(fit(picture, quad))
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
