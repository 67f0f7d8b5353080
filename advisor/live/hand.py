"""The cards that are held into the hand zone."""

from __future__ import annotations

from collections.abc import Iterable
from typing import TYPE_CHECKING, Final

from engine import Card

if TYPE_CHECKING:
    from vision.layout import Layout
    from vision.sightings import Sighting

#: A card of a hand is believed from this confidence on.
_SURE: Final = 0.5


def held(sightings: Iterable[Sighting], layout: Layout, size: tuple[int, int]) -> list[Card]:
    """Return the cards of *sightings* that lie in the hand zone of *layout*, the surest first.

    Args:
        sightings: what was read.
        layout: the layout of the table, as it is seen.
        size: width and height of the picture.
    """
    width, height = size

    def inside(one: Sighting) -> bool:
        left, top, right, bottom = (float(edge) for edge in one.box)
        return layout.holds("hand", ((left + right) / 2 / width, (top + bottom) / 2 / height))

    found = [one for one in sightings if one.face_up and one.confidence >= _SURE and inside(one)]
    found.sort(key=lambda one: -one.confidence)
    return list(dict.fromkeys(one.card for one in found))
