"""What is to be said of a scored recording beside its score sheet."""

from __future__ import annotations

from collections.abc import Iterator
from typing import Final

from advisor.messages import Catalogue
from advisor.scorer import Scored
from advisor.sheet import clock, seat_name

#: How the number of players is known, where nobody said it.
_COUNTED: Final = {
    "recording": "score.players_from_recording",
    "rules": "score.players_from_rules",
}
#: How the first dealer is known.
_DEALT: Final = {"given": "score.dealer_given", "assumed": "score.dealer_assumed"}


def remarks(scored: Scored, words: Catalogue) -> Iterator[str]:
    """Yield sentences about *scored*: who plays and who dealt, and where the view was lost."""
    if scored.lost is not None:
        yield words.text("score.view_lost", time=clock(scored.lost, words))
    if key := _COUNTED.get(scored.told_players):
        yield words.text(key, players=scored.record.rules.players)
    if scored.record.deals:
        names, players = scored.record.names, scored.record.rules.players
        dealer = scored.record.deals[0].dealer
        first = seat_name((dealer + 1) % players, names, words)
        key = _DEALT[scored.told_dealer]
        yield words.text(key, dealer=seat_name(dealer, names, words), first=first)
