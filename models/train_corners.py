"""Training the corner network on canvases of cards."""

from __future__ import annotations

from pathlib import Path
from typing import Final

import cv2
import numpy as np
import torch
from numpy.typing import NDArray
from torch import nn

from models.canvases import cut_canvas, off_quad
from models.continued import take_exported
from models.corner_net import MARGIN, SIZE, CornerNet
from models.crop_cache import CropStore
from models.train_crops import Crops, Judged, Labels, tinted, to_inputs, train_on_crops
from models.training import mixed
from vision.quads import UNIT_SQUARE

#: How often quads are turned by none to three quarters: half a turn looks alike, and of cards that
#: are seen from low down a long side may be taken for a short one.
_TURNS: Final = (0.42, 0.08, 0.42, 0.08)


def train_corners(
    canvases: Path,
    out: Path,
    *,
    steps: int,
    batch: int = 96,
    peak_rate: float = 2e-3,
    seed: int = 0,
    threads: int = 1,
    save_every: int = 200,
    exported: bytes | None = None,
) -> Path:
    """Train to *steps* steps and return the checkpoint, ``corners.pt`` in *out*.

    A checkpoint there is continued; otherwise training goes on from *exported*, an ONNX file of
    such a network, or begins from noise.
    """
    torch.set_num_threads(threads)
    torch.manual_seed(seed)
    model = CornerNet()
    store = CropStore(canvases, "canvas")
    if exported is not None:
        rng = np.random.default_rng(seed)
        take_exported(model, exported, to_inputs(disturbed(store.draw(rng, 512)[0], rng)[0]))

    def judge(images: Crops, _labels: Labels, rng: np.random.Generator, _step: int) -> Judged:
        crops, offsets = disturbed(images, rng)
        wanted = torch.from_numpy(offsets)
        with mixed():
            found = model(to_inputs(crops))
        answer = found.float()
        # In hundredths of a card: below one the loss is square.
        loss = nn.functional.smooth_l1_loss(100 * answer, 100 * wanted)
        left = float((answer.detach() - wanted).abs().mean())
        return loss, {"left": left, "of": float(wanted.abs().mean())}

    return train_on_crops(
        model,
        store,
        judge,
        out / "corners.pt",
        steps=steps,
        batch=batch,
        peak_rate=peak_rate,
        weight_decay=0.01,
        seed=seed,
        save_every=save_every,
    )


def disturbed(
    canvases: list[NDArray[np.uint8]], rng: np.random.Generator, level: float | None = None
) -> tuple[NDArray[np.uint8], NDArray[np.float32]]:
    """Return crops of *canvases* as quads that are off would flatten them, and the offsets.

    Args:
        canvases: see `models.canvases`.
        rng: what is random.
        level: how far off; drawn for each by default, from nearly right to badly off.

    Returns:
        (N, H, W, 3) crops and (N, 8) offsets as of `CornerNet`.
    """
    crops = np.empty((len(canvases), *SIZE, 3), np.uint8)
    offsets = np.empty((len(canvases), 8), np.float32)
    for i, canvas in enumerate(canvases):
        by = float(rng.choice([0.3, 1.0, 1.7])) if level is None else level
        quad = off_quad(rng, by)
        turn = int(rng.choice(4, p=_TURNS))
        quad, truth = np.roll(quad, turn, axis=0), np.roll(UNIT_SQUARE, turn, axis=0)
        crops[i] = tinted(cut_canvas(canvas, quad, SIZE, MARGIN), rng, blurred=0.15)
        matrix = np.asarray(cv2.getPerspectiveTransform(quad, UNIT_SQUARE), np.float64)
        seen = cv2.perspectiveTransform(truth[None].astype(np.float64), matrix)[0]
        offsets[i] = (seen - UNIT_SQUARE).ravel()
    return crops, offsets
