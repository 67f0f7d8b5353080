"""Scores of records worked out by hand from the rules."""

from engine.record import read_record, score_to_json

_NOTHING = dict.fromkeys(
    (
        "cards",
        "aces",
        "jacks",
        "two_of_clubs",
        "ten_of_diamonds",
        "pistis",
        "double_pistis",
        "bonus",
        "majority",
        "points",
    ),
    0,
)
#: All cards but the centre's: its face-down cards are then A♠, 2♣ and 10♦.
_WHOLE_DEAL = """
5H 3S 3H JS JH 6S JD 4S 7S 8S 9S QS KS AH 2S 10S 4H 7H 8H 9H QH KH JC AD 2H 10H 4D 7D 8D 9D QD KD
KC AC 2D 10C 4C 7C 8C 9C QC 3D 3C 5D 5C 6H 6D 6C
"""
#: Number of a play, from 1: cards captured, pişti points.
_WHOLE_DEAL_CAPTURES = {
    1: (5, 0),
    3: (2, 10),
    5: (2, 20),
    7: (2, 0),
    23: (16, 0),
    33: (10, 0),
    43: (10, 0),
    45: (2, 10),
    47: (2, 10),
}


def _plays(cards: str, first: int, players: int, captures: dict[int, tuple[int, int]]):
    """The plays of the score form; *captures* by the number of the play."""
    return [
        {
            "seat": (first + number - 1) % players,
            "card": card,
            "captured": captures.get(number, (0, 0))[0],
            "bonus": captures.get(number, (0, 0))[1],
        }
        for number, card in enumerate(cards.split(), 1)
    ]


def _score(record: str) -> dict[str, object]:
    reading = read_record(record)
    assert reading.problems == ()
    return score_to_json(reading.match)


def test_two_players_with_claims_not_complete() -> None:
    score = _score(
        '[Rules "classic players=2 bluff=on"] deal dealer 1 centre ?? ?? ?? / 7S bottom KD plays '
        "7Hx 4C 4D! JH ??!:accepted 2C 9C:challenged 9Dx 10D"
    )
    captures = {1: (5, 0), 3: (2, 10), 5: (2, 10), 8: (3, 0)}
    assert score == {
        "format": "pisti-score/1",
        "deals": [
            {
                "complete": False,
                "exact": False,
                "plays": _plays("7H 4C 4D JH ?? 2C 9C 9D 10D", 0, 2, captures),
                "sides": [
                    # The four cards nobody has seen may hold Aces and Jacks: left out.
                    _NOTHING | {"cards": 9, "jacks": 1, "pistis": 2, "bonus": 20, "points": 1 + 20},
                    # 20 for the bluff that was caught; it is no pişti.
                    _NOTHING | {"cards": 3, "two_of_clubs": 1, "bonus": 20, "points": 2 + 20},
                ],
            }
        ],
        "totals": [21, 22],
        "winner": None,
        "problems": [],
    }


def test_three_players_complete() -> None:
    score = _score(
        '[Rules "classic players=3 target=30"] deal dealer 2 centre ?? ?? ?? / 5S bottom 6C '
        f"plays {_WHOLE_DEAL}"
    )
    assert score == {
        "format": "pisti-score/1",
        "deals": [
            {
                "complete": True,
                "exact": True,
                "plays": _plays(_WHOLE_DEAL, 0, 3, _WHOLE_DEAL_CAPTURES),
                "sides": [
                    # A♠ 2♣ 10♦ from the centre by elimination, A♣, J♦.
                    _NOTHING
                    | {"cards": 5 + 2 + 10, "aces": 2, "jacks": 1}
                    | {"two_of_clubs": 1, "ten_of_diamonds": 1, "points": 2 + 1 + 2 + 3},
                    # The last capturer: the 6♣ left on the table is theirs.
                    _NOTHING
                    | {"cards": 2 + 16 + 2 + 1, "aces": 1, "jacks": 3, "majority": 3}
                    | {"pistis": 1, "double_pistis": 1, "bonus": 30, "points": 1 + 3 + 3 + 30},
                    _NOTHING
                    | {"cards": 2 + 10 + 2, "aces": 1, "pistis": 2, "bonus": 20, "points": 21},
                ],
            }
        ],
        "totals": [8, 37, 21],
        "winner": 1,
        "problems": [],
    }


def test_four_partners_two_deals_the_second_not_complete() -> None:
    score = _score(
        '[Rules "classic"] deal 1 dealer 3 centre ?? ?? ?? / 5S bottom 6C '
        f"plays {_WHOLE_DEAL} deal 2 centre ?? 9D ?? / QS bottom 4H plays QHx 2D 2?! AH AD!"
    )
    captures = {1: (5, 0), 3: (2, 10), 5: (2, 10)}
    assert score == {
        "format": "pisti-score/1",
        "deals": [
            {
                "complete": True,
                "exact": True,
                "plays": _plays(_WHOLE_DEAL, 0, 4, _WHOLE_DEAL_CAPTURES),
                "sides": [
                    _NOTHING
                    | {"cards": 52, "aces": 4, "jacks": 4, "two_of_clubs": 1, "majority": 3}
                    | {"ten_of_diamonds": 1, "pistis": 3, "double_pistis": 1, "bonus": 50}
                    | {"points": 4 + 4 + 2 + 3 + 50 + 3},
                    _NOTHING,
                ],
            },
            {
                "complete": False,
                "exact": False,
                "plays": _plays("QH 2D 2? AH AD", 1, 4, captures),
                "sides": [
                    _NOTHING,
                    # The 2 of which the suit was not seen may be the 2♣: left out.
                    _NOTHING | {"cards": 9, "aces": 2, "pistis": 2, "bonus": 20, "points": 22},
                ],
            },
        ],
        "totals": [66, 22],
        "winner": None,
        "problems": [],
    }


def test_problems_are_part_of_the_score() -> None:
    reading = read_record('[Rules "players=2"]\ndeal dealer 1 centre ?? ?? ?? / 7S\nplays 7H 7H')
    assert score_to_json(reading.match, reading.problems)["problems"] == [
        {
            "line": 3,
            "column": 10,
            "message": "7H lies elsewhere in this deal; a card cannot be in two places.",
        }
    ]


def test_no_deals() -> None:
    assert _score('[Rules "classic players=5"]') == {
        "format": "pisti-score/1",
        "deals": [],
        "totals": [0] * 5,
        "winner": None,
        "problems": [],
    }
