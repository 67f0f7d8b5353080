"""What is known about a rendered scene."""

from __future__ import annotations

from dataclasses import dataclass

import numpy as np
from numpy.typing import NDArray

Points = NDArray[np.float32]


@dataclass(frozen=True)
class CardLabel:
    """One card of a scene.

    Attributes:
        quad: (4, 2) pixels, the corners of the whole card (also where covered or cut off by the
            frame): top-left, top-right, bottom-right, bottom-left of the upright printed card. A
            back starts at one of its two tops.
        name: the card, ``7H``, or ``??`` for a back.
        face_up: whether the face is seen.
        visible: the visible fraction of the card's area, 0 to 1.
    """

    quad: Points
    name: str
    face_up: bool
    visible: float


@dataclass(frozen=True)
class IndexLabel:
    """One corner index (rank and suit) of a face-up card.

    Attributes:
        quad: (4, 2) pixels around rank and suit, from the top-left of the upright index.
        name: the card, ``7H``.
        visible: the visible fraction of the quad's area, 0 to 1.
        card: position of its card in `Scene.cards`.
    """

    quad: Points
    name: str
    visible: float
    card: int


@dataclass(frozen=True)
class Scene:
    """A rendered picture and everything known about it.

    Attributes:
        image: H x W x 3, BGR.
        cards: every card of which some part lies in the picture, lowest first.
        indexes: every corner index of the face-up cards that lies in the picture in part.
        hands: polygons of hands, (N, 2) pixels each.
    """

    image: NDArray[np.uint8]
    cards: tuple[CardLabel, ...]
    indexes: tuple[IndexLabel, ...]
    hands: tuple[Points, ...] = ()
