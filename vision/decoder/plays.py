"""What a game becomes when a card is turned up, played, or laid face down to claim a pişti."""

from __future__ import annotations

from collections.abc import Collection, Iterable

from engine.rules import RuleSet
from vision.decoder.steps import BACK, DECK, NO_CARD, Hypothesis, Step, matches


def known_game(
    rules: RuleSet,
    up: Iterable[tuple[int, int]],
    plays: Iterable[tuple[int, int]],
    claims: Collection[int] = (),
) -> Hypothesis:
    """Return the game in which just these cards were turned up and played, to search on from.

    Args:
        rules: the rule set.
        up: the card turned up in the centre, those after a Jack behind it, each with the
            number of its look; -1 for a card that nobody saw.
        plays: the cards played, likewise.
        claims: the numbers of those that were laid face down as a pişti; of a card that is known it
            was challenged.
    """
    game = Hypothesis(0.0, NO_CARD, 0, False, 0, -1, None, ())
    covers = rules.jack_on_centre == "turn_next"
    for at, (card, look) in enumerate(up):
        if card == NO_CARD:
            game = game._replace(plays=0, last=Step(card, look, game.last))
        elif at:
            game = turned_next(game, card, look, 0.0, covers)
        else:
            game = turned_up(game, card, look, 0.0)
    for number, (card, look) in enumerate(plays):
        if number in claims:
            game = claimed(game, look, 0.0)
            game = answered(game, card, look, 0.0, rules.plays)
        elif card == NO_CARD:
            step = Step(card, look, game.last)
            game = game._replace(top=card, taken=False, plays=game.plays + 1, last=step)
        else:
            game = with_play(game, card, look, 0.0, rules.plays)
    return game


def turned_up(hypothesis: Hypothesis, card: int, look: int, score: float) -> Hypothesis:
    """Return the deal that begins with *card* turned up in the centre."""
    deals = hypothesis.deals
    if hypothesis.last is not None:
        deals = (*deals, hypothesis.last)
    bit = 1 << card
    step = Step(card, look, None)
    return Hypothesis(score, card, bit, False, bit, 0, step, deals, False, hypothesis.cut)


def turned_next(
    hypothesis: Hypothesis, card: int, look: int, score: float, covers: bool
) -> Hypothesis:
    """Return the deal in which *card* was turned up after a Jack.

    The Jack is covered where the rules say so, else it goes back into the pile, face down.
    """
    bit = 1 << card
    step = Step(card, look, hypothesis.last)
    pile = hypothesis.pile | bit if covers else bit
    return hypothesis._replace(
        score=score, top=card, pile=pile, seen=hypothesis.seen | bit, last=step
    )


def with_play(hypothesis: Hypothesis, card: int, look: int, score: float, plays: int) -> Hypothesis:
    """Return the game after *card* was played; *plays* end the deal."""
    _, top, pile, taken, seen, count, last, deals, _, cut, first = hypothesis
    if taken:
        # What was captured has been swept away by now: the new card lies alone.
        top, pile = NO_CARD, 0
    takes = top != NO_CARD and matches(card, top, claimed=False)
    # After the last play, whoever captured last takes the rest.
    taken = takes or count + 1 == plays
    step = Step(card, look, last)
    return Hypothesis(
        score, card, pile | 1 << card, taken, _with_seen(seen, card), count + 1, step, deals, taken,
        cut, first,
    )  # fmt: skip


def claimed(hypothesis: Hypothesis, look: int, score: float) -> Hypothesis:
    """Return the game after a card was laid face down on the single one; its claim waits."""
    step = Step(NO_CARD, look, hypothesis.last, look)
    plays = hypothesis.plays + 1
    return hypothesis._replace(score=score, top=BACK, plays=plays, last=step, swept=False)


def answered(hypothesis: Hypothesis, card: int, look: int, score: float, plays: int) -> Hypothesis:
    """Return the game after the claim that waits was answered.

    Args:
        hypothesis: a game in which one waits.
        card: the card as it was turned up; `NO_CARD` where the claim was accepted.
        look: the look at which it was turned up, or both cards were taken.
        score: of the game.
        plays: how many end the deal.
    """
    _, _, pile, _, seen, count, waiting, deals, _, cut, first = hypothesis
    assert waiting is not None
    step = Step(card, look, waiting.before, waiting.laid)
    if card == NO_CARD:
        return Hypothesis(score, NO_CARD, 0, False, seen, count, step, deals, False, cut, first)
    single = pile.bit_length() - 1
    taken = matches(card, single, claimed=True) or count == plays
    return Hypothesis(
        score, card, pile | 1 << card, taken, _with_seen(seen, card), count, step, deals, taken,
        cut, first,
    )  # fmt: skip


def _with_seen(seen: int, card: int) -> int:
    """Return the bit mask of cards that have shown with *card*, or its second copy, in it."""
    bit = 1 << card
    return seen | bit | (bit << DECK if seen & bit else 0)
