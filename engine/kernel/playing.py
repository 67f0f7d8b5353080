"""Playing positions to the end, many at a time."""

from __future__ import annotations

from collections.abc import Callable, Iterable, Sequence
from dataclasses import dataclass
from functools import lru_cache
from typing import Any, Final

import numpy as np
import numpy.typing as npt

from engine.cards import Card
from engine.kernel.compiling import compiled, inlined
from engine.kernel.dealing import (
    draw_at,
    from_orders,
    hand_from,
    seats_of,
    set_keys,
    shuffle_states,
)
from engine.kernel.layout import (
    ACES,
    ALL,
    BONUS_MASK,
    CARDS_MASK,
    COUNT_MASK,
    DOUBLES,
    FOUR_BITS,
    JACK,
    JACKS,
    NOBODY,
    PISTIS,
    RANKS,
    SCORE,
    STATE,
    TALLIES,
    TENS,
    TWO_BITS,
    TWOS,
    Plays,
    Rules,
    Scores,
    States,
    whole,
)
from engine.kernel.policies import SeatView, holds, next_hand_size
from engine.kernel.reckoning import pisti_bonus, points_in, ranks_in, without
from engine.rules import HAND_SIZE, MAX_PLAYERS, RuleSet

#: See `engine.kernel.policies`.
Policy = Callable[[SeatView, int], int]

# Deals that are shuffled and then played together: as many as a core's own cache holds.
_CHUNK: Final = 1024
_NO_RANK: Final = -1


@dataclass(frozen=True)
class Batch:
    """What a batch of deals came to.

    Attributes:
        scores: for each deal and side the fields of `SideScore`, and `points`.
        plays: for each deal the cards played, as `Card.index` in order, then -1; None unless
            asked for.
    """

    scores: Scores
    plays: Plays | None

    @property
    def points(self) -> npt.NDArray[np.int32]:
        """The points of each deal and side."""
        points: npt.NDArray[np.int32] = self.scores["points"]
        return points


def play_batch(
    rules: RuleSet,
    policies: Policy | Sequence[Policy],
    count: int,
    seed: int,
    *,
    dealers: npt.ArrayLike = 0,
    start: int = 0,
    record: bool = False,
) -> Batch:
    """Shuffle, deal and play *count* deals.

    Deal number i under a seed is the same whatever the batch: `start` continues another batch.

    Args:
        rules: the rule set; claims of the bluff variant are never made.
        policies: the policy of each seat, or one for all.
        count: how many deals.
        seed: where the random numbers come from, for the shuffles and the policies.
        dealers: the dealer's seat in each deal, or in all.
        start: the number of the first deal.
        record: whether to return the plays.
    """
    seats = seats_of(rules, dealers, count)
    play, which = _bound(rules, policies)
    batch = _empty_batch(rules, count, record=record)
    compiled_rules = Rules.of(rules)
    states = np.zeros(min(count, _CHUNK), STATE)
    for at in range(0, count, _CHUNK):
        part = slice(at, min(at + _CHUNK, count))
        chunk = states[: part.stop - at]
        set_keys(chunk, _seed(seed), start + at)
        shuffle_states(compiled_rules, chunk, seats[part])
        play(compiled_rules, chunk, which, batch.scores[part], _plays_of(batch, part))
    return batch


def play_orders(
    rules: RuleSet,
    policies: Policy | Sequence[Policy],
    orders: Iterable[Iterable[Card | int]],
    seed: int,
    *,
    dealers: npt.ArrayLike = 0,
    start: int = 0,
    record: bool = False,
) -> Batch:
    """Deal from decks in the given *orders*, as `from_orders`, and play; else as `play_batch`.

    Raises:
        ValueError: as `from_orders`.
    """
    states = from_orders(rules, orders, dealers)
    return play_states(rules, policies, states, seed, start=start, record=record)


def play_states(
    rules: RuleSet,
    policies: Policy | Sequence[Policy],
    states: States,
    seed: int,
    *,
    start: int = 0,
    record: bool = False,
) -> Batch:
    """Play each of *states* to the end; else as `play_batch`. The states stay as they are.

    The scores are those of the whole deals, with what was scored before the position. The plays
    are those from the position on.
    """
    play, which = _bound(rules, policies)
    batch = _empty_batch(rules, len(states), record=record)
    states = np.array(states, STATE)
    set_keys(states, _seed(seed), start)
    play(Rules.of(rules), states, which, batch.scores, _plays_of(batch, slice(None)))
    return batch


def _seed(seed: int) -> np.uint64:
    return np.uint64(seed & 0xFFFFFFFFFFFFFFFF)


def _empty_batch(rules: RuleSet, count: int, *, record: bool) -> Batch:
    plays = np.full((count, rules.plays), -1, np.int8) if record else None
    return Batch(np.zeros((count, rules.sides), SCORE), plays)


def _plays_of(batch: Batch, part: slice) -> Plays:
    return np.empty((0, 0), np.int8) if batch.plays is None else batch.plays[part]


def _bound(
    rules: RuleSet, policies: Policy | Sequence[Policy]
) -> tuple[Callable[..., None], npt.NDArray[np.int64]]:
    """Return the machine code for *policies*, and which of them each seat follows."""
    seats = [policies] * rules.players if callable(policies) else list(policies)
    if len(seats) != rules.players:
        raise ValueError(f"{rules.players} players need as many policies, not {len(seats)}.")
    # In order of their names, so that the same ones at other seats need no other machine code.
    different = tuple(sorted(dict.fromkeys(seats), key=_name_of))
    which = [different.index(policy) for policy in seats]
    return _specialised(different), np.array(which, np.int64)


def _name_of(policy: Policy) -> tuple[str, str]:
    plain = getattr(policy, "py_func", policy)
    return plain.__module__, plain.__qualname__


@lru_cache(maxsize=64)
def _specialised(policies: tuple[Policy, ...]) -> Callable[..., None]:
    return compiled(_play_states, parts=policies, _choose=_chooser(policies))


def _chooser(policies: tuple[Policy, ...]) -> Callable[[int, SeatView, int], int]:
    """Return a function that asks policy number *which* of *policies*."""
    first = policies[0] if hasattr(policies[0], "py_func") else inlined(policies[0])
    if len(policies) == 1:

        @inlined
        def only(_which: int, view: SeatView, draw: int) -> int:
            return first(view, draw)

        return only
    others = _chooser(policies[1:])

    @inlined
    def one_of(which: int, view: SeatView, draw: int) -> int:
        if which:
            return others(which - 1, view, draw)
        return first(view, draw)

    return one_of


def _choose(which: int, view: SeatView, draw: int) -> int:
    """Ask policy number *which*; `_specialised` puts the real function in this one's place."""
    raise NotImplementedError


@inlined
def _write_scores(rules: Rules, taken: Any, bonus: Any, scores: Any) -> None:
    most = 0
    for side in range(rules.sides):
        most = max(most, taken[side] & CARDS_MASK)
    with_most = 0
    for side in range(rules.sides):
        with_most += (taken[side] & CARDS_MASK) == most
    for side in range(rules.sides):
        tally, extra, score = taken[side], bonus[side], scores[side]
        score.cards = tally & CARDS_MASK
        score.aces = tally >> ACES & FOUR_BITS
        score.jacks = tally >> JACKS & FOUR_BITS
        score.two_of_clubs = tally >> TWOS & TWO_BITS
        score.ten_of_diamonds = tally >> TENS & TWO_BITS
        score.pistis = extra >> PISTIS & COUNT_MASK
        score.double_pistis = extra >> DOUBLES & COUNT_MASK
        score.bonus = extra & BONUS_MASK
        majority = 0
        if with_most == 1 and (tally & CARDS_MASK) == most:
            majority = rules.majority_points
        score.majority = majority
        score.points = points_in(tally) + (extra & BONUS_MASK) + majority


def _play_states(
    rules: Rules,
    states: States,
    which: npt.NDArray[np.int64],
    scores: Scores,
    plays: Plays,
) -> None:
    """Play each of *states* to the end with `_choose`; fill *scores*, and *plays* unless empty."""
    record = plays.size > 0
    hands = np.empty(MAX_PLAYERS, np.int64)
    taken = np.empty(MAX_PLAYERS, np.int64)
    bonus = np.empty(MAX_PLAYERS, np.int64)
    side_of = np.empty(MAX_PLAYERS, np.int64)
    for seat in range(rules.players):
        side_of[seat] = seat % rules.sides
    for number in range(len(states)):
        state = states[number]
        for seat in range(rules.players):
            hands[seat] = state.hands[seat]
        for side in range(rules.sides):
            taken[side] = state.taken[side]
            bonus[side] = state.bonus[side]
        key = state.key
        cards = state.cards
        # The loop keeps what follows in registers.
        seen, hidden = whole(state.seen), whole(state.hidden)
        pile, covered = whole(state.pile), whole(state.covered)
        left, held = whole(state.left), whole(state.held)
        seat, until_equal = whole(state.turn), whole(state.round)
        top, last, first = whole(state.top), whole(state.last), whole(state.first)
        bottom, dealer = whole(state.bottom), whole(state.dealer)
        top_rank = _NO_RANK if top < 0 else RANKS[top]
        at = 0
        while left > 0:
            hand = hands[seat]
            side = side_of[seat]
            # Of the view only what the policy reads is computed: the rest is dead code.
            seen_here = seen + ranks_in(hand, held, bottom)
            if (first >= 0 and rules.centre_seen_by == ALL) or (
                first == side and rules.centre_seen_by != NOBODY
            ):
                seen_here += hidden
            view = SeatView(
                hand,
                held,
                top,
                pile & CARDS_MASK,
                points_in(pile - covered),
                seen_here,
                left,
                taken[side] & CARDS_MASK,
                whole(last == side),
                bottom,
                seat,
                dealer,
                rules.players,
                covered & CARDS_MASK,
                next_hand_size(held, until_equal, left),
                holds(
                    hands[seat + 1 if seat + 1 < rules.players else 0],
                    held if until_equal > 1 else held - 1,
                    bottom,
                ),
            )
            draw = whole(draw_at(key, left) >> np.uint64(32))
            place = _choose(which[seat], view, draw)
            card = hand >> (8 * place) & 255
            hands[seat] = without(hand, place)
            if record:
                plays[number, at] = card
                at += 1
            if card != bottom:
                seen += 1 << (4 * RANKS[card])
            rank = RANKS[card]
            single = (pile & CARDS_MASK) == 1
            pile += TALLIES[card]
            if rank == top_rank or (rank == JACK and top_rank != _NO_RANK):
                if single and (left > 1 or rules.last_play_pisti):
                    bonus[side] += pisti_bonus(rules, card, top)
                taken[side] += pile
                pile = covered = 0
                top = -1
                top_rank = _NO_RANK
                last = side
                if first < 0:
                    first = side
            else:
                top = card
                top_rank = rank
            left -= 1
            seat = seat + 1 if seat + 1 < rules.players else 0
            until_equal -= 1
            if not until_equal:
                until_equal = rules.players
                held -= 1
                if not held and left > 0:
                    held = HAND_SIZE
                    packet = rules.centre + rules.plays - left
                    for _ in range(rules.players):
                        # Hands empty at the dealer, so the seat on turn is the dealer's right.
                        hands[seat] = hand_from(cards, packet)
                        packet += HAND_SIZE
                        seat = seat + 1 if seat + 1 < rules.players else 0
        if last < 0 and rules.dealer_takes:
            last = side_of[dealer]
        if last >= 0:
            taken[last] += pile
        _write_scores(rules, taken, bonus, scores[number])
