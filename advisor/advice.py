"""What the advisor answers: values with a JSON form (docs/advisor.md, `pisti advise --json`)."""

from __future__ import annotations

from dataclasses import dataclass
from typing import Final

from advisor.errors import AdviceError
from engine import Card

#: Seconds an answer may take where nothing else is asked for.
DEFAULT_TIME: Final = 0.1


@dataclass(frozen=True, slots=True)
class Limit:
    """How long to think.

    With *samples* and *seed* the answer is the same every time; with *time* it depends on the
    machine as well. Given both, whichever is reached first ends the search; given neither, it
    takes `DEFAULT_TIME`.

    Attributes:
        time: seconds.
        samples: number of worlds.
        seed: where the random numbers come from.

    Raises:
        AdviceError: a time or a number of samples that is not positive.
    """

    time: float | None = None
    samples: int | None = None
    seed: int = 0

    def __post_init__(self) -> None:
        if (self.time is not None and not self.time > 0) or (
            self.samples is not None and self.samples < 1
        ):
            raise AdviceError("advise.limit")

    @property
    def seconds(self) -> float | None:
        """The time to keep, None where only the samples count."""
        return DEFAULT_TIME if self.time is None and self.samples is None else self.time

    def share(self, part: float) -> Limit:
        """Return the limit of one of several searches, which has *part* (0 to 1) of the worlds."""
        samples = None if self.samples is None else max(1, round(part * self.samples))
        return Limit(self.seconds, samples, self.seed)

    def to_json(self) -> dict[str, object]:
        """Return the limit with its defaults filled in."""
        return {"time": self.seconds, "samples": self.samples}


@dataclass(frozen=True, slots=True)
class Risk:
    """Chances, from 0 to 1, that the next player captures the pile, and does so with a pişti."""

    captured: float
    pisti: float


@dataclass(frozen=True, slots=True)
class Move:
    """One card of the hand and what playing it comes to.

    Attributes:
        card: the card.
        points: expected final result of the deal: the side's points minus the mean of the others'.
        stderr: standard error of *points* from the sampling of worlds; None where one world alone
            was played out, which tells nothing of it.
        win: chance to win the match.
        risk: what the next player may do.
        claim: whether the card is laid face down as a claimed pişti (bluff variant).
    """

    card: Card
    points: float
    stderr: float | None
    win: float
    risk: Risk
    claim: bool = False

    def to_json(self) -> dict[str, object]:
        """Return the move as in the answer of `pisti advise --json`."""
        form: dict[str, object] = {
            "card": str(self.card),
            "points": round(self.points, 3),
            "stderr": None if self.stderr is None else round(self.stderr, 3),
            "win": round(self.win, 4),
            "risk": {"captured": round(self.risk.captured, 4), "pisti": round(self.risk.pisti, 4)},
        }
        return form | {"claim": True} if self.claim else form


@dataclass(frozen=True, slots=True)
class Counts:
    """What the counter knows: every number is exact and known to the advised seat.

    Attributes:
        seen: cards whose place the seat knows or knew, its own hand included.
        jacks_seen, jacks_left: Jacks seen (own ones too), and those still unseen.
        pile: cards on the table.
        two_of_clubs, ten_of_diamonds: whether all copies are seen (own hand included).
        left: for each rank the unseen cards.
        bottom: the shown bottom card and the seat that gets it (None: nobody).
        unknown: captured or laid cards the seat has not seen (accepted claims).
    """

    seen: int
    jacks_seen: int
    jacks_left: int
    pile: int
    two_of_clubs: bool
    ten_of_diamonds: bool
    left: dict[str, int]
    bottom: tuple[Card, int | None] | None = None
    unknown: int = 0

    def to_json(self) -> dict[str, object]:
        """Return the counts as in the answer of `pisti advise --json`."""
        bottom = None
        if self.bottom:
            bottom = {"card": str(self.bottom[0]), "seat": self.bottom[1]}
        return {
            "seen": self.seen,
            "jacks_seen": self.jacks_seen,
            "jacks_left": self.jacks_left,
            "pile": self.pile,
            "two_of_clubs": "seen" if self.two_of_clubs else "unseen",
            "ten_of_diamonds": "seen" if self.ten_of_diamonds else "unseen",
            "left": self.left,
            "bottom": bottom,
            "unknown": self.unknown,
        }


@dataclass(frozen=True, slots=True)
class Opponent:
    """What is believed of another seat's hand: for each rank the chance that it holds one."""

    seat: int
    has_rank: dict[str, float]

    def to_json(self) -> dict[str, object]:
        """Return the belief as in the answer of `pisti advise --json`."""
        chances = {rank: round(chance, 4) for rank, chance in self.has_rank.items()}
        return {"seat": self.seat, "has_rank": chances}


@dataclass(frozen=True, slots=True)
class Advice:
    """The advisor's answer.

    Attributes:
        best: the card to play; None where a claim is to be answered.
        moves: every card of the hand, best first.
        counts: the counter.
        opponents: beliefs about the other hands.
        why: one to three sentences.
        limit: the limit kept, with the number of worlds that were played.
        exact: whether the search was exhaustive.
        claim: whether *best* is laid face down as a claimed pişti.
        challenge: where a claim waits for this seat's answer: whether to challenge it.
    """

    best: Card | None
    moves: tuple[Move, ...]
    counts: Counts
    opponents: tuple[Opponent, ...]
    why: tuple[str, ...]
    limit: Limit
    exact: bool
    claim: bool = False
    challenge: bool | None = None

    def to_json(self) -> dict[str, object]:
        """Return the answer in the form of interfaces.md."""
        form: dict[str, object] = {
            "best": None if self.best is None else str(self.best),
            "moves": [move.to_json() for move in self.moves],
            "counts": self.counts.to_json(),
            "opponents": [opponent.to_json() for opponent in self.opponents],
            "why": list(self.why),
            "limit": self.limit.to_json(),
            "exact": self.exact,
        }
        if self.claim:
            form["claim"] = True
        if self.challenge is not None:
            form["challenge"] = self.challenge
        return form
