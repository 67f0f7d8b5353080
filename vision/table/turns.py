"""Whether the camera was turned or zoomed: two pictures are compared block by block.

Where a block of one picture is found in the other tells how it moved. A shift moves all of them
alike; a turn or zoom those more that are further out. Blocks under hands, or where cards came or
went, move otherwise or are not found: so the move is the one that most of them agree on.
"""

from __future__ import annotations

from collections.abc import Iterator
from dataclasses import dataclass
from itertools import product
from typing import Any, Final

import cv2
import numpy as np
from numpy.typing import NDArray

from vision.table.move import STILL, Move

Edges = NDArray[np.float32]
Points = NDArray[np.float32]

#: The side of a block, and how far it is looked for, in small pixels: far where the move is not
#: known, near where it is.
_BLOCK: Final = 24
_FAR: Final = 12
_NEAR: Final = 4
#: Edges are compared with the mean of those around, within so many small pixels, so that faint
#: threads of a cloth tell as much as the cards do. The blocks lie where corners show, as clear as
#: this share of the clearest and so far between, at most so many.
_SURROUNDINGS: Final = 25
_FAINT: Final = 0.05
_BLOCKS: Final = 48
_QUALITY: Final = 0.02
_BETWEEN: Final = 10
#: A block is found where it is this much alike (-1 to 1), and this much more than further away.
_FOUND: Final = 0.45
_ONLY: Final = 0.12
_AROUND: Final = 3
#: Blocks agree on a move that brings them this near to where they are found, in small pixels.
_AGREE: Final = 1.6
#: So many blocks must agree at least, that share of those that are found and that of those that
#: could be, and over so much of the picture's width and height they must lie.
_LEAST: Final = 6
_OF_FOUND: Final = 0.6
_SHARE: Final = 0.2
_SPREAD: Final = 0.4
#: Where this share of them agrees, nothing else is tried.
_CERTAIN: Final = 0.75
#: What is looked for from afar, and in pictures so many times smaller: degrees and zooms.
_TURNS: Final = (-8.0, -4.0, 0.0, 4.0, 8.0)
_ZOOMS: Final = (0.87, 0.935, 1.0, 1.07, 1.15)
_FINER_TURNS: Final = (-2.0, 0.0, 2.0)
_FINER_ZOOMS: Final = (0.966, 1.0, 1.034)
_SMALLER: Final = 2
_REACH: Final = 0.18
_TRIED: Final = 4
_AREA: Final = cv2.INTER_AREA


@dataclass(frozen=True, slots=True, eq=False)
class Found:
    """Where the blocks of a picture are found in another.

    Attributes:
        move: on which most of them agree, in small pixels.
        agree: how many do.
        of: how many could: those in sight that are known to be found again.
        clear: whether they are enough and lie far enough apart for the move to be believed.
        blocks: the numbers of those that were found.
        places: (n, 2) their middles.
        seen: (n, 2) where they were found.
    """

    move: Move
    agree: int
    of: int
    clear: bool
    blocks: NDArray[np.intp]
    places: Points
    seen: Points

    def agreeing(self, move: Move) -> int:
        """Return how many of the blocks agree on *move*."""
        return int(_agreeing(move, self.places, self.seen).sum())


class Anchor:
    """A picture that others are compared with.

    Args:
        edges: its small picture, as `levelled` returns it.
    """

    def __init__(self, edges: Edges) -> None:
        self._edges = edges
        height, width = edges.shape
        inner = np.zeros(edges.shape, np.uint8)
        inner[_BLOCK // 2 : -_BLOCK // 2, _BLOCK // 2 : -_BLOCK // 2] = 255
        marks: Any = cv2.goodFeaturesToTrack(
            edges, _BLOCKS, _QUALITY, _BETWEEN, mask=inner, blockSize=_BLOCK // 2
        )
        middles = [] if marks is None else marks.reshape(-1, 2).tolist()
        self._corners = [(int(x) - _BLOCK // 2, int(y) - _BLOCK // 2) for x, y in middles]
        # Of a plain cloth only noise shows, which is never found again.
        self._proven = np.zeros(len(self._corners), bool)
        half = cv2.resize(edges, (width // _SMALLER, height // _SMALLER), None, 0, 0, _AREA)
        down, right = round(_REACH * half.shape[0]), round(_REACH * half.shape[1])
        self._middle = np.ascontiguousarray(
            half[down : half.shape[0] - down, right : half.shape[1] - right]
        )
        self._at = right, down

    def learn(self, found: Found, move: Move) -> None:
        """Note that *move* was right: blocks that agree on it are such as are found again."""
        self._proven[found.blocks[_agreeing(move, found.places, found.seen)]] = True

    def find(self, edges: Edges, guess: Move) -> Found:
        """Return how *edges*, levelled, moved against this picture, near the *guess*."""
        return self._blocks(edges, guess, _NEAR)

    def find_from_afar(self, edges: Edges, guess: Move) -> Found:
        """Return how *edges*, levelled, moved against this picture, not only near the *guess*."""
        best = self._refined(edges, guess)
        for other in self._likeliest(edges, guess):
            if best.agree >= _CERTAIN * best.of:
                break
            found = self._refined(edges, other)
            if (found.clear, found.agree) > (best.clear, best.agree):
                best = found
        return best

    def _refined(self, edges: Edges, guess: Move) -> Found:
        rough = self._blocks(edges, guess, _FAR)
        return self._blocks(edges, rough.move, _NEAR)

    def _likeliest(self, edges: Edges, guess: Move) -> Iterator[Move]:
        """Yield the likeliest turns and zooms, by how much alike the pictures' middles are."""
        height, width = edges.shape
        half = width // _SMALLER, height // _SMALLER
        small = np.asarray(cv2.resize(edges, half, None, 0, 0, _AREA), np.float32)
        rated = sorted(
            (self._rated(small, guess, turn, zoom) for turn, zoom in product(_TURNS, _ZOOMS)),
            key=lambda each: -each[0],
        )
        tried: list[Move] = []
        for _, move in rated:
            if any(move.apart(other, (width, height)) < _FAR for other in tried):
                continue
            tried.append(move)
            around = (
                self._rated(small, move, turn, zoom)
                for turn, zoom in product(_FINER_TURNS, _FINER_ZOOMS)
            )
            yield max(around, key=lambda each: each[0])[1]
            if len(tried) == _TRIED:
                return

    def _rated(self, small: Edges, guess: Move, turn: float, zoom: float) -> tuple[float, Move]:
        """Return how much alike the pictures' middles are after the *guess*, a turn and a zoom.

        With it comes that move, with the shift at which they are so.
        """
        height, width = (_SMALLER * side for side in small.shape)
        move = guess.then(Move.about((width / 2, height / 2), turn, zoom))
        turned = _brought_back(small, move.scaled(1 / _SMALLER))
        alike = cv2.matchTemplate(turned, self._middle, cv2.TM_CCOEFF_NORMED)
        _, best, _, (x, y) = cv2.minMaxLoc(alike)
        right, down = (_SMALLER * (at - own) for at, own in zip((x, y), self._at, strict=True))
        return best, Move(right, down).then(move)

    def _blocks(self, edges: Edges, guess: Move, reach: int) -> Found:
        """Return what the blocks agree on that are found within *reach* of the *guess*."""
        height, width = edges.shape
        seen = _brought_back(edges, guess)
        padded = cv2.copyMakeBorder(seen, reach, reach, reach, reach, cv2.BORDER_CONSTANT, value=0)
        places, found, blocks, could = [], [], [], 0
        counted = self._proven if self._proven.any() else ~self._proven
        for number, (left, top) in enumerate(self._corners):
            middle = left + _BLOCK / 2, top + _BLOCK / 2
            x, y = guess.place(middle)
            if not (
                _BLOCK / 2 <= x <= width - _BLOCK / 2 and _BLOCK / 2 <= y <= height - _BLOCK / 2
            ):
                continue
            could += int(counted[number])
            block = self._edges[top : top + _BLOCK, left : left + _BLOCK]
            area = padded[top : top + _BLOCK + 2 * reach, left : left + _BLOCK + 2 * reach]
            alike = cv2.matchTemplate(area, block, cv2.TM_CCOEFF_NORMED)
            at = _peak(np.asarray(alike, np.float32))
            if at is not None:
                blocks.append(number)
                places.append(middle)
                found.append(guess.place((middle[0] + at[0] - reach, middle[1] + at[1] - reach)))
        before, after = (np.array(some, np.float32).reshape(-1, 2) for some in (places, found))
        numbers = np.array(blocks, np.intp)
        if len(places) < 3:
            return Found(guess, 0, could, False, numbers, before, after)
        matrix, _ = cv2.estimateAffinePartial2D(
            before, after, method=cv2.RANSAC, ransacReprojThreshold=_AGREE, maxIters=200
        )
        if matrix is None:
            return Found(guess, 0, could, False, numbers, before, after)
        move = Move.of(np.asarray(matrix, np.float64))
        agree = _agreeing(move, before, after)
        clear = int(agree.sum()) >= max(_LEAST, _OF_FOUND * len(places), _SHARE * could)
        if clear:
            spread = np.ptp(before[agree], axis=0) / (width, height)
            clear = bool(spread.min() >= _SPREAD)
        return Found(move, int(agree.sum()), could, clear, numbers, before, after)


def levelled(edges: Edges) -> Edges:
    """Return a small picture of *edges*, H × W of mean 1, each by the mean of those around it."""
    around = cv2.blur(edges, (_SURROUNDINGS, _SURROUNDINGS))
    return np.asarray(edges / (around + _FAINT), np.float32)


def _brought_back(edges: Edges, move: Move) -> Edges:
    """Return *edges* as they would be seen without *move*."""
    if move == STILL:
        return edges
    # Pixel (0, 0) lies half a pixel from the picture's corner.
    half = Move(0.5, 0.5)
    matrix = half.then(move).then(half.back()).matrix
    size = edges.shape[1], edges.shape[0]
    flags = cv2.INTER_LINEAR | cv2.WARP_INVERSE_MAP
    return np.asarray(cv2.warpAffine(edges, matrix, size, flags=flags), np.float32)


def _peak(alike: Edges) -> tuple[float, float] | None:
    """Return where (x, y) a block is found, to a part of a pixel; None where that is not clear."""
    _, best, _, (x, y) = cv2.minMaxLoc(alike)
    height, width = alike.shape
    if best < _FOUND or not (0 < x < width - 1 and 0 < y < height - 1):
        return None
    rest = alike.copy()
    rest[max(0, y - _AROUND) : y + _AROUND + 1, max(0, x - _AROUND) : x + _AROUND + 1] = -1
    if rest.max() > best - _ONLY:
        return None
    return x + between(alike[y], x), y + between(alike[:, x], y)


def between(values: Edges, at: int) -> float:
    """Return where between its neighbours the peak *at* lies, -0.5 to 0.5, by a parabola."""
    if not 0 < at < len(values) - 1:
        return 0.0
    low, peak, high = (float(value) for value in values[at - 1 : at + 2])
    bend = low - 2 * peak + high
    return 0.0 if bend >= 0 else float(np.clip((low - high) / (2 * bend), -0.5, 0.5))


def _agreeing(move: Move, places: Points, seen: Points) -> NDArray[np.bool_]:
    matrix = move.matrix
    moved = places @ matrix[:, :2].T + matrix[:, 2]
    return np.asarray(np.linalg.norm(moved - seen, axis=1) <= _AGREE)
