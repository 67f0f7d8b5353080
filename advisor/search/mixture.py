"""A search in several readings of the cards at once, each with its chance."""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import replace

import numpy as np

from advisor.search.search import Floats, Found, Search


class Mixture:
    """Searches each reading as often as its chance says; works like `Search`.

    Args:
        readings: a search for each reading, with the chance of the reading; the chances add up to
            1. All seats hold and have captured the same numbers of cards in all of them.
    """

    def __init__(self, readings: Sequence[tuple[Search, float]]) -> None:
        self._readings = tuple(readings)

    @property
    def is_over(self) -> bool:
        """Whether the limit is reached; never before a first batch in each reading."""
        return all(search.is_over for search, _ in self._readings)

    def step(self) -> None:
        """Play out one batch, in the reading that is furthest behind its share."""
        going = [each for each in self._readings if not each[0].is_over]
        search, _ = min(going, key=lambda each: each[0].played / each[1])
        search.step()

    def found(self) -> Found:
        """Return what the batches so far found; readings without a batch have no say yet."""
        looked = [(search.found(), chance) for search, chance in self._readings if search.played]
        first, _ = looked[0]
        total = sum(chance for _, chance in looked)
        shares = [chance / total for _, chance in looked]
        # Every reading holds the advised seat's cards in the same order: that of its sorted hand.
        founds = [found for found, _ in looked]
        assert all(found.cards == first.cards for found in founds)

        def mean(name: str) -> Floats:
            every = [getattr(found, name) for found in founds]
            return np.average(every, axis=0, weights=shares)

        errors = [found.stderr for found in founds if found.stderr is not None]
        squares = np.square(shares) @ np.square(errors) if len(errors) == len(founds) else None
        return replace(
            first,
            points=mean("points"),
            stderr=None if squares is None else np.sqrt(squares),
            win=mean("win"),
            captured=mean("captured"),
            pisti=mean("pisti"),
            has_rank=mean("has_rank"),
            worlds=sum(found.worlds for found in founds),
            exact=False,
            for_the_win=any(found.for_the_win for found in founds),
            true_claim=None if first.true_claim is None else float(mean("true_claim")),
        )
