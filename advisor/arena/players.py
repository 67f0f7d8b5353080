"""Players by name, with their settings: ``counting``, ``mc48``, ``advisor:2ms``."""

from __future__ import annotations

import re
from dataclasses import dataclass, replace
from typing import Final

from advisor.arena.table import ROW, SEARCH, THUMB, Floats
from advisor.errors import AdviceError
from advisor.policies.rows import GREEDY, NAMED, TUNED
from advisor.policies.thumb import NAMES
from advisor.search.playouts import HAND_DEAL, TO_THE_END
from advisor.search.pool import POOL, POOL_NAMES, PRIOR

#: What a player may be called; searches take settings behind a colon.
KNOWN: Final = (
    *NAMES,
    "pimc16",
    "mc48",
    "open",
    "advisor:64worlds",
    "advisor:2ms",
    "learner:64worlds",
    *(f"row-{name}" for name in NAMED),
)


@dataclass(frozen=True)
class Player:
    """One player of the arena.

    Attributes:
        name: as written.
        kind: `THUMB`, `ROW` or `SEARCH`.
        number: the rule of thumb; for others the row is `own`.
        own: the row of weights that it plays by, or that its search plays its own side by.
        pool, prior: rows and chances that a search believes the others to play by.
        worlds, drawn, plies: how much a search plays out.
        weigh, learn, open: whether it weighs worlds, learns, sees all cards.
    """

    name: str
    kind: int
    number: int = 0
    own: Floats | None = None
    pool: tuple[Floats, ...] = ()
    prior: tuple[float, ...] = ()
    worlds: int = 0
    drawn: int = 1
    plies: int = 0
    weigh: bool = False
    learn: bool = False
    open: bool = False
    temper: float = 1.0
    #: Processor time a move, from which `calibrated` finds the worlds; 0 where they are given.
    milliseconds: float = 0.0

    @classmethod
    def parse(cls, text: str) -> Player:
        """Return the player written as *text*.

        Raises:
            AdviceError: there is no such player or setting.
        """
        name, _, setting = text.partition(":")
        if name in NAMES and not setting:
            return cls(text, THUMB, number=NAMES.index(name))
        if name.startswith("row-") and name[4:] in NAMED and not setting:
            return cls(text, ROW, own=NAMED[name[4:]])
        greedy = cls(text, SEARCH, own=GREEDY, pool=(GREEDY,), prior=(1.0,))
        if name == "mc48" and not setting:
            return replace(greedy, worlds=48)
        if name == "pimc16" and not setting:
            return replace(greedy, worlds=16, plies=7)
        advisor = cls(text, SEARCH, own=TUNED, pool=tuple(POOL), prior=tuple(PRIOR), weigh=True)
        if name == "open" and not setting:
            return replace(advisor, worlds=16, open=True, weigh=False)
        if name in ("advisor", "learner"):
            found = re.fullmatch(
                r"(\d+)(worlds|ms)(-full)?(-flat)?(?:-without-([a-z-]+))?", setting or "64worlds"
            )
            left_out = (found[5] or "").split("-") if found else []
            if found and all(name == "" or name in POOL_NAMES for name in left_out):
                kept = [at for at, name in enumerate(POOL_NAMES) if name not in left_out]
                total = sum(PRIOR[at] for at in kept)
                return replace(
                    advisor,
                    pool=tuple(POOL[at] for at in kept),
                    prior=tuple(PRIOR[at] / total for at in kept),
                    worlds=int(found[1]) if found[2] == "worlds" else 1,
                    milliseconds=float(found[1]) if found[2] == "ms" else 0.0,
                    drawn=1 if found[4] else 4,
                    weigh=not found[4],
                    learn=name == "learner",
                    plies=TO_THE_END if found[3] else HAND_DEAL,
                )
        raise AdviceError("arena.player", player=text, known=", ".join(KNOWN))
