"""The rules a recorded game may have been played by, where nobody says how many play."""

import pytest

from advisor.headcount import possible_rules, with_seats
from engine import RuleSet, RuleSetError


@pytest.mark.parametrize(
    ("line", "players", "possible"),
    [
        ("classic", None, [4, 2, 3]),
        ("modern", None, [2, 3, 4]),
        ("classic", 3, [3]),
        ("classic players=2", None, [2]),
        ("classic players=2", 2, [2]),
        # Two partners need two others.
        ("classic partnership=on", None, [4]),
        ("classic target=101 partnership=off", None, [4, 2, 3]),
    ],
)
def test_the_number_of_players_is_open_unless_it_is_said(line, players, possible):
    rules = possible_rules(line, players)
    assert [one.players for one in rules] == possible
    assert len({one.target for one in rules}) == 1


def test_rules_that_do_not_exist():
    with pytest.raises(RuleSetError):
        possible_rules("classic players=9")
    with pytest.raises(RuleSetError):
        possible_rules("classical")


def test_the_rules_and_the_number_of_players_may_not_differ():
    with pytest.raises(RuleSetError) as caught:
        possible_rules("classic players=2", 3)
    assert caught.value.key == "rules.twice"


def test_dealer_and_names_need_seats():
    rules = possible_rules("classic")
    assert rules == [RuleSet.classic(players=number) for number in (4, 2, 3)]
    assert [one.players for one in with_seats(rules, 2, ())] == [4, 3]
    assert [one.players for one in with_seats(rules, None, ("A", "", "C", ""))] == [4, 3]
    assert [one.players for one in with_seats(rules, 0, ("A", "B"))] == [4, 2, 3]
