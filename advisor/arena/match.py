"""Mirrored deals between two players, and what they say about who is better."""

from __future__ import annotations

import time
from collections.abc import Sequence
from dataclasses import replace
from typing import Final

import numpy as np
import numpy.typing as npt

from advisor.arena.players import Player
from advisor.arena.table import ROW, Room, Seats, play_deals
from advisor.policies.networks import networks_of
from advisor.search.exact import MOST_PLAYS
from advisor.search.playouts import TO_THE_END
from advisor.search.pool import POOL, POOL_NAMES, answer_to, row_named
from engine import RuleSet
from engine.kernel.dealing import set_keys, shuffle_states
from engine.kernel.layout import STATE, Rules, States
from engine.rules import HAND_SIZE, MAX_PLAYERS

Floats = npt.NDArray[np.float64]
Whole = npt.NDArray[np.int64]

_TRIAL_WORLDS: Final = 64
_TRIAL_DEALS: Final = 10
_MOST_WORLDS: Final = 20_000


def shuffled(rules: RuleSet, deals: int, seed: int, start: int = 0) -> States:
    """Return deals *start* and following under *seed*, dealt in turn from the last seat on."""
    states = np.zeros(deals, STATE)
    set_keys(states, np.uint64(seed & 0xFFFFFFFFFFFFFFFF), start)
    dealers = (np.arange(start, start + deals) - 1) % rules.players
    shuffle_states(Rules.of(rules), states, dealers.astype(np.int8))
    return states


def play(
    rules: RuleSet,
    players: Sequence[Player],
    deals: int,
    seed: int,
    start: int = 0,
    record: Whole | None = None,
) -> Whole:
    """Return the points of each side in each of *deals* deals, dealt in turn from the last seat.

    Args:
        rules: the rule set.
        players: who sits at each seat.
        deals: how many deals.
        seed: where the cards and all else random come from.
        start: the number of the first deal.
        record: filled, unless None: deal × play, the cards as `Card.index`.
    """
    states = shuffled(rules, deals, seed, start)
    seats, rows = _seats(rules, players)
    most = max(1, max(player.worlds * player.drawn for player in players))
    room = Room(
        state=np.zeros(1, STATE),
        start=np.zeros(1, STATE),
        scratch=np.zeros(2, STATE),
        worlds=np.zeros(most, STATE),
        models=np.zeros((most, MAX_PLAYERS), np.int64),
        weights=np.zeros(most),
        points=np.zeros((most, HAND_SIZE, rules.sides)),
        takes=np.zeros((most, HAND_SIZE, 2)),
        stack=np.zeros(MOST_PLAYS + 2, STATE),
        places=np.zeros(MOST_PLAYS + 2, np.int64),
        bounds=np.zeros((MOST_PLAYS + 2, 3)),
        pair=np.zeros(2),
    )
    results = np.zeros((deals, rules.sides), np.int64)
    plays = np.zeros((0, 0), np.int64) if record is None else record
    play_deals()(Rules.of(rules), states, seats, rows, rules.target, room, results, plays)
    return results


def _seats(rules: RuleSet, players: Sequence[Player]) -> tuple[Seats, Floats]:
    """Return the players as arrays, and all their rows of weights."""
    rows: list[Floats] = []

    def number_of(row: Floats) -> int:
        for at, known in enumerate(rows):
            if known is row or np.array_equal(known, row):
                return at
        rows.append(row)
        return len(rows) - 1

    numbers = [
        number_of(player.own) if player.kind == ROW and player.own is not None else player.number
        for player in players
    ]
    models = [
        [
            (
                number_of(row_named(rules, name)),
                number_of(answer_to(rules, name) if player.own is None else player.own),
            )
            for name in player.pool
        ]
        for player in players
    ]
    if not rows:
        rows.append(np.zeros(1))
    networks = networks_of(rules)
    prior = np.zeros((len(players), len(rows)))
    answers = np.zeros((len(players), len(rows)), np.int64)
    values = np.zeros((len(players), len(rows), networks.shape[1]))
    for seat, player in enumerate(players):
        known = zip(player.pool, models[seat], player.prior, strict=True)
        for name, (row, answer), chance in known:
            prior[seat, row] += chance
            answers[seat, row] = answer
            if len(networks):
                values[seat, row] = networks[POOL_NAMES.index(name) if name in POOL else 0]
        if not player.pool:
            prior[seat] = 1.0
    has = len(networks) > 0

    def whole(values: Sequence[int]) -> Whole:
        return np.array(values, np.int64)

    seats = Seats(
        kind=whole([player.kind for player in players]),
        number=whole(numbers),
        answers=answers,
        worlds=whole([player.worlds for player in players]),
        drawn=whole([player.drawn for player in players]),
        weigh=whole([player.weigh for player in players]),
        # Without a network for these rules a search plays on to the end of the deal.
        plies=whole(
            [player.plies if has or player.plies > 0 else TO_THE_END for player in players]
        ),
        ahead=whole([player.ahead for player in players]),
        open=whole([player.open for player in players]),
        learn=whole([player.learn for player in players]),
        prior=prior,
        temper=np.array([player.temper for player in players]),
        doubt=np.array([player.doubt for player in players]),
        networks=values,
    )
    return seats, np.array(rows)


def seating(rules: RuleSet, first: Player, second: Player) -> list[tuple[list[Player], int]]:
    """Return the ways to seat two players on the same cards, with the side of *first* in each.

    Two sides exchange seats. Where more sides play alone, *first* sits at each seat in turn
    against *second* at all others.
    """
    ways = []
    for side in range(rules.sides):
        seats = [first if rules.side_of(seat) == side else second for seat in range(rules.players)]
        ways.append((seats, side))
    return ways


def duel(
    rules: RuleSet,
    first: Player,
    second: Player,
    deals: int,
    seed: int,
    start: int = 0,
    mirror: bool = True,
) -> Floats:
    """Return what *first* gains over *second* in each of *deals* deals.

    Args:
        rules: the rule set.
        first: the player whose gain is asked for.
        second: the other.
        deals: how many deals.
        seed: where the cards and all else random come from.
        start: the number of the first deal.
        mirror: whether to play each deal at every seating and take the mean.
    """
    gains = np.zeros(deals)
    ways = seating(rules, first, second)[: None if mirror else 1]
    for seats, side in ways:
        points = play(rules, seats, deals, seed, start)
        others = (points.sum(axis=1) - points[:, side]) / (rules.sides - 1)
        gains += (points[:, side] - others) / len(ways)
    return gains


def calibrated(rules: RuleSet, player: Player) -> Player:
    """Return *player* with as many worlds as its milliseconds a move allow on this machine."""
    if not player.milliseconds:
        return player
    trial = replace(player, worlds=_TRIAL_WORLDS)
    row = Player.parse("row-tuned")
    duel(rules, trial, row, 1, 0)
    began = time.process_time()
    duel(rules, trial, row, _TRIAL_DEALS, 0)
    moves = _TRIAL_DEALS * rules.plays
    each = 1000 * (time.process_time() - began) / moves / _TRIAL_WORLDS
    worlds = int(player.milliseconds / each)
    return replace(player, worlds=max(1, min(_MOST_WORLDS, worlds)), milliseconds=0.0)
