"""Setting the corners of cards right: from quads as the detector gives them to exact ones."""

from __future__ import annotations

import cv2
import numpy as np
from numpy.typing import NDArray

from vision.quads import UNIT_SQUARE, flatten, look_like_cards
from vision.runtimes import Network


class CornerFinder:
    """The network that moves a quad's corners to where those of the card are.

    Args:
        network: input N × 3 × H × W, BGR, value / 255 − 0.5: cards as quads flatten them; output
            N × 8: the true places of their corners minus those of the quad, in card widths and
            heights.
        size: (height, width) of the input.
        margin: what the input shows around the quad, as a share of its width and height.
    """

    def __init__(self, network: Network, size: tuple[int, int], margin: float) -> None:
        self._network = network
        self._size = size
        height, width = size
        self._target = (UNIT_SQUARE + margin) / (1 + 2 * margin) * np.array([width, height])

    def find(
        self, image: NDArray[np.uint8], quads: NDArray[np.float32], rounds: int = 2
    ) -> NDArray[np.float32]:
        """Return (N, 4, 2) *quads* of cards in *image*, set right in *rounds* steps.

        A quad that would come out as none of a card stays as it is.
        """
        for _ in range(rounds if len(quads) else 0):
            crops = np.stack(
                [flatten(image, quad, self._size, self._target, fine=False) for quad in quads]
            )
            batch = crops.astype(np.float32).transpose(0, 3, 1, 2) / 255 - 0.5
            offsets = self._network.run(np.ascontiguousarray(batch))[0].reshape(-1, 4, 2)
            places = (UNIT_SQUARE + np.clip(offsets, -0.4, 0.4)).astype(np.float64)
            moved = np.stack(
                [_place(quad, there) for quad, there in zip(quads, places, strict=True)]
            )
            quads = np.where(look_like_cards(moved)[:, None, None], moved, quads)
        return quads


def _place(quad: NDArray[np.float32], there: NDArray[np.float64]) -> NDArray[np.float32]:
    """Return the points *there*, in widths and heights of the card at *quad*, as pixels."""
    matrix = cv2.getPerspectiveTransform(UNIT_SQUARE, quad)
    return np.asarray(cv2.perspectiveTransform(there[None], matrix)[0], np.float32)
