"""`pisti bench score`: recorded games rendered with their truth, scored, and compared with it."""

from __future__ import annotations

import difflib
import time
from collections.abc import Callable, Iterator, Sequence
from dataclasses import asdict, dataclass, field, replace
from itertools import pairwise
from pathlib import Path
from typing import TYPE_CHECKING, Any, Final

from engine import Match, Played
from engine.record import Record, read_file, replay
from vision.decoder import Doubt
from vision.decoder.plain import cards_laid

if TYPE_CHECKING:
    from datasets.games import Game
    from vision.table import ReadsParts

#: Bounds of the classes in which confidences are compared with how often they are right.
_CLASSES: Final = (0.0, 0.5, 0.7, 0.8, 0.9, 0.95, 0.98, 0.995, 1.001)


@dataclass(frozen=True, slots=True)
class Line:
    """How one recorded game was read.

    Attributes:
        name: the game.
        level: how difficult it is, 1 to 5.
        plays: plays in it.
        right: how many of them were read, in their order.
        wrong: how many of the plays that were read are wrong.
        score: whether each side's points are right.
        unlisted: wrong plays that are not on the review list.
        listed: plays on the review list.
        duration: seconds of video.
        seconds: seconds that scoring took by the clock.
        cpu: seconds of processor time that it took.
        sure: the confidence of each play that was read, and whether it is right.
    """

    name: str
    level: int
    plays: int
    right: int
    wrong: int
    score: bool
    unlisted: int = 0
    listed: int = 0
    duration: float = 0.0
    seconds: float = 0.0
    cpu: float = 0.0
    sure: tuple[tuple[float, bool], ...] = field(default=(), repr=False)

    @property
    def exact(self) -> bool:
        """Whether every play and every side's points are right."""
        return self.right == self.plays and not self.wrong and self.score


def run(
    folder: Path,
    names: Sequence[str],
    level: int | None,
    say: Callable[[str], None] = lambda _line: None,
    *,
    rules: bool = True,
) -> Iterator[Line]:
    """Record the benchmark's games below *folder*, where they are not there yet, and score them.

    Args:
        folder: where the recordings are kept.
        names: only these games; all where none is named, but those in which the camera slips.
        level: only the games of this level.
        say: called with the name of each game as it begins.
        rules: whether the decoder is used; else each card that comes to lie on the pile is a play.

    What was read of a game is kept as `score_recording` keeps it, so a run that was stopped, or one
    with another decoder, does not read it again.

    Raises:
        ImportError: the renderer is not at hand; it is used from a checkout.
        ValueError: there is no game of such a name.
    """
    from datasets.games import GAMES, SLIPPING
    from vision.reader import CardReader

    unknown = set(names) - {game.name for game in (*GAMES, *SLIPPING)}
    if unknown:
        raise ValueError(f"there is no game {min(unknown)!r}; the first is {GAMES[0].name!r}")
    reader = CardReader("fast", threads=1)
    for game in (*GAMES, *(game for game in SLIPPING if game.name in names)):
        if level in (None, game.level) and (not names or game.name in names):
            say(game.name)
            yield _line(game, folder, reader, rules=rules)


def _line(game: Game, folder: Path, reader: ReadsParts, *, rules: bool) -> Line:
    from advisor.scorer import score_recording, seen_in
    from datasets.games import render_game

    path = render_game(game, folder)
    truth = read_file(path.with_suffix(".pisti")).record
    lengths: list[float] = [0.0]

    def progress(at: float, _of: float | None) -> None:
        lengths.append(at)

    begun, worked = time.perf_counter(), time.process_time()
    scored = score_recording(str(path), game.rules, reader, progress=progress)
    seconds, cpu = time.perf_counter() - begun, time.process_time() - worked
    if rules:
        line = judged(game.name, game.level, truth, scored.record, scored.review)
    else:
        laid = [str(card) for card in cards_laid(seen_in(str(path), scored.zone))]
        line = judged_plain(game.name, game.level, truth, laid)
    return replace(line, duration=max(lengths), seconds=seconds, cpu=cpu)


def judged(name: str, level: int, truth: Record, read: Record, review: Sequence[Doubt]) -> Line:
    """Return how well *read* is the game *truth*."""
    expected, found = replay(truth), replay(read)
    pairs = list(_aligned(expected, found))
    listed = {(doubt.deal, doubt.play) for doubt in review}
    sure, wrong = [], set()
    for number, deal in enumerate(read.deals):
        for place, play in enumerate(deal.plays):
            right = number < len(pairs) and place in pairs[number]
            sure.append((1.0 if play.confidence is None else play.confidence, right))
            if not right:
                wrong.add((number, place))
    return Line(
        name,
        level,
        plays=sum(len(deal.history) for deal in expected.deals),
        right=sum(len(places) for places in pairs),
        wrong=len(wrong),
        score=expected.totals == found.totals,
        unlisted=len(wrong - listed),
        listed=len(listed),
        sure=tuple(sure),
    )


def judged_plain(name: str, level: int, truth: Record, laid: Sequence[str]) -> Line:
    """Return how well the cards *laid* on the pile are those of the game *truth*.

    The first of them, which was turned up in the centre, may be missing from the truth's plays.
    """
    expected = [str(play.card) for deal in truth.deals for play in deal.plays]
    right = len(_same(expected, laid))
    turned_up = {str(card) for deal in truth.deals for card in deal.centre}
    wrong = len([card for card in laid if card not in turned_up]) - right
    return Line(name, level, len(expected), right, max(0, wrong), score=False)


def _aligned(expected: Match, found: Match) -> Iterator[set[int]]:
    """Yield for each deal the places of its plays that are the right ones, in their order."""
    for one, other in zip(expected.deals, found.deals, strict=False):
        yield _same(list(map(_word, one.history)), list(map(_word, other.history)))


def _word(played: Played) -> str:
    """Return what was played, and how it was answered where a pişti was claimed with it."""
    return f"{played.card}:{played.claim.value}" if played.claim else str(played.card)


def _same(expected: Sequence[str], found: Sequence[str]) -> set[int]:
    """Return the places of *found* at which the expected cards stand, in their order."""
    matcher = difflib.SequenceMatcher(None, expected, found, autojunk=False)
    return {m.b + step for m in matcher.get_matching_blocks() for step in range(m.size)}


def to_json(lines: Sequence[Line]) -> list[dict[str, Any]]:
    """Return *lines* for other programs."""
    return [asdict(line) | {"exact": line.exact} for line in lines]


def table(lines: Sequence[Line]) -> str:
    """Return *lines* as a table with its sums, and how far confidences can be trusted."""
    rows = [f"{'game':<10} {'plays':>6} {'right':>6} {'wrong':>6} {'score':>6} {'unlisted':>8}"
            f" {'to check':>8} {'cpu':>6} {'speed':>6}"]  # fmt: skip
    for line in lines:
        speed = line.duration / max(line.seconds, 1e-9)
        score = "exact" if line.score else "-"
        rows.append(
            f"{line.name:<10} {line.plays:>6} {line.right:>6} {line.wrong:>6} {score:>6}"
            f" {line.unlisted:>8} {line.listed:>8} {line.cpu:>5.0f}s {speed:>5.1f}x"
        )
    if lines:
        plays, right = sum(x.plays for x in lines), sum(x.right for x in lines)
        rows.append(
            f"{len(lines)} games, {sum(x.exact for x in lines)} exact in every play,"
            f" {sum(x.score for x in lines) / len(lines):.0%} with the exact score,"
            f" {1 - right / max(plays, 1):.2%} of plays not read,"
            f" {sum(x.unlisted for x in lines)} wrong plays not listed"
        )
        rows += _reliability([pair for line in lines for pair in line.sure])
    return "\n".join(rows)


def _reliability(sure: Sequence[tuple[float, bool]]) -> list[str]:
    """Return how often plays of each confidence are right, and the expected calibration error."""
    if not sure:
        return []
    rows = [f"{'confidence':<14} {'plays':>6} {'mean':>7} {'right':>7}"]
    error = 0.0
    for low, high in pairwise(_CLASSES):
        some = [pair for pair in sure if low <= pair[0] < high]
        if not some:
            continue
        mean = sum(confidence for confidence, _ in some) / len(some)
        right = sum(is_right for _, is_right in some) / len(some)
        error += abs(mean - right) * len(some) / len(sure)
        bounds = f"{low:.3f}-{min(high, 1):.3f}"
        rows.append(f"{bounds:<14} {len(some):>6} {mean:>7.3f} {right:>7.3f}")
    return [*rows, f"expected calibration error {error:.3f}"]
