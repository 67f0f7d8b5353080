"""Decks drawn by code: any font, index size, signs, pips, frames and colours.

Their courts are taken from artwork decks where these are at hand, and are plain emblems
otherwise. Deck *number* is a pure function of its number, the fonts and the artwork decks.
"""

from __future__ import annotations

from dataclasses import dataclass
from pathlib import Path
from typing import Final

import cv2
import numpy as np
from numpy.typing import NDArray

from datasets.backs import draw_back
from datasets.decks import BACK, FACE_SHAPE, Deck, IndexBox, corner_boxes, levels_of
from datasets.fonts import fonts, letters
from datasets.suits import Style, sign
from engine.cards import Card, Rank, Suit, deck

Image = NDArray[np.uint8]
Colour = tuple[float, float, float]

#: Pip places of the ranks as (column, row), columns -1 0 1, rows 0 (top) to 1; below 0.5 they
#: are upright.
_ROWS: Final = {"4": (0.0, 1.0), "6": (0.0, 0.5, 1.0), "8": (0.0, 1 / 3, 2 / 3, 1.0)}
_PIPS: Final[dict[Rank, tuple[tuple[int, float], ...]]] = {
    Rank.ACE: ((0, 0.5),),
    Rank.TWO: ((0, 0.0), (0, 1.0)),
    Rank.THREE: ((0, 0.0), (0, 0.5), (0, 1.0)),
    Rank.FOUR: tuple((c, r) for r in _ROWS["4"] for c in (-1, 1)),
    Rank.FIVE: (*((c, r) for r in _ROWS["4"] for c in (-1, 1)), (0, 0.5)),
    Rank.SIX: tuple((c, r) for r in _ROWS["6"] for c in (-1, 1)),
    Rank.SEVEN: (*((c, r) for r in _ROWS["6"] for c in (-1, 1)), (0, 0.25)),
    Rank.EIGHT: (*((c, r) for r in _ROWS["6"] for c in (-1, 1)), (0, 0.25), (0, 0.75)),
    Rank.NINE: (*((c, r) for r in _ROWS["8"] for c in (-1, 1)), (0, 0.5)),
    Rank.TEN: (*((c, r) for r in _ROWS["8"] for c in (-1, 1)), (0, 1 / 6), (0, 5 / 6)),
}
#: Decks with large indexes inside the court, with emblems, in four colours, or drawn here.
_NO_LENDERS: Final = (
    "-bf",
    "4color",
    "4_color",
    "kenney",
    "simplistic",
    "clipart",
    "ornamental",
    "tango",
    "drawn-",
)
_ENGLISH_PATTERN: Final = ("anglo", "gnomangelo", "cardsjs", "blackjack", "react")
#: Prime, so that successive decks take fonts of different packages and no font twice.
_FONT_STEP: Final = 97
_COURT_LETTERS: Final = {
    "english": {Rank.JACK: "J", Rank.QUEEN: "Q", Rank.KING: "K"},
    "german": {Rank.JACK: "B", Rank.QUEEN: "D", Rank.KING: "K"},
    "french": {Rank.JACK: "V", Rank.QUEEN: "D", Rank.KING: "R"},
}


@dataclass(frozen=True)
class Design:
    """The design of one drawn deck; lengths are fractions of the card's height.

    Attributes:
        font: file of the letters, None for strokes.
        stroke: which stroke font.
        squeeze: how much narrower than designed the letters are.
        rank: height of the rank in the index.
        suit: height of the sign in the index.
        gap: space between the two.
        margin: (x, y) of the index's centre line and top.
        four: an index in all four corners.
        style: the shape of the signs.
        colours: BGR ink of each suit.
        paper: BGR.
        pip: height of a pip.
        spread: (x, y) reach of the pips from the middle.
        frame: colour of a frame around the pips, or None.
        panel: BGR of the panel inside the frame.
        court: which of the artwork decks lends the courts, or None.
        letters: "english" (courts J Q K), "german" (B D K) or "french" (V D R).
        aspect: width over height.
        radius: corner radius as a fraction of the width.
    """

    font: Path | None
    stroke: int
    squeeze: float
    rank: float
    suit: float
    gap: float
    margin: tuple[float, float]
    four: bool
    style: Style
    colours: dict[Suit, Colour]
    paper: Colour
    pip: float
    spread: tuple[float, float]
    frame: Colour | None
    panel: Colour
    court: int | None
    letters: str
    aspect: float
    radius: float


def design(number: int, courts: int) -> Design:
    """The design of drawn deck *number*; *courts* artwork decks can lend their courts."""
    rng = np.random.default_rng([number, 52])
    known = fonts()
    font = known[number * _FONT_STEP % len(known)] if known else None
    size = rng.choice(["small", "usual", "jumbo"], p=[0.2, 0.5, 0.3])
    low, high = {"small": (0.055, 0.08), "usual": (0.08, 0.12), "jumbo": (0.13, 0.24)}[str(size)]
    rank = float(rng.uniform(low, high))
    suit = rank * float(rng.uniform(0.55, 1.05))
    jumbo = rank > 0.13
    narrow = rank * 0.40 + 0.02
    aspect = float(rng.choice([0.714, 0.65, rng.uniform(0.64, 0.73)]))
    pip = float(rng.uniform(0.08, 0.12) if jumbo else rng.uniform(0.11, 0.19))
    # The outer pips stand clear of the index.
    widest = max(0.09, aspect / 2 - 2 * narrow - pip / 2 - 0.015)
    spread = (min(widest, float(rng.uniform(0.13, 0.22))), float(rng.uniform(0.24, 0.35)))
    pip = min(pip, 1.25 * spread[0], 0.6 * spread[1])
    return Design(
        font=font,
        stroke=int(rng.integers(3)),
        squeeze=float(rng.uniform(0.62, 1.0)),
        rank=rank,
        suit=suit,
        gap=float(rng.uniform(0.008, 0.03)),
        margin=(narrow + float(rng.uniform(0.0, 0.012)), float(rng.uniform(0.018, 0.05))),
        four=bool(rng.random() < (0.1 if jumbo else 0.25)),
        style=Style.draw(rng),
        colours=_inks(rng),
        paper=_paper(rng),
        pip=pip,
        spread=spread,
        frame=_frame_colour(rng) if rng.random() < 0.2 else None,
        panel=_panel(rng),
        court=int(rng.integers(courts)) if courts and rng.random() < 0.9 else None,
        letters="french" if number % 25 == 7 else "german" if rng.random() < 0.1 else "english",
        aspect=aspect,
        radius=float(rng.uniform(0.03, 0.08)),
    )


def _inks(rng: np.random.Generator) -> dict[Suit, Colour]:
    black = (float(rng.uniform(0, 60)),) * 3
    dark_red = rng.random() < 0.15
    red = (
        float(rng.uniform(0, 70)),
        float(rng.uniform(0, 60)),
        float(rng.uniform(70, 140) if dark_red else rng.uniform(150, 255)),
    )
    inks = {Suit.SPADES: black, Suit.HEARTS: red, Suit.DIAMONDS: red, Suit.CLUBS: black}
    if rng.random() < 0.12:
        green = (float(rng.uniform(0, 60)), float(rng.uniform(90, 150)), float(rng.uniform(0, 40)))
        blue = (
            float(rng.uniform(150, 240)),
            float(rng.uniform(40, 110)),
            float(rng.uniform(0, 50)),
        )
        inks |= {Suit.CLUBS: green, Suit.DIAMONDS: blue if rng.random() < 0.8 else (0, 150, 240)}
    return inks


def _paper(rng: np.random.Generator) -> Colour:
    tone = float(rng.uniform(235, 255))
    return tone - float(rng.uniform(0, 25) * rng.random()), tone - float(rng.uniform(0, 6)), tone


def _frame_colour(rng: np.random.Generator) -> Colour:
    choice = rng.choice([[30, 30, 30], [150, 60, 30], [40, 40, 180], [40, 130, 170]])
    return float(choice[0]), float(choice[1]), float(choice[2])


def court_lenders(decks: tuple[Deck, ...]) -> tuple[Deck, ...]:
    """Those of *decks* whose courts other decks may use.

    The English pattern comes thrice: most real decks have it.
    """
    lenders: list[Deck] = []
    for lender in decks:
        if not any(word in lender.name for word in _NO_LENDERS):
            english = any(word in lender.name for word in _ENGLISH_PATTERN)
            lenders += [lender] * (3 if english else 1)
    return tuple(lenders)


def deck_name(number: int) -> str:
    """The name of drawn deck *number*."""
    return f"drawn-{number:03d}"


def _panel(rng: np.random.Generator) -> Colour:
    if rng.random() < 0.5:
        return 255.0, 255.0, 255.0
    low = rng.uniform(150, 240)
    return float(low), float(rng.uniform(low, 250)), float(rng.uniform(low, 250))


def drawn_deck(number: int, artwork: tuple[Deck, ...]) -> Deck:
    """Draw deck *number*; *artwork* are the decks that may lend their courts."""
    plan = design(number, len(artwork))
    height, width = FACE_SHAPE
    faces = np.zeros((BACK + 1, height, width, 3), np.uint8)
    indexes: list[tuple[IndexBox, ...]] = []
    lender = artwork[plan.court] if plan.court is not None else None
    for card in deck():
        faces[card.index], boxes = draw_face(card, plan, lender)
        indexes.append(boxes)
    faces[BACK] = draw_back(np.random.default_rng([number, 53]))
    return Deck(
        deck_name(number),
        levels_of(faces),
        tuple(indexes),
        tuple(range(BACK)),
        plan.aspect,
        plan.radius,
        plan.letters,
    )


def draw_face(card: Card, plan: Design, lender: Deck | None) -> tuple[Image, tuple[IndexBox, ...]]:
    """Draw *card* as *plan* has it, courts as *lender* has them; and where its indexes are."""
    assert card.rank
    assert card.suit
    height, width = FACE_SHAPE
    face = np.full((height, width, 3), plan.paper, np.float32)
    if card.rank in _COURT_LETTERS["english"]:
        _court(face, card, plan, lender)
    else:
        _pips(face, card, plan)
    box = _index(face, card, plan)
    boxes = corner_boxes(box, plan.four)
    # The other indexes are copies of the first, mirrored in place but not in themselves.
    x0, y0 = round(box[0] * width), round(box[1] * height)
    x1, y1 = round(box[2] * width), round(box[3] * height)
    printed = face[y0:y1, x0:x1].copy()
    turned = printed[::-1, ::-1]
    face[height - y1 : height - y0, width - x1 : width - x0] = turned
    if plan.four:
        face[y0:y1, width - x1 : width - x0] = printed
        face[height - y1 : height - y0, x0:x1] = turned
    return face.clip(0, 255).astype(np.uint8), boxes


def _ink(
    face: NDArray[np.float32], mask: Image, centre: tuple[float, float], height: float,
    width: float, colour: Colour, flip: bool = False,
) -> tuple[int, int, int, int]:  # fmt: skip
    """Print *mask* in *colour* around *centre* (pixels) at a size in pixels; gives its box."""
    size = (max(2, round(width)), max(2, round(height)))
    small = cv2.resize(mask, size, interpolation=cv2.INTER_AREA)
    if flip:
        small = small[::-1, ::-1]
    x, y = round(centre[0] - size[0] / 2), round(centre[1] - size[1] / 2)
    x = min(max(0, x), face.shape[1] - size[0])
    y = min(max(0, y), face.shape[0] - size[1])
    target = face[y : y + size[1], x : x + size[0]]
    weight = (small.astype(np.float32) / 255)[..., None]
    target += (np.array(colour, np.float32) - target) * weight
    return x, y, x + size[0], y + size[1]


def _index(
    face: NDArray[np.float32], card: Card, plan: Design
) -> tuple[float, float, float, float]:
    """Print the top-left index; its box as fractions."""
    assert card.rank
    assert card.suit
    height, width = FACE_SHAPE
    stretch = width / (height * plan.aspect)
    text = _COURT_LETTERS[plan.letters].get(card.rank, str(card.rank))
    glyph = letters(text, plan.font, plan.stroke)
    tall = plan.rank * height
    wide = tall * glyph.shape[1] / glyph.shape[0] * plan.squeeze * stretch
    limit = 2 * plan.margin[0] * height * stretch * 0.94
    wide = min(wide, limit * (1.12 if card.rank is Rank.TEN else 1.0))
    x = plan.margin[0] * height * stretch
    x = max(x, wide / 2 + 0.012 * width)
    y = plan.margin[1] * height
    # Clear what a court or frame has left where the index goes.
    below = y + tall + (plan.gap + plan.suit) * height
    pad = round(0.008 * height)
    reach = round(max(x + wide / 2, x + plan.suit * height * stretch / 2)) + pad
    face[: round(below) + pad, :reach] = np.array(plan.paper, np.float32)
    colour = plan.colours[card.suit]
    first = _ink(face, glyph, (x, y + tall / 2), tall, wide, colour)
    shape = sign(card.suit, plan.style)
    low = plan.suit * height
    across = min(low * shape.shape[1] / shape.shape[0] * stretch, 2 * x - 0.02 * width)
    second = _ink(face, shape, (x, below - low / 2), low, across, colour)
    box = (min(first[0], second[0]), first[1], max(first[2], second[2]), second[3])
    return box[0] / width, box[1] / height, box[2] / width, box[3] / height


def _pips(face: NDArray[np.float32], card: Card, plan: Design) -> None:
    assert card.rank
    assert card.suit
    height, width = FACE_SHAPE
    stretch = width / (height * plan.aspect)
    shape = sign(card.suit, plan.style)
    if plan.frame is not None:
        _frame(face, plan, plan.frame)
    tall = plan.pip * height
    if card.rank is Rank.ACE:
        tall *= 3.2 if card.suit is Suit.SPADES else 1.6
        tall = min(tall, 0.45 * height)
    wide = tall * shape.shape[1] / shape.shape[0] * stretch
    for column, row in _PIPS[card.rank]:
        x = width / 2 + column * plan.spread[0] * height * stretch
        y = height / 2 + (row - 0.5) * 2 * plan.spread[1] * height
        _ink(face, shape, (x, y), tall, wide, plan.colours[card.suit], flip=row > 0.5)


def _frame(face: NDArray[np.float32], plan: Design, colour: Colour) -> None:
    height, width = FACE_SHAPE
    left = round(min(0.27, 2 * plan.margin[0] * height / width + 0.01) * width)
    top = round(0.07 * height)
    face[top : height - top, left : width - left] *= np.array(plan.panel, np.float32) / 255
    cv2.rectangle(face, (left, top), (width - left, height - top), colour, 2, cv2.LINE_AA)


def _court(face: NDArray[np.float32], card: Card, plan: Design, lender: Deck | None) -> None:
    """A court in a frame between the indexes: lent by artwork, or a large letter over signs."""
    assert card.rank
    assert card.suit
    height, width = FACE_SHAPE
    left = round(min(0.26, 2 * plan.margin[0] * height / width) * width)
    top = round(0.06 * height)
    place = face[top : height - top, left : width - left]
    if lender is not None and card.index in lender.present:
        art = lender.levels[0][card.index]
        inner = art[
            round(0.05 * height) : round(0.95 * height), round(0.17 * width) : round(0.83 * width)
        ]
        size = (place.shape[1], place.shape[0])
        place[:] = cv2.resize(np.ascontiguousarray(inner), size, interpolation=cv2.INTER_AREA)
        place *= np.array(plan.paper, np.float32) / 255
    else:
        rng = np.random.default_rng([card.index, plan.stroke])
        for y in range(0, place.shape[0], 24):
            tone = rng.uniform(60, 255, 3).astype(np.float32)
            place[y : y + 24] = place[y : y + 24] * 0.6 + tone * 0.4
        place[place.shape[0] // 2 :] = place[: place.shape[0] - place.shape[0] // 2][::-1, ::-1]
        glyph = letters(str(card.rank), plan.font, plan.stroke)
        wide = min(0.3 * height * glyph.shape[1] / glyph.shape[0], 0.8 * place.shape[1])
        _ink(face, glyph, (width / 2, height / 2), 0.3 * height, wide, plan.colours[card.suit])
    colour = plan.frame or plan.colours[card.suit]
    cv2.rectangle(face, (left, top), (width - left, height - top), colour, 2, cv2.LINE_AA)
    shape = sign(card.suit, plan.style)
    tall = plan.pip * height * 0.75
    wide = tall * shape.shape[1] / shape.shape[0]
    at = (left + wide * 0.75, top + tall * 0.75)
    if lender is None:
        _ink(face, shape, at, tall, wide, plan.colours[card.suit])
        far = (width - at[0], height - at[1])
        _ink(face, shape, far, tall, wide, plan.colours[card.suit], flip=True)
