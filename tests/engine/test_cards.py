"""Cards, ranks and suits: every text form, over the whole domain."""

import copy
import itertools
import pickle

import pytest

from engine import UNKNOWN, Card, CardParseError, Rank, Suit, deck, parse_cards

ALL_CARDS = [
    *deck(2),
    UNKNOWN,
    *(Card.of(rank, None) for rank in Rank),
]
RANKS = ["A", "2", "3", "4", "5", "6", "7", "8", "9", "10", "J", "Q", "K"]


def test_a_deck_holds_each_rank_and_suit_once():
    assert [str(card) for card in deck()] == [rank + suit for suit in "SHDC" for rank in RANKS]


def test_two_decks_hold_each_face_twice_as_different_cards():
    both = deck(2)
    assert len(set(both)) == 104
    for first, second in zip(both[:52], both[52:], strict=True):
        assert first != second
        assert str(first) == str(second)
        assert second.face is first
        assert (first.copy, second.copy) == (0, 1)
        assert first.copies(2) == (first, second) == second.copies(2)
        assert first.in_deck(1) is second


def test_the_index_of_a_card_is_its_place_in_two_decks():
    assert [card.index for card in deck(2)] == list(range(104))
    assert UNKNOWN.index == Card.parse("7?").index == -1


@pytest.mark.parametrize("card", ALL_CARDS, ids=repr)
def test_text_reads_back_to_the_face(card):
    assert Card.parse(str(card)) is card.face
    assert Card.parse(card.symbol) is card.face


@pytest.mark.parametrize("card", ALL_CARDS, ids=repr)
def test_repr_is_the_call_that_makes_the_card(card):
    assert eval(repr(card), {"Card": Card}) is card


@pytest.mark.parametrize("card", ALL_CARDS, ids=repr)
def test_a_copied_or_pickled_card_is_the_same_object(card):
    assert copy.copy(card) is card
    assert copy.deepcopy([card])[0] is card
    assert pickle.loads(pickle.dumps(card)) is card


def test_readers_take_every_spelling_of_every_card():
    suits = {"S": "sS♠", "H": "hH♥", "D": "dD♦", "C": "cC♣"}
    count = 0
    for rank, (letter, spellings) in itertools.product(RANKS, suits.items()):
        ranks = {rank, rank.lower()} | ({"T", "t"} if rank == "10" else set())
        for written, suit, selector in itertools.product(
            ranks, spellings, ["", "\ufe0e", "\ufe0f"]
        ):
            if selector and suit.isascii():
                continue
            assert str(Card.parse(f" {written}{suit}{selector} ")) == rank + letter
            count += 1
    assert count > 52 * 5


@pytest.mark.parametrize("rank", Rank)
def test_ranks_read_back(rank):
    assert Rank.parse(str(rank)) is rank
    assert Rank.parse(f" {str(rank).lower()} ") is rank
    assert list(Rank)[rank.index] is rank


@pytest.mark.parametrize("suit", Suit)
def test_suits_read_back(suit):
    assert Suit.parse(str(suit)) is suit
    assert Suit.parse(suit.symbol) is suit
    assert Suit.parse(str(suit).lower()) is suit
    assert list(Suit)[suit.index] is suit


def test_t_is_the_ten():
    assert Rank.parse("t") is Rank.TEN


@pytest.mark.parametrize(
    "text",
    ["", "7", "S", "1S", "11S", "7X", "SS", "S7", "7SS", "?S", "JOKER", "7 S", "10", "?", "???"],
)
def test_what_is_not_a_card_is_named(text):
    with pytest.raises(CardParseError) as caught:
        Card.parse(text)
    assert repr(text) in str(caught.value)


@pytest.mark.parametrize(
    ("parse", "text"), [(Rank.parse, "1"), (Rank.parse, "?"), (Suit.parse, "X"), (Suit.parse, "")]
)
def test_what_is_not_a_rank_or_suit_is_named(parse, text):
    with pytest.raises(CardParseError, match="write one of") as caught:
        parse(text)
    assert repr(text) in str(caught.value)


def test_a_suit_without_a_rank_and_a_third_deck_do_not_exist():
    with pytest.raises(CardParseError):
        Card.of(None, Suit.SPADES)
    with pytest.raises(CardParseError):
        Card.of(Rank.ACE, Suit.SPADES, 2)
    with pytest.raises(CardParseError):
        UNKNOWN.in_deck(1)


def test_what_is_known_of_a_card():
    seven = Card.parse("7?")
    assert (seven.rank, seven.suit, seven.known) == (Rank.SEVEN, None, False)
    assert (UNKNOWN.rank, UNKNOWN.suit, UNKNOWN.known) == (None, None, False)
    assert all(card.known for card in deck(2))
    assert [card for card in ALL_CARDS if card.is_jack] == [
        card for card in ALL_CARDS if str(card).startswith("J")
    ]
    assert seven != Card.parse("7S")


def test_cards_cannot_be_made_or_changed_by_hand():
    with pytest.raises(TypeError):
        Card(Rank.ACE, Suit.SPADES, 0)
    with pytest.raises(AttributeError, match="rank"):
        Card.parse("AS").rank = Rank.KING
    assert Card.parse("AS").rank is Rank.ACE


def test_cards_sort_by_suit_then_rank_with_the_unknown_first():
    shuffled = [*reversed(deck()), Card.parse("7?"), UNKNOWN]
    assert sorted(shuffled) == [UNKNOWN, Card.parse("7?"), *deck()]
    first, second = Card.parse("AS").copies(2)
    assert first < second


def test_lists_of_cards_are_separated_by_spaces_or_commas():
    assert parse_cards(" 7S,10d  ??\n7? ") == tuple(map(Card.parse, ["7S", "10D", "??", "7?"]))
    assert parse_cards("") == ()
    with pytest.raises(CardParseError, match="'1S'"):
        parse_cards("7S 1S")
