"""A camera and a reader that show games known beforehand, many times faster than real ones.

Each card is a rectangle of a blue of its own, so that the reader only has to look for that; green
and red differ as well, green widely, so that a picture changes with its cards as a real one would.
"""

from __future__ import annotations

import random
from collections.abc import Callable, Iterator, Sequence
from threading import Event
from time import monotonic, sleep

import numpy as np
from numpy.typing import NDArray

from engine import Card, Deal, deck
from vision.reader import Setting
from vision.sightings import Sighting
from vision.sources import Frame, LiveSource, SourceError, Status, Timing

SIZE = (320, 180)
STEP = 0.15
DECK = deck()
_BLUE = 100


def picture(cards: Sequence[Card], size: tuple[int, int] = SIZE) -> NDArray[np.uint8]:
    """Return a picture of a pile of which *cards* show, bottom to top."""
    width, height = size
    image = np.full((height, width, 3), 60, np.uint8)
    for at, card in enumerate(cards):
        x, y = width // 2 - 24 + 12 * at, height // 2 - 24
        image[y : y + 48, x : x + 36] = (_BLUE + card.index, card.index * 89 % 256, 120 + 30 * at)
    return image


class Reader:
    """Reads such pictures; *sure* is the probability it gives to the right card."""

    def __init__(self, sure: float = 0.97, seconds: float = 0.0) -> None:
        self.sure = sure
        self.seconds = seconds

    def read(
        self,
        image: NDArray[np.uint8],
        *,
        size: int | None = None,
        least: float | None = None,
        setting: Setting | None = None,
    ) -> list[Sighting]:
        if self.seconds:
            sleep(self.seconds)
        sightings = []
        for code in np.unique(image[..., 0]):
            if not _BLUE <= code < _BLUE + len(DECK):
                continue
            rows, columns = np.nonzero(image[..., 0] == code)
            edges = columns.min(), rows.min(), columns.max() + 1, rows.max() + 1
            box = np.array(edges, np.float32)
            probabilities = np.full(52, (1 - self.sure) / 51, np.float32)
            probabilities[int(code) - _BLUE] = self.sure
            quad = box[[0, 1, 2, 1, 2, 3, 0, 3]].reshape(4, 2)
            sightings.append(Sighting(quad, True, probabilities, 1.0, 0.5, box, True))
        return sightings


def film(deals: Sequence[Deal], seed: int = 0, held: int = 7) -> Iterator[list[Card]]:
    """Yield what shows in each picture, `STEP` apart, while *deals* are played at random.

    Each card lies *held* pictures before the next one comes.
    """
    rng = random.Random(seed)
    for deal in deals:
        pile = [card.face for card in deal.setup.centre[-deal.setup.centre_up :]]
        yield from [[]] * 8
        # Long enough for the centre to be read although it is small: what rests is, every 2 s.
        yield from [pile] * 24
        while not deal.is_over:
            number = len(deal.history)
            if number and number % (4 * deal.rules.players) == 0:
                yield from [pile[-3:]] * 18
            card = rng.choice(deal.legal_cards())
            deal.play(card)
            pile = [*pile, card.face]
            yield from [pile[-3:]] * held
            if deal.history[-1].captured:
                pile = []
                yield from [pile] * 6
        yield from [[]] * 8


class Script(LiveSource):
    """Shows a film; *pace* is the real seconds between two pictures."""

    timing = Timing.CLOCK

    def __init__(self, shown: Sequence[Sequence[Card]], pace: float = 0.003) -> None:
        self.name = "script"
        self.shown = shown
        self.pace = pace
        self.number = 0
        self.size_now = SIZE
        self.state = Status.LIVE
        self.closed = Event()
        self.hold = Event()
        #: The number of the newest picture that was read; None where nobody reads.
        self.done: Callable[[], int | None] = lambda: None
        #: Seconds after which the next picture comes although the last was not read.
        self.patience = 0.4
        self._last = monotonic()

    @property
    def size(self) -> tuple[int, int]:
        return self.size_now

    @property
    def problem(self) -> SourceError | None:
        lost = self.state in (Status.LOST, Status.FROZEN)
        return SourceError("source.lost", name=self.name) if lost else None

    @property
    def status(self) -> Status:
        return Status.ENDED if self.closed.is_set() else self.state

    @property
    def dropped(self) -> int:
        return 3

    def read(self, timeout: float | None = None) -> Frame | None:
        if self.hold.is_set() or self.state is not Status.LIVE or self.number >= len(self.shown):
            self.closed.wait(min(timeout or 0.05, 0.05))
            return None
        # A camera does not wait; this one is so fast that it must, or most would be lost.
        self.closed.wait(self.pace)
        done = self.done()
        late = monotonic() - self._last > self.patience
        if done is not None and done < self.number and not late:
            # Looking again without a pause would take the time of who reads.
            self.closed.wait(0.001)
            return None
        if self.closed.is_set():
            return None
        self._last = monotonic()
        image = picture(self.shown[self.number], self.size_now)
        frame = Frame(image, self.number * STEP, self.number)
        self.number += 1
        return frame

    def close(self) -> None:
        self.closed.set()
