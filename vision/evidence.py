"""Putting the evidence about each card together: indexes, face, and which index is whose."""

from __future__ import annotations

from dataclasses import dataclass, field
from typing import Any, Final

import numpy as np
from numpy.typing import NDArray

from vision.detector import Detection
from vision.names import BACK, COLUMNS, NONE
from vision.quads import apply_homography, homography
from vision.sightings import Sighting

#: Where the middle of an index lies on a card, as fractions of its width and height; the other
#: corners follow by symmetry (the third and fourth on decks with four indexes).
_INDEX_AT: Final = np.array([0.11, 0.14], np.float32)


@dataclass(frozen=True)
class Reading:
    """The fitted numbers of putting evidence together; fitted on rendered pictures alone.

    Attributes:
        index_weight: how much the logarithm of an index's probabilities counts.
        face_weight: the same for the face.
        extra_weight: the share that counts of each further index of the same card.
        floor: no probability is taken to be less than this.
        threshold: sightings whose confidence is less are dropped.
    """

    index_weight: float = 1.0
    face_weight: float = 1.0
    extra_weight: float = 0.3
    floor: float = 1e-4
    threshold: float = 0.5

    @classmethod
    def from_manifest(cls, values: dict[str, Any]) -> Reading:
        """Return the numbers in a manifest's ``reading``; what is not there keeps its default."""
        return cls(**{name: float(value) for name, value in values.items()})


@dataclass
class _Group:
    """What belongs to one card: at most one body, any number of indexes (by number)."""

    body: int | None = None
    indexes: list[int] = field(default_factory=list)


def combine(
    indexes: list[Detection],
    index_names: NDArray[np.float32],
    bodies: list[Detection],
    body_names: NDArray[np.float32],
    reading: Reading,
) -> list[Sighting]:
    """Return one sighting for each card.

    Args:
        indexes: corner indexes found.
        index_names: (N, `COLUMNS`) their probabilities.
        bodies: faces and backs found.
        body_names: (M, `COLUMNS`) their probabilities.
        reading: how to weigh.
    """
    groups = _group(indexes, index_names, bodies, body_names)
    sightings = []
    for group in groups:
        names = _joint(
            index_names[group.indexes],
            None if group.body is None else body_names[group.body],
            reading,
        )
        sighting = _sighting(
            names,
            [indexes[i] for i in group.indexes],
            None if group.body is None else bodies[group.body],
        )
        if sighting.confidence >= reading.threshold:
            sightings.append(sighting)
    return sightings


def _joint(
    indexes: NDArray[np.float32], body: NDArray[np.float32] | None, reading: Reading
) -> NDArray[np.float64]:
    """Return (`COLUMNS`,) probabilities of a card from its indexes and its body."""
    log = np.zeros(COLUMNS)
    for place, i in enumerate(np.argsort(-indexes[:, :NONE].max(1))):
        share = reading.index_weight * (1.0 if place == 0 else reading.extra_weight)
        names = indexes[i].astype(np.float64)
        # An index says nothing about which side is up beyond that there is one.
        names[BACK] = names[NONE]
        log += share * np.log(np.maximum(names, reading.floor))
    if body is not None:
        names = body.astype(np.float64)
        log += reading.face_weight * np.log(np.maximum(names, reading.floor))
    elif len(indexes):
        log[BACK] = -np.inf
    joint = np.exp(log - log.max())
    return np.asarray(joint / joint.sum(), np.float64)


def _sighting(
    names: NDArray[np.float64], indexes: list[Detection], body: Detection | None
) -> Sighting:
    known = [*indexes, body] if body is not None else indexes
    boxes = np.stack([detection.box for detection in known])
    box = np.concatenate([boxes[:, :2].min(0), boxes[:, 2:].max(0)]).astype(np.float32)
    best = max(indexes, key=lambda detection: detection.score) if body is None else body
    face_up = names[:NONE].sum() >= names[BACK]
    return Sighting(
        quad=best.quad,
        face_up=bool(face_up),
        probabilities=(names[:NONE] if face_up else np.zeros(NONE)).astype(np.float32),
        certainty=float(names[:NONE].sum() if face_up else names[BACK]),
        visible=float(np.clip(best.visible, 0, 1)) if body is not None else 0.1,
        box=box,
        whole=body is not None,
    )


def _group(
    indexes: list[Detection],
    index_names: NDArray[np.float32],
    bodies: list[Detection],
    body_names: NDArray[np.float32],
) -> list[_Group]:
    """Return which body and which indexes belong together."""
    groups = [_Group(body=b) for b in range(len(bodies))]
    loose = []
    for i, index in enumerate(indexes):
        costs = [
            _corner_distance(index, body) + _disagreement(index_names[i], body_names[b])
            for b, body in enumerate(bodies)
        ]
        best = int(np.argmin(costs)) if costs else -1
        if best >= 0 and costs[best] < 0.3:
            groups[best].indexes.append(i)
        else:
            loose.append(i)
    groups += _pair_loose(loose, indexes, index_names)
    return groups


def _corner_distance(index: Detection, body: Detection) -> float:
    """Return how far *index* is from the nearest place for one on *body*, in card widths."""
    try:
        place = apply_homography(homography(body.quad, (1.0, 1.0)), index.centre[None])[0]
    except ValueError:
        return np.inf
    offset = np.minimum(place, 1 - place) - _INDEX_AT
    return float(np.hypot(offset[0], offset[1] * 1.4))


def _disagreement(index: NDArray[np.float32], body: NDArray[np.float32]) -> float:
    """Return 0 where the names agree or say little, up to 0.15 where they differ."""
    overlap = float(np.sqrt(index[:NONE] * body[:NONE]).sum())
    return 0.15 * (1 - overlap) * float(body[:NONE].max()) * float(index[:NONE].max())


def _pair_loose(
    loose: list[int], indexes: list[Detection], names: NDArray[np.float32]
) -> list[_Group]:
    """Group indexes without a body: those of one name, near enough to be on one card."""
    groups: list[_Group] = []
    for i in sorted(loose, key=lambda i: -float(names[i, :NONE].max())):
        best = int(names[i, :NONE].argmax())
        for group in groups:
            first = group.indexes[0]
            near = np.linalg.norm(indexes[i].centre - indexes[first].centre)
            size = max(indexes[i].side, indexes[first].side)
            # A card is at most about eight times as long as its index, corner to corner.
            if best == int(names[first, :NONE].argmax()) and near < 9 * size:
                group.indexes.append(i)
                break
        else:
            groups.append(_Group(indexes=[i]))
    return groups
