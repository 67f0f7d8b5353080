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

#: The side of a block, in small pixels, as all that follow.
_BLOCK: Final = 24
#: How far a block is looked for where the move is not known, and where it is.
_FAR: Final = 12
_NEAR: Final = 4
#: Edges are compared with the mean of those around, within so many pixels and with so much added,
#: so that faint threads of a cloth tell as much as the cards do.
_SURROUNDINGS: Final = 25
_FAINT: Final = 0.05
#: Blocks of a picture, at most.
_BLOCKS: Final = 48
#: How clearly a corner shows in a block, at least, as a share of the clearest one.
_QUALITY: Final = 0.02
#: How far apart blocks are, at least.
_BETWEEN: Final = 10
#: How much alike (-1 to 1) a block is where it is found, at least.
_FOUND: Final = 0.45
#: By how much more it is so than anywhere that is further away than `_AROUND`.
_ONLY: Final = 0.12
_AROUND: Final = 3
#: Blocks agree on a move that brings them this near to where they are found.
_AGREE: Final = 1.6
#: Blocks that agree on a move that is believed, at least.
_LEAST: Final = 6
#: How many they are, at least, as a share of those that are found.
_OF_FOUND: Final = 0.6
#: How many they are, at least, as a share of those that are known.
_SHARE: Final = 0.2
#: Over which share of the picture's width and height they lie, at least.
_SPREAD: Final = 0.4
#: Where as many agree as this share of those that are known, nothing else is tried.
_CERTAIN: Final = 0.75
#: Degrees and zooms that are tried from afar.
_TURNS: Final = (-8.0, -4.0, 0.0, 4.0, 8.0)
_ZOOMS: Final = (0.87, 0.935, 1.0, 1.07, 1.15)
#: Those that are tried around the likeliest of them.
_FINER_TURNS: Final = (-2.0, 0.0, 2.0)
_FINER_ZOOMS: Final = (0.966, 1.0, 1.034)
#: How many times smaller the pictures are in which that is done.
_SMALLER: Final = 2
#: Shifts that are tried there, as a share of the picture.
_REACH: Final = 0.18
#: How many of the likeliest are looked at block by block.
_TRIED: Final = 4


@dataclass(frozen=True, slots=True, eq=False)
class Found:
    """Where the blocks of a picture are found in another.

    Attributes:
        move: on which most of them agree, in small pixels.
        agree: how many do.
        known: how many blocks in sight have been found again before; all, where none has. Others
            may agree as well, so this is a yardstick for *agree*, not the most it can be.
        clear: whether they are enough and lie far enough apart for the move to be believed.
        blocks: the numbers of those that were found.
        places: (n, 2) their middles.
        seen: (n, 2) where they were found.
    """

    move: Move
    agree: int
    known: int
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
        inner = np.zeros(edges.shape, np.uint8)
        inner[_BLOCK // 2 : -_BLOCK // 2, _BLOCK // 2 : -_BLOCK // 2] = 255
        marks: Any = cv2.goodFeaturesToTrack(
            edges, _BLOCKS, _QUALITY, _BETWEEN, mask=inner, blockSize=_BLOCK // 2
        )
        corners = [] if marks is None else marks.reshape(-1, 2).tolist()
        self._middles = [(int(x), int(y)) for x, y in corners]
        # Of a plain cloth only noise shows, which is never found again.
        self._proven = np.zeros(len(self._middles), bool)
        half = _halved(edges)
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
            if best.agree >= _CERTAIN * best.known:
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
        small, size = _halved(edges), (edges.shape[1], edges.shape[0])
        rated = sorted(
            (self._rated(small, guess, turn, zoom) for turn, zoom in product(_TURNS, _ZOOMS)),
            key=lambda each: -each[0],
        )
        tried: list[Move] = []
        for _, move in rated:
            if any(move.apart(other, size) < _FAR for other in tried):
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
        padded = np.pad(_brought_back(edges, guess), reach)
        shown = [
            number
            for number, middle in enumerate(self._middles)
            if _is_inside(guess.place(middle), (width, height))
        ]
        counted = self._proven if self._proven.any() else ~self._proven
        known = int(counted[shown].sum())
        sought = ((number, self._seek(number, padded, reach)) for number in shown)
        found = {number: guess.place(at) for number, at in sought if at is not None}
        before = np.array([self._middles[number] for number in found], np.float32).reshape(-1, 2)
        after = np.array(list(found.values()), np.float32).reshape(-1, 2)
        matrix = None
        if len(found) >= 3:
            matrix, _ = cv2.estimateAffinePartial2D(
                before, after, method=cv2.RANSAC, ransacReprojThreshold=_AGREE, maxIters=200
            )
        blocks = np.array(list(found), np.intp)
        if matrix is None:
            return Found(guess, 0, known, False, blocks, before, after)
        move = Move.of(np.asarray(matrix, np.float64))
        agree = _agreeing(move, before, after)
        clear = int(agree.sum()) >= max(_LEAST, _OF_FOUND * len(found), _SHARE * known)
        if clear:
            spread = np.ptp(before[agree], axis=0) / (width, height)
            clear = bool(spread.min() >= _SPREAD)
        return Found(move, int(agree.sum()), known, clear, blocks, before, after)

    def _seek(self, number: int, padded: Edges, reach: int) -> tuple[float, float] | None:
        """Return where a block's middle is found, in a picture with *reach* added on all sides."""
        x, y = self._middles[number]
        left, top = x - _BLOCK // 2, y - _BLOCK // 2
        block = self._edges[top : top + _BLOCK, left : left + _BLOCK]
        area = padded[top : top + _BLOCK + 2 * reach, left : left + _BLOCK + 2 * reach]
        alike = cv2.matchTemplate(area, block, cv2.TM_CCOEFF_NORMED)
        at = _peak(np.asarray(alike, np.float32))
        return None if at is None else (x + at[0] - reach, y + at[1] - reach)


def levelled(edges: Edges) -> Edges:
    """Return a small picture of *edges*, H × W of mean 1, each by the mean of those around it."""
    around = cv2.blur(edges, (_SURROUNDINGS, _SURROUNDINGS))
    return np.asarray(edges / (around + _FAINT), np.float32)


def _halved(edges: Edges) -> Edges:
    """Return *edges* in a picture that is `_SMALLER` times smaller."""
    size = edges.shape[1] // _SMALLER, edges.shape[0] // _SMALLER
    return np.asarray(cv2.resize(edges, size, interpolation=cv2.INTER_AREA), np.float32)


def _is_inside(middle: tuple[float, float], size: tuple[int, int]) -> bool:
    """Whether all of a block is in a picture of *size*."""
    return all(_BLOCK / 2 <= at <= side - _BLOCK / 2 for at, side in zip(middle, size, strict=True))


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
