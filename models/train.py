"""The commands behind `pisti train`: render what is missing, train, export."""

from __future__ import annotations

import tempfile
from collections.abc import Callable, Sequence
from pathlib import Path
from typing import Any, Final

import torch

from models.canvases import fill_blanks, fill_canvases, render_canvases, render_strangers
from models.export import export_all
from models.fit_letters import fit_letters
from models.fit_reading import fit_reading
from models.letter_crops import render_letters
from models.mined import Finder, fill_mined
from models.name_net import FACE, INDEX
from models.scene_cache import cached_scenes, fill_cache
from models.scene_crops import shards_from_scenes
from models.start import starting_weights
from models.temperatures import fit_temperatures
from models.train_corners import train_corners
from models.train_detector import train_detector
from models.train_names import train_namer
from models.training import Team
from vision.reader import CardReader
from vision.weights import Weights

#: In the order in which they are trained: the index network begins with the face network's kernels.
PARTS: Final = ("face", "index", "corners", "detector")
DATA: Final = Path(".cache/training")
RUNS: Final = Path("runs")
#: The share of the scenes, at the end of the set, whose crops are held out to fit temperatures on.
_HELD_OUT: Final = 0.05
#: Faces of a quarter of the canvases that are rendered besides: aces alone, see `datasets.ornate`.
_ACES: Final = (0, 0, 39, 39, 13, 26)
#: The highest learning rates, and the share of them where training goes on from weights.
_RATES: Final = {"face": 2e-3, "index": 1.5e-3, "corners": 2e-3, "detector": 1e-3}
_GENTLE: Final = 0.3
#: Pictures in a step of the detector, shared by those that train it.
_BATCH: Final = 12


def train(
    parts: Sequence[str] = PARTS,
    *,
    scenes: int = 8000,
    shards: int = 4,
    recipes: Sequence[str] = ("mix",),
    steps: int = 4000,
    seed: int = 1,
    workers: int = 2,
    data: Path = DATA,
    runs: Path = RUNS,
    weights: Path | None = None,
    judged: int = 150,
    pretrained: bool = True,
    begin: Path | None = None,
    rate: float | None = None,
    say: Callable[[str], None] = print,
) -> None:
    """Render, train and export; everything that was done before is kept and continued.

    Args:
        parts: which of `PARTS` to train.
        scenes: scenes to render of each recipe; the detector learns from them, the naming networks
            from crops of them.
        shards: shards of 2,000 single cards that are rendered besides, a quarter of them aces, as
            many of 2,000 indexes with other letters, and a quarter as many cards of other games.
        recipes: the scenes' recipes.
        steps: steps of each network.
        seed: of the rendered data and of the order in which it is seen.
        workers: single-threaded processes that train the detector together.
        data: folder of the rendered data.
        runs: folder of checkpoints and logs.
        weights: folder to export to; none by default.
        judged: scenes on which it is fitted how evidence is weighed; a third as many decks serve to
            fit how other letters are read.
        pretrained: whether the detector begins with `models.start.starting_weights`.
        begin: a folder of exported weights from which all networks are trained on, at lower rates;
            what is not trained is exported as it is there. What they find in the scenes, cards and
            what is none, is learned from as well.
        rate: the share of the usual learning rates; by default 1, or 0.3 with *begin*.
        say: called with a line about what is done.
    """
    finder = None if begin is None else CardReader("fast", begin, threads=1)
    cached = [data / "scenes" / f"{recipe}-{seed}" for recipe in recipes]
    for recipe, folder in zip(recipes, cached, strict=True):
        say(f"Rendering {scenes} scenes of recipe {recipe}.")
        fill_cache(folder, recipe, seed, range(scenes))
        cut_crops(folder, seed, data, finder)
    _render_singles(shards, seed, data / "crops")
    loaded = None if begin is None else Weights.load(begin)
    options: dict[str, Any] = {"steps": steps, "seed": seed}

    def rate_and_weights(part: str) -> dict[str, Any]:
        exported = None if loaded is None else loaded.read(part)
        usual = 1.0 if exported is None else _GENTLE
        return {"peak_rate": (rate or usual) * _RATES[part], "exported": exported}

    for kind in (FACE, INDEX):
        if kind.name in parts:
            say(f"Training the names of {kind.name} crops.")
            start = runs / "face.pt" if kind is INDEX and begin is None else None
            more = rate_and_weights(kind.name)
            train_namer(kind, data / "crops", runs, start=start, **options, **more)
            fit_temperatures(kind, data / "held-out", runs)
    if "corners" in parts:
        say("Training the corners.")
        train_corners(data / "crops", runs, **options, **rate_and_weights("corners"))
    if "detector" in parts:
        say("Training the detector.")
        start = starting_weights(data) if pretrained and begin is None else None
        more = {"start": start, "batch": max(4, _BATCH // workers)} | rate_and_weights("detector")
        _train_detector(workers, data / "scenes", runs, options | more)
    if weights is not None:
        say(f"Exporting to {weights}.")
        export_all(runs, weights, loaded)
        fitted = fit_reading(weights, scenes=judged), fit_letters(weights, max(2, judged // 3))
        export_all(runs, weights, loaded, *fitted)


def cut_crops(scenes: Path, seed: int, data: Path, finder: Finder | None) -> None:
    """Cut crops out of the cached *scenes*, unless that was done.

    With a *finder*, of what it finds, too; what another one found before stays.
    """
    known, tag = cached_scenes(scenes), scenes.name
    last = len(known) - max(1, round(_HELD_OUT * len(known)))
    for folder, some in ((data / "crops", known[:last]), (data / "held-out", known[last:])):
        cut = [path.name for path in folder.glob(f"*-{tag}-*.npz")]
        if all("-mined-" in name for name in cut):
            shards_from_scenes(some, folder, INDEX, tag, seed)
            fill_canvases(some, folder, tag)
            fill_blanks(some[::2], folder, tag, seed)
        if finder is not None and not any("-mined-" in name for name in cut):
            fill_mined(some, folder, finder, tag)


def _render_singles(shards: int, seed: int, crops: Path) -> None:
    """Render single cards besides, a quarter of the *shards* aces alone, and as many of letters.

    Besides, a quarter as many of cards of other games.
    """
    aces = -(-shards // 4)
    render_canvases(crops, seed, range(aces), _ACES)
    render_canvases(crops, seed + 1, range(shards - aces), None)
    render_strangers(crops, seed, range(aces))
    render_letters(crops, seed, range(shards))


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
