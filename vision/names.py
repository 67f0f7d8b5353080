"""Naming crops: the index by one small network, the whole face by another."""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from dataclasses import replace
from typing import Final

import cv2
import numpy as np
from numpy.typing import NDArray

from engine.cards import Rank, Suit
from vision.detector import Detection
from vision.quads import bounds, rectify
from vision.runtimes import Network

#: Columns of a name's distribution: 52 cards in the order of `Card.index`, then no card, then back.
NONE: Final = 52
BACK: Final = 53
COLUMNS: Final = 54

#: Views of an index: the crop's side in lengths of the index, one for the live reader, several for
#: photos.
FAST_VIEWS: Final = (1.25,)
ACCURATE_VIEWS: Final = (1.25, 1.12, 1.4)
#: An index read less surely than this may have been found better elsewhere.
_UNSURE: Final = 0.6
#: An index read so surely at the first look is not looked at again.
_AT_A_GLANCE: Final = 0.97


class Namer:
    """A network that names crops.

    Args:
        network: input N × 3 × H × W, BGR, value / 255 − 0.5; outputs: N × R probabilities of ranks
            and N × S of suits.
        size: (height, width) of the input.
        ranks: what the rank columns mean: text forms of ranks, ``none``, ``back``.
        suits: text forms of suits.
        letters: for some ranks, by their text form, how the network reads the letter that they
            have on the decks at hand: (13,) shares over the ranks in their order. By default
            every rank has the letter that the network was taught most.
    """

    def __init__(
        self,
        network: Network,
        size: tuple[int, int],
        ranks: list[str],
        suits: list[str],
        letters: Mapping[str, Sequence[float]] | None = None,
    ) -> None:
        self._network = network
        self.size = size
        self._rank_columns = [ranks.index(str(rank)) for rank in Rank]
        self._suit_columns = [suits.index(str(suit)) for suit in Suit]
        self._none = ranks.index("none")
        self._letters = np.eye(len(Rank), dtype=np.float32)
        for rank, shares in (letters or {}).items():
            self._letters[[str(known) for known in Rank].index(rank)] = shares
        self._back = ranks.index("back") if "back" in ranks else None

    def name(self, crops: NDArray[np.uint8]) -> NDArray[np.float32]:
        """Return (N, `COLUMNS`) probabilities for (N, H, W, 3) BGR *crops*."""
        result = np.zeros((len(crops), COLUMNS), np.float32)
        if not len(crops):
            return result
        batch = crops.astype(np.float32).transpose(0, 3, 1, 2) / 255 - 0.5
        ranks, suits = self._network.run(np.ascontiguousarray(batch))
        read = ranks[:, self._rank_columns]
        meant = read @ self._letters.T
        meant *= read.sum(1, keepdims=True) / np.maximum(meant.sum(1, keepdims=True), 1e-9)
        cards = suits[:, self._suit_columns, None] * meant[:, None]
        result[:, :NONE] = cards.reshape(len(crops), NONE)
        result[:, NONE] = ranks[:, self._none]
        if self._back is not None:
            result[:, BACK] = ranks[:, self._back]
        return result


def name_indexes(
    image: NDArray[np.uint8],
    found: list[Detection],
    namer: Namer,
    views: tuple[float, ...],
    tries: int = 1,
) -> tuple[list[Detection], NDArray[np.float32]]:
    """Return the indexes *found* with their best quads, and (N, `COLUMNS`) probabilities.

    Each index is cropped as it stands by its quad. One that is not sure at once is also cropped
    upside down, and both once for each of *views* (the crop's side in lengths of the index); the
    answers are averaged. Of an index that is read unsurely up to *tries* quads are named, its own
    among them, and the surest is taken: where it was found at several scales, the one that scored
    best may hold a part of it only.
    """
    names = _name_as_found(image, found, namer, views)
    best = list(found)
    doubtful = np.flatnonzero(names[:, :NONE].max(1, initial=0) < _UNSURE)
    others = [(i, quad) for i in doubtful for quad in found[i].others[: tries - 1]]
    again = [replace(found[i], quad=quad, box=bounds(quad)) for i, quad in others]
    rows = _name_as_found(image, again, namer, views)
    for (i, _), one, row in zip(others, again, rows, strict=True):
        if row[:NONE].max() > names[i, :NONE].max():
            best[i], names[i] = one, row
    return best, names


def _name_as_found(
    image: NDArray[np.uint8], found: list[Detection], namer: Namer, views: tuple[float, ...]
) -> NDArray[np.float32]:
    """Return (N, `COLUMNS`) probabilities for the indexes *found* by their own quads alone."""
    looks = [(grow, angle) for grow in views for angle in (0.0, np.pi)]
    names = _look(image, found, namer, looks[:1])
    doubtful = np.flatnonzero(names[:, :NONE].max(1, initial=0) < _AT_A_GLANCE)
    more = _look(image, [found[i] for i in doubtful], namer, looks[1:])
    names[doubtful] += (len(looks) - 1) * more
    names[doubtful] /= len(looks)
    return names


def _look(
    image: NDArray[np.uint8],
    found: list[Detection],
    namer: Namer,
    looks: list[tuple[float, float]],
) -> NDArray[np.float32]:
    """Return (N, `COLUMNS`) mean probabilities of *looks*: the crop's side and how it is turned."""
    if not found:
        return np.zeros((0, COLUMNS), np.float32)
    crops = [
        crop_square(
            image, one.centre, grow * one.side, namer.size[0], upright_angle(one.quad) + turn
        )
        for one in found
        for grow, turn in looks
    ]
    named = namer.name(np.stack(crops))
    return np.asarray(named.reshape(len(found), len(looks), COLUMNS).mean(1), np.float32)


def upright_angle(quad: NDArray[np.float32]) -> float:
    """Return how far *quad* is turned clockwise, in radians, by its two long sides."""
    across, down = (quad[3] - quad[0] + quad[2] - quad[1]) / 2
    return float(np.arctan2(-across, down))


def crop_square(
    image: NDArray[np.uint8],
    centre: NDArray[np.floating],
    side: float,
    size: int,
    angle: float = 0.0,
) -> NDArray[np.uint8]:
    """Return the square of *side* pixels around *centre*, scaled to *size*; edges are continued.

    *angle* (radians, clockwise as seen) is how far the square is turned in the picture; in the
    crop it stands upright.
    """
    side = max(4.0, side)
    # A few samples a pixel are averaged where the crop shrinks, so that thin strokes stay.
    factor = int(np.clip(np.ceil(side / size - 0.25), 1, 8))
    zoom = size * factor / side
    cosine, sine = zoom * np.cos(angle), zoom * np.sin(angle)
    matrix = np.array([[cosine, sine, 0.0], [-sine, cosine, 0.0]])
    matrix[:, 2] = (size * factor - 1) / 2 - matrix[:, :2] @ (np.asarray(centre) - 0.5)
    crop = cv2.warpAffine(
        image, matrix, (size * factor,) * 2, flags=cv2.INTER_LINEAR, borderMode=cv2.BORDER_REPLICATE
    )
    if factor > 1:
        crop = cv2.resize(crop, (size, size), interpolation=cv2.INTER_AREA)
    return np.asarray(crop, np.uint8)


def name_faces(
    image: NDArray[np.uint8], found: list[Detection], namer: Namer, tries: int, both_ends: bool
) -> tuple[list[Detection], NDArray[np.float32]]:
    """Return the bodies *found* with their best quads, and (N, `COLUMNS`) probabilities.

    Up to *tries* quads of each body are rectified and named; the one that is most surely something
    is taken, since a wrong quad shows no whole card. With *both_ends* each card is also read upside
    down and the answers are averaged.
    """
    if not found:
        return [], np.zeros((0, COLUMNS), np.float32)
    quads = [[body.quad, *body.others][:tries] for body in found]
    stack = np.stack([rectify(image, quad, namer.size) for some in quads for quad in some])
    named = namer.name(stack)
    if both_ends:
        upside_down = namer.name(np.ascontiguousarray(stack[:, ::-1, ::-1]))
        named = np.asarray((named + upside_down) / 2, np.float32)
    bodies, rows, at = [], [], 0
    for body, some in zip(found, quads, strict=True):
        own = named[at : at + len(some)]
        sure = np.delete(own, NONE, axis=1).max(1)
        best = int(sure.argmax())
        bodies.append(replace(body, quad=some[best], others=()))
        rows.append(own[best])
        at += len(some)
    return bodies, np.stack(rows).astype(np.float32)
