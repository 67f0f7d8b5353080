"""Proposing where things lie, from one picture of the table before the game."""

from __future__ import annotations

from collections.abc import Sequence
from typing import Final

import numpy as np

from vision.layout import Layout, around
from vision.sightings import Sighting
from vision.table.pile import card_length, middle

#: Sides of the zones in card lengths.
_PILE: Final = 3.0
_STOCK: Final = 1.8
#: Share of the picture that is proposed for the table, and for the hand at its lower edge.
_TABLE: Final = 0.92
_HAND: Final = (0.6, 0.26)
#: Where no card shows, a card is taken to be this share of the picture's width.
_CARD: Final = 0.09


def propose(sightings: Sequence[Sighting], size: tuple[int, int]) -> Layout:
    """Return a layout for what one picture (of *size*, width and height) shows.

    The face-up card nearest to the middle is taken for the centre's, another card or a back for
    the stock. Where nothing shows, the zones lie where they usually do; people drag them.
    """
    width, height = size
    wholes = [card_length(one.quad) for one in sightings if one.whole]
    length = float(np.median(wholes)) if wholes else _CARD * width
    across, along = length / width, length / height
    placed = sorted(
        ((middle(one)[0] / width, middle(one)[1] / height, one) for one in sightings),
        key=lambda each: (not each[2].face_up, np.hypot(each[0] - 0.5, each[1] - 0.5)),
    )
    pile = (placed[0][0], placed[0][1]) if placed and placed[0][2].face_up else (0.5, 0.5)
    beside = [
        (x, y)
        for x, y, _ in placed
        if np.hypot((x - pile[0]) / across, (y - pile[1]) / along) > _PILE / 2
    ]
    return Layout(
        corners=around((0.5, 0.5), _TABLE, _TABLE),
        pile=around(pile, _PILE * across, _PILE * along),
        stock=around(beside[0], _STOCK * across, _STOCK * along) if beside else None,
        hand=around((0.5, 1 - _HAND[1] / 2), *_HAND),
        seats=((0.5, 1.0), (0.5, 0.0)),
    )
