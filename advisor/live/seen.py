"""Cards and deals as the live decoder has them after a look."""

from __future__ import annotations

from dataclasses import dataclass

from engine import Card, Claim


@dataclass(frozen=True, slots=True)
class SeenCard:
    """A card turned up or played, as the decoder has it now.

    Attributes:
        card: the card.
        t: seconds, when it was laid.
        confidence: 0 to 1.
        alternatives: other cards it may have been with their probabilities, likeliest first.
        settled: whether later looks hardly change it any more.
        claim: how it was answered, where it was laid face down to claim a pişti.
    """

    card: Card
    t: float
    confidence: float = 1.0
    alternatives: tuple[tuple[Card, float], ...] = ()
    settled: bool = True
    claim: Claim | None = None


@dataclass(frozen=True, slots=True)
class SeenDeal:
    """A deal as the decoder has it now.

    Attributes:
        turned_up: the cards turned up in the centre.
        plays: the plays.
        confidence: how sure it is that this deal has begun at all, 0 to 1.
    """

    turned_up: tuple[SeenCard, ...] = ()
    plays: tuple[SeenCard, ...] = ()
    confidence: float = 1.0
