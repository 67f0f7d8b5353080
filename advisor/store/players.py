"""What each player won and lost over all games kept."""

from __future__ import annotations

from collections.abc import Iterable
from dataclasses import dataclass

from advisor.store.store import Kept
from engine import PistiError, RuleSet


@dataclass(slots=True)
class PlayerTotals:
    """A player's games.

    Attributes:
        name: the name, as it was entered.
        games: games in which a deal was begun.
        finished: those that reached the target.
        won: those that the player's side won.
        points: the match points of the player's sides in all games.
    """

    name: str
    games: int = 0
    finished: int = 0
    won: int = 0
    points: int = 0


def player_totals(games: Iterable[Kept]) -> list[PlayerTotals]:
    """Return the totals of each named player of *games*, those who won most first."""
    players: dict[str, PlayerTotals] = {}
    for game in games:
        summary = game.summary
        if not summary.get("deals"):
            continue
        try:
            rules = RuleSet.of(**summary["rules"])
        except PistiError:
            continue
        for seat, name in enumerate(summary["names"][: rules.players]):
            if not name:
                continue
            totals = players.setdefault(name.casefold(), PlayerTotals(name))
            side = rules.side_of(seat)
            totals.games += 1
            totals.points += summary["totals"][side]
            if summary["winner"] is not None:
                totals.finished += 1
                totals.won += summary["winner"] == side
    return sorted(players.values(), key=lambda each: (-each.won, -each.points, each.name))
