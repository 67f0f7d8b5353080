"""Rules of thumb as players: what other programs and the sources of the rules advise.

Each is a policy of the kernel (docs/kernel.md): ``policy(view, draw) -> place in the hand``.
"""

from __future__ import annotations

from engine.kernel import SeatView, card_at, points_of, rank_of, seen_of
from engine.kernel.compiling import inlined
from engine.kernel.layout import JACK
from engine.kernel.policies import pick


@inlined
def _place_of_rank(view: SeatView, rank: int) -> int:
    """Return the first place of *rank* in the hand, -1 where there is none."""
    for place in range(view.held):
        if rank_of(card_at(view.hand, place)) == rank:
            return place
    return -1


@inlined
def _match(view: SeatView) -> int:
    """Return the place of a card of the top card's rank, -1 where there is none."""
    return _place_of_rank(view, rank_of(view.top)) if view.pile else -1


@inlined
def _copies_held(view: SeatView, rank: int) -> int:
    held = 0
    for place in range(view.held):
        held += rank_of(card_at(view.hand, place)) == rank
    return held


@inlined
def _unseen(view: SeatView, rank: int) -> int:
    """Return how many cards of *rank* the seat has not seen."""
    copies = 8 if view.players > 4 else 4
    return copies - seen_of(view.seen, rank)


@inlined
def random_player(view: SeatView, draw: int) -> int:
    """Play any card."""
    return pick(draw, view.held)


@inlined
def greedy_player(view: SeatView, _draw: int) -> int:
    """Take with the same rank, else with a Jack, else lay what counts least, a Jack last."""
    place = _match(view)
    if place >= 0:
        return place
    jack = _place_of_rank(view, JACK)
    if view.pile and jack >= 0:
        return jack
    best, least = 0, 1000
    for at in range(view.held):
        card = card_at(view.hand, at)
        cost = 100 if rank_of(card) == JACK else points_of(card)
        if cost < least:
            best, least = at, cost
    return best


@inlined
def hunter_player(view: SeatView, _draw: int) -> int:
    """Hunt for piştis: the Jack waits for three cards or a top card that scores; pairs first."""
    place = _match(view)
    if place >= 0:
        return place
    jack = _place_of_rank(view, JACK)
    if jack >= 0 and view.pile and (view.pile >= 3 or points_of(view.top) > 0):
        return jack
    best, least = 0, 1 << 40
    for at in range(view.held):
        card = card_at(view.hand, at)
        rank = rank_of(card)
        cost = points_of(card) * 1000 + rank
        if rank == JACK:
            cost += 100_000
        if _copies_held(view, rank) < 2:
            cost += 100
        if cost < least:
            best, least = at, cost
    return best


@inlined
def counting_player(view: SeatView, _draw: int) -> int:
    """Count: lay what nobody can match, keep the Jack for what scores, hides or is large."""
    place = _match(view)
    if place >= 0:
        return place
    jack = _place_of_rank(view, JACK)
    if jack >= 0 and _unseen(view, JACK) == 0:
        for at in range(view.held):
            rank = rank_of(card_at(view.hand, at))
            if rank != JACK and _unseen(view, rank) == 0:
                return at
    if jack >= 0 and view.pile and (view.stake > 0 or view.pile > 6 or view.covered > 0):
        return jack
    best, least = 0, 1000
    for at in range(view.held):
        rank = rank_of(card_at(view.hand, at))
        cost = 100 if rank == JACK else _unseen(view, rank)
        if cost < least:
            best, least = at, cost
    return best


@inlined
def tips_player(view: SeatView, _draw: int) -> int:
    """Follow the hints of rules.md: Jacks for big piles, pairs led, gone ranks laid."""
    place = _match(view)
    if place >= 0:
        return place
    jack = _place_of_rank(view, JACK)
    last_round = view.left <= view.players
    if jack >= 0 and view.pile and (view.pile >= 5 or view.stake >= 2 or last_round):
        return jack
    best, least = 0, 1 << 40
    for at in range(view.held):
        card = card_at(view.hand, at)
        rank = rank_of(card)
        cost = 10 * _unseen(view, rank) + 25 * points_of(card)
        if rank == JACK:
            cost += 1000
        elif view.pile == 0 and _copies_held(view, rank) > 1:
            cost -= 100
        if view.next_bottom and rank == rank_of(view.bottom):
            cost += 200
        if cost < least:
            best, least = at, cost
    return best


@inlined
def thumb(which: int, view: SeatView, draw: int) -> int:
    """Ask the rule of thumb number *which* of `NAMES`."""
    if which == 1:
        return greedy_player(view, draw)
    if which == 2:
        return hunter_player(view, draw)
    if which == 3:
        return counting_player(view, draw)
    if which == 4:
        return tips_player(view, draw)
    return random_player(view, draw)


#: The rules of thumb, in the order of `thumb`.
NAMES = ("random", "greedy", "hunter", "counting", "tips")
