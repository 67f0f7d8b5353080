"""What a seat of the arena knows, in machine code: the counterpart of `search.knowledge`."""

from __future__ import annotations

from typing import Any

import numpy as np

from advisor.search.worlds import Position
from engine.kernel.compiling import inlined
from engine.kernel.layout import ALL, NOBODY, Rules, whole
from engine.rules import HAND_SIZE


@inlined
def _knows_centre(rules: Rules, state: Any, seat: int) -> bool:
    first = whole(state.first)
    if first < 0 or rules.centre_seen_by == NOBODY:
        return False
    return rules.centre_seen_by == ALL or first == seat % rules.sides


@inlined
def position_in(
    rules: Rules, start: Any, state: Any, plays: Any, count: int, seat: int, cheat: bool
) -> Position:
    """Return what *seat* knows of *state*, which the first *count* of *plays* made of *start*."""
    begun = start.copy()
    known = np.zeros(rules.players, np.int64)
    sizes = np.full(rules.players, HAND_SIZE)
    unseen = np.empty(rules.cards, np.int64)
    total = 0
    covered = 0
    hidden = whole(begun[0].hidden)
    while hidden:
        covered += hidden & 15
        hidden >>= 4
    if _knows_centre(rules, state, seat) or cheat:
        covered = 0
    for at in range(covered):
        unseen[total] = begun[0].cards[at]
        total += 1
    for other in range(rules.players):
        hand = whole(begun[0].hands[other])
        if other == seat or cheat:
            known[other] = HAND_SIZE
            continue
        front = 0
        back = 0
        kept = 0
        for place in range(HAND_SIZE):
            card = (hand >> (8 * place)) & 255
            is_known = card == begun[0].bottom
            for at in range(count):
                is_known = is_known or plays[at] == card
            if is_known:
                front |= card << (8 * kept)
                kept += 1
            else:
                unseen[total] = card
                total += 1
        known[other] = kept
        back = front
        for place in range(kept, HAND_SIZE):
            back |= unseen[total - (HAND_SIZE - place)] << (8 * place)
        begun[0].hands[other] = back
    first = rules.centre + rules.plays - (whole(begun[0].left) - HAND_SIZE * rules.players)
    last = rules.cards
    if begun[0].bottom >= 0 and first < last:
        last -= 1
    if cheat:
        first = last = 0
    for at in range(first, last):
        unseen[total] = begun[0].cards[at]
        total += 1
    return Position(
        begun,
        seat,
        plays[:count].copy(),
        sizes,
        known,
        (0, covered),
        (first, last),
        np.empty(0, np.int64),
        np.sort(unseen[:total]),
        np.full(total, -1),
    )
