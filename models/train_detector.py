"""Training the detector on cached scenes."""

from __future__ import annotations

from pathlib import Path

import numpy as np
import torch

from models.continued import take_exported
from models.detector_data import make_batch
from models.detector_net import CardDetector, CardLoss, as_float, start_from
from models.scene_cache import cached_scenes
from models.training import (
    Averaged,
    Log,
    Team,
    descend,
    learning_rate,
    load_state,
    mixed,
    optimizer_for,
    save_state,
    to_channels_last,
)

#: Layers whose kernels stay as they came: their maps are the largest, they learn the least, and
#: leaving them alone saves a good part of a step on a CPU. Their batch normalisation adapts.
FROZEN = 3


def train_detector(
    scenes: Path,
    out: Path,
    *,
    steps: int,
    start: Path | None = None,
    size: int = 416,
    batch: int = 8,
    peak_rate: float = 1e-3,
    seed: int = 0,
    threads: int = 1,
    save_every: int = 100,
    team: Team | None = None,
    exported: bytes | None = None,
) -> Path:
    """Train to *steps* steps and return the checkpoint.

    Args:
        scenes: folder of cached scenes; those that appear while training runs are used, too.
        out: folder for ``detector.pt`` and ``detector.jsonl``; a checkpoint there is continued.
        steps: where the learning rate has run out.
        start: an Ultralytics YOLOv8n checkpoint whose weights to begin with.
        size: side of the training pictures.
        batch: pictures a step.
        peak_rate: the highest learning rate.
        seed: of the order of scenes and of their views.
        threads: torch threads.
        save_every: steps between checkpoints.
        team: processes that train together; *batch* is the share of each.
        exported: an ONNX file of such a detector from which training goes on, instead of *start*.
    """
    team = team or Team()
    torch.set_num_threads(threads)
    torch.manual_seed(seed)
    model = CardDetector()
    if exported is not None:
        rng = np.random.default_rng(seed)
        take_exported(
            model, exported, make_batch(_draw(cached_scenes(scenes), rng, 16), rng, size)[0]
        )
    elif start is not None:
        start_from(model, start)
    to_channels_last(model)
    for layer in model.layers[:FROZEN]:
        layer.requires_grad_(False)
    averaged, optimizer, loss = Averaged(model), optimizer_for(model, 5e-4), CardLoss()
    checkpoint, log = out / "detector.pt", Log(out / "detector.jsonl")
    first = load_state(checkpoint, model, averaged, optimizer) if checkpoint.exists() else 0
    known: list[Path] = []
    for step in range(first, steps):
        rng = np.random.default_rng([seed, step, team.member])
        if not known or step % 50 == 0:
            known = cached_scenes(scenes)
        images, targets = make_batch(_draw(known, rng, batch), rng, size)
        model.train()
        with mixed():
            raw = model(images)
        parts = loss({name: as_float(part) for name, part in raw.items()}, targets)
        rate = learning_rate(step, steps, peak_rate)
        total = torch.stack(list(parts.values())).sum()
        norm = descend(model, optimizer, total, rate, 10.0, team)
        if team.member > 0:
            continue
        averaged.update(model)
        log.add({name: float(part.detach()) for name, part in parts.items()} | {"norm": norm})
        if (step + 1) % 20 == 0:
            print(log.write(step, rate=rate, scenes=len(known)), flush=True)
        if (step + 1) % save_every == 0 or step + 1 == steps:
            save_state(checkpoint, step, model, averaged, optimizer)
    return checkpoint


def _draw(scenes: list[Path], rng: np.random.Generator, count: int) -> list[Path]:
    return [scenes[i] for i in rng.integers(len(scenes), size=count)]
