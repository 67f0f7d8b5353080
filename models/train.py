"""The commands behind `pisti train`: render what is missing, train, export."""

from __future__ import annotations

import tempfile
from collections.abc import Callable, Sequence
from pathlib import Path
from typing import Any, Final

import torch

from models.crop_cache import fill_crops
from models.export import export_all
from models.fit_reading import fit_reading
from models.name_net import FACE, INDEX, NameKind
from models.scene_cache import cached_scenes, fill_cache
from models.scene_crops import shards_from_scenes
from models.start import starting_weights
from models.temperatures import fit_temperatures
from models.train_detector import train_detector
from models.train_names import train_namer
from models.training import Team

#: In the order in which they are trained: the index network begins with the face network's kernels.
PARTS: Final = ("face", "index", "detector")
DATA: Final = Path(".cache/training")
RUNS: Final = Path("runs")
#: Scenes at the end of the set whose crops are held out to fit temperatures on.
_HELD_OUT: Final = 500


def train(
    parts: Sequence[str] = PARTS,
    *,
    scenes: int = 8000,
    shards: int = 4,
    recipe: str = "mix",
    steps: int = 4000,
    seed: int = 1,
    workers: int = 2,
    data: Path = DATA,
    runs: Path = RUNS,
    weights: Path | None = None,
    say: Callable[[str], None] = print,
) -> None:
    """Render, train and export; everything that was done before is kept and continued.

    Args:
        parts: which of `PARTS` to train.
        scenes: scenes to render; the detector learns from them, the naming networks from crops
            of them.
        shards: shards of 2,000 face crops that are rendered besides.
        recipe: the scenes' recipe.
        steps: steps of each network.
        seed: of the rendered data and of the order in which it is seen.
        workers: single-threaded processes that train the detector together.
        data: folder of the rendered data.
        runs: folder of checkpoints and logs.
        weights: folder to export to; none by default.
        say: called with a line about what is done.
    """
    folder = data / "scenes" / f"{recipe}-{seed}"
    say(f"Rendering {scenes} scenes of recipe {recipe}.")
    fill_cache(folder, recipe, seed, range(scenes))
    for kind in (FACE, INDEX):
        if kind.name in parts:
            say(f"Training the names of {kind.name} crops.")
            _train_namer(kind, folder, shards, steps, seed, data, runs)
    if "detector" in parts:
        say("Training the detector.")
        options = {"steps": steps, "seed": seed, "start": starting_weights(data), "batch": 4}
        _train_detector(workers, folder.parent, runs, options)
    if weights is not None:
        say(f"Exporting to {weights}.")
        export_all(runs, weights)
        export_all(runs, weights, fit_reading(weights))


def _train_namer(
    kind: NameKind, scenes: Path, shards: int, steps: int, seed: int, data: Path, runs: Path
) -> None:
    crops, held_out = data / "crops", data / "held-out"
    known = cached_scenes(scenes)
    if not list(crops.glob(f"{kind.name}-*")):
        shards_from_scenes(known[:-_HELD_OUT], crops, kind, scenes.name, seed)
        shards_from_scenes(known[-_HELD_OUT:], held_out, kind, scenes.name, seed)
    if kind is FACE:
        fill_crops(crops, kind, seed, range(shards))
    start = runs / "face.pt" if kind is INDEX else None
    rate = 1.5e-3 if kind is INDEX else 2e-3
    train_namer(kind, crops, runs, steps=steps, seed=seed, start=start, peak_rate=rate)
    fit_temperatures(kind, held_out, runs)


def _train_detector(workers: int, scenes: Path, runs: Path, options: dict[str, Any]) -> None:
    if workers == 1:
        train_detector(scenes, runs, **options)
        return
    with tempfile.TemporaryDirectory() as folder:
        meeting = Path(folder) / "meeting"
        arguments = (workers, meeting, scenes, runs, options)
        spawn: Any = torch.multiprocessing.spawn  # type: ignore[attr-defined]
        spawn(_member, arguments, nprocs=workers)


def _member(
    number: int, size: int, meeting: Path, scenes: Path, runs: Path, options: dict[str, Any]
) -> None:
    train_detector(scenes, runs, team=Team(number, size, meeting), **options)
