"""A family of players: each weighs the same features of a play, and lays the heaviest card.

The rules of thumb of rules.md and of other programs are rows of weights in this family, and so
are the tuned player and the models of opponents: what differs is data, so that one piece of
machine code plays all of them. The weights are in logits: the difference of two sums is the log of
how much likelier one card is than the other.
"""

from __future__ import annotations

from math import comb
from typing import Any, Final

import numpy as np

from engine.kernel import SeatView, card_at, points_of, rank_of, seen_of
from engine.kernel.compiling import inlined
from engine.kernel.layout import JACK
from engine.rules import HAND_SIZE, MAX_CARDS

#: What a row of weights means, in order. A pile counts at most 12 cards, a quarter each; points
#: count half. "match" is a capture by rank without a Jack, "jack" one with a Jack.
FEATURES: Final = (
    "match",
    "match_single",
    "match_stake",
    "match_pile",
    "jack",
    "jack_single",
    "jack_double",
    "jack_stake",
    "jack_pile",
    "jack_three",
    "jack_top_scores",
    "jack_any_stake",
    "jack_seven",
    "jack_covered",
    "jack_unseen",
    "jack_spare",
    "jack_last_round",
    "lay_points",
    "lay_jack",
    "lay_unseen",
    "lay_safe",
    "lay_risk",
    "lay_risk_stake",
    "lay_risk_pile",
    "lay_risk_single",
    "lay_pair",
    "lay_pair_lead",
    "lay_high",
    "lay_points_lead",
    "lay_points_jack_risk",
    "lay_safe_master",
    "lay_last_round",
)
#: Columns behind the features: how far chance moves a sum, and how often any card is laid.
NOISE: Final = len(FEATURES)
ERROR: Final = NOISE + 1
COLUMNS: Final = ERROR + 1


def _chances() -> np.ndarray[Any, np.dtype[np.float64]]:
    """Return the chance that a hand holds one of some cards: [unknown cards, of them, hand]."""
    table = np.zeros((MAX_CARDS + 1, 9, HAND_SIZE + 1))
    for unknown in range(MAX_CARDS + 1):
        for wanted in range(9):
            for hand in range(HAND_SIZE + 1):
                if wanted >= unknown:
                    table[unknown, wanted, hand] = wanted > 0 and hand > 0
                elif hand <= unknown:
                    without = comb(unknown - wanted, hand) / comb(unknown, hand)
                    table[unknown, wanted, hand] = 1.0 - without
                else:
                    table[unknown, wanted, hand] = wanted > 0
    return table


#: Hypergeometric odds: `HOLDS[unknown, wanted, hand]`.
HOLDS: Final = _chances()


@inlined
def seen_total(seen: int) -> int:
    """Return how many cards `SeatView.seen` counts."""
    pairs = (seen & 0x0F0F0F0F0F0F0F) + ((seen >> 4) & 0x0F0F0F0F0F0F0F)
    return ((pairs * 0x01010101010101) >> 48) & 255


@inlined
def sums(cards: int, view: SeatView, row: Any, out: Any) -> None:
    """Write the weighted sum of each card in the hand into *out*.

    Args:
        cards: cards in the deck, 52 or 104.
        view: what the seat knows.
        row: `COLUMNS` weights.
        out: room for four numbers.
    """
    copies = cards // 13
    unknown = cards - seen_total(view.seen)
    jacks = copies - seen_of(view.seen, JACK)
    unknown_held = view.next_held - view.next_bottom
    top_rank = -1
    if view.top >= 0:
        top_rank = rank_of(view.top)
    pile = 0.25 * min(view.pile, 12)
    stake = 0.5 * view.stake
    single = view.pile == 1
    empty = view.pile == 0
    last_round = view.left <= view.players
    own = 0
    for place in range(view.held):
        own += 1 << (4 * rank_of(card_at(view.hand, place)))
    own_jacks = seen_of(own, JACK)
    jack_sum = row[4]
    if view.pile:
        jack_sum += row[7] * stake + row[8] * pile + row[14] * jacks
        if single:
            jack_sum += row[6] if top_rank == JACK else row[5]
        if view.pile >= 3:
            jack_sum += row[9]
        if points_of(view.top):
            jack_sum += row[10]
        if view.stake:
            jack_sum += row[11]
        if view.pile >= 7:
            jack_sum += row[12]
        if view.covered:
            jack_sum += row[13]
        if own_jacks > 1:
            jack_sum += row[15]
        if last_round:
            jack_sum += row[16]
    jack_risk = HOLDS[unknown, jacks, unknown_held]
    master = own_jacks > 0 and jacks == 0
    for place in range(view.held):
        card = card_at(view.hand, place)
        rank = rank_of(card)
        if top_rank >= 0 and rank == JACK:
            out[place] = jack_sum
            continue
        if rank == top_rank:
            total = row[0] + row[2] * stake + row[3] * pile
            if single:
                total += row[1]
            out[place] = total
            continue
        points = points_of(card)
        left = copies - seen_of(view.seen, rank)
        risk = HOLDS[unknown, left, unknown_held]
        if view.next_bottom and rank == rank_of(view.bottom):
            risk = 1.0
        total = row[17] * points + row[19] * left + row[27] * (rank / 12)
        total += risk * (row[21] + row[22] * (stake + 0.5 * points) + row[23] * pile)
        total += row[29] * points * jack_risk
        if rank == JACK:
            total += row[18]
        if left == 0:
            total += row[20]
            if master:
                total += row[30]
        if seen_of(own, rank) > 1:
            total += row[25]
            if empty:
                total += row[26]
        if empty:
            total += row[24] * risk + row[28] * points
        if last_round and view.took_last:
            total += row[31] * points
        out[place] = total


@inlined
def heaviest(cards: int, view: SeatView, draw: int, row: Any, out: Any) -> int:
    """Return the place of the card that the player of *row* lays; *out* is room for its sums."""
    if view.held == 1:
        return 0
    sums(cards, view, row, out)
    best = 0
    most = -1e300
    noise = row[NOISE] / 256
    for place in range(view.held):
        total = out[place] + noise * ((draw >> (8 * place)) & 255)
        if total > most:
            most = total
            best = place
    return best


@inlined
def chance_of(cards: int, view: SeatView, card: int, row: Any, out: Any) -> float:
    """Return how likely the player of *row* lays *card*, which is in the hand of *view*."""
    if view.held == 1:
        return 1.0
    sums(cards, view, row, out)
    most = -1e300
    for place in range(view.held):
        most = max(most, out[place])
    total = 0.0
    this = 0.0
    for place in range(view.held):
        part = np.exp(max(out[place] - most, -60.0))
        total += part
        if card_at(view.hand, place) == card:
            this = part
    error = row[ERROR]
    chance: float = (1 - error) * this / total + error / view.held
    return chance
