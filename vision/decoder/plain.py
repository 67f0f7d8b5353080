"""Reading a game without its rules: what the decoder is measured against."""

from __future__ import annotations

from collections.abc import Iterable
from typing import Final

from engine import Card, deck
from vision.decoder.looks import Look

#: How surely a card must be read to count.
_SURE: Final = 0.5


def cards_laid(looks: Iterable[Look]) -> list[Card]:
    """Return every card that came to lie on the pile, in the order in which they were first read.

    No card comes twice; nothing else is known of the game.
    """
    laid: dict[Card, None] = {}
    for look in looks:
        for row in look.lying:
            card = int(row.argmax())
            if row[card] >= _SURE:
                laid.setdefault(deck()[card])
    return list(laid)
