"""Drawing what the reader believes on the picture."""

from __future__ import annotations

from collections.abc import Iterable
from typing import Final

import cv2
import numpy as np
from numpy.typing import NDArray

from vision.sightings import Sighting

_UP: Final = (60, 180, 60)
_UNSURE: Final = (40, 160, 240)
_DOWN: Final = (200, 120, 40)
_INK: Final = (255, 255, 255)

#: Names are drawn as certain from this confidence on.
SURE: Final = 0.8


def draw_sightings(image: NDArray[np.uint8], sightings: Iterable[Sighting]) -> NDArray[np.uint8]:
    """Return a copy of *image* (H × W × 3 BGR) with outline, name and confidence of each sighting.

    Faces are green, unsure ones orange with a question mark, backs blue.
    """
    drawn = image.copy()
    unit = max(image.shape[:2]) / 1000
    for sighting in sightings:
        sure = sighting.confidence >= SURE
        colour = _DOWN if not sighting.face_up else _UP if sure else _UNSURE
        outline = np.round(sighting.quad).astype(np.int32)
        cv2.polylines(drawn, [outline], True, colour, max(1, round(2 * unit)), cv2.LINE_AA)
        mark = "" if sure else "?"
        text = f"{sighting.card}{mark} {sighting.confidence:.0%}" if sighting.face_up else "back"
        _label(drawn, text, sighting.box, colour, unit)
    return drawn


def _label(
    drawn: NDArray[np.uint8],
    text: str,
    box: NDArray[np.float32],
    colour: tuple[int, int, int],
    unit: float,
) -> None:
    """Write *text* above *box*, or inside it where the picture ends."""
    scale, thickness = max(0.35, 0.6 * unit), max(1, round(1.4 * unit))
    (width, height), base = cv2.getTextSize(text, cv2.FONT_HERSHEY_SIMPLEX, scale, thickness)
    left = int(np.clip(box[0], 0, max(0, drawn.shape[1] - width)))
    bottom = int(np.clip(box[1] - base, height + base, drawn.shape[0] - base))
    cv2.rectangle(
        drawn, (left, bottom - height - base), (left + width, bottom + base), colour, cv2.FILLED
    )
    cv2.putText(
        drawn, text, (left, bottom), cv2.FONT_HERSHEY_SIMPLEX, scale, _INK, thickness, cv2.LINE_AA
    )
