"""The networks that name crops: one for corner indexes, one for whole faces."""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass
from typing import Final

import torch
from torch import Tensor, nn

from engine.cards import Rank, Suit

SUITS: Final = tuple(str(suit) for suit in Suit)
INDEX_RANKS: Final = (*(str(rank) for rank in Rank), "none")
FACE_RANKS: Final = (*(str(rank) for rank in Rank), "none", "back")


@dataclass(frozen=True)
class NameKind:
    """One of the two networks.

    Attributes:
        name: ``index`` or ``face``, as in the manifest.
        size: (height, width) of its crops.
        ranks: what its rank outputs stand for.
        widths: channels of its stages, each at half the resolution of the one before.
        turns: quarter turns between crops that read the same: 1 for indexes, which are read at
            any angle, 2 for faces, which are alike upside down.
    """

    name: str
    size: tuple[int, int]
    ranks: tuple[str, ...]
    widths: tuple[int, ...]
    turns: int


INDEX: Final = NameKind("index", (64, 64), INDEX_RANKS, (20, 40, 80, 192), 1)
FACE: Final = NameKind("face", (96, 64), FACE_RANKS, (20, 40, 80, 144), 2)


def trunk(widths: Sequence[int]) -> nn.Sequential:
    """Return units that halve a picture once for each of *widths*, its channels after that."""
    first, *rest = widths
    layers: list[nn.Module] = [unit(3, first, 2)]
    width = first
    for following in rest:
        layers += [unit(width, following, 2), Residual(following)]
        width = following
    return nn.Sequential(*layers)


class NameNet(nn.Module):
    """A plain residual network with two heads, ranks and suits, as logits."""

    def __init__(self, kind: NameKind) -> None:
        super().__init__()
        width = kind.widths[-1]
        self.features = trunk(kind.widths)
        scale = 2 ** len(kind.widths)
        cells = (kind.size[0] // scale) * (kind.size[1] // scale)
        # The mean of each channel says what is there, the flattened maps also where.
        self.squeeze = unit(width, 32, 1, 1)
        self.mix = nn.Sequential(
            nn.Linear(32 * cells + width, 256), nn.ReLU(inplace=True), nn.Dropout(0.2)
        )
        self.rank = nn.Linear(256, len(kind.ranks))
        self.suit = nn.Linear(256, len(SUITS))

    def forward(self, crops: Tensor) -> tuple[Tensor, Tensor]:
        """Return logits of ranks and suits for *crops* (B × 3 × H × W, BGR, value / 255 − 0.5)."""
        maps = self.features(crops)
        place = self.squeeze(maps).flatten(1)
        mixed = self.mix(torch.cat([place, maps.mean((2, 3))], 1))
        return self.rank(mixed), self.suit(mixed)


class Residual(nn.Module):
    """Two convolutions beside the way straight through."""

    def __init__(self, width: int) -> None:
        super().__init__()
        self.first = unit(width, width, 1)
        self.second = nn.Sequential(
            nn.Conv2d(width, width, 3, 1, 1, bias=False), nn.BatchNorm2d(width)
        )
        self.rectify = nn.ReLU(inplace=True)

    def forward(self, x: Tensor) -> Tensor:
        """Return maps of the shape of *x*."""
        return torch.as_tensor(self.rectify(x + self.second(self.first(x))))


def unit(before: int, after: int, stride: int, kernel: int = 3) -> nn.Sequential:
    """Return a convolution with batch normalisation and ReLU."""
    return nn.Sequential(
        nn.Conv2d(before, after, kernel, stride, kernel // 2, bias=False),
        nn.BatchNorm2d(after),
        nn.ReLU(inplace=True),
    )


class ExportedNamer(nn.Module):
    """A naming network as it is exported: probabilities instead of logits.

    Args:
        model: the network.
        rank_temperature: what rank logits are divided by, fitted on rendered crops.
        suit_temperature: the same for suits.
    """

    def __init__(
        self, model: NameNet, rank_temperature: float = 1.0, suit_temperature: float = 1.0
    ) -> None:
        super().__init__()
        self.model = model
        self.temperatures = (rank_temperature, suit_temperature)

    def forward(self, crops: Tensor) -> tuple[Tensor, Tensor]:
        """Return probabilities of ranks and suits."""
        ranks, suits = self.model(crops)
        return (
            (ranks / self.temperatures[0]).softmax(1),
            (suits / self.temperatures[1]).softmax(1),
        )
