"""Drawing what is known of the table on its picture, layer by layer."""

from __future__ import annotations

from collections.abc import Iterable
from typing import TYPE_CHECKING, Final, Literal

import cv2
import numpy as np

from vision.overlay import draw_sightings

if TYPE_CHECKING:
    from numpy.typing import NDArray

    from vision.layout import Layout
    from vision.sightings import Sighting

#: What can be drawn: outlines of cards, their names, the zones of the table.
Layer = Literal["boxes", "names", "zones"]

_ZONES: Final = {
    "corners": (160, 160, 160),
    "pile": (60, 200, 240),
    "stock": (200, 140, 60),
    "hand": (180, 90, 200),
}
_OUTLINE: Final = (60, 180, 60)


def draw_layers(
    image: NDArray[np.uint8],
    layers: frozenset[Layer],
    sightings: Iterable[Sighting],
    layout: Layout,
    back: str = "??",
) -> NDArray[np.uint8]:
    """Return *image* (H × W × 3 BGR uint8), or a copy of it with *layers* drawn.

    A card that lies face down is called *back*.
    """
    if not layers:
        return image
    drawn = image
    if "names" in layers:
        drawn = draw_sightings(drawn, sightings, back=back)
    else:
        drawn = drawn.copy()
        if "boxes" in layers:
            for sighting in sightings:
                outline = np.round(sighting.quad).astype(np.int32)
                cv2.polylines(drawn, [outline], True, _OUTLINE, 2, cv2.LINE_AA)
    if "zones" in layers:
        size = image.shape[1], image.shape[0]
        for name, colour in _ZONES.items():
            quad = layout.pixels(name, size)
            if quad is not None:
                corners = np.round(quad).astype(np.int32)
                cv2.polylines(drawn, [corners], True, colour, 2, cv2.LINE_AA)
    return drawn
