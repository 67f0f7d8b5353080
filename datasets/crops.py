"""Fast sources of training crops: one card in a little scene of its own.

A crop shows what the reader sees: a small original, foreshortened, blurred, badly lit and
compressed, cut out around an estimate that is a little off. Both sources are pure functions of
seed and index (and of the cache).
"""

from __future__ import annotations

from collections.abc import Sequence
from typing import Final

import cv2
import numpy as np
from numpy.typing import NDArray

from datasets.camera import CARD_HEIGHT, Camera, card_corners
from datasets.canvas import Canvas, Shadow, fit
from datasets.clutter import other_card, paper, rounded
from datasets.decks import BACK
from datasets.hands import lay_hand
from datasets.layouts import Hand, Placed
from datasets.library import pick_deck
from datasets.optics import Harshness, photograph
from datasets.scenes import box_quad, lay_card
from datasets.textures import patch
from engine.cards import deck as all_cards
from vision.quads import rectify

Image = NDArray[np.uint8]
Points = NDArray[np.float32]

#: Height and width of a rectified face.
FACE_SIZE: Final = (128, 96)
#: Side of an index crop.
INDEX_SIDE: Final = 64
_CARDS: Final = all_cards()


def index_crop(seed: int, index: int) -> tuple[Image, str]:
    """A square crop (64 x 64 x 3 BGR) and the name of the card whose index it shows.

    The index lies about in the middle, at any turn, the crop 1.0 to 1.5 times as large as its
    bounding box. The name is "none" for pips, courts, text, backs and background, and for an
    index that is mostly covered.
    """
    rng = np.random.default_rng([seed, index, 1])
    if rng.random() < 0.2:
        return _no_index(rng), "none"
    while True:
        hand = Hand(pick_deck(rng), rng)
        face = hand.face()
        boxes = hand.deck.indexes[face]
        if boxes:
            break
    box = boxes[int(rng.integers(len(boxes)))]
    # More large than small ones: of the smallest, many are beyond reading.
    tall = float(np.exp(np.log(8) + np.log(64 / 8) * rng.beta(1.5, 1.0)))
    card_height = tall / (box.box[3] - box.box[1])
    camera = _camera(card_height, rng, (30, 90))
    middle = ((box.box[0] + box.box[2]) / 2 - 0.5, 0.5 - (box.box[1] + box.box[3]) / 2)
    card = hand.place(face, 0, 0, 0.02, rng.uniform(0, 360))
    quad = camera.project(card.corners)
    target = box_quad(quad, box.box, box.upside_down)
    side = max(24, int(float(np.ptp(target, axis=0).max()) * 1.9) + 8)
    shift = np.float32(side / 2) - target.mean(axis=0)
    canvas = Canvas(patch(rng, side))
    _neighbours(canvas, hand, camera, shift, rng, middle)
    lay_card(canvas, card, quad + shift, 0, _shadow(card_height, rng))
    seen = 1.0
    if rng.random() < 0.25:
        before = canvas.image.copy()
        _cover(canvas, hand, card_height, target + shift, rng)
        seen = canvas.visible(target + shift, 0)
        if 0.4 < seen < 0.8:
            canvas.image, seen = before, 1.0
    image = _photograph(canvas, rng, tall * 0.07)
    crop = _cut(image, target + shift, rng)
    return crop, str(_CARDS[face]) if seen >= 0.8 else "none"


def _cut(image: Image, target: Points, rng: np.random.Generator) -> Image:
    low, high = target.min(axis=0), target.max(axis=0)
    extent = float((high - low).max())
    side = extent * rng.uniform(1.0, 1.5)
    centre = (low + high) / 2 + rng.normal(0, 0.05, 2) * extent
    return _square(image, centre, side)


def _square(image: Image, centre: NDArray[np.floating], side: float) -> Image:
    """The square of *side* pixels around *centre*, resized to an index crop."""
    left, top = np.rint(centre - side / 2).astype(int)
    size = max(4, round(side))
    part = cv2.getRectSubPix(image, (size, size), (left + (size - 1) / 2, top + (size - 1) / 2))
    way = cv2.INTER_AREA if size > INDEX_SIDE else cv2.INTER_LINEAR
    return np.asarray(cv2.resize(part, (INDEX_SIDE, INDEX_SIDE), interpolation=way), np.uint8)


def _no_index(rng: np.random.Generator) -> Image:
    kind = rng.random()
    extent = float(np.exp(rng.uniform(np.log(10), np.log(60))))
    side = int(extent * 1.7) + 8
    middle = np.array([side / 2, side / 2])
    if kind < 0.12:
        image = photograph(patch(rng, side), rng, reach=extent * 0.06)
        return _square(image, middle, extent * rng.uniform(1, 1.5))
    if kind < 0.32:
        page = paper(rng, (256, 256))
        zoom = extent / rng.uniform(14, 90)
        small = cv2.resize(page, None, fx=zoom, fy=zoom, interpolation=cv2.INTER_AREA)
        side = min(side, *small.shape[:2])
        y, x = (int(rng.integers(0, n - side + 1)) for n in small.shape[:2])
        piece = np.ascontiguousarray(small[y : y + side, x : x + side])
        turned = np.rot90(piece, int(rng.integers(4)))
        image = photograph(np.ascontiguousarray(turned), rng, reach=extent * 0.06)
        return _square(image, np.array([side / 2, side / 2]), side * 0.8)
    hand = Hand(pick_deck(rng), rng)
    face = BACK if kind < 0.45 else hand.face()
    card_height = extent / rng.uniform(0.1, 0.25)
    camera = _camera(card_height, rng, (35, 90))
    card = hand.place(face, 0, 0, 0.02, rng.uniform(0, 360))
    quad = camera.project(card.corners)
    spot = _away_from_indexes(card, 0.6 * extent / card_height, rng)
    centre = box_quad(quad, (spot[0], spot[1], spot[0] + 0.01, spot[1] + 0.01), False).mean(axis=0)
    shift = (middle - centre).astype(np.float32)
    canvas = Canvas(patch(rng, side))
    lay_card(canvas, card, quad + shift, 0, _shadow(card_height, rng))
    image = _photograph(canvas, rng, extent * 0.08)
    return _square(image, middle, extent * rng.uniform(1, 1.5))


def _away_from_indexes(card: Placed, reach: float, rng: np.random.Generator) -> tuple[float, float]:
    """A point of the card, as fractions, *reach* (of its height) or more away from its indexes."""
    boxes = [b.box for b in card.deck.indexes[card.face]] if card.face != BACK else []
    aside = reach / card.deck.aspect
    for _ in range(30):
        x, y = rng.uniform(0, 1, 2)
        if all(
            not (b[0] - aside < x < b[2] + aside and b[1] - reach < y < b[3] + reach) for b in boxes
        ):
            return float(x), float(y)
    return 0.5, 0.5


def face_crop(seed: int, index: int) -> tuple[Image, str]:
    """A rectified card (128 x 96 x 3 BGR) and its name, "back", or "none".

    The card is upright or upside down; its corners were guessed a little off. See `card_view`.
    """
    rng = np.random.default_rng([seed, index, 2])
    image, quad, name = card_view(rng)
    guess = quad
    if rng.random() < 0.08:
        guess, name = _wrong_quad(quad, image.shape[0], rng), "none"
    if rng.random() < 0.5:
        guess = np.roll(guess, 2, axis=0)
    return rectify(image, _jitter(guess, rng), FACE_SIZE), name


def card_view(
    rng: np.random.Generator, faces: Sequence[int] | None = None
) -> tuple[Image, Points, str]:
    """A little picture of one card, the card's quad in it, and its name or "back".

    It is 35 to 220 pixels tall, seen from 25 to 90 degrees above the table, at times partly
    covered. *faces* are those to choose from; by default any face, and a tenth of backs.
    """
    hand = Hand(pick_deck(rng), rng)
    if faces is None:
        face = BACK if rng.random() < 0.1 else hand.face()
    else:
        face = int(rng.choice(faces))
        while face not in hand.deck.present:
            hand = Hand(pick_deck(rng), rng)
    card_height = float(np.exp(rng.uniform(np.log(38), np.log(220))))
    camera = _camera(card_height, rng, (25, 90))
    card = hand.place(face, 0, 0, 0.02, rng.uniform(0, 360))
    quad = camera.project(card.corners)
    low, high = quad.min(axis=0), quad.max(axis=0)
    extent = int(float((high - low).max()))
    side = round(extent * 1.25) + 8
    shift = np.float32(side / 2) - (low + high) / 2
    quad = quad + shift
    canvas = Canvas(patch(rng, side))
    _neighbours(canvas, hand, camera, shift, rng, (0.0, 0.0))
    lay_card(canvas, card, quad, 0, _shadow(card_height, rng))
    if rng.random() < 0.35:
        before, ids = canvas.image.copy(), canvas.ids.copy()
        _cover(canvas, hand, card_height, quad, rng)
        if canvas.visible(quad, 0) < 0.45:
            canvas.image, canvas.ids = before, ids
    name = "back" if face == BACK else str(_CARDS[face])
    return _photograph(canvas, rng, card_height * 0.03), quad, name


def stranger_view(rng: np.random.Generator) -> tuple[Image, Points]:
    """A little picture of a card of another game, as of `card_view`, and its quad."""
    card_height = float(np.exp(rng.uniform(np.log(38), np.log(220))))
    camera = _camera(card_height, rng, (25, 90))
    shape = (CARD_HEIGHT * rng.uniform(0.6, 0.75), CARD_HEIGHT)
    quad = camera.project(card_corners((0, 0, 0.02), rng.uniform(0, 360), shape[0] / shape[1]))
    low, high = quad.min(axis=0), quad.max(axis=0)
    side = round(float((high - low).max()) * 1.25) + 8
    quad = np.asarray(quad + np.float32(side / 2) - (low + high) / 2, np.float32)
    canvas = Canvas(patch(rng, side))
    face = other_card(rng, (280, round(280 * shape[0] / shape[1])))
    canvas.lay(fit(face, quad), quad, rounded(0.06), 0, _shadow(card_height, rng))
    return _photograph(canvas, rng, card_height * 0.03), quad


def _jitter(quad: Points, rng: np.random.Generator) -> Points:
    across, down = quad[1] - quad[0], quad[3] - quad[0]
    error = rng.uniform(0.005, 0.045)
    offsets = rng.normal(0, error, (4, 2)) + rng.normal(0, error * 0.7, (1, 2))
    moved = quad + offsets[:, :1] * across + offsets[:, 1:] * down
    centre = moved.mean(axis=0)
    return np.asarray(centre + (moved - centre) * rng.uniform(0.96, 1.08), np.float32)


def _wrong_quad(quad: Points, side: int, rng: np.random.Generator) -> Points:
    """A quad that is not one card: shifted by half a card or more, turned across, or anywhere."""
    kind = rng.random()
    centre = quad.mean(axis=0)
    if kind < 0.4:
        across, down = quad[1] - quad[0], quad[3] - quad[0]
        way = rng.choice([-1, 1], 2) * rng.uniform(0.45, 0.9, 2)
        moved = quad + (way[0] * across if rng.random() < 0.5 else way[1] * down)
    elif kind < 0.6:
        moved = centre + (np.roll(quad, 1, axis=0) - centre) * rng.uniform(0.9, 1.3)
    elif kind < 0.8:
        moved = centre + (quad - centre) * rng.choice(
            [rng.uniform(0.3, 0.6), rng.uniform(1.6, 2.2)]
        )
    else:
        edge = rng.integers(0, 4)
        corner = np.array([[0, 0], [side, 0], [side, side], [0, side]])[edge]
        moved = corner + (quad - centre) * rng.uniform(0.4, 0.8)
    return np.asarray(moved, np.float32)


def _camera(card_height: float, rng: np.random.Generator, elevation: tuple[float, float]) -> Camera:
    """A camera that shows a card at the origin, seen squarely, *card_height* pixels tall."""
    focal = card_height * rng.uniform(4, 16)
    low, high = elevation
    tilt = high - (high - low) * rng.beta(1.0, 1.1)
    return Camera.look(
        (0, 0),
        focal=focal,
        distance=focal * CARD_HEIGHT / card_height,
        elevation=float(tilt),
        azimuth=rng.uniform(-180, 180),
        roll=rng.normal(0, 20),
    )


def _shadow(card_height: float, rng: np.random.Generator) -> Shadow | None:
    if rng.random() < 0.4:
        return None
    shift = rng.normal(0, 0.02, 2) * card_height
    return Shadow(
        float(rng.uniform(0.1, 0.6)),
        (float(shift[0]), float(shift[1])),
        max(0.5, card_height * rng.uniform(0.005, 0.04)),
    )


def _neighbours(
    canvas: Canvas,
    hand: Hand,
    camera: Camera,
    shift: Points,
    rng: np.random.Generator,
    centre: tuple[float, float],
) -> None:
    """Lay cards below the one to be read: those of its pile, or others beside it."""
    if rng.random() < 0.45:
        return
    spread = rng.choice([0.6, 2.5, 6.0])
    for _ in range(int(rng.integers(1, 4))):
        x, y = np.array(centre) * CARD_HEIGHT * 0.5 + rng.normal(0, spread, 2)
        face = BACK if rng.random() < 0.15 else hand.face()
        card = hand.place(face, float(x), float(y), 0.02, rng.uniform(0, 360))
        lay_card(canvas, card, camera.project(card.corners) + shift, 1, None)


def _cover(
    canvas: Canvas, hand: Hand, card_height: float, target: Points, rng: np.random.Generator
) -> None:
    """Lay another card or a thing over a part of *target* ((4, 2) pixels)."""
    centre, extent = target.mean(axis=0), float(np.ptp(target, axis=0).max())
    heading = rng.uniform(0, 2 * np.pi)
    way = np.array([np.cos(heading), np.sin(heading)])
    size = card_height * rng.uniform(0.25, 1.0)
    middle = centre + way * (extent * rng.uniform(0.0, 0.5) + size / 2 * rng.uniform(0.5, 1.0))
    turn = rng.uniform(0, 2 * np.pi)
    axes = np.array([[np.cos(turn), np.sin(turn)], [-np.sin(turn), np.cos(turn)]])
    unit = np.array([[-0.36, -0.5], [0.36, -0.5], [0.36, 0.5], [-0.36, 0.5]])
    if rng.random() < 0.6:
        quad = (middle + unit * card_height @ axes).astype(np.float32)
        face = BACK if rng.random() < 0.25 else hand.face()
        over = Placed(hand.deck, face, hand.print, np.zeros((4, 3)))
        lay_card(canvas, over, quad, 2, _shadow(card_height, rng))
        return
    if rng.random() < 0.6:
        toward = float(np.degrees(heading)) + 180 + rng.normal(0, 40)
        lay_hand(canvas, rng, centre + way * extent * rng.uniform(0, 0.5), toward, card_height)
        return
    quad = (middle + unit * size * rng.uniform(0.4, 1.2, 2) @ axes).astype(np.float32)
    skin = np.array([rng.uniform(60, 170), rng.uniform(90, 190), rng.uniform(130, 235)])
    colour = skin if rng.random() < 0.5 else rng.uniform(10, 240, 3)
    ramp = np.linspace(rng.uniform(0.6, 1), rng.uniform(0.8, 1.2), 48)[:, None, None]
    face_colour = (np.ones((48, 48, 1)) * ramp * colour).clip(0, 255).astype(np.uint8)
    canvas.lay(face_colour, quad, rounded(rng.choice([0.5, 0.3])), shadow=_shadow(card_height, rng))


def _photograph(canvas: Canvas, rng: np.random.Generator, reach: float) -> Image:
    glossy = np.where(canvas.ids >= 0, 255, 0).astype(np.uint8)
    harsh = Harshness.draw(rng)
    return photograph(canvas.image, rng, reach=max(0.4, reach), glossy=glossy, harsh=harsh)
