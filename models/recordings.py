"""Judging the reader on recordings of games whose plays and times are known.

For each play the frames between 0.3 and 1.3 seconds after it are read; the play counts as read
where its card is named in at least one of them. A capture in one movement takes the card away
before: ``--from 0`` begins with the play.

``python -m models.recordings FILE.json…`` prints what was missed.
"""

from __future__ import annotations

import json
from collections.abc import Iterator
from dataclasses import dataclass
from pathlib import Path
from typing import Any, Final

import click
import cv2
import numpy as np
from numpy.typing import NDArray

from engine.cards import deck
from vision.images import as_bgr8
from vision.reader import CardReader

#: The frames judged, in seconds after a play.
WINDOW: Final = (0.3, 1.3)


@dataclass(frozen=True)
class PlayResult:
    """How a played card was read.

    Attributes:
        card: its code.
        t: when it was played, in seconds.
        confidence: the highest confidence with which a sighting was named so, 0 where none was.
        probability: the highest probability any sighting gave it, also where another card won.
        frames: how many frames named it.
    """

    card: str
    t: float
    confidence: float
    probability: float
    frames: int


def evaluate_recording(
    truth: Path | str,
    reader: CardReader,
    frames_per_play: int = 7,
    window: tuple[float, float] = WINDOW,
) -> list[PlayResult]:
    """Return how each play of the recording whose truth is the JSON file *truth* was read.

    The video lies beside it. At most *frames_per_play* frames, evenly spread, are read of the
    *window* (seconds after the play).
    """
    truth = Path(truth)
    record: dict[str, Any] = json.loads(truth.read_text("utf-8"))["record"]
    plays = [play for deal in record["deals"] for play in deal["plays"]]
    windows = [(float(play["t"]) + window[0], float(play["t"]) + window[1]) for play in plays]
    images: list[list[NDArray[np.uint8]]] = [[] for _ in plays]
    results: list[PlayResult | None] = [None] * len(plays)
    for t, image in frames(truth.with_suffix(".mp4")):
        for i, (start, end) in enumerate(windows):
            if start <= t <= end:
                images[i].append(image)
            elif t > end and results[i] is None:
                chosen = np.linspace(0, len(images[i]) - 1, min(frames_per_play, len(images[i])))
                picked = [images[i][round(n)] for n in chosen]
                results[i] = _read_play(plays[i], picked, reader)
                images[i] = []
    return [
        result or _read_play(plays[i], images[i][:frames_per_play], reader)
        for i, result in enumerate(results)
    ]


def frames(video: Path) -> Iterator[tuple[float, NDArray[np.uint8]]]:
    """Yield (seconds, frame) of *video*.

    Raises:
        FileNotFoundError: the video cannot be opened.
    """
    capture = cv2.VideoCapture(str(video))
    try:
        if not capture.isOpened():
            raise FileNotFoundError(video)
        while True:
            done, image = capture.read()
            if not done:
                return
            yield capture.get(cv2.CAP_PROP_POS_MSEC) / 1000, as_bgr8(np.asarray(image))
    finally:
        capture.release()


def _read_play(
    play: dict[str, Any], images: list[NDArray[np.uint8]], reader: CardReader
) -> PlayResult:
    card = str(play["card"])
    number = [str(one) for one in deck()].index(card)
    confidence = probability = 0.0
    named = 0
    for image in images:
        sightings = [sighting for sighting in reader.read(image) if sighting.face_up]
        right = [sighting.confidence for sighting in sightings if str(sighting.card) == card]
        named += bool(right)
        confidence = max([confidence, *right])
        everything = [float(sighting.probabilities[number]) for sighting in sightings]
        probability = max([probability, *everything])
    return PlayResult(card, float(play["t"]), confidence, probability, named)


@click.command()
@click.argument("truths", nargs=-1, required=True, type=click.Path(exists=True, path_type=Path))
@click.option("--accurate", is_flag=True, help="Judge the setting for photos, not the live one.")
@click.option("--weights", type=click.Path(exists=True, path_type=Path), help="Other weights.")
@click.option("--frames", "each", default=7, show_default=True, help="Frames read of each play.")
@click.option("--from", "start", default=WINDOW[0], show_default=True, help="Seconds after a play.")
def main(
    truths: tuple[Path, ...], accurate: bool, weights: Path | None, each: int, start: float
) -> None:
    """Print how many plays of recordings were read; TRUTHS are JSON files beside the videos."""
    reader = CardReader("accurate" if accurate else "fast", weights, threads=1)
    for truth in truths:
        plays = evaluate_recording(truth, reader, each, (start, WINDOW[1]))
        missed = [f"{play.card} at {play.t:.1f} s" for play in plays if not play.frames]
        click.echo(f"{truth.stem}: {len(plays) - len(missed)} of {len(plays)}")
        if missed:
            click.echo("  not read: " + ", ".join(missed))


if __name__ == "__main__":
    main()
