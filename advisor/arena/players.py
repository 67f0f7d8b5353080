"""Players by name, with their settings: ``counting``, ``mc48``, ``advisor:2ms``."""

from __future__ import annotations

import re
from dataclasses import dataclass, replace
from typing import Final

from advisor.arena.table import ROW, SEARCH, THUMB, Floats
from advisor.errors import AdviceError
from advisor.policies.rows import GREEDY, NAMED
from advisor.policies.thumb import NAMES
from advisor.search.playouts import HAND_DEAL, TO_THE_END
from advisor.search.pool import ADVISOR, POOL_NAMES, PRIOR

#: What a player may be called; searches take settings behind a colon.
KNOWN: Final = (
    *NAMES,
    "pimc16",
    "mc48",
    "open",
    "advisor:64worlds",
    "advisor:2ms",
    "learner:64worlds",
    "exploiter:64worlds",
    *(f"row-{name}" for name in NAMED),
)

_ADVISORS: Final = ("advisor", "learner", "exploiter")
#: Hundredths of a standard error by which another card must be better than the row's.
_DOUBT: Final = 100
_SETTINGS: Final = re.compile(
    r"(?P<number>\d+)(?P<unit>worlds|ms)(?P<full>-full)?(?P<flat>-flat)?(?P<near>-near)?"
    r"(-doubt(?P<doubt>\d+))?(-without-(?P<without>[a-z-]+))?"
)


@dataclass(frozen=True)
class Player:
    """One player of the arena.

    Attributes:
        name: as written.
        kind: `THUMB`, `ROW` or `SEARCH`.
        number: the rule of thumb; for others the row is `own`.
        own: the row of weights that it plays by, or that its search plays its own side by; None:
            the search's own side plays on by the pool's answers.
        pool, prior: names and chances of players that a search believes the others to be.
        worlds, drawn, plies: how much a search plays out.
        weigh, ahead, learn, open: whether it weighs worlds, chooses its next card in play-outs too,
            learns, sees all cards.
        doubt: standard errors by which another card must be better than the row's.
    """

    name: str
    kind: int
    number: int = 0
    own: Floats | None = None
    pool: tuple[str, ...] = ()
    prior: tuple[float, ...] = ()
    worlds: int = 0
    drawn: int = 1
    plies: int = 0
    weigh: bool = False
    learn: bool = False
    ahead: bool = False
    open: bool = False
    temper: float = 1.0
    doubt: float = 0.0
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
        greedy = cls(text, SEARCH, own=GREEDY, pool=("greedy",), prior=(1.0,))
        if name == "mc48" and not setting:
            return replace(greedy, worlds=48)
        if name == "pimc16" and not setting:
            return replace(greedy, worlds=16, plies=7)
        advisor = cls(text, SEARCH, pool=POOL_NAMES, prior=PRIOR, weigh=True, plies=HAND_DEAL)
        if name == "open" and not setting:
            return replace(advisor, worlds=16, open=True, weigh=False, plies=TO_THE_END)
        found = _SETTINGS.fullmatch(setting or "64worlds")
        left_out = (found["without"] or "").split("-") if found else []
        if name in _ADVISORS and found and all(each in ("", *POOL_NAMES) for each in left_out):
            if name == "exploiter":
                advisor = replace(advisor, pool=(ADVISOR,), prior=(1.0,))
            else:
                kept = [at for at, each in enumerate(POOL_NAMES) if each not in left_out]
                total = sum(PRIOR[at] for at in kept)
                advisor = replace(
                    advisor,
                    pool=tuple(POOL_NAMES[at] for at in kept),
                    prior=tuple(PRIOR[at] / total for at in kept),
                )
            return replace(
                advisor,
                worlds=int(found["number"]) if found["unit"] == "worlds" else 1,
                milliseconds=float(found["number"]) if found["unit"] == "ms" else 0.0,
                drawn=1 if found["flat"] else 4,
                weigh=not found["flat"],
                ahead=not found["near"],
                doubt=float(found["doubt"] or _DOUBT) / 100,
                learn=name == "learner",
                plies=TO_THE_END if found["full"] else HAND_DEAL,
            )
        raise AdviceError("arena.player", player=text, known=", ".join(KNOWN))
