"""A recorded game told while it is read: each play once it is settled."""

from __future__ import annotations

from bisect import bisect_left

from engine import Card, RuleSet, deck
from vision.decoder.evidence import Evidence, Weights
from vision.decoder.search import Search
from vision.decoder.steps import Step, steps_of
from vision.table import Closeup, PileWatcher, Survey, clearness

_DECK = deck()
#: Seconds after which a play is taken to be settled: by then later cards have spoken.
_SETTLED = 4.0


class Follower:
    """Follows the first deal of a recording.

    Args:
        rules: the rule set.
        found: what the first look found; its zone is known.
        lag: seconds after which a play is taken to be settled.
    """

    def __init__(self, rules: RuleSet, found: Survey, *, lag: float = _SETTLED) -> None:
        assert found.zone is not None
        self._watcher = PileWatcher(found.zone)
        self._evidence = Evidence((), Weights())
        bottom = None
        if found.bottom is not None and rules.bottom_card == "shown":
            bottom = found.bottom.index
        self._search = Search(rules, self._evidence, beam=40, bottom=bottom)
        self._lag = lag
        self._done = 0

    def take(self, seen: Closeup) -> None:
        """Take in one more close-up."""
        clear = clearness(seen.motion)
        self._evidence.add(self._watcher.look(seen.time, seen.sightings, clear))
        times = self._evidence.times
        final = bisect_left(times, times[-1] - self._evidence.weights.window)
        while self._done < final:
            self._search.advance(self._done)
            self._done += 1

    def settled(self) -> tuple[tuple[Card, ...], tuple[Card, ...]]:
        """Return the cards turned up in the centre, and the plays that are settled so far."""
        best = max(self._search.kept, key=lambda kept: kept.score)
        first: Step | None = best.deals[0] if best.deals else best.last
        steps = steps_of(first)
        if not self._evidence.times:
            return (), ()
        ripe = self._evidence.times[-1] - self._lag
        cards = [_DECK[step.card] for step in steps if self._evidence.times[step.look] <= ripe]
        up = next((at + 1 for at, card in enumerate(cards) if not card.is_jack), len(cards))
        return tuple(cards[:up]), tuple(cards[up:])
