"""Making the naming networks say how sure they are: temperatures fitted on held-out crops."""

from __future__ import annotations

import json
from pathlib import Path

import numpy as np
import torch
from torch import Tensor

from models.crop_cache import SHARD, CropStore
from models.name_net import NameKind, NameNet
from models.train_crops import to_inputs
from models.train_names import STORES, plain


def fit_temperatures(kind: NameKind, held_out: Path, runs: Path) -> dict[str, float]:
    """Fit and write ``<kind>.temperatures.json`` in *runs*; return what was found there.

    Returns:
        ``rank`` and ``suit`` (what logits are divided by) and ``right``, the share of held-out
        crops that are named rightly.
    """
    state = torch.load(runs / f"{kind.name}.pt", map_location="cpu", weights_only=True)
    model = NameNet(kind)
    model.load_state_dict(state["averaged"])
    model.eval()
    store = CropStore(held_out, *STORES[kind.name])
    crops, labels = store.draw(np.random.default_rng(0), min(len(store), 2 * SHARD))
    with torch.no_grad():
        inputs = to_inputs(plain(crops, kind))
        answers = [model(inputs[i : i + 256]) for i in range(0, len(inputs), 256)]
    rank_logits, suit_logits = (torch.cat(part) for part in zip(*answers, strict=True))
    ranks, suits = torch.from_numpy(labels.astype(np.int64)).T
    cards = suits >= 0
    right = (rank_logits.argmax(1) == ranks) & (~cards | (suit_logits.argmax(1) == suits))
    fitted = {
        "rank": _best(rank_logits, ranks),
        "suit": _best(suit_logits[cards], suits[cards]),
        "right": round(float(right.float().mean()), 4),
    }
    path = runs / f"{kind.name}.temperatures.json"
    path.write_text(json.dumps(fitted) + "\n", "utf-8")
    return fitted


def _best(logits: Tensor, truth: Tensor) -> float:
    """Return the temperature with the least cross-entropy, of 41 between 1/2 and 4."""
    candidates = np.geomspace(0.5, 4, 41)
    losses = [float(torch.nn.functional.cross_entropy(logits / t, truth)) for t in candidates]
    return round(float(candidates[int(np.argmin(losses))]), 3)
