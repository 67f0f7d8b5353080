"""The shown bottom card of the stock."""

from __future__ import annotations

from collections import Counter
from collections.abc import Iterable, Sequence

from engine import Card
from vision.sightings import Sighting
from vision.table.pile import PileZone


def find_bottom(
    seen: Iterable[Sequence[Sighting]],
    zone: PileZone,
    *,
    sure: float = 0.6,
    share: float = 0.5,
) -> Card | None:
    """Return the card that lies face up beside the pile from the start; None when none does.

    Under rule sets that show it, the bottom card is the only face-up card on the table before the
    centre is turned up, and lies there until the last hand deal.

    Args:
        seen: the sightings of each frame up to the first play.
        zone: where the pile lies.
        sure: confidence above which a sighting counts.
        share: in how many of the frames it must show.
    """
    count = 0
    shown: Counter[Card] = Counter()
    for sightings in seen:
        count += 1
        shown.update(
            {
                sighting.card
                for sighting in sightings
                if sighting.face_up and sighting.confidence >= sure and not zone.holds(sighting)
            }
        )
    for card, times in shown.most_common(1):
        if times >= share * count:
            return card
    return None
