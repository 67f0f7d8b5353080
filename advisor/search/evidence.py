"""How likely each player of the pool made the plays that were seen with all cards open."""

from __future__ import annotations

from collections.abc import Callable
from dataclasses import replace
from functools import cache
from typing import Any

import numpy as np
import numpy.typing as npt

from advisor.policies.linear import chance_of
from advisor.search.knowledge import position_of
from advisor.search.worlds import fill, place_of
from engine import View
from engine.kernel.compiling import compiled, inlined
from engine.kernel.layout import Rules, whole
from engine.kernel.stepping import push, view_of
from engine.rules import HAND_SIZE

Floats = npt.NDArray[np.float64]


@inlined
def add_evidence(
    rules: Rules, start: Any, plays: Any, rows: Any, evidence: Any, scratch: Any
) -> None:
    """Add to *evidence* (seat × row) the log of each row's chance to make the plays of a hand deal.

    Args:
        rules: the rule set.
        start: one state at the hand deal's start, all hands right.
        plays: the cards played, all of the hand deal.
        rows: weights, one player a row.
        evidence: added to.
        scratch: room for one state.
    """
    sums = np.empty(HAND_SIZE)
    scratch[0] = start[0]
    state = scratch[0]
    for at in range(HAND_SIZE * rules.players):
        turn = whole(state.turn)
        view = view_of(rules, state)
        for row in range(len(rows)):
            chance = chance_of(rules.cards, view, plays[at], rows[row], sums)
            evidence[turn, row] += np.log(chance)
        push(rules, state, place_of(view.hand, view.held, plays[at]))


def _add(rules: Rules, start: Any, plays: Any, rows: Any, evidence: Any, scratch: Any) -> None:
    add_evidence(rules, start, plays, rows, evidence, scratch)


@cache
def _machine_code() -> Callable[..., None]:
    return compiled(_add, parts=(chance_of, fill, push))


def evidence_in(view: View, rows: Floats) -> Floats:
    """Return the log of each row's chance (seat × row) to make the plays of *view*.

    Hand deals that are over count, in which every card played was seen; those with a claim do not.
    """
    rules = view.rules
    evidence = np.zeros((rules.players, len(rows)))
    size = HAND_SIZE * rules.players
    first = (view.dealer + 1) % rules.players
    # What is still unseen now may lie in the centre; once the deal is over, nothing else does.
    unseen = view.unseen.elements()
    centre = tuple(card if card.known else next(unseen) for card in view.centre)
    for begun in range(0, len(view.plays) // size * size, size):
        plays = view.plays[begun : begun + size]
        if any(play.claim or not play.card.known for play in plays):
            continue
        own = [
            play.card for at, play in enumerate(plays) if (first + at) % rules.players == view.seat
        ]
        before = replace(
            view,
            centre=centre,
            plays=view.plays[:begun],
            hand=tuple(sorted(own)),
            claim_waits=False,
            claimed=None,
        )
        position = position_of(before)
        if len(position.plays) or int(position.start["held"][0]) != HAND_SIZE:
            continue
        hands: list[list[int]] = [[] for _ in range(rules.players)]
        named = before.deal()
        for play in plays:
            card = named.find(play.card)
            hands[named.turn].append(card.index)
            named.push(card)
        for seat, cards in enumerate(hands):
            position.start["hands"][0][seat] = sum(card << 8 * at for at, card in enumerate(cards))
        laid = [hands[(first + at) % rules.players][at // rules.players] for at in range(size)]
        order = np.array(laid, np.int64)
        scratch = position.start.copy()
        _machine_code()(Rules.of(rules), position.start, order, rows, evidence, scratch)
    return evidence
