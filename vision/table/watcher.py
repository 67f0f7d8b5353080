"""From the sightings of frame after frame to looks at the pile.

A card at rest is seen in many frames. Its sightings are one observation: their probabilities are
averaged, and each further one is less news.
"""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass, field, replace
from typing import Final

import numpy as np
from numpy.typing import NDArray

from vision.decoder.looks import Look
from vision.sightings import Sighting
from vision.table.backs import BackWatcher
from vision.table.pile import PileZone, middle, overlap

_CARDS: Final = 52
#: A frame with hands over the pile still tells this much of what is not seen.
_LEAST_CLEAR: Final = 0.1
#: Boxes that overlap this much hold the same resting card, unless their names exclude each other.
_SAME: Final = 0.75
#: How much a corner tells whose card is not seen, beside a whole card: backs and cloths have
#: ornaments that look like one.
_CORNER: Final = 0.5
#: Names exclude each other below this likeness (of 0 to 1), where the new one is this sure.
_ALIKE: Final = 0.4
_SURE: Final = 0.6
#: Seconds that a card may be hidden and still be the same observation.
_HIDDEN: Final = 1.5
#: The same for a card that lies beside the pile.
_HIDDEN_BESIDE: Final = 6.0
#: A frame stands for at most so many seconds, and the first for this many.
_LONGEST: Final = 0.4
_USUAL: Final = 0.2
#: What is left, however long it lasts, of the news that nothing is seen of the pile.
_EMPTY: Final = 0.5
#: In a look this clear a card rests; a face seen with this confidence is one.
_RESTS: Final = 0.7
_SEEN: Final = 0.5
#: A look with less news than this tells nothing that the looks before have not told.
_QUIET: Final = 0.06
#: A card that shows this much of itself is hardly covered; one that shows that much is not.
_PARTLY: Final = 0.6
_WHOLLY: Final = 0.8


@dataclass(slots=True)
class _Track:
    """One card at one place, as long as it is seen there."""

    box: NDArray[np.float32]
    last: float
    begun: float
    total: NDArray[np.float64] = field(default_factory=lambda: np.zeros(_CARDS))
    weight: float = 0.0

    @property
    def names(self) -> NDArray[np.float32]:
        """What it is, by all its sightings so far."""
        return np.asarray(self.total / max(self.weight, 1e-9), np.float32)

    def add(self, sighting: Sighting, time: float) -> None:
        """Take in one more sighting; a clear one counts more than a blurred one."""
        weight = sighting.confidence**2 + 1e-3
        self.total += weight * sighting.probabilities
        self.weight += weight
        self.box, self.last = sighting.box, time


def clearness(motion: float) -> float:
    """Return how much a frame tells of what is not seen, of which so much moved; both 0 to 1."""
    return max(_LEAST_CLEAR, 1 - motion)


class PileWatcher:
    """Turns the sightings of frame after frame into looks at the pile.

    Args:
        zone: where the pile lies.
        fading: what is left of a sighting's news after each further 0.2 seconds.
        stale: what is left of it however long the card lies there.
        claims: whether a card that is laid face down on the pile means anything: a claimed pişti.
    """

    def __init__(
        self, zone: PileZone, *, fading: float = 0.5, stale: float = 0.01, claims: bool = False
    ) -> None:
        self.zone = zone
        self._backs = BackWatcher(zone) if claims else None
        self._back = False
        self._fading = fading
        self._stale = stale
        self._tracks: list[_Track] = []
        self._beside: list[_Track] = []
        self._last: float | None = None
        self._changed = 0.0
        self._looks: list[tuple[Look, list[_Track]]] = []

    def look(self, time: float, sightings: Sequence[Sighting], clear: float) -> Look:
        """Return what one frame shows.

        Args:
            time: seconds.
            sightings: all cards seen in the frame.
            clear: how much the frame tells, 1 at rest, 0 under hands.
        """
        span = _USUAL if self._last is None else min(_LONGEST, max(time - self._last, 1e-3))
        self._last = time
        kept = [track for track in self._tracks if time - track.last <= _HIDDEN]
        if len(kept) < len(self._tracks):
            self._changed = time
        self._tracks = kept
        near = np.zeros(_CARDS, np.float32)
        lying: list[_Track] = []
        news: list[float] = []
        opened: list[float] = []
        for sighting in sightings:
            if not sighting.face_up or not self._is_near(sighting):
                continue
            if not self.zone.holds(sighting):
                near = np.maximum(near, sighting.probabilities * self._comes(sighting, time))
            else:
                near = np.maximum(near, sighting.probabilities)
                track = self._track(sighting, lying)
                if track is None:
                    track = _Track(sighting.box, time, time)
                    self._tracks.append(track)
                    self._changed = time
                    news.append(1.0)
                else:
                    news.append(self._left(time - track.begun) * min(1.0, span / _USUAL))
                if not sighting.whole:
                    news[-1] *= _CORNER
                track.add(sighting, time)
                lying.append(track)
                opened.append(_opened(sighting))
        back, back_news = self._laid(time, span, sightings)
        seen = bool(lying) or back > 0
        look = Look(
            time=time,
            lying=_rows(lying),
            news=np.array(news, np.float32),
            near=near,
            clear=clear,
            span=span * max(self._left(time - self._changed), 0.0 if seen else _EMPTY),
            open=np.array(opened, np.float32),
            down=0.0 if clear < _RESTS else self._down(sightings),
            back=back,
            back_news=back_news,
        )
        self._looks.append((look, lying))
        return look

    def _laid(self, time: float, span: float, sightings: Sequence[Sighting]) -> tuple[float, float]:
        """Return how sure it is that a card was laid face down there, and how much that is news."""
        if self._backs is None:
            return 0.0, 0.0
        back, age = self._backs.look(time, sightings)
        if (back > 0) != self._back:
            self._back, self._changed = back > 0, time
        new = back > 0 and age == 0
        return back, self._left(age) * (1.0 if new else min(1.0, span / _USUAL))

    def _down(self, sightings: Sequence[Sighting]) -> float:
        """Return how sure it is that cards lie face down on the pile's place, and none face up."""
        here = [sighting for sighting in sightings if self.zone.holds(sighting)]
        if any(one.face_up and one.confidence > _SEEN for one in here):
            return 0.0
        return max((one.certainty for one in here if not one.face_up and one.whole), default=0.0)

    def _comes(self, sighting: Sighting, time: float) -> float:
        """Return how much *sighting*, beside the pile, tells of a card that is being played.

        What lies there for a while is a hand that is shown, a marker or the stock's bottom card.
        """
        self._beside = [one for one in self._beside if time - one.last <= _HIDDEN_BESIDE]
        for track in self._beside:
            if overlap(track.box, sighting.box) > _SAME:
                track.add(sighting, time)
                return self._left(time - track.begun)
        track = _Track(sighting.box, time, time)
        track.add(sighting, time)
        self._beside.append(track)
        return 1.0

    def _left(self, age: float) -> float:
        """Return what is left of the news of what has not changed for *age* seconds."""
        return max(float(self._fading ** (age / _USUAL)), self._stale)

    def looks(self) -> list[Look]:
        """Return the looks that tell anything, each card named by all that was seen of it."""
        return [
            replace(look, lying=_rows(lying))
            for look, lying in self._looks
            if float(look.news.sum()) + look.span > _QUIET or look.down > 0 or look.back > 0
        ]

    def _track(self, sighting: Sighting, taken: Sequence[_Track]) -> _Track | None:
        """Return the track that *sighting* continues, if any."""
        found, best = None, _SAME
        for track in self._tracks:
            if any(track is other for other in taken):
                continue
            shared = overlap(track.box, sighting.box)
            if shared > best and not _exclude(track.names, sighting.probabilities):
                found, best = track, shared
        return found

    def _is_near(self, sighting: Sighting) -> bool:
        x, y = middle(sighting)
        (cx, cy), radius = self.zone.centre, self.zone.radius
        return bool(np.hypot(x - cx, y - cy) <= 3 * radius)


def _rows(tracks: Sequence[_Track]) -> NDArray[np.float32]:
    return np.array([track.names for track in tracks], np.float32).reshape(-1, _CARDS)


def _exclude(known: NDArray[np.float32], new: NDArray[np.float32]) -> bool:
    """Whether a *new* sighting can hardly be of the card *known* so far."""
    return bool(new.max() >= _SURE and np.sqrt(known * new).sum() < _ALIKE)


def _opened(sighting: Sighting) -> float:
    if not sighting.whole:
        return 0.0
    return float(np.clip((sighting.visible - _PARTLY) / (_WHOLLY - _PARTLY), 0, 1))
