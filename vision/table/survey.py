"""A first look over a recording: where the pile lies, and which card lies under the stock."""

from __future__ import annotations

from collections import defaultdict
from collections.abc import Iterable, Sequence
from dataclasses import dataclass
from typing import Final

import numpy as np
from numpy.typing import NDArray

from engine import Card, deck
from vision.sightings import Sighting
from vision.sources import Frame
from vision.table.closeups import READ_SIZE, ReadsParts
from vision.table.gate import Gate, Region
from vision.table.pile import PileZone, find_pile, middle
from vision.table.view import View

#: Seconds between the frames that are read.
_EVERY: Final = 1.2
#: So many different cards on one place make it the pile.
_ENOUGH: Final = 5
#: After so many frames fewer cards must do.
_PATIENCE: Final = 40
#: In so many of the first frames the bottom card is looked for, beside whatever lies there.
_FIRST: Final = 3
_LEAST: Final = 0.2
#: Half the side of the square that is read there, in lengths of what lies there.
_REACH: Final = 1.0
#: How surely it must be read, on average of the frames.
_SURE: Final = 0.5
#: It lies at most so many radii of the pile's zone away.
_BESIDE: Final = 4.0


@dataclass(frozen=True, slots=True)
class Survey:
    """What a first look found.

    Attributes:
        zone: where the pile lies; None where no card showed.
        bottom: the card that lies face up beside it from the start, the stock's bottom card.
    """

    zone: PileZone | None
    bottom: Card | None


def survey(frames: Iterable[Frame], reader: ReadsParts, size: tuple[int, int]) -> Survey:
    """Read whole frames, few and at rest, until it is clear where the pile lies.

    Where the camera moves meanwhile, that is where it lies as the first frame shows the table.

    Args:
        frames: the recording from its beginning.
        reader: what reads cards.
        size: (width, height) of the frames.
    """
    gate = Gate(Region(0, 0, *size), size[0], confirm=(), moving=_EVERY, rest=6 * _EVERY)
    view = View(size[0])
    seen: list[list[Sighting]] = []
    first: list[tuple[NDArray[np.uint8], list[Sighting]]] = []
    zone: PileZone | None = None
    last = -_EVERY
    for frame in frames:
        view.look(frame.image, frame.time)
        if frame.time - last < _EVERY or not gate.wants(frame.image, frame.time):
            continue
        last = frame.time
        found = reader.read(frame.image, least=_LEAST)
        seen.append([view.move.bring_back(one) for one in found])
        if len(first) < _FIRST:
            first.append((frame.image, found))
        enough = _ENOUGH if len(seen) < _PATIENCE else 2
        if len(seen) % 2 == 0 and (zone := find_pile(seen, enough=enough, size=size)):
            break
    zone = zone or find_pile(seen, size=size)
    return Survey(zone, _bottom(first, zone, reader) if zone else None)


def _bottom(
    pictures: Sequence[tuple[NDArray[np.uint8], Sequence[Sighting]]],
    zone: PileZone,
    reader: ReadsParts,
) -> Card | None:
    """Return the card that sticks out under the stock: too little of it to show in a whole frame.

    Around each thing that lies beside the pile in the first frames, the picture is read larger.
    """
    total: dict[Card, float] = defaultdict(float)
    for image, sightings in pictures:
        found: dict[Card, float] = {}
        for one in sightings:
            x, y = middle(one)
            far = np.hypot(x - zone.centre[0], y - zone.centre[1]) / zone.radius
            if not 1 < far < _BESIDE:
                continue
            reach = _REACH * float((one.box[2:] - one.box[:2]).max())
            size = image.shape[1], image.shape[0]
            part = Region.around((x, y), reach, size)
            for card in reader.read(part.cut(image), size=READ_SIZE, least=_LEAST):
                if card.face_up:
                    name = deck()[int(card.probabilities.argmax())]
                    found[name] = max(found.get(name, 0.0), card.confidence)
        for name, confidence in found.items():
            total[name] += confidence / len(pictures)
    best = max(total, key=lambda card: total[card], default=None)
    return best if best is not None and total[best] >= _SURE else None
