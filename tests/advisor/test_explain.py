"""The reasons: each sentence says what is so in the position."""

import json

import pytest

from advisor import Advisor, Limit
from advisor.position import read_position
from engine import Deal, RuleSet, View, parse_cards


def position(plays: str, hand: str, seat: int, centre: str = "?? ?? ?? 7S") -> View:
    return read_position(
        json.dumps(
            {
                "record": {
                    "rules": {"preset": "classic", "players": 2},
                    "deals": [
                        {
                            "dealer": 1,
                            "centre": centre.split(),
                            "bottom": "KD",
                            "plays": plays.split(),
                        }
                    ],
                },
                "seat": seat,
                "hand": hand.split(),
            }
        )
    )[0]


@pytest.mark.parametrize(
    ("plays", "hand", "seat", "sentence"),
    [
        ("7H 4C 10D", "10S 5S 6S", 1, "It takes 3 cards, among them 10♦."),
        ("7H 4C", "4S 5S 6S", 0, "It makes a pişti: 10 points."),
        ("9H 2C 3D 5C", "5S 6S", 0, "It takes 9 cards, among them 2♣."),
        ("7H 4C 5D 6C 8D 8C QD", "JS", 1, "J♠ is the only card in hand."),
    ],
)
def test_the_reason_is_named(plays: str, hand: str, seat: int, sentence: str) -> None:
    why = Advisor().advise(position(plays, hand, seat), Limit(samples=100)).why
    assert sentence in why


def test_one_card_is_no_choice() -> None:
    why = Advisor().advise(position("7H 4C 5D 6C 8D 8C QD", "JS", 1), Limit(samples=100)).why
    assert why == ("J♠ is the only card in hand.",)


def test_a_card_is_not_compared_with_its_twin() -> None:
    why = Advisor().advise(position("7H 4C", "9S 9D 5S", 0), Limit(samples=200)).why
    assert not [line for line in why if "9♠" in line or "9♦" in line]


@pytest.mark.parametrize(
    ("plays", "hand", "seat"),
    [
        ("9D 8C", "10S 2H AC", 0),
        ("AH 6C 4D KS", "QD 3C", 0),
        ("4H 5C", "9S 6H 10H", 0),
        ("KS 4S", "5S 7D 9C", 0),
    ],
)
def test_there_is_a_reason_beside_that_it_is_good(plays: str, hand: str, seat: int) -> None:
    advice = Advisor().advise(position(plays, hand, seat), Limit(samples=200))
    empty = ("about as much", "points more than", "nothing does better")
    assert [line for line in advice.why if not any(words in line for words in empty)]


def test_a_rank_that_is_gone_is_named_safe() -> None:
    deal = Deal.watched(
        RuleSet.classic(players=2), 1, centre=parse_cards("9H 9C 9D 7S"), centre_up=4
    )
    deal.push(parse_cards("7H")[0])
    deal.push(parse_cards("KC")[0])
    deal.push(parse_cards("KH")[0])
    deal.reveal(1, parse_cards("9S 5C AD"))
    advice = Advisor().advise(deal.view(1), Limit(samples=400))
    assert str(advice.best) == "9S"
    assert "Nobody else has another 9, so only a Jack can take it." in advice.why


def test_without_jacks_nobody_else_can_take_it() -> None:
    deal = Deal.watched(
        RuleSet.classic(players=2), 1, centre=parse_cards("9H 9C 9D 7S"), centre_up=4
    )
    for card in parse_cards("7H JD JH JC KH"):
        deal.push(card)
    deal.reveal(1, parse_cards("9S JS"))
    advice = Advisor().advise(deal.view(1), Limit(samples=400))
    assert str(advice.best) == "9S"
    assert "Nobody else has another 9 or a Jack, so nobody else can take it." in advice.why


@pytest.mark.parametrize("language", ["en", "tr", "fr", "pt", "es"])
def test_in_every_language(language: str) -> None:
    view = position("7H 4C", "4S 5S 6S", 0)
    why = Advisor(language).advise(view, Limit(samples=20)).why
    assert 1 <= len(why) <= 3
    assert "10" in why[0]
