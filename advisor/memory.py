"""What is remembered of the other players from deal to deal of one match."""

from __future__ import annotations

from typing import TYPE_CHECKING

from engine import Deal, View

if TYPE_CHECKING:
    import numpy as np
    import numpy.typing as npt


class OpponentMemory:
    """Evidence of how each seat plays, from hands that are over and therefore public.

    Give the same memory to every `Advisor.advise` of a match, and `remember` each deal at its end.

    >>> memory = OpponentMemory()
    """

    def __init__(self) -> None:
        self._past: npt.NDArray[np.float64] | None = None

    def remember(self, deal: Deal, seat: int) -> None:
        """Take in *deal*, which is over, as *seat* saw it."""
        from advisor.search.evidence import evidence_in
        from advisor.search.pool import POOL, models_of

        found = evidence_in(View.of(deal, seat), models_of(deal.rules).rows[: len(POOL)])
        self._past = found if self._past is None else self._past + found

    def evidence(self, view: View) -> npt.NDArray[np.float64]:
        """Return the log of each row's chance (seat × row), with what *view* shows of this deal."""
        from advisor.search.evidence import evidence_in
        from advisor.search.pool import POOL, models_of

        now = evidence_in(view, models_of(view.rules).rows[: len(POOL)])
        return now if self._past is None else self._past + now
