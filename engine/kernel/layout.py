"""How the kernel holds cards, rules, positions and scores: as small whole numbers.

Everything that the compiled code reads or writes is laid out here and nowhere else;
docs/kernel.md explains it with an example.
"""

from __future__ import annotations

from collections.abc import Callable
from typing import Any, Final, NamedTuple, cast

import numpy as np
import numpy.typing as npt

from engine.bonus import PISTI
from engine.cards import TEN_OF_DIAMONDS, TWO_OF_CLUBS, Card, Rank, deck
from engine.rules import HAND_SIZE, MAX_CARDS, MAX_PLAYERS, RuleSet
from engine.scoring import CARD_POINTS

JACK: Final = Rank.JACK.index

# A tally counts a heap of cards in one whole number, so that one addition adds a card to it: the
# lowest seven bits count its cards, the fields above them its aces, Jacks, 2♣ and 10♦.
ACES: Final = 7
JACKS: Final = 11
TWOS: Final = 15
TENS: Final = 17
CARDS_MASK: Final = 127
FOUR_BITS: Final = 15
TWO_BITS: Final = 3

# The pişti points of a side, likewise: the points below, then its piştis, then its double ones.
PISTIS: Final = 16
DOUBLES: Final = 24
BONUS_MASK: Final = (1 << PISTIS) - 1
COUNT_MASK: Final = 255


def _tally_of(card: Card) -> int:
    return (
        1
        + ((card.rank is Rank.ACE) << ACES)
        + (card.is_jack << JACKS)
        + ((card.face is TWO_OF_CLUBS) << TWOS)
        + ((card.face is TEN_OF_DIAMONDS) << TENS)
    )


#: By `Card.index`: the rank's index, the tally of that one card, its points, whether it is a 10♦.
RANKS: Final = np.array([card.rank.index for card in deck(2) if card.rank], np.int64)
TALLIES: Final = np.array([_tally_of(card) for card in deck(2)], np.int64)
POINTS: Final = np.array([CARD_POINTS.get(card, 0) for card in deck(2)], np.int64)
IS_TEN_OF_DIAMONDS: Final = np.array([card.face is TEN_OF_DIAMONDS for card in deck(2)])

#: A position in a deal. Cards are `Card.index`, sides and seats are numbers, -1 is none.
STATE: Final = np.dtype(
    [
        # Where the random numbers of this deal start.
        ("key", np.uint64),
        # Cards of each rank that all players have seen, four bits a rank: those turned up in the
        # centre, a shown bottom card, and every play.
        ("seen", np.int64),
        # Cards of each rank that lie, or lay, face down in the centre.
        ("hidden", np.int64),
        # Tallies: the table, the part of it that nobody has seen, and what each side captured.
        ("pile", np.int32),
        ("covered", np.int32),
        ("taken", np.int32, (MAX_PLAYERS,)),
        # Pişti points of each side, with the numbers of piştis.
        ("bonus", np.int32, (MAX_PLAYERS,)),
        # The hand of each seat: one card a byte, the first in the lowest.
        ("hands", np.uint32, (MAX_PLAYERS,)),
        # Plays left in the deal, and cards in the hand on turn.
        ("left", np.int8),
        ("held", np.int8),
        # The seat on turn, and how many seats, itself included, play until all hands are equal.
        ("turn", np.int8),
        ("round", np.int8),
        ("dealer", np.int8),
        # The card on top of the table, and the shown bottom card.
        ("top", np.int8),
        ("bottom", np.int8),
        # The sides that captured last and first.
        ("last", np.int8),
        ("first", np.int8),
        # The deck as dealt: the centre, then the packets of four from the dealer's right on.
        ("cards", np.int8, (MAX_CARDS,)),
    ],
    align=True,
)

#: What one side scores in one deal: the fields of `SideScore`, and their sum as `points`.
SCORE: Final = np.dtype(
    [
        ("cards", np.int8),
        ("aces", np.int8),
        ("jacks", np.int8),
        ("two_of_clubs", np.int8),
        ("ten_of_diamonds", np.int8),
        ("pistis", np.int8),
        ("double_pistis", np.int8),
        ("bonus", np.int16),
        # A rule set may put more on the majority than 16 bits hold.
        ("majority", np.int32),
        ("points", np.int32),
    ],
    align=True,
)

#: Numba's 64-bit whole number, which is an int to its callers.
whole: Final = cast(Callable[[Any], int], np.int64)

States = npt.NDArray[Any]
Scores = npt.NDArray[Any]
Plays = npt.NDArray[np.int8]

#: Values of `Rules.centre_seen_by`.
FIRST_CAPTURER: Final = 0
ALL: Final = 1
NOBODY: Final = 2


class Rules(NamedTuple):
    """What the compiled code needs of a rule set, as whole numbers.

    `first_play_pisti` is missing: the first play meets the whole centre, so no score depends on
    it. Of the bluff variant nothing is here: the kernel never lays a card face down.
    """

    players: int
    sides: int
    cards: int
    centre: int
    plays: int
    bottom_shown: int
    centre_seen_by: int
    last_play_pisti: int
    #: Points and count, as in `STATE`'s bonus, of each way to capture a single card.
    pisti: int
    double_pisti: int
    jack_on_single: int
    ten_of_diamonds_bonus: int
    majority_points: int
    dealer_takes: int

    @classmethod
    def of(cls, rules: RuleSet) -> Rules:
        """Return *rules* as the compiled code reads them."""
        return cls(
            players=rules.players,
            sides=rules.sides,
            cards=rules.cards,
            centre=rules.centre_size,
            plays=rules.plays,
            bottom_shown=int(rules.bottom_card == "shown"),
            centre_seen_by=("first_capturer", "all", "nobody").index(rules.centre_seen_by),
            last_play_pisti=int(rules.last_play_pisti),
            pisti=_bonus(PISTI),
            double_pisti=_bonus(max(rules.double_pisti, rules.jack_on_single)),
            jack_on_single=_bonus(rules.jack_on_single),
            ten_of_diamonds_bonus=rules.ten_of_diamonds_bonus,
            majority_points=rules.majority_points,
            dealer_takes=int(rules.no_capture_at_all == "dealer"),
        )


def _bonus(points: int) -> int:
    if not points:
        return 0
    return points + (1 << (DOUBLES if points > PISTI else PISTIS))


def pack_hand(cards: list[Card]) -> int:
    """Return *cards*, up to four, as one whole number: the first in the lowest byte."""
    assert len(cards) <= HAND_SIZE
    return sum(card.index << (8 * at) for at, card in enumerate(cards))
