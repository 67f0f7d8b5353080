"""From the recording of a game to its record and score."""

from __future__ import annotations

from collections.abc import Callable
from dataclasses import dataclass, replace
from typing import Final

from engine import Match, RuleSet
from engine.record import Record, replay
from vision.decoder import Decoded, Doubt, decode
from vision.errors import VisionError
from vision.sources import SourceError, open_source
from vision.table import Glimpse, PileWatcher, find_bottom, find_pile, glimpses
from vision.table.glimpses import Reads

#: Seconds between the frames that are looked at.
EVERY: Final = 0.2
#: With this share of the pile's surroundings moving, a frame tells nothing of what lies at rest.
_ALL_MOVING: Final = 0.6
#: A frame with hands over the pile still tells this much.
_LEAST_CLEAR: Final = 0.1


@dataclass(frozen=True, slots=True)
class Scored:
    """A recording as it was understood.

    Attributes:
        record: the game.
        match: the match it replays to.
        review: the plays that a person should check.
        problem: why the recording could not be read to its end, else None.
    """

    record: Record
    match: Match
    review: tuple[Doubt, ...]
    problem: SourceError | None


def score_recording(
    source: str,
    rules: RuleSet,
    reader: Reads,
    *,
    dealer: int | None = None,
    names: tuple[str, ...] = (),
    progress: Callable[[float, float | None], None] = lambda _at, _of: None,
) -> Scored:
    """Return the game in the recording *source*.

    Args:
        source: a video file or a folder of pictures.
        rules: the rule set it was played by.
        reader: what reads cards in pictures.
        dealer: the dealer of the first deal; by default the last seat.
        names: the players' names by seat.
        progress: called with the seconds done and the seconds in all, where known.

    Raises:
        SourceError: the source cannot be opened.
        VisionError: no cards show in the recording.
    """
    seen: list[Glimpse] = []
    with open_source(source, every=EVERY) as frames:
        for glimpse in glimpses(frames, reader):
            seen.append(glimpse)
            progress(glimpse.time, frames.duration)
        problem = frames.problem
    decoded = understand(seen, rules, dealer=dealer)
    record = replace(decoded.record, names=names, source=source)
    return Scored(record, replay(record), decoded.review, problem)


def understand(seen: list[Glimpse], rules: RuleSet, *, dealer: int | None = None) -> Decoded:
    """Return the game behind what was seen.

    Raises:
        VisionError: no card shows in the recording.
    """
    zone = find_pile([glimpse.sightings for glimpse in seen])
    if zone is None:
        raise VisionError("score.no_cards")
    watcher = PileWatcher(zone)
    looks = []
    for glimpse in seen:
        moving = glimpse.movement_near(*zone.centre, zone.radius) / _ALL_MOVING
        looks.append(watcher.look(glimpse.time, glimpse.sightings, max(_LEAST_CLEAR, 1 - moving)))
    bottom = None
    if rules.bottom_card == "shown":
        begins = next((look.time for look in looks if len(look.lying)), 0.0)
        bottom = find_bottom([glimpse for glimpse in seen if glimpse.time <= begins], zone)
    return decode(rules, looks, dealer=dealer, bottom=bottom)
