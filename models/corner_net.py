"""The network that says where a card's corners really are, given a quad that is a little off."""

from __future__ import annotations

from typing import Final

import torch
from torch import Tensor, nn

from models.name_net import trunk, unit

#: (height, width) of the network's input, a card as a quad flattens it …
SIZE: Final = (80, 56)
#: … with this much around it, as a share of the card.
MARGIN: Final = 0.18
_WIDTHS: Final = (16, 32, 64, 96)


class CornerNet(nn.Module):
    """A small residual network from a flattened card to the offsets of its corners."""

    def __init__(self) -> None:
        super().__init__()
        self.features = trunk(_WIDTHS)
        self.squeeze = unit(_WIDTHS[-1], 32, 1, 1)
        self.mix = nn.Sequential(
            nn.Linear(32 * (SIZE[0] // 16) * (-(-SIZE[1] // 16)), 160), nn.ReLU(inplace=True)
        )
        self.offsets = nn.Linear(160, 8)
        nn.init.zeros_(self.offsets.weight)
        nn.init.zeros_(self.offsets.bias)

    def forward(self, crops: Tensor) -> Tensor:
        """Return B × 8 offsets for *crops* (B × 3 × H × W, BGR, value / 255 − 0.5).

        They are x and y of each corner's true place minus its place in the quad, in the order of
        the quad, in card widths and heights.
        """
        maps = self.squeeze(self.features(crops))
        return torch.as_tensor(self.offsets(self.mix(maps.flatten(1))))
