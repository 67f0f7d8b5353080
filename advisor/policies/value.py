"""What a position between two hand deals is worth: a small network on what lies open.

At that point all hands are empty, so the position is public but for the centre's hidden cards.
The network says how many points one side will gain on the other until the end of the deal, the
majority included. There is one for each model of an opponent: it plays on against that model.
"""

from __future__ import annotations

from typing import Any, Final

import numpy as np

from engine.kernel import rank_of
from engine.kernel.compiling import inlined
from engine.kernel.layout import (
    ACES,
    CARDS_MASK,
    FOUR_BITS,
    JACK,
    JACKS,
    POINTS,
    TENS,
    TWO_BITS,
    TWOS,
    Rules,
    whole,
)
from engine.kernel.reckoning import points_in
from engine.rules import HAND_SIZE

#: Most hand deals that can be left between two of them, in the rules that networks exist for.
MOST_LEFT: Final = 5
INPUTS: Final = 27 + MOST_LEFT
HIDDEN: Final = 32
#: Weights of one network: from each input to all hidden units, their biases, their outputs, the
#: output's bias.
WEIGHTS: Final = INPUTS * HIDDEN + 2 * HIDDEN + 1


@inlined
def features_of(rules: Rules, state: Any, mine: int, out: Any) -> None:
    """Write the network's inputs into *out*.

    Args:
        rules: rules of two sides.
        state: a position between hand deals.
        mine: the side whose gain is asked for.
        out: room for `INPUTS` numbers.
    """
    pile = whole(state.pile)
    count = pile & CARDS_MASK
    top = whole(state.top)
    seen = whole(state.seen)
    copies = rules.cards // 13
    ours, theirs = whole(state.taken[mine]), whole(state.taken[1 - mine])
    lead = (ours & CARDS_MASK) - (theirs & CARDS_MASK)
    left = whole(state.left)
    share = left / rules.plays
    half = rules.cards / 2
    for at in range(INPUTS):
        out[at] = 0.0
    out[0] = min(count, 16) / 8
    out[1] = 1.0 if count == 0 else 0.0
    out[2] = 1.0 if count == 1 else 0.0
    out[3] = points_in(pile) / 4
    if top >= 0:
        rank = rank_of(top)
        out[4] = (copies - ((seen >> (4 * rank)) & 15)) / 3
        out[5] = 1.0 if rank == JACK else 0.0
    if state.last >= 0:
        out[6] = 1.0 if state.last == mine else -1.0
        out[7] = out[6] * count / 8
        out[8] = out[6] * (1 - share)
    out[9] = lead / 10
    out[10] = lead / 10 * (1 - share)
    out[11] = np.tanh(lead / (1 + 0.6 * left**0.5))
    if (ours & CARDS_MASK) > half:
        out[12] = 1.0
    if (theirs & CARDS_MASK) > half:
        out[12] = -1.0
    gone = ours + theirs
    out[13] = (copies - (gone >> ACES & FOUR_BITS)) / 4
    out[14] = (copies - ((seen >> (4 * JACK)) & 15)) / 4
    out[15] = 1.0 if not gone >> TWOS & TWO_BITS else 0.0
    out[16] = 1.0 if not gone >> TENS & TWO_BITS else 0.0
    out[17] = (copies - (gone >> JACKS & FOUR_BITS)) / 4
    for rank in range(13):
        unseen = copies - ((seen >> (4 * rank)) & 15)
        out[18 + min(unseen, 4)] += 1 / 8
    if state.bottom >= 0:
        rank = rank_of(whole(state.bottom))
        out[23] = 1.0
        out[24] = (copies - ((seen >> (4 * rank)) & 15)) / 3
        out[25] = POINTS[state.bottom] / 2
    deals_left = left // (HAND_SIZE * rules.players)
    # `deals_left` is at least 1: after the last hand deal the deal is over.
    out[25 + min(deals_left, MOST_LEFT)] = 1.0
    out[26 + MOST_LEFT] = 1.0 if whole(state.turn) % 2 == mine else 0.0


@inlined
def value_of(rules: Rules, state: Any, mine: int, network: Any, inputs: Any, units: Any) -> float:
    """Return the points that side *mine* will gain on the other until the deal's end.

    Args:
        rules: rules of two sides.
        state: a position between hand deals.
        mine: the side.
        network: `WEIGHTS` numbers.
        inputs: room for `INPUTS` numbers.
        units: room for `HIDDEN` numbers.
    """
    features_of(rules, state, mine, inputs)
    biases = INPUTS * HIDDEN
    for unit in range(HIDDEN):
        units[unit] = network[biases + unit]
    # Most inputs are 0; the inner loop runs over neighbours in memory.
    for number in range(INPUTS):
        amount = inputs[number]
        if amount != 0.0:
            at = number * HIDDEN
            for unit in range(HIDDEN):
                units[unit] += amount * network[at + unit]
    total: float = network[biases + 2 * HIDDEN]
    for unit in range(HIDDEN):
        if units[unit] > 0.0:
            total += units[unit] * network[biases + HIDDEN + unit]
    return total
