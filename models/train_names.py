"""Training the networks that name crops, on cached crops."""

from __future__ import annotations

from pathlib import Path

import cv2
import numpy as np
import torch
from numpy.typing import NDArray
from torch import Tensor, nn

from models.crop_cache import CropStore
from models.name_net import NameKind, NameNet
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


def train_namer(
    kind: NameKind,
    crops: Path,
    out: Path,
    *,
    steps: int,
    batch: int = 128,
    peak_rate: float = 2e-3,
    seed: int = 0,
    threads: int = 1,
    save_every: int = 200,
) -> Path:
    """Train to *steps* steps and return the checkpoint, ``<kind>.pt`` in *out*.

    A checkpoint there is continued. Crops that appear in *crops* while training runs are used.
    """
    torch.set_num_threads(threads)
    torch.manual_seed(seed)
    model = NameNet(kind)
    to_channels_last(model)
    averaged, optimizer = Averaged(model), optimizer_for(model, 0.02)
    checkpoint, log = out / f"{kind.name}.pt", Log(out / f"{kind.name}.jsonl")
    first = load_state(checkpoint, model, averaged, optimizer) if checkpoint.exists() else 0
    store = CropStore(crops, kind)
    for step in range(first, steps):
        if step % 100 == 0:
            store.refresh()
        rng = np.random.default_rng([seed, step])
        images, labels = store.draw(rng, batch)
        inputs = to_inputs(vary(images, rng, kind))
        ranks, suits = torch.from_numpy(labels.astype(np.int64)).T
        model.train()
        rank_logits, suit_logits = model(inputs)
        rank_loss, suit_loss = name_loss(rank_logits, suit_logits, ranks, suits)
        rate = learning_rate(step, steps, peak_rate)
        descend(model, optimizer, rank_loss + suit_loss, rate, 5.0)
        averaged.update(model)
        right = (rank_logits.argmax(1) == ranks) & ((suit_logits.argmax(1) == suits) | (suits < 0))
        log.add(
            {
                "rank": float(rank_loss.detach()),
                "suit": float(suit_loss.detach()),
                "right": float(right.float().mean()),
            }
        )
        if (step + 1) % 50 == 0:
            print(log.write(step, rate=rate, crops=len(store)), flush=True)
        if (step + 1) % save_every == 0 or step + 1 == steps:
            save_state(checkpoint, step, model, averaged, optimizer)
    return checkpoint


def name_loss(
    rank_logits: Tensor, suit_logits: Tensor, ranks: Tensor, suits: Tensor
) -> tuple[Tensor, Tensor]:
    """Return cross-entropies of ranks and of suits; where there is no card the suit is free."""
    rank_loss = nn.functional.cross_entropy(rank_logits, ranks)
    suit_loss = nn.functional.cross_entropy(
        suit_logits, suits, ignore_index=-1, reduction="sum"
    ) / len(suits)
    return rank_loss, suit_loss


def to_inputs(images: NDArray[np.uint8]) -> Tensor:
    """Return B × H × W × 3 BGR *images* as the network's input."""
    batch = torch.from_numpy(images).permute(0, 3, 1, 2).float().div_(255).sub_(0.5)
    return batch.contiguous(memory_format=torch.channels_last)


def vary(images: NDArray[np.uint8], rng: np.random.Generator, kind: NameKind) -> NDArray[np.uint8]:
    """Return *images* turned, shifted, tinted and blurred a little, so that passes differ."""
    varied = np.empty_like(images)
    height, width = kind.size
    for i, image in enumerate(images):
        turns = int(rng.integers(4 // kind.turns)) * kind.turns
        turned = np.rot90(image, turns)
        zoom, (dx, dy) = rng.uniform(0.94, 1.06), rng.uniform(-0.03, 0.03, 2) * (width, height)
        matrix = cv2.getRotationMatrix2D((width / 2, height / 2), rng.uniform(-4, 4), zoom)
        matrix[:, 2] += dx, dy
        moved = cv2.warpAffine(
            np.ascontiguousarray(turned), matrix, (width, height), borderMode=cv2.BORDER_REPLICATE
        )
        if rng.random() < 0.2:
            moved = cv2.GaussianBlur(moved, (0, 0), rng.uniform(0.4, 1.4))
        gain = rng.uniform(0.75, 1.25) * rng.uniform(0.93, 1.07, 3)
        varied[i] = np.clip(moved * gain + rng.uniform(-15, 15), 0, 255)
    return varied
