"""`pisti bench score`: recorded games rendered with their truth, scored, and compared with it."""

from __future__ import annotations

import difflib
import time
from collections.abc import Callable, Iterator, Sequence
from dataclasses import asdict, dataclass
from pathlib import Path
from typing import Any

from engine import Match
from engine.record import read_file, replay


@dataclass(frozen=True, slots=True)
class Line:
    """How one recorded game was read.

    Attributes:
        name: the game.
        level: how difficult it is, 1 to 5.
        plays: plays in it.
        right: how many of them were read, in their order.
        exact: whether each play and each side's points are right.
        unlisted: wrong plays that are not on the review list.
        listed: plays on the review list.
        duration: seconds of video.
        seconds: seconds that scoring took.
    """

    name: str
    level: int
    plays: int
    right: int
    exact: bool
    unlisted: int
    listed: int
    duration: float
    seconds: float


def run(
    folder: Path, level: int | None, say: Callable[[str], None] = lambda _line: None
) -> Iterator[Line]:
    """Record the benchmark's games below *folder*, where they are not there yet, and score them.

    Args:
        folder: where the recordings are kept.
        level: only the games of this level.
        say: called with the name of each game as it begins.

    Raises:
        ImportError: the renderer is not at hand; it is used from a checkout.
    """
    from advisor.scorer import score_recording
    from datasets.games import GAMES, render_game
    from vision.reader import CardReader

    reader = CardReader("fast", threads=1)
    for game in GAMES:
        if level is not None and game.level != level:
            continue
        say(game.name)
        path = render_game(game, folder)
        truth = read_file(path.with_suffix(".pisti")).record
        begun = time.perf_counter()
        lengths: list[float] = [0.0]

        def progress(at: float, _of: float | None, seen: list[float] = lengths) -> None:
            seen.append(at)

        scored = score_recording(str(path), game.rules, reader, progress=progress)
        seconds = time.perf_counter() - begun
        found, expected = scored.match, replay(truth)
        pairs = list(_aligned(expected, found))
        right = sum(len(places) for places in pairs)
        plays = sum(len(deal.history) for deal in expected.deals)
        listed = {(doubt.deal, doubt.play) for doubt in scored.review}
        wrong = {
            (number, place)
            for number, deal in enumerate(found.deals)
            for place in range(len(deal.history))
            if number >= len(pairs) or place not in pairs[number]
        }
        exact = right == plays and not wrong and expected.totals == found.totals
        yield Line(
            game.name, game.level, plays, right, exact, len(wrong - listed), len(listed),
            max(lengths), seconds,
        )  # fmt: skip


def _aligned(expected: Match, found: Match) -> Iterator[set[int]]:
    """Yield for each deal the places of its plays that are the right ones, in their order."""
    for one, other in zip(expected.deals, found.deals, strict=False):
        a = [str(played.card) for played in one.history]
        b = [str(played.card) for played in other.history]
        matcher = difflib.SequenceMatcher(None, a, b, autojunk=False)
        yield {m.b + step for m in matcher.get_matching_blocks() for step in range(m.size)}


def to_json(lines: Sequence[Line]) -> list[dict[str, Any]]:
    """Return *lines* for other programs."""
    return [asdict(line) for line in lines]


def table(lines: Sequence[Line]) -> str:
    """Return *lines* as a table with its sums."""
    rows = [f"{'game':<10} {'plays':>6} {'right':>6} {'exact':>6} {'unlisted':>8} {'to check':>8}"
            f" {'speed':>6}"]  # fmt: skip
    for line in lines:
        speed = line.duration / max(line.seconds, 1e-9)
        exact = "yes" if line.exact else "no"
        rows.append(
            f"{line.name:<10} {line.plays:>6} {line.right:>6} {exact:>6} {line.unlisted:>8}"
            f" {line.listed:>8} {speed:>5.1f}x"
        )
    if lines:
        plays, right = sum(x.plays for x in lines), sum(x.right for x in lines)
        share = sum(x.exact for x in lines) / len(lines)
        rows.append(
            f"{len(lines)} games, {share:.0%} exact, {1 - right / max(plays, 1):.2%} of plays wrong"
        )
    return "\n".join(rows)
