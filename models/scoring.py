"""The arithmetic of judging readings: multisets of codes, scores, calibration."""

from __future__ import annotations

from collections import Counter
from collections.abc import Iterable, Sequence
from dataclasses import dataclass, field


@dataclass(frozen=True)
class ReadCard:
    """A card as it was read: its code (``7H``) and the reader's confidence, 0 to 1."""

    code: str
    confidence: float


@dataclass(frozen=True)
class PhotoResult:
    """One photo: what is on it and what was read.

    Attributes:
        image: the photo's name.
        folder: the group it is reported in.
        truth: codes of the cards on it.
        read: what was read.
        complete: whether `truth` lists every visible card; otherwise only recall counts.
        seconds: how long reading took.
    """

    image: str
    folder: str
    truth: tuple[str, ...]
    read: tuple[ReadCard, ...]
    complete: bool = True
    seconds: float = 0.0

    @property
    def missed(self) -> list[str]:
        """Codes on the photo that were not read, as a sorted multiset."""
        return sorted((Counter(self.truth) - Counter(card.code for card in self.read)).elements())

    @property
    def wrong(self) -> list[str]:
        """Codes read that are not on the photo; empty where the truth is not complete."""
        extra = Counter(card.code for card in self.read) - Counter(self.truth)
        return sorted(extra.elements()) if self.complete else []

    @property
    def perfect(self) -> bool:
        """Whether exactly the right cards were read."""
        return not self.missed and not self.wrong


@dataclass
class Score:
    """Counts over photos.

    Attributes:
        right: cards read rightly, on all photos.
        truth: cards on all photos.
        right_complete: cards read rightly on photos whose truth is complete.
        read_complete: cards read on photos whose truth is complete.
        perfect: photos read perfectly.
        photos: photos.
    """

    right: int = 0
    truth: int = 0
    right_complete: int = 0
    read_complete: int = 0
    perfect: int = 0
    photos: int = 0

    def add(self, truth: Sequence[str], read: Sequence[str], complete: bool) -> None:
        """Count one photo."""
        right = sum((Counter(truth) & Counter(read)).values())
        self.right += right
        self.truth += len(truth)
        if complete:
            self.right_complete += right
            self.read_complete += len(read)
        self.photos += 1
        self.perfect += right == len(truth) and (not complete or right == len(read))

    @property
    def precision(self) -> float:
        """Share of read cards that are right; 1 where nothing was read."""
        return self.right_complete / self.read_complete if self.read_complete else 1.0

    @property
    def recall(self) -> float:
        """Share of the cards that were read; 1 where there are none."""
        return self.right / self.truth if self.truth else 1.0

    @property
    def f1(self) -> float:
        """Harmonic mean of precision and recall."""
        total = self.precision + self.recall
        return 2 * self.precision * self.recall / total if total else 0.0

    def as_json(self) -> dict[str, float]:
        """Return the score as numbers with four digits."""
        return {
            "photos": self.photos,
            "cards": self.truth,
            "precision": round(self.precision, 4),
            "recall": round(self.recall, 4),
            "f1": round(self.f1, 4),
            "perfect": round(self.perfect / self.photos, 4) if self.photos else 1.0,
        }


@dataclass
class Report:
    """Scores of a set of photos, in all and by folder, for exact codes and for ranks."""

    codes: dict[str, Score] = field(default_factory=dict)
    ranks: dict[str, Score] = field(default_factory=dict)


def rank_of(code: str) -> str:
    """Return the rank of *code*."""
    return code[:-1]


def score(results: Iterable[PhotoResult], apart: Sequence[str] = ()) -> Report:
    """Return the scores by folder and, as ``all``, over the folders that are not in *apart*."""
    report = Report()
    for result in results:
        read = [card.code for card in result.read]
        names = [result.folder] if result.folder in apart else [result.folder, "all"]
        for name in names:
            report.codes.setdefault(name, Score()).add(result.truth, read, result.complete)
            report.ranks.setdefault(name, Score()).add(
                [rank_of(code) for code in result.truth],
                [rank_of(code) for code in read],
                result.complete,
            )
    return report


def confusions(results: Iterable[PhotoResult]) -> Counter[tuple[str, str]]:
    """Return how often a card was read as which other, as (truth, read) counts.

    On a photo where one card was missed and one read wrongly, they are taken to be the same card;
    with more of them only those that share rank or suit are paired. What is left counts as
    (truth, "") for a miss and ("", read) for a card that is not there.
    """
    table: Counter[tuple[str, str]] = Counter()
    for result in results:
        missed, wrong = result.missed, result.wrong
        alone = len(missed) == len(wrong) == 1
        for code in missed:
            near = [w for w in wrong if alone or w[-1] == code[-1] or w[:-1] == code[:-1]]
            if near:
                wrong.remove(near[0])
            table[code, near[0] if near else ""] += 1
        table.update(("", code) for code in wrong)
    return table


def calibration(results: Iterable[PhotoResult]) -> list[tuple[float, bool]]:
    """Return (confidence, right) of each card read on photos whose truth is complete."""
    pairs = []
    for result in results:
        if not result.complete:
            continue
        left = Counter(result.truth)
        for card in sorted(result.read, key=lambda card: -card.confidence):
            right = left[card.code] > 0
            left[card.code] -= right
            pairs.append((card.confidence, right))
    return pairs


def calibration_error(pairs: Sequence[tuple[float, bool]], bins: int = 10) -> float:
    """Return the expected calibration error: the mean gap of confidence and truth over *bins*."""
    gaps = 0.0
    for number in range(bins):
        inside = [p for p in pairs if min(int(p[0] * bins), bins - 1) == number]
        gaps += abs(sum(confidence - right for confidence, right in inside))
    return gaps / len(pairs) if pairs else 0.0
