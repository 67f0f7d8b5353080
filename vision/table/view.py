"""Following the view: how the picture has moved since the camera was bumped, slips or drifts."""

from __future__ import annotations

from dataclasses import dataclass
from typing import Final, Generic, TypeVar

import cv2
import numpy as np
from numpy.typing import NDArray

from vision.table.move import STILL, Move
from vision.table.turns import Anchor, Found, between, levelled

#: Width of the small pictures that are compared.
_SMALL: Final = 240
#: Small pictures of which a side is shorter are not compared.
_LEAST_SIDE: Final = 24
#: Seconds between two comparisons, and after which a picture takes the place of the one compared
#: with: hands, cards and light change the table over time.
_EVERY: Final = 0.8
_RENEWED: Final = 8.0
#: Shifts up to this share of the picture are looked for.
_REACH: Final = 0.18
#: How much alike (-1 to 1) two pictures must be, one of them shifted; and by how much more than
#: they are unshifted.
_ALIKE: Final = 0.5
_CLEARLY: Final = 0.1
#: Shifts beyond so many small pixels are rare, and a patterned cloth looks alike at many: such a
#: one must be this much more alike than any nearer one, and this much at least.
_NEAR: Final = 6
_FAR_CLEARLY: Final = 0.2
_FAR_ALIKE: Final = 0.6
#: The move reported changes when the true one differs by this share of the picture's width.
_LEAST: Final = 0.012
#: Two comparisons in a row must agree this well, in small pixels; where the camera turns or zooms,
#: at the corners, far from where things may show, less well.
_AGREE: Final = 1.4
_AGREE_TURNED: Final = 3.5
#: Guesses nearer to each other than this, in small pixels, are tried once.
_SAME_GUESS: Final = 1.0
#: A turn or zoom is believed where so many times as many blocks agree on it as on the mere shift,
#: and so many more.
_MORE: Final = 1.3
_AND: Final = 3
#: The picture that turns are measured from is renewed when fewer blocks agree than this share of
#: those that are known, or none does.
_FADED: Final = 0.6

_What = TypeVar("_What")


@dataclass(frozen=True, slots=True)
class _Reference(Generic[_What]):
    """A picture that later ones are compared with, how it had moved (small pixels), and when."""

    what: _What
    move: Move
    since: float


class View:
    """Follows how the pictures of one camera move against the first of them: shifts, turns, zooms.

    Shifts are found by comparing whole pictures. A turn or zoom is believed only where blocks all
    over the picture agree on it, and clearly more of them than on the shift (`turns`).

    Args:
        width: of the pictures, in pixels.
        move: of the first picture, where it is known.

    Attributes:
        move: from where something at rest was, to where it is seen now. It changes in steps of
            about a hundredth of the picture's width.
        looked: when pictures were compared last, in seconds.
        sure: whether the picture compared last was seen to have moved so, and not otherwise.
        surely: when a picture was last seen to have moved so, in seconds.
    """

    def __init__(self, width: int, move: Move = STILL) -> None:
        self.move = move
        self.sure = False
        self.surely = np.inf
        self.looked = -np.inf
        self._scale = min(1.0, _SMALL / width)
        self._size = (0, 0)
        self._known: _Reference[NDArray[np.float32]] | None = None
        self._anchor: _Reference[Anchor] | None = None
        self._recognised = False
        self._guess: Move | None = None

    def look(self, image: NDArray[np.uint8], time: float) -> bool:
        """Take in a picture (H × W × 3) of *time*, in seconds; return whether the move changed."""
        if time - self.looked < _EVERY:
            return False
        self.looked = time
        if min(self._small_size(image)) < _LEAST_SIDE:
            # Nothing to hold on to.
            self.sure, self.surely = True, time
            return False
        changed = self._compare(image, time)
        if self.sure:
            self.surely = time
        return changed

    def _compare(self, image: NDArray[np.uint8], time: float) -> bool:
        """Take in a picture as `look` does, whenever the one before was."""
        edges = self._edges(image)
        level = levelled(edges)
        if self._known is None or self._anchor is None:
            self._begin(edges, level)
            return False
        shift = _shift(self._known.what, edges)
        shifted = None if shift is None else self._known.move.then(Move(*shift.tolist()))
        turned, found = self._turned(self._anchor, level, shifted)
        now = turned or shifted
        before, self._guess, self.sure = self._guess, now, False
        if now is None:
            if not self._recognised and time - self._known.since >= _RENEWED:
                # The first picture was black, or of a covered lens.
                self._begin(edges, level)
            return False
        self._recognised = True
        moved = now.scaled(1 / self._scale)
        size = image.shape[1], image.shape[0]
        self.sure = moved.apart(self.move, size) < _LEAST * image.shape[1]
        near = _AGREE if turned is None else _AGREE_TURNED
        if before is None or before.apart(now, self._size) > near:
            return False
        if turned is not None or time - self._known.since >= _RENEWED:
            self._known = _Reference(edges, now, time)
            self._guess = now if turned is not None else None
        self._anchor.what.learn(found, self._anchor.move.back().then(now))
        faded = found.agree < _FADED * max(1, found.known)
        if faded and time - self._anchor.since >= _RENEWED:
            self._anchor = _Reference(Anchor(level), now, time)
        if self.sure:
            return False
        self.move, self.sure = moved, True
        return True

    def nearer(self, image: NDArray[np.uint8], one: Move, other: Move) -> Move:
        """Return by which of two moves *image* (H × W × 3), just seen, has likelier moved."""
        if self._anchor is None:
            return one
        anchor, undone = self._anchor.what, self._anchor.move.back()
        level = levelled(self._edges(image))
        moves = [undone.then(move.scaled(self._scale)) for move in (one, other)]
        first, second = (anchor.find(level, move).agreeing(move) for move in moves)
        return one if first >= second else other

    def _begin(self, edges: NDArray[np.float32], level: NDArray[np.float32]) -> None:
        """Compare the next pictures with this one, which has moved as the one before it."""
        self._size = edges.shape[1], edges.shape[0]
        move = self.move.scaled(self._scale)
        self._known = _Reference(edges, move, self.looked)
        self._anchor = _Reference(Anchor(level), move, self.looked)
        self.sure = True

    def _turned(
        self, reference: _Reference[Anchor], level: NDArray[np.float32], shifted: Move | None
    ) -> tuple[Move | None, Found]:
        """Return the move where it is clearly no mere shift, and what was found of the anchor."""
        anchor, undone = reference.what, reference.move.back()
        held = undone.then(shifted or self.move.scaled(self._scale))
        guess = undone.then(self._guess) if self._guess else held
        found = first = anchor.find(level, held)
        if guess.apart(held, self._size) > _SAME_GUESS:
            found = _better(found, anchor.find(level, guess))
        if not found.clear:
            now = undone.then(self.move.scaled(self._scale))
            found = _better(found, anchor.find_from_afar(level, now))
        others = max(first.agreeing(held), found.agreeing(held))
        if not found.clear or found.agree < _MORE * others + _AND:
            return None, found
        return reference.move.then(found.move), found

    def _small_size(self, image: NDArray[np.uint8]) -> tuple[int, int]:
        return round(image.shape[1] * self._scale), round(image.shape[0] * self._scale)

    def _edges(self, image: NDArray[np.uint8]) -> NDArray[np.float32]:
        """Return the small picture's gradients: the same under brighter and darker light."""
        small = cv2.cvtColor(
            cv2.resize(image, self._small_size(image), interpolation=cv2.INTER_AREA),
            cv2.COLOR_BGR2GRAY,
        )
        grey = cv2.GaussianBlur(small.astype(np.float32), (0, 0), 1.0)
        edges = cv2.magnitude(
            cv2.Sobel(grey, cv2.CV_32F, 1, 0, ksize=3), cv2.Sobel(grey, cv2.CV_32F, 0, 1, ksize=3)
        )
        return np.asarray(edges / max(float(edges.mean()), 1e-6), np.float32)


def _better(one: Found, other: Found) -> Found:
    return max(one, other, key=lambda each: (each.clear, each.agree))


def _shift(before: NDArray[np.float32], after: NDArray[np.float32]) -> NDArray[np.float64] | None:
    """Return by how much *after* is shifted against *before*; None where that cannot be told."""
    height, width = before.shape
    down, right = round(_REACH * height), round(_REACH * width)
    part = before[down : height - down, right : width - right]
    if not part.any():
        # A plain picture is like any other, says OpenCV.
        return None
    alike = np.asarray(cv2.matchTemplate(after, part, cv2.TM_CCOEFF_NORMED), np.float32)
    top, left = max(0, down - _NEAR), max(0, right - _NEAR)
    near = alike[top : down + _NEAR + 1, left : right + _NEAR + 1]
    _, best, _, (x, y) = cv2.minMaxLoc(alike)
    _, nearer, _, (near_x, near_y) = cv2.minMaxLoc(near)
    if best < max(nearer + _FAR_CLEARLY, _FAR_ALIKE):
        best, x, y = nearer, left + near_x, top + near_y
    unmoved = float(alike[down, right])
    if best < _ALIKE:
        return None
    if (x, y) != (right, down) and best - unmoved < _CLEARLY:
        return np.zeros(2) if unmoved >= _ALIKE else None
    return np.array([x - right + between(alike[y], x), y - down + between(alike[:, x], y)])
