"""The engine against a referee that was written from the rules alone."""

import json
import random

import pytest

from engine import record as records

from . import referee
from .tables import blurred, random_match, random_rules, seen_by_all, seen_in_full

RECORDS_A_TEST = 20


def random_record(seed: int, **fixed: object) -> dict:
    """A record of a match in progress or ended, with the cards that all saw, or with every card."""
    rng = random.Random(seed)
    rules = random_rules(rng, **fixed)
    deals = random_match(rules, rng, rng.choice([1, 1, 2, 3]))
    written = [rng.choice([seen_by_all, seen_in_full])(deal) for deal in deals]
    if rng.random() < 0.4:
        share = rng.choice([0.03, 0.1, 0.3])
        written = [blurred(deal, rng, share) for deal in written]
    record = {"format": "pisti-record/1", "rules": rules.to_json(), "deals": written}
    # Where suits are not read, the record may look as if the match was won earlier.
    for number in range(1, len(written)):
        cut = record | {"deals": written[:number]}
        if referee.score(cut)["winner"] is not None:
            return cut
    return record


@pytest.mark.parametrize("first", range(0, 400, RECORDS_A_TEST))
def test_random_records_of_all_rule_sets_score_as_the_referee_says(first):
    for seed in range(first, first + RECORDS_A_TEST):
        check(random_record(seed))


@pytest.mark.parametrize("first", range(1000, 1060, RECORDS_A_TEST))
def test_random_records_with_claims_score_as_the_referee_says(first):
    for seed in range(first, first + RECORDS_A_TEST):
        check(random_record(seed, bluff=True, bluff_jack_doubles=True))


def check(record: dict) -> None:
    reading = records.read_record(json.dumps(record))
    assert [str(problem) for problem in reading.problems] == []
    assert records.score_to_json(reading.match) == referee.score(record)


TENS = {"preset": "modern", "ten_of_diamonds_bonus": 3}
CORNERS = {
    "a ten that elimination names the 10 of diamonds": (
        TENS,
        ["10S", "10C", "4S", "7S"],
        ["7H", "10?", "10H"],
    ),
    "a ten that may be the 10 of diamonds": (TENS, ["2S", "3S", "4S", "7S"], ["7H", "10?", "10H"]),
    "a ten while the 10 of diamonds lies elsewhere": (
        TENS,
        ["2S", "3S", "10D", "7S"],
        ["7H", "10?", "10H"],
    ),
    "two aces in two piles, each of which holds one": (
        {"preset": "modern"},
        ["AS", "AH", "4S", "7S"],
        ["7H", "A?", "5S", "5H", "A?", "JS"],
    ),
    "nothing played": ({"preset": "classic"}, ["??", "??", "??", "7S"], []),
    "a jack on a jack that counts as an ordinary capture": (
        {"preset": "modern", "double_pisti": 0, "jack_on_single": 10},
        ["??", "??", "??", "7S"],
        ["7H", "JS", "JH"],
    ),
}


@pytest.mark.parametrize("corner", CORNERS)
def test_corners_score_as_the_referee_says(corner):
    rules, centre, plays = CORNERS[corner]
    deal = {"dealer": 1, "centre": centre, "centre_up": 1, "bottom": None, "plays": plays}
    rules = rules | {"players": 2}
    check({"format": "pisti-record/1", "rules": rules, "deals": [deal]})


def test_the_random_records_reach_the_rare_corners():
    """The comparison above is worth something only where rare things happen."""
    seen = set()
    for seed in range(150):
        record = random_record(seed)
        sheet = referee.score(record)
        rules = referee.read_rules(record["rules"])
        seen |= {f"players {rules['players']}", f"sides {rules['sides']}"}
        seen |= {f"winner {sheet['winner'] is not None}"}
        for deal, written in zip(sheet["deals"], record["deals"], strict=True):
            seen |= {f"complete {deal['complete']} exact {deal['exact']}"}
            seen |= {f"double {side['double_pistis'] > 0}" for side in deal["sides"]}
            seen |= {f"bonus {play['bonus']}" for play in deal["plays"]}
            seen |= {
                f"claim {play['claim']}" for play in written["plays"] if isinstance(play, dict)
            }
    assert seen >= {
        *(f"players {number}" for number in (2, 3, 4, 5, 6)),
        *(f"sides {number}" for number in (2, 3, 4, 5, 6)),
        *(f"complete {one} exact {other}" for one in (True, False) for other in (True, False)),
        *(f"bonus {points}" for points in (0, 10, 13, 20)),
        "double True",
        "winner True",
        "claim accepted",
        "claim challenged",
    }


# The referee itself, on the worked examples that fit in a few plays.


def side_zero(plays: list, **rules) -> dict:
    record = {
        "rules": {"preset": "modern", **rules},
        "deals": [
            {
                "dealer": 1,
                "centre": ["2S", "3S", "4S", "7S"],
                "centre_up": 1,
                "bottom": None,
                "plays": plays,
            }
        ],
    }
    return referee.score(record)["deals"][0]["sides"][0]


def test_the_referee_knows_the_bonuses():
    assert side_zero(["7H", "QD", "QC"])["bonus"] == 10
    assert side_zero(["7H", "JD", "JC"])["bonus"] == 20
    assert side_zero(["7H", "JD", "JC"], double_pisti=10)["pistis"] == 1
    assert side_zero(["7H", "9D", "JC"])["bonus"] == 0
    assert side_zero(["7H", "10D", "10C"], ten_of_diamonds_bonus=3)["points"] == 13 + 3
    assert side_zero(["7H", "QD", {"card": "??", "claim": "accepted"}], bluff=True)["bonus"] == 10
    assert side_zero(["7H", "QD", {"card": "QC", "claim": "challenged"}], bluff=True)["bonus"] == 20
    assert side_zero(["7H", "8D", "QD", {"card": "KC", "claim": "accepted"}][:1])["cards"] == 5


def test_the_referee_refuses_what_is_no_record():
    for wrong in (["7S"], ["8S"] * 2, [{"card": "8S", "claim": "accepted"}], ["8S"] * 49):
        with pytest.raises(ValueError, match=r"\w"):
            side_zero(wrong)
