"""The commands behind `pisti train`: render what is missing, train, export."""

from __future__ import annotations

from collections.abc import Callable, Sequence
from pathlib import Path
from typing import Final

from models.crop_cache import fill_crops
from models.export import export_all
from models.name_net import FACE, INDEX
from models.scene_cache import fill_cache
from models.start import starting_weights
from models.temperatures import fit_temperatures
from models.train_detector import train_detector
from models.train_names import train_namer

PARTS: Final = ("detector", "index", "face")
DATA: Final = Path(".cache/training")
RUNS: Final = Path("runs")


def train(
    parts: Sequence[str] = PARTS,
    *,
    scenes: int = 6000,
    shards: int = 40,
    recipe: str = "mix",
    steps: int = 6000,
    seed: int = 1,
    threads: int = 2,
    data: Path = DATA,
    runs: Path = RUNS,
    weights: Path | None = None,
    say: Callable[[str], None] = print,
) -> None:
    """Render, train and export; everything that was done before is kept and continued.

    Args:
        parts: which of `PARTS` to train.
        scenes: scenes for the detector.
        shards: shards of crops for each of the two naming networks.
        recipe: the scenes' recipe.
        steps: steps of the detector and of each naming network.
        seed: of the rendered data and of the order in which it is seen.
        threads: torch threads.
        data: folder of the rendered data.
        runs: folder of checkpoints and logs.
        weights: folder to export to; none by default.
        say: called with a line about what is done.
    """
    if "detector" in parts:
        say(f"Rendering {scenes} scenes of recipe {recipe}.")
        folder = data / "scenes"
        fill_cache(folder / f"{recipe}-{seed}", recipe, seed, range(scenes))
        say("Training the detector.")
        start = starting_weights(data)
        train_detector(folder, runs, steps=steps, start=start, seed=seed, threads=threads)
    for kind in (INDEX, FACE):
        if kind.name not in parts:
            continue
        say(f"Rendering {shards} shards of {kind.name} crops.")
        fill_crops(data / "crops", kind, seed, range(shards))
        fill_crops(data / "held-out", kind, seed + 1, range(1))
        say(f"Training the names of {kind.name} crops.")
        train_namer(kind, data / "crops", runs, steps=steps, seed=seed, threads=threads)
        fit_temperatures(kind, data / "held-out", runs)
    if weights is not None:
        say(f"Exporting to {weights}.")
        export_all(runs, weights)
