"""The shown bottom card of the stock."""

from __future__ import annotations

from collections import Counter
from collections.abc import Iterable

from engine import Card
from vision.table.glimpses import Glimpse
from vision.table.pile import PileZone


def find_bottom(
    glimpses: Iterable[Glimpse], zone: PileZone, *, sure: float = 0.6, share: float = 0.5
) -> Card | None:
    """Return the card that lies face up beside the pile from the start; None when none does.

    Under rule sets that show it, the bottom card is the only face-up card on the table before the
    centre is turned up, and lies there until the last hand deal.

    Args:
        glimpses: the recording up to the first play.
        zone: where the pile lies.
        sure: confidence above which a sighting counts.
        share: in how many of the glimpses it must show.
    """
    count = 0
    shown: Counter[Card] = Counter()
    for glimpse in glimpses:
        count += 1
        shown.update(
            {
                sighting.card
                for sighting in glimpse.sightings
                if sighting.face_up and sighting.confidence >= sure and not zone.holds(sighting)
            }
        )
    for card, times in shown.most_common(1):
        if times >= share * count:
            return card
    return None
