"""Cards, ranks and suits, with text forms that read back.

A card is written rank + suit (``7S``, ``10D``). Readers also take ``T`` for ten, lower case and
the symbols ``♠♥♦♣``. ``??`` is a card nobody has seen, ``7?`` one of which only the rank is known.
"""

from __future__ import annotations

from enum import Enum
from typing import Final, NoReturn

from engine.errors import CardParseError


class Rank(Enum):
    """A card's rank; the value is its text form. Rank alone decides captures."""

    ACE = "A"
    TWO = "2"
    THREE = "3"
    FOUR = "4"
    FIVE = "5"
    SIX = "6"
    SEVEN = "7"
    EIGHT = "8"
    NINE = "9"
    TEN = "10"
    JACK = "J"
    QUEEN = "Q"
    KING = "K"

    # Members are singletons; identity hashing keeps set and dict look-ups at C speed.
    __hash__ = object.__hash__

    @property
    def index(self) -> int:
        """Position from 0 (Ace) to 12 (King)."""
        return _RANK_INDEX[self]

    def __str__(self) -> str:
        return self.value

    @classmethod
    def parse(cls, text: str) -> Rank:
        """Return the rank written as *text*.

        Raises:
            CardParseError: *text* is not a rank.
        """
        try:
            return _RANK_BY_TEXT[text.strip().upper()]
        except KeyError:
            raise CardParseError("card.rank", text=text) from None


class Suit(Enum):
    """A card's suit; the value is its text form."""

    SPADES = "S"
    HEARTS = "H"
    DIAMONDS = "D"
    CLUBS = "C"

    __hash__ = object.__hash__

    @property
    def index(self) -> int:
        """Position from 0 (spades) to 3 (clubs)."""
        return _SUIT_INDEX[self]

    @property
    def symbol(self) -> str:
        """The suit's sign, one of ``♠♥♦♣``."""
        return "♠♥♦♣"[self.index]

    def __str__(self) -> str:
        return self.value

    @classmethod
    def parse(cls, text: str) -> Suit:
        """Return the suit written as *text* (letter or symbol).

        Raises:
            CardParseError: *text* is not a suit.
        """
        try:
            return _SUIT_BY_TEXT[text.strip().upper()]
        except KeyError:
            raise CardParseError("card.suit", text=text) from None


_RANK_INDEX: Final = {rank: index for index, rank in enumerate(Rank)}
_SUIT_INDEX: Final = {suit: index for index, suit in enumerate(Suit)}
_RANK_BY_TEXT: Final = {rank.value: rank for rank in Rank} | {"T": Rank.TEN}
# A symbol may carry a variation selector (U+FE0E text, U+FE0F emoji).
_SUIT_BY_TEXT: Final = {suit.value: suit for suit in Suit} | {
    suit.symbol + selector: suit for suit in Suit for selector in ("", "\ufe0e", "\ufe0f")
}


class Card:
    """One physical card, or the place of a card that is not (wholly) known.

    Cards are interned: there is exactly one object for each (rank, suit, copy), so equality is
    identity, and comparing or hashing cards costs nothing. Get them from `Card.of`,
    `Card.parse` or `deck`.

    Attributes:
        rank: the rank, or None when unknown.
        suit: the suit, or None when unknown.
        copy: 0, or 1 for the same face in the second deck.
        index: 0 to 51 for a known card (suit by suit, Ace to King), 52 to 103 for its copy in the
            second deck, -1 for a card that is not wholly known.
        known: whether rank and suit are both known.
        is_jack: whether the rank is known to be the Jack.
    """

    __slots__ = ("copy", "index", "is_jack", "known", "rank", "suit")

    rank: Rank | None
    suit: Suit | None
    copy: int
    index: int
    known: bool
    is_jack: bool

    def __init__(self, *_: object) -> None:
        raise TypeError("Cards are interned: use Card.of, Card.parse or deck.")

    @classmethod
    def of(cls, rank: Rank | None, suit: Suit | None, copy: int = 0) -> Card:
        """Return the card of *rank* and *suit*; None stands for unknown.

        Raises:
            CardParseError: a suit without a rank, or a copy that no deck holds.
        """
        try:
            return _CARDS[rank, suit, copy]
        except KeyError:
            raise CardParseError("card.none", rank=rank, suit=suit, copy=copy) from None

    @classmethod
    def parse(cls, text: str) -> Card:
        """Return the card written as *text*: ``7S``, ``10d``, ``TD``, ``q♥``, ``7?`` or ``??``.

        The copy is always 0: a text names a face.

        Raises:
            CardParseError: *text* is not a card.
        """
        try:
            return _CARD_BY_TEXT[text]
        except KeyError:
            pass
        try:
            return _CARD_BY_TEXT[text.strip().upper()]
        except KeyError:
            raise CardParseError("card.card", text=text) from None

    @property
    def face(self) -> Card:
        """The same face in the first deck; what people see and write."""
        return _CARDS[self.rank, self.suit, 0]

    @property
    def symbol(self) -> str:
        """The card with its suit's sign, as shown to people: ``10♦``, ``7?``, ``??``."""
        return f"{self.rank or '?'}{self.suit.symbol if self.suit else '?'}"

    def __str__(self) -> str:
        return f"{self.rank or '?'}{self.suit or '?'}"

    def __repr__(self) -> str:
        if self.copy:
            return f"Card.parse({str(self)!r}).in_deck({self.copy})"
        return f"Card.parse({str(self)!r})"

    def in_deck(self, copy: int) -> Card:
        """Return the same face in deck *copy* (0 or 1)."""
        return Card.of(self.rank, self.suit, copy)

    def may_be(self, other: Card) -> bool:
        """Whether this and *other* may turn out to be the same card; either may be half known."""
        if self.known and other.known:
            return self is other
        return self.rank is None or other.rank is None or self.rank is other.rank

    def copies(self, decks: int) -> tuple[Card, ...]:
        """Return this face in each of *decks* decks."""
        return tuple(_CARDS[self.rank, self.suit, copy] for copy in range(decks))

    def __lt__(self, other: Card) -> bool:
        """Order by suit, then rank, then copy; cards not known come first."""
        return self._key < other._key

    @property
    def _key(self) -> tuple[int, int, int]:
        return (
            self.suit.index if self.suit else -1,
            self.rank.index if self.rank else -1,
            self.copy,
        )

    def __setattr__(self, name: str, value: object) -> NoReturn:
        raise AttributeError(f"Card.{name} cannot be changed")

    def __copy__(self) -> Card:
        return self

    def __deepcopy__(self, _memo: object) -> Card:
        return self

    def __reduce__(self) -> tuple[object, ...]:
        return (Card.of, (self.rank, self.suit, self.copy))


def _make(rank: Rank | None, suit: Suit | None, copy: int) -> Card:
    card = object.__new__(Card)
    known = rank is not None and suit is not None
    values = {
        "rank": rank,
        "suit": suit,
        "copy": copy,
        "known": known,
        "index": copy * 52 + suit.index * 13 + rank.index if rank and suit else -1,
        "is_jack": rank is Rank.JACK,
    }
    for name, value in values.items():
        object.__setattr__(card, name, value)
    return card


_CARDS: Final = {
    (rank, suit, copy): _make(rank, suit, copy)
    for copy in (0, 1)
    for suit in (*Suit, None)
    for rank in (*Rank, None)
    if (rank or not suit) and (copy == 0 or (rank and suit))
}
_CARD_BY_TEXT: Final = {
    rank_text + suit_text: _CARDS[rank, suit, 0]
    for rank_text, rank in [*_RANK_BY_TEXT.items(), ("?", None)]
    for suit_text, suit in [*_SUIT_BY_TEXT.items(), ("?", None)]
    if rank or not suit
}

#: A card of which nothing is known.
UNKNOWN: Final = _CARDS[None, None, 0]

#: The two cards that count by rank and suit.
TWO_OF_CLUBS: Final = _CARDS[Rank.TWO, Suit.CLUBS, 0]
TEN_OF_DIAMONDS: Final = _CARDS[Rank.TEN, Suit.DIAMONDS, 0]

_DECKS: Final = tuple(
    tuple(_CARDS[rank, suit, copy] for suit in Suit for rank in Rank) for copy in (0, 1)
)


def deck(decks: int = 1) -> tuple[Card, ...]:
    """Return the 52 or 104 cards of *decks* decks, in the order of `Card.index`."""
    return sum(_DECKS[:decks], ())


def parse_cards(text: str) -> tuple[Card, ...]:
    """Return the cards in *text*, separated by spaces or commas.

    Raises:
        CardParseError: a part of *text* is not a card.
    """
    return tuple(Card.parse(part) for part in text.replace(",", " ").split())
