"""The commands behind `pisti train`: render what is missing, train, export."""

from __future__ import annotations

import tempfile
from collections.abc import Callable, Sequence
from pathlib import Path
from typing import Any, Final

import torch

from models.canvases import fill_blanks, fill_canvases, render_canvases
from models.export import export_all
from models.fit_letters import fit_letters
from models.fit_reading import fit_reading
from models.name_net import FACE, INDEX
from models.scene_cache import cached_scenes, fill_cache
from models.scene_crops import shards_from_scenes
from models.start import starting_weights
from models.temperatures import fit_temperatures
from models.train_corners import train_corners
from models.train_detector import train_detector
from models.train_names import train_namer
from models.training import Team

#: In the order in which they are trained: the index network begins with the face network's kernels.
PARTS: Final = ("face", "index", "corners", "detector")
DATA: Final = Path(".cache/training")
RUNS: Final = Path("runs")
#: The share of the scenes, at the end of the set, whose crops are held out to fit temperatures on.
_HELD_OUT: Final = 0.05
#: Faces of a quarter of the canvases that are rendered besides: aces alone, see `datasets.ornate`.
_ACES: Final = (0, 0, 39, 39, 13, 26)


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
    judged: int = 150,
    pretrained: bool = True,
    say: Callable[[str], None] = print,
) -> None:
    """Render, train and export; everything that was done before is kept and continued.

    Args:
        parts: which of `PARTS` to train.
        scenes: scenes to render; the detector learns from them, the naming networks from crops
            of them.
        shards: shards of 2,000 single cards that are rendered besides, a quarter of them aces.
        recipe: the scenes' recipe.
        steps: steps of each network.
        seed: of the rendered data and of the order in which it is seen.
        workers: single-threaded processes that train the detector together.
        data: folder of the rendered data.
        runs: folder of checkpoints and logs.
        weights: folder to export to; none by default.
        judged: scenes on which it is fitted how evidence is weighed; a third as many decks serve to
            fit how other letters are read.
        pretrained: whether the detector begins with `models.start.starting_weights`.
        say: called with a line about what is done.
    """
    folder = data / "scenes" / f"{recipe}-{seed}"
    say(f"Rendering {scenes} scenes of recipe {recipe}.")
    fill_cache(folder, recipe, seed, range(scenes))
    _cut_crops(folder, shards, seed, data)
    for kind in (FACE, INDEX):
        if kind.name in parts:
            say(f"Training the names of {kind.name} crops.")
            start = runs / "face.pt" if kind is INDEX else None
            rate = 1.5e-3 if kind is INDEX else 2e-3
            options: dict[str, Any] = {"steps": steps, "seed": seed, "peak_rate": rate}
            train_namer(kind, data / "crops", runs, start=start, **options)
            fit_temperatures(kind, data / "held-out", runs)
    if "corners" in parts:
        say("Training the corners.")
        train_corners(data / "crops", runs, steps=steps, seed=seed)
    if "detector" in parts:
        say("Training the detector.")
        start = starting_weights(data) if pretrained else None
        options = {"steps": steps, "seed": seed, "start": start, "batch": 4}
        _train_detector(workers, folder.parent, runs, options)
    if weights is not None:
        say(f"Exporting to {weights}.")
        export_all(runs, weights)
        export_all(
            runs,
            weights,
            fit_reading(weights, scenes=judged),
            fit_letters(weights, max(2, judged // 3)),
        )


def _cut_crops(scenes: Path, shards: int, seed: int, data: Path) -> None:
    """Cut crops out of the scenes and render single cards besides."""
    crops, held_out = data / "crops", data / "held-out"
    known = cached_scenes(scenes)
    last = len(known) - max(1, round(_HELD_OUT * len(known)))
    for folder, some in ((crops, known[:last]), (held_out, known[last:])):
        if not list(folder.glob("*.npz")):
            shards_from_scenes(some, folder, INDEX, scenes.name, seed)
            fill_canvases(some, folder, scenes.name)
            fill_blanks(some[::2], folder, scenes.name, seed)
    aces = -(-shards // 4)
    render_canvases(crops, seed, range(aces), _ACES)
    render_canvases(crops, seed + 1, range(shards - aces), None)


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
