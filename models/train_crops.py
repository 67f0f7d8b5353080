"""What the trainings on cached crops share: the loop, and how crops are varied and laid out."""

from __future__ import annotations

from collections.abc import Callable
from pathlib import Path

import cv2
import numpy as np
import torch
from numpy.typing import NDArray
from torch import Tensor, nn

from models.crop_cache import CropStore
from models.training import (
    Averaged,
    Log,
    descend,
    learning_rate,
    load_state,
    optimizer_for,
    save_state,
    to_channels_last,
)

Crops = list[NDArray[np.uint8]]
Labels = NDArray[np.int16]
#: The loss of a batch, and what of it is logged.
Judged = tuple[Tensor, dict[str, float]]
#: Judges a network on a batch: crops, labels, what is random, and the number of the step.
Judge = Callable[[Crops, Labels, np.random.Generator, int], Judged]


def train_on_crops(
    model: nn.Module,
    store: CropStore,
    judge: Judge,
    checkpoint: Path,
    *,
    steps: int,
    batch: int,
    peak_rate: float,
    weight_decay: float,
    seed: int,
    save_every: int,
) -> Path:
    """Train *model* to *steps* steps and return *checkpoint*, which is continued where it exists.

    The log lies beside it, with the ending ``.jsonl``. Crops that appear while training runs are
    used.
    """
    to_channels_last(model)
    averaged, optimizer = Averaged(model), optimizer_for(model, weight_decay)
    log = Log(checkpoint.with_suffix(".jsonl"))
    first = load_state(checkpoint, model, averaged, optimizer) if checkpoint.exists() else 0
    for step in range(first, steps):
        if step % 100 == 0:
            store.refresh()
        rng = np.random.default_rng([seed, step])
        images, labels = store.draw(rng, batch)
        model.train()
        loss, numbers = judge(images, labels, rng, step)
        rate = learning_rate(step, steps, peak_rate)
        descend(model, optimizer, loss, rate, 5.0)
        averaged.update(model)
        log.add(numbers)
        if (step + 1) % 50 == 0:
            print(log.write(step, rate=rate, crops=len(store)), flush=True)
        if (step + 1) % save_every == 0 or step + 1 == steps:
            save_state(checkpoint, step, model, averaged, optimizer)
    return checkpoint


def to_inputs(images: NDArray[np.uint8]) -> Tensor:
    """Return B × H × W × 3 BGR *images* as the networks' input."""
    batch = torch.from_numpy(images).permute(0, 3, 1, 2).float().div_(255).sub_(0.5)
    return batch.contiguous(memory_format=torch.channels_last)


def tinted(
    crop: NDArray[np.uint8], rng: np.random.Generator, *, blurred: float
) -> NDArray[np.uint8]:
    """Return *crop* in another light; a share of *blurred* of all is blurred a little as well."""
    if rng.random() < blurred:
        crop = np.asarray(cv2.GaussianBlur(crop, (0, 0), rng.uniform(0.4, 1.2)), np.uint8)
    gain = rng.uniform(0.75, 1.25) * rng.uniform(0.93, 1.07, 3)
    return np.clip(crop * gain + rng.uniform(-15, 15), 0, 255).astype(np.uint8)
