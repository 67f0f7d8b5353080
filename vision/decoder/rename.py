"""Changing one's mind: an earlier play was another card, since its card shows only now.

Of two cards that look alike the first is easily taken for the second. When the second then shows
clearly, the games in which its name is still free may be long forgotten; so they are made again
from those that are left, with the earlier play named anew and judged anew.
"""

from __future__ import annotations

import math
from collections.abc import Collection, Iterator
from typing import Final

from vision.decoder.evidence import Evidence
from vision.decoder.steps import JACK, NO_CARD, RANKS, Hypothesis, Step, piles, plays_in, steps_of

#: Another name is tried for an earlier play when its frames spoke for it this much.
_TRY_ABOVE: Final = math.log(0.06)
#: So many other names are tried at most.
_MOST: Final = 4


def renamed(
    hypothesis: Hypothesis,
    card: int,
    look: int,
    evidence: Evidence,
    fixed: Collection[int] = (),
) -> Iterator[Hypothesis]:
    """Yield *hypothesis* with the play of *card* in this deal taken for another card.

    Args:
        hypothesis: a game in which *card* was played already.
        card: the card that shows now.
        look: the look that shows it.
        evidence: of the looks.
        fixed: plays of this deal, by number, that a person has named.
    """
    steps = steps_of(hypothesis.last)
    place = next((at for at, step in enumerate(steps) if step.card == card), None)
    if place is None or (place == 0 and len(steps) > 1 and steps[0].card % RANKS == JACK):
        return
    if place - (len(steps) - plays_in(hypothesis)) in fixed:
        return
    shown = evidence.played(steps[place].look)
    others = sorted(
        (other for other, evident in enumerate(shown)
         if evident > _TRY_ABOVE and not hypothesis.seen >> other & 1),
        key=lambda other: -shown[other],
    )  # fmt: skip
    before = piles(steps, [step.card for step in steps])
    for other in others[:_MOST]:
        cards = [step.card for step in steps]
        cards[place] = other
        after = piles(steps, cards)
        if [taken for _, _, taken in after] != [taken for _, _, taken in before]:
            continue
        change = shown[other] - shown[card]
        for at in range(place, len(steps)):
            pile, top, taken = before[at]
            if not pile >> card & 1:
                break
            end = steps[at + 1].begin if at + 1 < len(steps) else look
            named, new_top, _ = after[at]
            for number in range(steps[at].look, end):
                lying = evidence.of_pile(number, pile, top)
                swept = evidence.of_pile(number, 0, NO_CARD) if taken else -math.inf
                # Where the pile may be swept away already, the other name changes nothing.
                if lying >= swept:
                    change += evidence.of_pile(number, named, new_top) - lying
        last: Step | None = None
        for new, step in zip(cards, steps, strict=True):
            last = Step(new, step.look, last, step.laid)
        pile, top = hypothesis.pile, hypothesis.top
        if pile >> card & 1:
            pile = pile & ~(1 << card) | 1 << other
            top = other if top == card else top
        yield hypothesis._replace(
            score=hypothesis.score + change,
            top=top,
            pile=pile,
            seen=hypothesis.seen & ~(1 << card) | 1 << other,
            last=last,
        )
