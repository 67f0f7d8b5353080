"""Positions: shuffled, dealt from an order, or taken over from a `Deal`."""

from __future__ import annotations

from collections.abc import Iterable, Sequence
from typing import Any

import numpy as np
import numpy.typing as npt

from engine.bonus import is_double
from engine.cards import Card
from engine.deal import Deal
from engine.kernel.compiling import compiled, inlined
from engine.kernel.layout import (
    DOUBLES,
    JACK,
    PISTIS,
    RANKS,
    STATE,
    TALLIES,
    Rules,
    States,
    pack_hand,
    whole,
)
from engine.rules import HAND_SIZE, RuleSet

# Random numbers are numbered, not drawn one after the other: number *count* of a deal is its key
# plus *count* steps, mixed (the generator SplitMix64). Numbers up to 127 belong to the plays,
# by the plays left; the shuffle takes those above.
_STEP = np.uint64(0x9E3779B97F4A7C15)
_SHUFFLE_FROM = 128


@inlined
def _mix(number: Any) -> Any:
    number = (number ^ (number >> np.uint64(30))) * np.uint64(0xBF58476D1CE4E5B9)
    number = (number ^ (number >> np.uint64(27))) * np.uint64(0x94D049BB133111EB)
    return number ^ (number >> np.uint64(31))


@inlined
def draw_at(key: Any, count: Any) -> Any:
    """Return the random 64 bits that stand at *count* from *key*."""
    return _mix(key + np.uint64(count) * _STEP)


@compiled
def set_keys(states: States, seed: Any, start: int) -> None:
    """Give the states the random numbers of deals *start* and following under *seed*."""
    for at in range(len(states)):
        states[at].key = draw_at(_mix(seed), start + at)


@inlined
def _shuffle(rules: Rules, state: Any, count: int) -> int:
    """Put the deck of *state* in random order, with draws from *count* on; return the next.

    Where the bottom card is shown it is not a Jack: it is drawn first, and again if it is one.
    Drawing two places from 64 bits leaves a bias below 2**-25, far under what play-outs resolve.
    """
    cards = state.cards
    for card in range(rules.cards):
        cards[card] = card
    last = rules.cards - 1
    if rules.bottom_shown:
        while True:
            place = whole(draw_at(state.key, count) >> np.uint64(32)) * rules.cards >> 32
            count += 1
            if RANKS[place] != JACK:
                break
        cards[place], cards[last] = cards[last], cards[place]
        last -= 1
    while last > 0:
        bits = draw_at(state.key, count)
        count += 1
        place = whole(bits >> np.uint64(32)) * (last + 1) >> 32
        cards[place], cards[last] = cards[last], cards[place]
        last -= 1
        # With one card left this swaps it with itself.
        place = whole(bits & np.uint64(0xFFFFFFFF)) * (last + 1) >> 32
        cards[place], cards[last] = cards[last], cards[place]
        last -= 1
    return count


@inlined
def _begin(rules: Rules, state: Any) -> bool:
    """Deal from the deck of *state*; return False where the centre is all Jacks."""
    cards = state.cards
    # Whether a Jack turned up stays there, is put inside the pile or under it: the first other
    # card ends on top, and everyone has seen the Jacks and that card.
    up_from = rules.centre - 1
    while RANKS[cards[up_from]] == JACK:
        if not up_from:
            return False
        up_from -= 1
    state.seen = 0
    state.hidden = 0
    state.pile = 0
    state.covered = 0
    for at in range(rules.centre):
        card = cards[at]
        state.pile += TALLIES[card]
        if at < up_from:
            state.covered += TALLIES[card]
            state.hidden += 1 << (4 * RANKS[card])
        else:
            state.seen += 1 << (4 * RANKS[card])
    state.bottom = -1
    if rules.bottom_shown:
        state.bottom = cards[rules.cards - 1]
        state.seen += 1 << (4 * RANKS[state.bottom])
    for side in range(rules.sides):
        state.taken[side] = 0
        state.bonus[side] = 0
    seat = whole(state.dealer)
    at = rules.centre
    for _ in range(rules.players):
        seat = seat + 1 if seat + 1 < rules.players else 0
        state.hands[seat] = hand_from(cards, at)
        at += HAND_SIZE
    state.left = rules.plays
    state.held = HAND_SIZE
    state.turn = state.dealer + 1 if state.dealer + 1 < rules.players else 0
    state.round = rules.players
    state.top = cards[up_from]
    state.last = -1
    state.first = -1
    return True


@inlined
def hand_from(cards: Any, at: int) -> int:
    """Return the packet of four that starts at *at*, as a hand."""
    return whole(cards[at] | cards[at + 1] << 8 | cards[at + 2] << 16 | cards[at + 3] << 24)


@compiled
def shuffle_states(rules: Rules, states: States, dealers: npt.NDArray[np.int8]) -> None:
    """Shuffle and deal every state, by its key, for the dealer in *dealers*.

    As in `Deal.shuffled`, a shown bottom card is not a Jack, and a centre all of Jacks is dealt
    again.
    """
    for at in range(len(states)):
        state = states[at]
        state.dealer = dealers[at]
        count = _shuffle(rules, state, _SHUFFLE_FROM)
        while not _begin(rules, state):
            count = _shuffle(rules, state, count)


@compiled
def _begin_states(rules: Rules, states: States) -> int:
    """Deal every state from its deck; return the first that cannot be dealt, else -1."""
    for at in range(len(states)):
        if not _begin(rules, states[at]):
            return at
    return -1


def from_orders(
    rules: RuleSet, orders: Iterable[Iterable[Card | int]], dealers: npt.ArrayLike = 0
) -> States:
    """Deal from decks in the given orders, as `Deal.from_order` does.

    Args:
        rules: the rule set.
        orders: for each deal the whole deck, first card first, as cards or as `Card.index`.
        dealers: the dealer's seat in each deal, or in all.

    Raises:
        ValueError: an order is not the whole deck, or turns up nothing but Jacks in the centre.
    """
    decks = np.array([[_index(card) for card in order] for order in orders], np.int64)
    whole = np.arange(rules.cards)
    if decks.shape[1:] != whole.shape or not (np.sort(decks, axis=1) == whole).all():
        raise ValueError(f"Every order must hold each of the {rules.cards} cards exactly once.")
    states = np.zeros(len(decks), STATE)
    states["cards"][:, : rules.cards] = decks
    states["dealer"] = seats_of(rules, dealers, len(states))
    failed = _begin_states(Rules.of(rules), states)
    if failed >= 0:
        raise ValueError(f"Order {failed} puts nothing but Jacks in the centre; deal again.")
    return states


def seats_of(rules: RuleSet, seats: npt.ArrayLike, count: int) -> npt.NDArray[np.int8]:
    """Return *seats*, one for all or one for each of *count* deals, as an array.

    Raises:
        ValueError: a seat that the rule set does not have.
    """
    array = np.broadcast_to(np.asarray(seats, np.int64), count)
    if np.any((array < 0) | (array >= rules.players)):
        raise ValueError(f"Seats run from 0 to {rules.players - 1}.")
    return array.astype(np.int8)


def from_deal(deal: Deal) -> States:
    """Return *deal* as it stands, as an array of one state; `numpy.repeat` multiplies it.

    Raises:
        ValueError: a card is not known, or a claimed pişti waits for its answer.
    """
    rules = deal.rules
    order = [*deal.setup.centre]
    for hands in deal.setup.dealt:
        for step in range(1, rules.players + 1):
            order += hands[(deal.dealer + step) % rules.players]
    order += deal.setup.undealt
    played = [play.card for play in deal.history]
    table_and_hands = [*deal.pile, *(card for hand in deal.hands for card in hand)]
    if not all(card.known for card in (*order, *played, *table_and_hands)):
        raise ValueError("The kernel plays deals of which every card is known.")
    if deal.claimed is not None:
        raise ValueError("A claimed pişti must be answered before the kernel can play on.")
    up_from = len(deal.setup.centre) - deal.setup.centre_up
    covered = [card for card in deal.setup.centre[:up_from] if card not in deal.setup.buried]
    seen = [card for card in deal.setup.centre if card not in covered]
    seen += [card for card in played if card is not deal.setup.bottom]
    seen += [deal.setup.bottom] if deal.setup.bottom else []
    captures = [play for play in deal.history if play.captured]
    round_done = len(played) % rules.players
    states = np.zeros(1, STATE)
    state = states[0]
    state["seen"] = _ranks(seen)
    state["hidden"] = _ranks(covered)
    state["pile"] = _tally(deal.pile)
    state["covered"] = 0 if captures or deal.swept_by is not None else _tally(covered)
    for side, piles in enumerate(deal.taken):
        state["taken"][side] = sum(map(_tally, piles))
    for play in deal.history:
        if play.bonus:
            double = is_double(rules, play)
            counted = play.bonus + (1 << (DOUBLES if double else PISTIS))
            state["bonus"][rules.side_of(play.seat)] += counted
        if play.penalty:
            state["bonus"][rules.side_of(play.seat - 1)] += play.penalty
    for seat, hand in enumerate(deal.hands):
        state["hands"][seat] = pack_hand(hand)
    state["left"] = rules.plays - len(played)
    state["held"] = max(map(len, deal.hands))
    state["turn"] = deal.turn
    state["round"] = rules.players - round_done
    state["dealer"] = deal.dealer
    state["top"] = deal.pile[-1].index if deal.pile else -1
    state["bottom"] = deal.setup.bottom.index if deal.setup.bottom else -1
    state["last"] = -1 if deal.last_capturer is None else deal.last_capturer
    state["first"] = rules.side_of(captures[0].seat) if captures else -1
    state["cards"][: rules.cards] = [card.index for card in order]
    return states


def _index(card: Card | int) -> int:
    return card.index if isinstance(card, Card) else card


def _ranks(cards: Sequence[Card]) -> int:
    """Return how many *cards* there are of each rank, four bits a rank."""
    return sum(1 << (4 * card.rank.index) for card in cards if card.rank)


def _tally(cards: Sequence[Card]) -> int:
    return sum(_TALLY_OF[card.index] for card in cards)


_TALLY_OF = TALLIES.tolist()
