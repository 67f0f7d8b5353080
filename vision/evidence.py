"""Putting the evidence about each card together: indexes, face, and which index is whose."""

from __future__ import annotations

from dataclasses import dataclass, field
from functools import cached_property
from typing import Any, Final

import numpy as np
from numpy.typing import NDArray

from vision.detector import Detection
from vision.names import BACK, COLUMNS, NONE
from vision.quads import apply_homography, holds, homography, quad_share
from vision.sightings import Sighting

#: Where the middle of an index lies on a card, as fractions of its width and height; the other
#: corners follow by symmetry (the third and fourth on decks with four indexes).
_INDEX_AT: Final = np.array([0.11, 0.14], np.float32)
#: An index belongs to a body when its place is off by less than this, in card widths.
_NEAR: Final = 0.3
#: A body mostly within a surer one counts as a card of its own from this confidence on.
_UNSURE: Final = 0.9
#: A body of which more is visible, as the detector estimates it, has nothing lying on it.
_WHOLE: Final = 0.85
#: An index and a body whose names are so much alike agree.
_AGREE: Final = 0.6
#: An index is less than so many of its lengths from the box of the rest of its card.
_ACROSS: Final = 9.0
#: The middles of a card's two indexes are less than so many of their lengths apart: more, as the
#: other one's middle lies behind the edge of its box.
_APART: Final = 11.0
#: Two indexes that contradict each other so surely are those of two cards.
_CERTAIN: Final = 0.9
#: What the detector takes for a back is hardly ever a face, nor the other way round: of 67 backs
#: and 561 faces that were found in rendered scenes 0 and 6 were.
_OTHER_SIDE: Final = 0.1
#: A body that is so surely a back has no index: one there is that of a card below it.
_SURE_BACK: Final = 0.9
#: An index of the body's own name, or of that of an index that it has, belongs to it even this far
#: outside, in card widths.
_SLACK: Final = 0.6
#: Farther from the middle than this, in widths and heights of a body, no index belongs to it.
_BEYOND: Final = 0.5 + _SLACK


@dataclass(frozen=True)
class Reading:
    """The fitted numbers of putting evidence together; fitted on rendered pictures alone.

    Attributes:
        index_weight: how much the logarithm of an index's probabilities counts.
        face_weight: the same for the face.
        extra_weight: the share that counts of each further index of the same card.
        floor: no probability of an index is taken to be less than this.
        face_floor: the same for the face, whose quad may show parts of two cards.
        threshold: sightings whose confidence is less are dropped.
    """

    index_weight: float = 1.0
    face_weight: float = 1.0
    extra_weight: float = 0.3
    floor: float = 1e-4
    face_floor: float = 1e-4
    threshold: float = 0.5

    @classmethod
    def from_manifest(cls, values: dict[str, Any]) -> Reading:
        """Return the numbers in a manifest's ``reading``; what is not there keeps its default."""
        return cls(**{name: float(value) for name, value in values.items()})


@dataclass
class Evidence:
    """What was found of one card.

    Attributes:
        indexes: its corner indexes, any number.
        index_names: (N, `COLUMNS`) their probabilities.
        body: its face or back, if that was found.
        body_names: (`COLUMNS`,) its probabilities.
        bare: whether no other card lies on the body.
    """

    indexes: list[Detection] = field(default_factory=list)
    index_names: list[NDArray[np.float32]] = field(default_factory=list)
    body: Detection | None = None
    body_names: NDArray[np.float32] | None = None
    bare: bool = False

    @cached_property
    def flattening(self) -> NDArray[np.float64]:
        """The homography from the picture to the body as the unit square; there must be one."""
        assert self.body is not None
        return homography(self.body.quad, (1.0, 1.0))

    def add(self, index: Detection, names: NDArray[np.float32]) -> None:
        """Take in one more index."""
        self.indexes.append(index)
        self.index_names.append(names)


def combine(
    indexes: list[Detection],
    index_names: NDArray[np.float32],
    bodies: list[Detection],
    body_names: NDArray[np.float32],
    reading: Reading,
) -> list[Sighting]:
    """Return one sighting for each card that is likely enough.

    Args:
        indexes: corner indexes found.
        index_names: (N, `COLUMNS`) their probabilities.
        bodies: faces and backs found.
        body_names: (M, `COLUMNS`) their probabilities.
        reading: how to weigh.
    """
    cards = gather(indexes, index_names, bodies, body_names)
    sightings = [_sighting(card, weigh(card, reading)) for card in cards]
    likely = [sighting for sighting in sightings if sighting.confidence >= reading.threshold]
    return _once(likely)


def _once(sightings: list[Sighting]) -> list[Sighting]:
    """Return *sightings* without second ones of a card at the same place.

    A corner that was taken for a card of its own, or a body found twice: one pack holds each card
    once, and the same cards of two packs hardly ever lie side by side.
    """
    kept: list[Sighting] = []
    for one in sorted(sightings, key=lambda s: (-s.whole, -s.confidence)):
        alike = [s for s in kept if s.face_up and one.face_up and s.card is one.card]
        again = any(_touch(one.box, other.box) or _corner_of(one, other) for other in alike)
        if not again and not any(_part_of(one, other) for other in kept):
            kept.append(one)
    return kept


def _part_of(one: Sighting, other: Sighting) -> bool:
    """Return whether *one*, unsure, is a part of the card *other* taken for a card of its own."""
    if not other.whole or one.confidence > min(_UNSURE, other.confidence):
        return False
    if not one.whole:
        return holds(other.quad, (one.box[:2] + one.box[2:]) / 2)
    return quad_share(one.quad, other.quad) > 0.6


def _corner_of(one: Sighting, other: Sighting) -> bool:
    """Return whether *one*, an index alone, is so near to *other* that it can be on that card.

    Of a card that is very near the body's quad may show a part only.
    """
    if one.whole:
        return False
    centre = (one.box[:2] + one.box[2:]) / 2
    apart = np.maximum(other.box[:2] - centre, centre - other.box[2:]).clip(0)
    return float(np.linalg.norm(apart)) < _ACROSS * float((one.box[2:] - one.box[:2]).max())


def _touch(one: NDArray[np.float32], other: NDArray[np.float32]) -> bool:
    """Return whether two boxes, each a quarter larger on every side, overlap."""
    low, high = [], []
    for box in (one, other):
        margin = (box[2:] - box[:2]) / 4
        low.append(box[:2] - margin)
        high.append(box[2:] + margin)
    return bool((np.maximum(*low) < np.minimum(*high)).all())


def weigh(card: Evidence, reading: Reading) -> NDArray[np.float64]:
    """Return (`COLUMNS`,) probabilities of a card from its indexes and its body."""
    log = np.zeros(COLUMNS)
    rows = sorted(card.index_names, key=lambda names: -float(names[:NONE].max()))
    for place, names in enumerate(rows):
        share = reading.index_weight * (1.0 if place == 0 else reading.extra_weight)
        row = names.astype(np.float64)
        if card.body_names is not None:
            # On a card's body something that is no index says nothing about the card.
            row[:NONE] += row[NONE] / NONE
            row[NONE] /= NONE
        row[BACK] = row[NONE]
        log += share * np.log(np.maximum(row, reading.floor))
    if card.body_names is not None:
        body = card.body_names.astype(np.float64)
        if card.body is not None:
            body[slice(NONE) if card.body.kind == "back" else BACK] *= _OTHER_SIDE
        if card.index_names:
            # Where an index is, a body that shows no card is a card's with a wrong quad.
            body[:NONE] += body[NONE] / NONE
        log += reading.face_weight * np.log(np.maximum(body, reading.face_floor))
    else:
        log[BACK] = -np.inf
    joint = np.exp(log - log.max())
    return np.asarray(joint / joint.sum(), np.float64)


def _sighting(card: Evidence, names: NDArray[np.float64]) -> Sighting:
    body = card.body
    best = body or max(card.indexes, key=lambda index: index.score)
    boxes = np.stack([part.box for part in (*card.indexes, best)])
    face_up = bool(names[:NONE].sum() >= names[BACK])
    return Sighting(
        quad=best.quad,
        face_up=face_up,
        probabilities=(names[:NONE] if face_up else np.zeros(NONE)).astype(np.float32),
        certainty=float(names[:NONE].sum() if face_up else names[BACK]),
        visible=float(np.clip(best.visible, 0, 1)) if body is not None else 0.1,
        box=np.concatenate([boxes[:, :2].min(0), boxes[:, 2:].max(0)]).astype(np.float32),
        whole=body is not None,
    )


def gather(
    indexes: list[Detection],
    index_names: NDArray[np.float32],
    bodies: list[Detection],
    body_names: NDArray[np.float32],
) -> list[Evidence]:
    """Return what belongs together, one entry for each card; arguments as of `combine`."""
    cards: list[Evidence] = []
    for body, names in zip(bodies, body_names, strict=True):
        if not any(_repeats(body, names, card) for card in cards):
            cards.append(Evidence(body=body, body_names=names))
    for card in cards:
        card.bare = _is_bare(card, cards)
    loose: list[int] = []
    for i in _surest_first(index_names, cards):
        costs = [_misfit(indexes[i], index_names[i], card) for card in cards]
        best = int(np.argmin(costs)) if costs else -1
        if best >= 0 and costs[best] < _NEAR:
            cards[best].add(indexes[i], index_names[i])
        else:
            loose.append(i)
    return cards + _pair_loose(loose, indexes, index_names)


def _surest_first(names: NDArray[np.float32], cards: list[Evidence]) -> list[int]:
    """Return the order in which indexes are placed.

    First those that a body agrees with, then the surest: they say what a card is when a doubtful
    one is to be placed.
    """
    bodies = [card.body_names[:NONE] for card in cards if card.body_names is not None]

    def rank(i: int) -> tuple[bool, float]:
        own = names[i, :NONE]
        agreed = any(_likeness(own, body) > _AGREE for body in bodies)
        return not agreed, -float(own.max())

    return sorted(range(len(names)), key=rank)


def _likeness(one: NDArray[np.float32], other: NDArray[np.float32]) -> float:
    """Return how much two rows of names are alike, 0 to 1 (Bhattacharyya's coefficient)."""
    return float(np.sqrt(one[:NONE] * other[:NONE]).sum())


def _conflict(names: NDArray[np.float32], card: Evidence, alike: list[float]) -> float:
    """Return up to `_NEAR`: how surely an index of *names* contradicts the indexes of *card*.

    *alike* is how much it is like each of them.
    """
    worst = 0.0
    for known, likeness in zip(card.index_names, alike, strict=True):
        sure = float(names[:NONE].max() * known[:NONE].max())
        worst = max(worst, sure * (1 - likeness))
    return _NEAR * worst


def _is_bare(card: Evidence, cards: list[Evidence]) -> bool:
    body = card.body
    if body is None or body.visible > _WHOLE:
        return body is not None
    others = [other.body for other in cards if other is not card and other.body is not None]
    return all(quad_share(body.quad, other.quad) < 0.05 for other in others)


def _repeats(body: Detection, names: NDArray[np.float32], card: Evidence) -> bool:
    """Return whether *body* is the body of *card* again: of the same name, and at its place."""
    if card.body is None or card.body_names is None:
        return False
    if not names.argmax() == card.body_names.argmax() < NONE:
        return False
    apart = float(np.linalg.norm(body.centre - card.body.centre))
    return apart < card.body.side / 2 or quad_share(body.quad, card.body.quad) > 0.1


def _misfit(index: Detection, names: NDArray[np.float32], card: Evidence) -> float:
    """Return how badly *index* fits the body of *card*: 0 for the right place and the same name.

    The unit is a card's width between the index and the nearest place for one.
    """
    if card.body is None or card.body_names is None or card.body_names[BACK] > _SURE_BACK:
        return np.inf
    place = apply_homography(card.flattening, index.centre[None])[0]
    if np.abs(place - 0.5).max() > _BEYOND:
        return np.inf
    offset = np.minimum(place, 1 - place) - _INDEX_AT
    distance = float(np.hypot(offset[0], offset[1] * 1.4))
    others = [_likeness(names, known) for known in card.index_names]
    conflict = _conflict(names, card, others)
    if card.bare and place.min() > 0 and place.max() < 1 and conflict < _CERTAIN * _NEAR:
        # What lies within it is its own, whatever it was read as; but two indexes that are certain
        # to be of two cards mean that the quad spans both.
        return min(distance, 0.5 * _NEAR)
    alike = _likeness(names, card.body_names)
    if alike > _AGREE:
        return min(distance, 0.5 * _NEAR) + conflict
    sure = float(card.body_names[:NONE].max() * names[:NONE].max())
    apart = distance + 0.5 * _NEAR * (1 - alike) * sure
    if max(others, default=0.0) > _AGREE:
        # Rather that of another body at whose corner it lies.
        apart = min(apart, 0.8 * _NEAR)
    return apart + conflict


def _pair_loose(
    loose: list[int], indexes: list[Detection], names: NDArray[np.float32]
) -> list[Evidence]:
    """Group indexes without a body: those of one name, near enough to be on one card."""
    cards: list[Evidence] = []
    for i in sorted(loose, key=lambda i: -float(names[i, :NONE].max())):
        for card in cards:
            first, known = card.indexes[0], card.index_names[0]
            near = float(np.linalg.norm(indexes[i].centre - first.centre))
            same = names[i, :NONE].argmax() == known[:NONE].argmax()
            if same and near < _APART * max(indexes[i].side, first.side):
                card.add(indexes[i], names[i])
                break
        else:
            cards.append(Evidence([indexes[i]], [names[i]]))
    return cards
