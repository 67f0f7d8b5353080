"""The rules of thumb as players of a game in progress: from a view to a card."""

from __future__ import annotations

from collections.abc import Callable
from functools import cache
from random import Random
from typing import Any

from advisor.policies.thumb import NAMES, thumb
from advisor.search.knowledge import position_of
from advisor.search.worlds import Position, place_of
from engine import Card, View, deck
from engine.kernel.compiling import compiled
from engine.kernel.layout import Rules, whole
from engine.kernel.stepping import push, view_of


def _choose(rules: Rules, position: Position, which: int, draw: int, scratch: Any) -> int:
    """Return the card, as `Card.index`, that the rule of thumb plays in *position*."""
    scratch[0] = position.start[0]
    state = scratch[0]
    for card in position.plays:
        held = whole(state.held)
        push(rules, state, place_of(whole(state.hands[state.turn]), held, card))
    view = view_of(rules, state)
    return (view.hand >> (8 * thumb(which, view, draw))) & 255


@cache
def _machine_code() -> Callable[..., int]:
    return compiled(_choose, parts=(thumb, place_of, push))


def choose(name: str, view: View, rng: Random) -> Card:
    """Return the card that the rule of thumb *name* plays for the seat of *view*.

    Raises:
        ValueError: there is no such rule of thumb.
    """
    position = position_of(view)
    draw = rng.getrandbits(32)
    scratch = position.start.copy()
    card = _machine_code()(Rules.of(view.rules), position, NAMES.index(name), draw, scratch)
    return deck(2)[card].face
