"""The table of a recorded game: camera, cloth, things, cards at rest, hands and light."""

from __future__ import annotations

from dataclasses import replace
from math import cos, radians, sin, tan
from typing import Final

import numpy as np
from numpy.typing import NDArray

from datasets.camera import CARD_HEIGHT, Camera, card_corners
from datasets.canvas import Canvas, Shadow
from datasets.clutter import scatter
from datasets.decks import BACK, Deck, decks_dir, load_deck
from datasets.games.levels import Game, Manner
from datasets.games.plan import STOCK, Heap, Lying, State, facing, heap_place, seat_way
from datasets.games.sprites import card_sprite, hand_sprite
from datasets.hands import skin_tone
from datasets.layouts import Placed
from datasets.library import pick_deck
from datasets.prints import Print
from datasets.scenes import lay_card
from datasets.tables import table

Image = NDArray[np.uint8]
Points = NDArray[np.float32]

#: Thickness of a card, a little more than real so that piles rise.
_THICK: Final = 0.035
#: The index of every card is taller than this share of the card.
_INDEX: Final = 0.14
#: Things on the table keep this far from the pile and the stock.
_CLEAR: Final = 15.0


class Stage:
    """Everything of a game that does not move by itself.

    Args:
        game: the game.
        rng: source of chance.

    Raises:
        FileNotFoundError: the game's deck is not in the cache.

    Attributes:
        camera: how the table is seen.
        edges: for each seat how far from the pile the picture ends, in centimetres.
        ways: the direction of each seat from the pile.
        bare: the table without cards.
        shadow: the shadow of a card at rest.
        sun: how far a thing one centimetre up throws its shadow, in centimetres.
    """

    def __init__(self, game: Game, rng: np.random.Generator) -> None:
        manner = game.manner
        self.size = game.drawn
        self.deck = load_deck(decks_dir() / game.deck) if game.deck else _whole_deck(rng)
        self._print = _legible(rng)
        card = rng.uniform(*manner.card) * game.size[1] / 720
        focal = game.size[0] / 2 / tan(radians(rng.uniform(48, 66) / 2))
        self.camera = Camera.look(
            game.drawn,
            focal=focal,
            distance=focal * CARD_HEIGHT / card,
            elevation=rng.uniform(*manner.elevation),
            azimuth=rng.uniform(-manner.azimuth, manner.azimuth),
            roll=rng.normal(0, 1.5),
            target=(rng.uniform(-4, 0), rng.uniform(-1.5, 1.5)),
        )
        self.card_height = float(card)
        players = game.rules.players
        self.ways = [seat_way(seat, players) for seat in range(players)]
        self.edges = [self._edge(way) for way in self.ways]
        angle = rng.uniform(0, 2 * np.pi)
        self.sun = (0.55 * cos(angle), 0.55 * sin(angle))
        shift = 0.012 * card
        self.shadow = Shadow(0.4, (shift * cos(angle), shift * -sin(angle)), max(0.6, 0.02 * card))
        self.bare = self._furnished(manner, rng)
        skins = [skin_tone(rng) for _ in range(players)]
        self.hands = [
            [hand_sprite(np.random.default_rng([game.seed, seat, pose]), skin) for pose in range(2)]
            for seat, skin in enumerate(skins)
        ]
        self._sprites: dict[int, Image] = {}

    def sprite(self, face: int) -> Image:
        """The picture of a card in motion, premultiplied."""
        if face not in self._sprites:
            self._sprites[face] = card_sprite(self.deck, self._print, face, self.card_height * 1.1)
        return self._sprites[face]

    def quad(self, card: Lying, z: float, dx: float = 0.0, dy: float = 0.0) -> Points:
        """Where *card*, moved by (dx, dy) and *z* above the table, is seen."""
        place = (card.x + dx, card.y + dy, z)
        return self.camera.project(card_corners(place, card.angle, self.deck.aspect))

    def add(self, image: Image, card: Lying, level: int) -> None:
        """Lay *card* on *image* as the *level*-th of a pile."""
        canvas = Canvas(image)
        self._lay(canvas, card, 0.02 + level * _THICK, self.shadow)

    def set_up(self, state: State) -> Image:
        """The table with what *state* says."""
        image = self.bare.copy()
        canvas = Canvas(image)
        if state.bottom is not None:
            self._lay(canvas, Lying(state.bottom, STOCK[0], STOCK[1] - 3.2, 94.0), 0.02)
        if state.stock:
            self._stack(canvas, Lying(BACK, *STOCK, 4.0), state.stock)
        for seat, heap in enumerate(state.heaps):
            self._heap(canvas, seat, heap)
        for card in state.shown:
            self._lay(canvas, card, 0.02)
        for level, card in enumerate(state.pile):
            self._lay(canvas, card, 0.02 + level * _THICK)
        return image

    def _heap(self, canvas: Canvas, seat: int, heap: Heap) -> None:
        if not heap.count:
            return
        way = self.ways[seat]
        (x, y), turn = heap_place(way, self.edges[seat]), facing(way)
        self._stack(canvas, Lying(BACK, x, y, turn + 3), heap.count)
        for place, marker in enumerate(heap.markers):
            card = Lying(marker, x + way[0] * (1.5 + 0.6 * place), y + way[1] * (1.5 + 0.6 * place),
                         turn + 90 + 4 * place)  # fmt: skip
            self._lay(canvas, card, 0.05 + heap.count * _THICK + place * _THICK)

    def _stack(self, canvas: Canvas, card: Lying, count: int) -> None:
        """A stack of backs: its sides in a few steps and the top card."""
        top = count * _THICK
        steps = max(1, min(6, count // 4))
        for step in range(steps):
            z = top * (step + 1) / (steps + 1)
            shade = self.shadow if step == 0 else None
            self._lay(canvas, replace(card, angle=card.angle + (step % 3 - 1)), z, shade)
        self._lay(canvas, card, 0.02 + top)

    def _lay(self, canvas: Canvas, card: Lying, z: float, shadow: Shadow | None = None) -> None:
        corners = card_corners((card.x, card.y, z), card.angle, self.deck.aspect)
        placed = Placed(self.deck, card.face, self._print, corners)
        lay_card(canvas, placed, self.camera.project(corners), 0, shadow or self.shadow)

    def _edge(self, way: tuple[float, float]) -> float:
        """How far the picture reaches from the pile along *way*."""
        for far in np.arange(12.0, 120.0, 1.0):
            x, y = self.camera.project(np.array([[way[0] * far, way[1] * far, 0.0]]))[0]
            if not (0 <= x < self.size[0] and 0 <= y < self.size[1]):
                return float(far)
        return 120.0

    def _furnished(self, manner: Manner, rng: np.random.Generator) -> Image:
        """The table with things on it that leave the middle and the seats' places free."""
        ground = table(self.camera, rng)
        clear = self.camera.project(
            np.array([[0.0, 0.0], [_CLEAR, 0.0], STOCK, [STOCK[0], STOCK[1] - 3.0]])
        )
        reach = float(np.linalg.norm(clear[1] - clear[0]))
        for _ in range(manner.things):
            tried = Canvas(ground.copy())
            scatter(tried, self.camera, rng, 1)
            changed = np.argwhere((tried.image != ground).any(axis=2))[:, ::-1]
            if not len(changed):
                continue
            near = min(
                float(np.linalg.norm(changed - clear[place], axis=1).min()) for place in (0, 2, 3)
            )
            if near > reach:
                ground = tried.image
        return ground


def _whole_deck(rng: np.random.Generator) -> Deck:
    """A deck with all 52 faces and English letters that a person can read, held out from training.

    The suit of a court shows in its index alone on some decks; where that is tiny, nobody can tell.
    """
    while True:
        deck = pick_deck(rng, judging=True)
        if (
            len(deck.present) == BACK
            and deck.letters == "english"
            and min(float(index.box[3] - index.box[1]) for face in deck.indexes for index in face)
            > _INDEX
        ):
            return deck


def _legible(rng: np.random.Generator) -> Print:
    """A print as most decks have: red is red."""
    while True:
        printed = Print.draw(rng)
        red = printed.transform @ np.array([40.0, 30.0, 200.0, 1.0])
        if red[2] - red[:2].max() > 70:
            return printed
