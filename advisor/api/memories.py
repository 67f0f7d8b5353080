"""What the advisor has learned of the other players, one memory for each game."""

from __future__ import annotations

from collections import OrderedDict
from collections.abc import Sequence
from typing import TYPE_CHECKING, Final

from advisor.memory import OpponentMemory
from engine import PistiError

if TYPE_CHECKING:
    from engine import Deal

#: Games beyond these are learned from again.
_REMEMBERED: Final = 32


class Memories:
    """Learns from the deals of each game that are over, and from nothing else.

    So the same deals always give the same memory, whether they were played just now, led back to
    by undo and redo, put right afterwards, or read from the store. Used by one thread at a time.
    """

    def __init__(self) -> None:
        self._known: OrderedDict[tuple[str, int], tuple[list[Deal], OpponentMemory]] = OrderedDict()

    def of(self, game: str, seat: int, deals: Sequence[Deal]) -> OpponentMemory:
        """Return what *seat* has learned in *game* from its *deals* that are over."""
        over = list(deals)
        learned, memory = self._known.pop((game, seat), ([], OpponentMemory()))
        if any(one is not other for one, other in zip(learned, over, strict=False)) or (
            len(learned) > len(over)
        ):
            learned, memory = [], OpponentMemory()
        for deal in over[len(learned) :]:
            try:
                memory.remember(deal, seat)
            except PistiError:
                # Too little was seen of it.
                continue
        self._known[game, seat] = over, memory
        while len(self._known) > _REMEMBERED:
            self._known.popitem(last=False)
        return memory
