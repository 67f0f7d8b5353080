"""Training the networks that name crops, on cached crops."""

from __future__ import annotations

from pathlib import Path
from typing import Final

import cv2
import numpy as np
import torch
from numpy.typing import NDArray
from torch import Tensor, nn

from models.canvases import CANVAS, cut_canvas, off_quad
from models.continued import take_exported
from models.crop_cache import ROOM, ROOMY, CropStore, fit, label
from models.name_net import NameKind, NameNet
from models.train_crops import Crops, Judged, Labels, tinted, to_inputs, train_on_crops
from models.training import mixed
from vision.quads import UNIT_SQUARE

#: The shards that each network learns from, by the beginning of their names.
STORES: Final = {"index": ("index",), "face": ("face", "canvas", "blank")}
#: How far off the quads of canvases are, see `off_quad`: as the corner network leaves them.
_OFF: Final = (0.15, 0.4, 0.8)
#: The share of canvases of faces that are turned by a quarter, squeezed, and taught as none: of a
#: card that is seen from low down the quad may take a long side for a short one.
_TURNED: Final = 0.08
#: Crops on which batch normalisations are measured where training goes on from exported weights.
_MEASURED: Final = 512


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
    start: Path | None = None,
    exported: bytes | None = None,
) -> Path:
    """Train to *steps* steps and return the checkpoint, ``<kind>.pt`` in *out*.

    A checkpoint there is continued. Crops that appear in *crops* while training runs are used.
    Kernels that fit are taken from the checkpoint *start*: from the face network, which learns at
    once, the index network gets its eye for suits and letters; from noise it learns nothing for
    long. With *exported*, an ONNX file of such a network, training goes on from that.
    """
    torch.set_num_threads(threads)
    torch.manual_seed(seed)
    model = NameNet(kind)
    store = CropStore(crops, *STORES[kind.name])
    if exported is not None:
        images, _ = store.draw(np.random.default_rng(seed), _MEASURED)
        take_exported(model, exported, to_inputs(plain(images, kind)))
    elif start is not None:
        take_kernels(model, start)

    def judge(images: Crops, labels: Labels, rng: np.random.Generator, step: int) -> Judged:
        turned = _to_turn(images, labels, rng)
        labels = np.where(turned[:, None], label(kind, "none"), labels)
        # Upright first: any angle from the start keeps the network from learning at all for long.
        level = 0.15 * min(1.0, 2 * step / steps)
        inputs = to_inputs(vary(images, rng, kind, level, turned))
        ranks, suits = torch.from_numpy(labels.astype(np.int64)).T
        with mixed():
            answers = model(inputs)
        rank_logits, suit_logits = (logits.float() for logits in answers)
        rank_loss, suit_loss = name_loss(rank_logits, suit_logits, ranks, suits)
        right = (rank_logits.argmax(1) == ranks) & ((suit_logits.argmax(1) == suits) | (suits < 0))
        return rank_loss + suit_loss, {
            "rank": float(rank_loss.detach()),
            "suit": float(suit_loss.detach()),
            "right": float(right.float().mean()),
        }

    return train_on_crops(
        model,
        store,
        judge,
        out / f"{kind.name}.pt",
        steps=steps,
        batch=batch,
        peak_rate=peak_rate,
        weight_decay=0.02,
        seed=seed,
        save_every=save_every,
    )


def take_kernels(model: NameNet, start: Path) -> None:
    """Copy from the checkpoint *start* the features whose shapes are those of *model*."""
    state = torch.load(start, map_location="cpu", weights_only=True)["averaged"]
    own = model.features.state_dict()
    features = {
        name.removeprefix("features."): tensor
        for name, tensor in state.items()
        if name.startswith("features.")
    }
    fitting = {name: t for name, t in features.items() if own[name].shape == t.shape}
    model.features.load_state_dict(fitting, strict=False)


def name_loss(
    rank_logits: Tensor, suit_logits: Tensor, ranks: Tensor, suits: Tensor
) -> tuple[Tensor, Tensor]:
    """Return cross-entropies of ranks and of suits; where there is no card the suit is free."""
    rank_loss = nn.functional.cross_entropy(rank_logits, ranks)
    suit_loss = nn.functional.cross_entropy(
        suit_logits, suits, ignore_index=-1, reduction="sum"
    ) / len(suits)
    return rank_loss, suit_loss


def _to_turn(images: Crops, labels: Labels, rng: np.random.Generator) -> NDArray[np.bool_]:
    """Return which of *images* to turn by a quarter: a few of the canvases that show a face."""
    canvases = np.array([image.shape[:2] == CANVAS for image in images])
    return canvases & (labels[:, 1] >= 0) & (rng.random(len(images)) < _TURNED)


def vary(
    images: list[NDArray[np.uint8]],
    rng: np.random.Generator,
    kind: NameKind,
    level: float = 0.5,
    turned: NDArray[np.bool_] | None = None,
) -> NDArray[np.uint8]:
    """Return *images* at the network's size, varied so that passes differ.

    They are turned, shifted, zoomed, tinted and blurred a little. Upright index crops are turned
    by a few degrees; a share of *level* of them by any angle; canvases that are *turned*, by a
    quarter, so that the long sides of the card come to be the short ones.
    """
    height, width = kind.size
    varied = np.empty((len(images), height, width, 3), np.uint8)
    for i, image in enumerate(images):
        if image.shape[:2] == CANVAS:
            quad = off_quad(rng, float(rng.choice(_OFF)))
            if rng.random() < 0.5:
                quad = np.roll(quad, 2, axis=0)
            if turned is not None and turned[i]:
                quad = np.roll(quad, 1, axis=0)
            moved = cut_canvas(image, quad, kind.size)
        else:
            matrix = _view(image, rng, kind, level)
            edge = cv2.BORDER_REPLICATE
            warped = cv2.warpAffine(image, matrix, (width, height), borderMode=edge)
            moved = np.asarray(warped, np.uint8)
        varied[i] = tinted(moved, rng, blurred=0.2)
    return varied


def _view(
    image: NDArray[np.uint8], rng: np.random.Generator, kind: NameKind, level: float
) -> NDArray[np.float64]:
    """Return the 2 × 3 matrix from *image* to a view of it."""
    before = image.shape[0]
    turn = float(rng.integers(4 // kind.turns)) * 90 * kind.turns + rng.uniform(-4, 4)
    zoom = kind.size[0] / before * rng.uniform(0.94, 1.06)
    if before == ROOMY:
        turn = float(rng.integers(2)) * 180 + rng.normal(0, 7)
        if rng.random() < level:
            turn = rng.uniform(0, 360)
        zoom = kind.size[0] / before * ROOM / rng.uniform(1.05, 1.5)
    centre = ((image.shape[1] - 1) / 2, (before - 1) / 2)
    matrix = np.asarray(cv2.getRotationMatrix2D(centre, turn, zoom), np.float64)
    middle = (np.array(kind.size[::-1]) - 1) / 2
    matrix[:, 2] += middle - centre + rng.uniform(-0.03, 0.03, 2) * kind.size[::-1]
    return matrix


def plain(images: list[NDArray[np.uint8]], kind: NameKind) -> NDArray[np.uint8]:
    """Return *images* at the network's size as the reader would cut them, without variation."""
    height, width = kind.size
    result = np.empty((len(images), height, width, 3), np.uint8)
    for i, image in enumerate(images):
        if image.shape[:2] == CANVAS:
            image = cut_canvas(image, UNIT_SQUARE, kind.size)
        elif image.shape[0] == ROOMY:
            edge = round(ROOMY * (1 - 1.25 / ROOM) / 2)
            image = image[edge:-edge, edge:-edge]
        result[i] = fit(image, kind.size)
    return result
