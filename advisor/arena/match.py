"""Mirrored deals between two players, and what they say about who is better."""

from __future__ import annotations

from collections.abc import Sequence

import numpy as np
import numpy.typing as npt

from advisor.arena.players import Player
from advisor.arena.table import Room, Seats, play_deals
from engine import RuleSet
from engine.kernel.dealing import set_keys, shuffle_states
from engine.kernel.layout import STATE, Rules
from engine.rules import HAND_SIZE, MAX_PLAYERS

Floats = npt.NDArray[np.float64]
Whole = npt.NDArray[np.int64]


def play(
    rules: RuleSet, players: Sequence[Player], deals: int, seed: int, start: int = 0, target: int = 0
) -> Whole:
    """Return the points of each side in each of *deals* deals, dealt in turn from the last seat.

    Args:
        rules: the rule set.
        players: who sits at each seat.
        deals: how many deals.
        seed: where the cards and all else random come from.
        start: the number of the first deal.
        target: points at which a match ends and what was learned is forgotten; the rules' if 0.
    """
    compiled_rules = Rules.of(rules)
    states = np.zeros(deals, STATE)
    set_keys(states, np.uint64(seed), start)
    dealers = (np.arange(start, start + deals) - 1) % rules.players
    shuffle_states(compiled_rules, states, dealers.astype(np.int8))
    seats, rows = _seats(players)
    most = max(1, max(player.worlds * player.drawn for player in players))
    room = Room(
        state=np.zeros(1, STATE),
        start=np.zeros(1, STATE),
        scratch=np.zeros(1, STATE),
        worlds=np.zeros(most, STATE),
        models=np.zeros((most, MAX_PLAYERS), np.int64),
        weights=np.zeros(most),
        points=np.zeros((most, HAND_SIZE, rules.sides)),
        takes=np.zeros((most, HAND_SIZE, 2)),
    )
    results = np.zeros((deals, rules.sides), np.int64)
    record = np.zeros((0, 0), np.int64)
    play_deals()(
        compiled_rules, states, seats, rows, target or rules.target, room, results, record
    )
    return results


def _seats(players: Sequence[Player]) -> tuple[Seats, Floats]:
    """Return the players as arrays, and all their rows of weights."""
    rows: list[Floats] = []

    def number_of(row: Floats) -> int:
        for at, known in enumerate(rows):
            if known is row or np.array_equal(known, row):
                return at
        rows.append(row)
        return len(rows) - 1

    numbers = [
        player.number if player.own is None else number_of(player.own) for player in players
    ]
    pools = [[number_of(row) for row in player.pool] for player in players]
    prior = np.zeros((len(players), len(rows) or 1))
    for seat, (pool, player) in enumerate(zip(pools, players, strict=True)):
        for at, chance in zip(pool, player.prior, strict=True):
            prior[seat, at] += chance
        if not pool:
            prior[seat] = 1.0
    if not rows:
        rows.append(np.zeros(1))

    def whole(values: Sequence[int]) -> Whole:
        return np.array(values, np.int64)

    seats = Seats(
        kind=whole([player.kind for player in players]),
        number=whole(numbers),
        worlds=whole([player.worlds for player in players]),
        drawn=whole([player.drawn for player in players]),
        weigh=whole([player.weigh for player in players]),
        plies=whole([player.plies for player in players]),
        open=whole([player.open for player in players]),
        learn=whole([player.learn for player in players]),
        prior=prior,
        tempers=np.array([player.temper for player in players]),
    )
    return seats, np.array(rows)


def seating(rules: RuleSet, first: Player, second: Player) -> list[tuple[list[Player], list[int]]]:
    """Return the ways to seat two players on the same cards, with the sides of *first* in each.

    Two sides exchange seats. Where more sides play alone, *first* sits at each seat in turn
    against *second* at all others.
    """
    ways = []
    for side in range(rules.sides):
        seats = [
            first if rules.side_of(seat) == side else second for seat in range(rules.players)
        ]
        ways.append((seats, [side]))
    return ways


def duel(
    rules: RuleSet, first: Player, second: Player, deals: int, seed: int, start: int = 0
) -> Floats:
    """Return what *first* gains a deal over *second*, for each of *deals* mirrored deals."""
    gains = np.zeros(deals)
    ways = seating(rules, first, second)
    for seats, (side,) in ways:
        points = play(rules, seats, deals, seed, start)
        others = (points.sum(axis=1) - points[:, side]) / (rules.sides - 1)
        gains += (points[:, side] - others) / len(ways)
    return gains
