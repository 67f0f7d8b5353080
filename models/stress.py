"""Judging the reader on rendered scenes of one difficulty each, and on pictures without cards.

``python -m models.stress`` prints the table, ``python -m models.stress --negatives 300`` the share
of pictures without cards in which a card was read.
"""

from __future__ import annotations

from collections import Counter
from collections.abc import Iterator, Sequence
from pathlib import Path
from typing import Final

import click
import numpy as np
from numpy.typing import NDArray

from datasets.labels import Scene
from datasets.scenes import render_scene
from models.scoring import Score
from vision.images import read_image
from vision.quads import quad_area
from vision.reader import CardReader
from vision.sightings import Sighting

#: Kinds and sizes of the table: cards 45, 60 and 80 pixels tall seen at 35°, 45° and 60° above the
#: table, then one difficulty each. Their decks are in no training.
STRESS: Final = (
    *(f"stress-{height}-{angle}" for height in (45, 60, 80) for angle in (35, 45, 60)),
    "stress-hands",
    "stress-shake",
    "stress-dim",
    "stress-washed",
    "stress-fan",
)
#: Cards with so much showing, or with a corner index showing that is so many pixels long, count as
#: there to be read.
_VISIBLE: Final = 0.6
_INDEX_VISIBLE: Final = 0.9
_INDEX_LENGTH: Final = 12.0
#: A card of which only an index shows is legible where that covers so many pixels: 12 by 6.5, as an
#: index of 12 pixels that is seen squarely does. Of a foreshortened one its length says too little:
#: a person cannot name those that cover less, looking at them enlarged.
_LEGIBLE: Final = 78.0


def evaluate_stress(
    reader: CardReader, recipes: Sequence[str] = STRESS, scenes: int = 20, seed: int = 7001
) -> dict[str, dict[str, float]]:
    """Return the scores of *reader* on *scenes* scenes of each of *recipes*.

    As `Score.as_json`, with ``legible``: the F1 where cards of which only an index of fewer than
    78 square pixels shows need not be read, and ``whole``: the share of cards read of those that
    show 60 % or more.
    """
    table = {}
    for recipe in recipes:
        total, legible, whole = Score(), Score(), Score()
        for number in range(scenes):
            scene = render_scene(recipe, seed, number)
            found = Counter(str(s.card) for s in reader.read(scene.image) if s.face_up)
            for score, area in ((total, 0.0), (legible, _LEGIBLE)):
                due, tolerated = due_cards(scene, area)
                # Reading a card of which little shows is no fault.
                read = found - ((found - due) & tolerated)
                score.add(list(due.elements()), list(read.elements()), complete=True)
            shown = [c.name for c in scene.cards if c.face_up and c.visible >= _VISIBLE]
            whole.add(shown, list(found.elements()), complete=False)
        more = {"legible": round(legible.f1, 4), "whole": round(whole.recall, 4)}
        table[recipe] = total.as_json() | more
    return table


def due_cards(scene: Scene, area: float = 0.0) -> tuple[Counter[str], Counter[str]]:
    """Return the face-up cards of *scene* that must be read, and those that may be.

    Must be: those that show 60 % or more, or an index 12 pixels long that covers *area* pixels.
    """
    shown = {
        index.card
        for index in scene.indexes
        if index.visible >= _INDEX_VISIBLE
        and np.ptp(index.quad, axis=0).max() >= _INDEX_LENGTH
        and quad_area(index.quad) >= area
    }
    due: Counter[str] = Counter()
    tolerated: Counter[str] = Counter()
    for number, card in enumerate(scene.cards):
        if card.face_up:
            must = card.visible >= _VISIBLE or number in shown
            (due if must else tolerated)[card.name] += 1
    return due, tolerated


def empty_pictures(
    scenes: int, seed: int = 7002, folder: Path | None = None
) -> Iterator[tuple[str, NDArray[np.uint8]]]:
    """Yield (name, picture) of rendered *scenes* without cards, then of those in *folder*."""
    for number in range(scenes):
        yield f"negative {number}", render_scene("negative", seed, number).image
    for path in sorted(folder.rglob("*")) if folder is not None else ():
        if path.suffix.lower() in (".jpg", ".jpeg", ".png"):
            yield path.name, read_image(path)


def false_cards(
    reader: CardReader, pictures: Iterator[tuple[str, NDArray[np.uint8]]]
) -> tuple[int, dict[str, list[Sighting]]]:
    """Return how many *pictures* there were, and the face-up cards read in those that had any."""
    count, false = 0, {}
    for count, (name, picture) in enumerate(pictures, 1):  # noqa: B007
        if found := [sighting for sighting in reader.read(picture) if sighting.face_up]:
            false[name] = found
    return count, false


@click.command()
@click.option("--fast", is_flag=True, help="Judge the live setting.")
@click.option("--weights", type=click.Path(exists=True, path_type=Path), help="Other weights.")
@click.option("--scenes", default=20, show_default=True, help="Scenes of each kind.")
@click.option("--kind", "kinds", multiple=True, type=click.Choice(STRESS), help="Repeatable.")
@click.option("--negatives", type=int, help="Instead: so many rendered pictures without cards.")
@click.option(
    "--folder",
    type=click.Path(exists=True, file_okay=False, path_type=Path),
    help="With --negatives: a folder of further pictures without cards.",
)
def main(
    fast: bool,
    weights: Path | None,
    scenes: int,
    kinds: tuple[str, ...],
    negatives: int | None,
    folder: Path | None,
) -> None:
    """Print the scores on rendered scenes of one difficulty each."""
    reader = CardReader("fast" if fast else "accurate", weights, threads=1)
    if negatives is not None:
        count, false = false_cards(reader, empty_pictures(negatives, folder=folder))
        for name, found in false.items():
            click.echo(f"{name}: " + ", ".join(f"{s.card} {s.confidence:.2f}" for s in found))
        click.echo(f"{len(false)} of {count} pictures without cards: {len(false) / count:.2%}")
        return
    head = ("cards", "precision", "recall", "F1", "legible", "whole")
    click.echo(f"{'kind':<14}" + "".join(f"{name:>10}" for name in head))
    for kind in kinds or STRESS:
        row = evaluate_stress(reader, (kind,), scenes)[kind]
        numbers = "".join(f"{row[name.lower()]:>10.3f}" for name in head[1:])
        click.echo(f"{kind.removeprefix('stress-'):<14}{row['cards']:>10}{numbers}")


if __name__ == "__main__":
    main()
