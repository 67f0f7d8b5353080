"""Drawing what the reader believes on the picture."""

from __future__ import annotations

from collections.abc import Callable, Iterable, Iterator, Sequence
from typing import Final

import cv2
import numpy as np
from numpy.typing import NDArray

from vision.pen import Pen
from vision.sightings import Sighting

_UP: Final = (60, 180, 60)
_UNSURE: Final = (40, 160, 240)
_DOWN: Final = (200, 120, 40)
_INK: Final = (255, 255, 255)
#: Steps away from its card at which places for a label are tried, some on each.
_TRIES: Final = 8

#: Names are drawn as certain from this confidence on.
SURE: Final = 0.8

#: Left, top, right and bottom in pixels.
_Box = tuple[int, int, int, int]


def draw_sightings(
    image: NDArray[np.uint8],
    sightings: Iterable[Sighting],
    back: str = "back",
    percent: Callable[[float], str] = "{:.0%}".format,
) -> NDArray[np.uint8]:
    """Return a copy of *image* (H × W × 3 BGR) with outline, name and confidence of each sighting.

    Faces are green, unsure ones orange with a question mark, backs blue. No name lies over another.

    Args:
        image: the picture.
        sightings: what was read in it.
        back: what a card that lies face down is called.
        percent: writes how sure a name is, a number from 0 to 1.
    """
    drawn = image.copy()
    unit = max(image.shape[:2]) / 1000
    shown = sorted(sightings, key=lambda one: (not one.whole, -one.visible))
    for sighting in shown:
        outline = np.round(sighting.quad).astype(np.int32)
        thick = max(1, round(2 * unit))
        cv2.polylines(drawn, [outline], True, _colour(sighting), thick, cv2.LINE_AA)
    pen = Pen(drawn, max(11.0, 20 * unit))
    taken: list[_Box] = []
    for sighting in shown:
        label = _Label(pen, sighting, back, percent)
        place = _place(label.width, label.height, sighting.box, drawn.shape, taken)
        taken.append((place[0], place[1], place[0] + label.width, place[1] + label.height))
        label.draw(place)
    return drawn


def _colour(sighting: Sighting) -> tuple[int, int, int]:
    if not sighting.face_up:
        return _DOWN
    return _UP if sighting.confidence >= SURE else _UNSURE


class _Label:
    """The name of a sighting, with the sign of its suit."""

    def __init__(
        self, pen: Pen, sighting: Sighting, back: str, percent: Callable[[float], str]
    ) -> None:
        self._pen = pen
        self._colour = _colour(sighting)
        card = sighting.card
        self._suit = str(card.suit) if card.suit else ""
        self._name = str(card.rank) if sighting.face_up else back
        mark = "" if sighting.confidence >= SURE else "?"
        self._rest = f"{mark} {percent(sighting.confidence)}" if sighting.face_up else ""
        line = pen.height
        self._edge = 0.2 * line
        self._named = pen.width(self._name)
        self._sign = 0.85 * line if self._suit else 0.0
        inside = self._named + self._sign + (pen.width(self._rest) if self._rest else 0)
        self.width = round(inside + 2 * self._edge)
        self.height = round(1.25 * line)

    def draw(self, place: tuple[int, int]) -> None:
        """Draw it with its left top corner at *place*."""
        left, top = place
        line, pen = self._pen.height, self._pen
        corner = left + self.width, top + self.height
        cv2.rectangle(pen.image, place, corner, self._colour, cv2.FILLED)
        x, base = left + self._edge, top + 0.95 * line
        pen.text(self._name, (x, base), _INK)
        x += self._named
        if self._suit:
            pen.suit(self._suit, (x + self._sign / 2, base - 0.36 * line), 0.34 * line, _INK)
        if self._rest:
            pen.text(self._rest, (x + self._sign, base), _INK)


def _place(
    width: int,
    height: int,
    box: NDArray[np.float32],
    shape: Sequence[int],
    taken: Sequence[_Box],
) -> tuple[int, int]:
    """Return where the left top corner of a label lies so that it lies over no other.

    Where there is no such place, it lies where it hides least.
    """
    least, best = float("inf"), (0, 0)
    for x, y in _places(width, height, box):
        left = int(np.clip(x, 0, max(0, shape[1] - width)))
        top = int(np.clip(y, 0, max(0, shape[0] - height)))
        hidden = sum(_common((left, top, left + width, top + height), other) for other in taken)
        if not hidden:
            return left, top
        if hidden < least:
            least, best = hidden, (left, top)
    return best


def _places(width: int, height: int, box: NDArray[np.float32]) -> Iterator[tuple[float, float]]:
    """Yield places for a label of *box*, the best first: above it, below it, beside it."""
    left, top, right, bottom = (float(value) for value in box)
    for step in range(_TRIES):
        yield left, top - height * (1 + step)
        yield left, bottom + height * step
        yield right, top + height * step
        yield left - width, top + height * step


def _common(one: _Box, other: _Box) -> int:
    """Return how many pixels two boxes share."""
    across = min(one[2], other[2]) - max(one[0], other[0])
    along = min(one[3], other[3]) - max(one[1], other[1])
    return max(0, across) * max(0, along)
