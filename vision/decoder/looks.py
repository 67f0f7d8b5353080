"""What single frames show of the pile: the decoder's input."""

from __future__ import annotations

from dataclasses import dataclass, field

import numpy as np
from numpy.typing import NDArray


def _none() -> NDArray[np.float32]:
    return np.zeros(0, np.float32)


@dataclass(frozen=True, slots=True)
class Look:
    """What one frame shows of the pile.

    Attributes:
        time: seconds since the start of the recording.
        lying: (n, 52) float32; for each face-up card seen on the pile, the probability that it is
            each of the 52 cards.
        news: (n,) float32; how much of each such sighting is news, 0 to 1: a card at rest, seen the
            same in frame after frame, is one observation, not many.
        near: (52,) float32; the probability that each card shows anywhere near the pile, in a
            hand or on the way as well.
        clear: how much this frame tells, 1 for a table at rest, 0 for a pile under hands.
        span: seconds that the frame stands for; fewer where nothing has changed for a while.
        open: (n,) float32; how sure each such card is seen whole, with nothing on it, 0 to 1; all 0
            where left out.
        down: how sure it is that cards lie face down on the pile's place, and none face up, 0 to 1:
            the centre that a deal begins with.
        back: how sure it is that a card lies face down on the pile's place, 0 to 1, whether or not
            faces show beside it: a claimed pişti; 0 where nobody claims any.
        back_news: how much of it is news, 0 to 1.
    """

    time: float
    lying: NDArray[np.float32]
    news: NDArray[np.float32]
    near: NDArray[np.float32]
    clear: float
    span: float = 0.2
    open: NDArray[np.float32] = field(default_factory=_none)
    down: float = 0.0
    back: float = 0.0
    back_news: float = 0.0
