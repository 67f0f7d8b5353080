"""Points: the worked examples of the rules, every bonus, and scores with unknown cards."""

import random

import pytest

from engine import UNKNOWN, Card, Claim, Deal, RuleSet, SideScore, parse_cards, score_deal

from .tables import play_out, watched

TWO = RuleSet.classic(players=2)
BLUFF = RuleSet.modern(bluff=True)

# Plays of whole deals, in order, after the centre.
FOUR_PLAYERS = (
    "AD 3D 7D 8S",
    "2C KC 2H 8C AH AC JH 10C 6D 10S 3S 2S QH 3C JD 8D AS 10D 8H 6S JS 4H 4S 7H 5H KH 9D 7C QD KD "
    "2D JC 9C 6C 9S 9H 10H QS KS QC 4C 6H 3H 5S 4D 5D 5C 7S",
)
TWO_PLAYERS = (
    "5D 4S AD KC",
    "10H 10S JD 9C 3S 8S 2C 9D 7C 4D JS AH QD QS 2D 2H 8D 6C 8C 4H 3C KD 7D 9S 6S 3H 3D QC 5H 7S "
    "AC 10C 2S AS 9H QH 7H 4C 8H JH 6D 6H KS 5C JC 5S KH 10D",
)
THREE_PLAYERS = (
    "10H 10C 9C 6S",
    "6H 2C 7D 9D 8H 8C 2S AS 9H 8S 6D QS KH 5C QC JH 7S 4H 2D 2H AC KS 3C JC KD KC AH 4S JD 4D 5H "
    "5D AD 6C QD 5S JS 3D 3H QH 7C 10S 3S 4C 9S 7H 10D 8D",
)


# The last play, 5D on a single 5S, is a rank match.
LAST_PLAY_MATCHES = (
    "2S 9S 7C 4S",
    "2D 8D 9H AC 5C 8C 6H QS QD 6S AH JD KH 9D 2C 2H 6D 6C 7H 7D 10D 10H KS 10S AS AD 5H JH 7S 3H "
    "3S QH 4H QC 8H KC 10C JS 4D KD 9C 4C 3C 3D 8S JC 5S 5D",
)


def played(rules: RuleSet, deal: tuple[str, str]) -> Deal:
    centre, plays = deal
    return watched(rules, plays, centre=centre)


def bonuses(deal: Deal) -> list[int]:
    return [play.bonus for play in deal.history]


def last_bonus(rules: RuleSet, plays: str) -> int:
    deal = watched(rules, plays)
    assert deal.history[-1].captured == 2
    return deal.history[-1].bonus


# The worked examples of the rules.


def test_example_1_the_score_of_a_deal_of_four_players_in_two_teams():
    sheet = score_deal(played(RuleSet.classic(), FOUR_PLAYERS))
    assert sheet.sides == (
        SideScore(
            cards=29,
            aces=1,
            jacks=3,
            two_of_clubs=0,
            ten_of_diamonds=1,
            pistis=1,
            double_pistis=0,
            bonus=10,
            majority=3,
        ),
        SideScore(
            cards=23,
            aces=3,
            jacks=1,
            two_of_clubs=1,
            ten_of_diamonds=0,
            pistis=0,
            double_pistis=0,
            bonus=0,
            majority=0,
        ),
    )
    assert sheet.points == (3 + 1 + 3 + 3 + 10, 1 + 3 + 2) == (20, 6)
    assert sheet.complete
    assert sheet.exact


def test_example_2_a_queen_on_a_single_queen_is_a_pisti():
    deal = watched(TWO, "7H QD QC")
    assert deal.history[-1].bonus == 10
    assert [side.pistis for side in score_deal(deal).sides] == [1, 0]


def test_example_3_a_seven_on_a_pile_captures_without_bonus_and_the_next_starts_anew():
    deal = watched(TWO, "7H 9S 10S 7C 7D 4C", centre="?? ?? ?? 6S")
    assert (deal.history[4].captured, deal.history[4].bonus) == (9, 0)
    assert deal.pile == [Card.parse("4C")]
    assert deal.turn == 0


def test_example_4_a_jack_on_a_single_jack_and_on_a_single_nine():
    for points in (20, 10, 0):
        assert last_bonus(RuleSet.classic(players=2, double_pisti=points), "7H JD JC") == points
    assert last_bonus(TWO, "7H 9D JC") == 0


@pytest.mark.parametrize(("rules", "bonus"), [("classic players=2", 0), ("modern", 10)])
def test_example_5_the_last_play_of_the_deal_is_a_pisti_in_modern_only(rules, bonus):
    deal = played(RuleSet.parse(rules), LAST_PLAY_MATCHES)
    last = deal.history[-1]
    assert deal.is_over
    assert (str(last.single), str(last.card), last.captured) == ("5S", "5D", 2)
    assert last.bonus == bonus
    assert score_deal(deal).sides[1].bonus == 30 + bonus


def test_example_6_tied_at_26_nobody_gets_the_majority():
    sheet = score_deal(played(RuleSet.modern(), TWO_PLAYERS))
    assert [side.cards for side in sheet.sides] == [26, 26]
    assert [side.majority for side in sheet.sides] == [0, 0]
    assert sum(sheet.points) == 13 + 2 * 10


def test_example_8_the_ten_of_diamonds_makes_a_pisti_of_13():
    rules = RuleSet.classic(players=2, ten_of_diamonds_bonus=3)
    deal = watched(rules, "7H 10D 10C")
    side = score_deal(deal).sides[0]
    assert (side.pistis, side.bonus, side.ten_of_diamonds, side.points) == (1, 13, 1, 13 + 3)


def test_example_9_three_players_tied_for_most():
    sheet = score_deal(played(RuleSet.classic(players=3), THREE_PLAYERS))
    assert [side.cards for side in sheet.sides] == [20, 12, 20]
    assert [side.majority for side in sheet.sides] == [0, 0, 0]
    assert sum(sheet.points) == 13 + 2 * 10


RANKS = ["A", *map(str, range(2, 11)), "Q", "K"]
NO_CAPTURE = " ".join(f"{rank}{suit}" for suit in "SHDC" for rank in RANKS)


@pytest.mark.parametrize(("dealer", "side"), [(0, 0), (1, 1), (2, 0), (3, 1)])
def test_example_10_nobody_captures_and_the_dealers_side_takes_all_52(dealer, side):
    deal = watched(RuleSet.classic(), NO_CAPTURE, centre="JS JH JD JC", dealer=dealer)
    sheet = score_deal(deal)
    assert deal.is_over
    assert sheet.sides[side].cards == 52
    assert sheet.sides[side].points == 16
    assert sheet.sides[1 - side] == SideScore(*[0] * 9)


def test_example_10_or_nobody_takes_them():
    rules = RuleSet.classic(no_capture_at_all="nobody")
    deal = watched(rules, NO_CAPTURE, centre="JS JH JD JC")
    assert len(deal.pile) == 52
    assert deal.swept_by is None
    assert score_deal(deal).points == (0, 0)


# Bonuses.


@pytest.mark.parametrize(
    ("fields", "led", "card", "bonus"),
    [
        ("", "9D", "9C", 10),
        ("", "10D", "10C", 10),
        ("", "9D", "JC", 0),
        ("jack_on_single=10", "9D", "JC", 10),
        ("jack_on_single=10", "JD", "JC", 20),
        ("jack_on_single=10", "9D", "9C", 10),
        ("jack_on_single=10 double_pisti=10", "JD", "JC", 10),
        ("jack_on_single=10 double_pisti=0", "JD", "JC", 10),
        ("double_pisti=0", "JD", "JC", 0),
        ("ten_of_diamonds_bonus=3", "10D", "10C", 13),
        ("ten_of_diamonds_bonus=3", "10C", "10D", 13),
        ("ten_of_diamonds_bonus=3", "10C", "10H", 10),
        ("ten_of_diamonds_bonus=3", "9C", "9D", 10),
        ("ten_of_diamonds_bonus=3", "10D", "JC", 0),
        ("ten_of_diamonds_bonus=3 jack_on_single=10", "10D", "JC", 13),
        ("ten_of_diamonds_bonus=3 jack_on_single=10", "10C", "JC", 10),
        ("ten_of_diamonds_bonus=3", "JD", "JC", 20),
        ("players=5 ten_of_diamonds_bonus=3", "10D", "10D", 13),
    ],
)
def test_what_a_capture_of_one_card_scores(fields, led, card, bonus):
    rules = RuleSet.parse(f"modern {fields}")
    deal = watched(rules, f"7H {led} {card}")
    side = deal.rules.side_of(2)
    assert deal.history[-1].captured == 2
    assert deal.history[-1].bonus == bonus
    sheet = score_deal(deal).sides[side]
    assert sheet.pistis + sheet.double_pistis == (bonus > 0)
    assert sheet.double_pistis == (bonus == 20)


def test_two_cards_on_the_table_are_no_pisti():
    deal = watched(RuleSet.modern(jack_on_single=10), "7H 9D 8D 8C 9C JH JC")
    assert bonuses(deal) == [0, 0, 0, 0, 0, 10, 0]
    assert deal.history[3].captured == 3


@pytest.mark.parametrize("allowed", [False, True])
def test_the_first_play_meets_the_whole_centre_and_is_never_a_pisti(allowed):
    deal = watched(RuleSet.modern(first_play_pisti=allowed), "7H")
    assert (deal.history[0].captured, deal.history[0].bonus) == (5, 0)


@pytest.mark.parametrize(
    ("fields", "led", "play", "claim", "bonus", "penalty", "pistis", "double"),
    [
        ("", "5D", "??", "accepted", 10, 0, 1, 0),
        ("", "5D", "6C", "accepted", 10, 0, 1, 0),
        ("", "5D", "5C", "challenged", 20, 0, 1, 0),
        ("", "5D", "6C", "challenged", 0, 20, 0, 0),
        ("", "5D", "JC", "challenged", 0, 20, 0, 0),
        ("", "JD", "??", "accepted", 10, 0, 1, 0),
        ("", "JD", "JC", "challenged", 20, 0, 1, 0),
        ("bluff_jack_doubles=on", "JD", "??", "accepted", 20, 0, 0, 1),
        ("bluff_jack_doubles=on", "JD", "JC", "challenged", 40, 0, 0, 1),
        ("bluff_jack_doubles=on", "JD", "6C", "challenged", 0, 40, 0, 0),
        ("bluff_jack_doubles=on", "5D", "5C", "challenged", 20, 0, 1, 0),
        ("ten_of_diamonds_bonus=3", "10D", "10C", "challenged", 20, 0, 1, 0),
        ("ten_of_diamonds_bonus=3", "10D", "??", "accepted", 10, 0, 1, 0),
    ],
)
def test_what_a_claim_scores(fields, led, play, claim, bonus, penalty, pistis, double):
    deal = watched(RuleSet.parse(f"modern bluff=on {fields}"), f"7H {led}")
    deal.play(Card.parse(play), Claim(claim))
    last = deal.history[-1]
    assert (last.bonus, last.penalty) == (bonus, penalty)
    assert last.captured == (2 if bonus else 0)
    claimer, other = score_deal(deal).sides
    assert (claimer.bonus, claimer.pistis, claimer.double_pistis) == (bonus, pistis, double)
    assert (other.bonus, other.pistis, other.double_pistis) == (penalty, 0, 0)


@pytest.mark.parametrize(("allowed", "bonus"), [("not", 0), ("allowed", 10)])
def test_a_claim_on_the_last_play_scores_where_a_pisti_would(allowed, bonus):
    centre, plays = LAST_PLAY_MATCHES
    rules = RuleSet.parse(f"modern bluff=on last_play_pisti={allowed}")
    for claim, points in ((Claim.ACCEPTED, bonus), (Claim.CHALLENGED, 2 * bonus)):
        deal = watched(rules, plays.removesuffix(" 5D"), centre=centre)
        deal.play(Card.parse("5D"), claim)
        assert deal.is_over
        assert (deal.history[-1].captured, deal.history[-1].bonus) == (2, points)


@pytest.mark.parametrize("allowed", ["not", "allowed"])
def test_a_bluff_caught_on_the_last_play_pays_all_the_same(allowed):
    centre, plays = LAST_PLAY_MATCHES
    rules = RuleSet.parse(f"modern bluff=on last_play_pisti={allowed}")
    plays = plays.replace("9C 4C", "5D 4C").removesuffix(" 5D")
    deal = watched(rules, plays, centre=centre)
    deal.play(Card.parse("9C"), Claim.CHALLENGED)
    assert (deal.history[-1].captured, deal.history[-1].penalty) == (0, 20)
    assert score_deal(deal).complete


def test_a_caught_bluff_pays_the_side_that_laid_the_single_card():
    deal = watched(RuleSet.modern(players=3, bluff=True), "7H 5D")
    deal.play(Card.parse("6C"), Claim.CHALLENGED)
    assert score_deal(deal).points == (0, 20, 0)


@pytest.mark.parametrize("points", [0, 3, 7])
def test_the_majority_is_worth_what_the_rules_say(points):
    sheet = score_deal(played(RuleSet.classic(majority_points=points), FOUR_PLAYERS))
    assert [side.majority for side in sheet.sides] == [points, 0]


def test_with_two_decks_every_counted_card_counts_twice():
    rules = RuleSet.modern(players=5)
    sheet = score_deal(play_out(Deal.shuffled(rules, 4, seed=2), random.Random(2)))
    assert sum(side.aces for side in sheet.sides) == 8
    assert sum(side.jacks for side in sheet.sides) == 8
    assert sum(side.two_of_clubs for side in sheet.sides) == 2
    assert sum(side.ten_of_diamonds for side in sheet.sides) == 2


# While the deal runs, and where cards are not known.


def test_a_running_deal_has_no_majority_and_counts_what_is_captured():
    sheet = score_deal(watched(TWO, "7H 10D 10C AS", centre="2C AH JD 7S"))
    assert not sheet.complete
    assert sheet.exact
    assert sheet.points == (0 + 10 + 3 + 2 + 1 + 1, 0)
    assert [side.cards for side in sheet.sides] == [7, 0]
    assert [side.majority for side in sheet.sides] == [0, 0]


def test_unknown_cards_in_a_pile_are_left_out_of_a_running_score():
    sheet = score_deal(watched(TWO, "7H 4S"))
    assert not sheet.exact
    assert sheet.sides[0].cards == 5
    assert sheet.points == (0, 0)


def test_unknown_cards_on_the_table_rest_on_nobody():
    assert score_deal(watched(TWO, "8S 9S")).exact


def test_in_a_complete_deal_the_hidden_centre_follows():
    _, plays = FOUR_PLAYERS
    hidden = watched(RuleSet.classic(), plays, centre="?? ?? ?? 8S")
    assert score_deal(hidden) == score_deal(played(RuleSet.classic(), FOUR_PLAYERS))


def test_an_ace_is_an_ace_whatever_its_suit():
    sheet = score_deal(watched(TWO, "7? A? 9? A? J?", centre="6? 5? 4? 7?"))
    assert sheet.exact
    assert [side.aces for side in sheet.sides] == [2, 0]
    assert [side.jacks for side in sheet.sides] == [1, 0]


def test_a_two_of_unknown_suit_may_be_the_two_of_clubs():
    sheet = score_deal(watched(TWO, "7H 2?", centre="6S 5S 4S 7S"))
    assert sheet.exact  # it lies on the table still
    sheet = score_deal(watched(TWO, "7H 2? 2?", centre="6S 5S 4S 7S"))
    assert not sheet.exact
    assert sheet.sides[0].two_of_clubs == 0


def test_a_two_is_the_two_of_clubs_once_the_other_three_are_seen():
    sheet = score_deal(watched(TWO, "7H 2? 2D", centre="2S 2H 4S 7S"))
    assert sheet.exact
    assert sheet.sides[0].two_of_clubs == 1


def test_four_twos_in_one_pile_hold_the_two_of_clubs():
    sheet = score_deal(watched(TWO, "7H 2? 2?", centre="2? 2? 4S 7S"))
    assert sheet.exact
    assert sheet.sides[0].two_of_clubs == 1


@pytest.mark.parametrize(
    ("centre", "plays", "bonus", "exact"),
    [
        ("6S 5S 4S 7S", "7H 10? 10?", 10, False),
        ("10S 5S 4S 7S", "7H 10? 10H", 10, False),
        ("10S 10D 4S 7S", "7H 10? 10H", 10, True),
        ("10S 10C 4S 7S", "7H 10? 10H", 13, True),
        ("6S 5S 4S 7S", "7H 10D 10?", 13, True),
        ("6S 5S 4S 7S", "7H 10? 10D", 13, True),
    ],
)
def test_a_pisti_with_a_ten_of_unknown_suit(centre, plays, bonus, exact):
    rules = RuleSet.modern(ten_of_diamonds_bonus=3)
    sheet = score_deal(watched(rules, plays, centre=centre))
    assert sheet.sides[0].bonus == bonus
    assert sheet.exact is exact


def test_an_accepted_bluff_leaves_a_card_open():
    deal = watched(BLUFF, "7H 5D", centre="6S 5S 4S 7S")
    deal.play(UNKNOWN, Claim.ACCEPTED)
    sheet = score_deal(deal)
    assert (sheet.exact, sheet.points) == (False, (10, 0))


def test_cards_that_stay_undealt_leave_a_complete_deal_inexact():
    deal = play_out(Deal.shuffled(RuleSet.classic(players=6), 5, seed=1), random.Random(1))
    assert score_deal(deal).exact
    hidden = watched(
        deal.rules,
        " ".join(str(play.card) for play in deal.history),
        centre=" ".join(["??"] * 3 + [str(deal.setup.centre[-1])]),
    )
    assert score_deal(hidden).complete
    assert not score_deal(hidden).exact


def test_the_whole_deals_above_use_every_card_once():
    for centre, plays in (FOUR_PLAYERS, TWO_PLAYERS, THREE_PLAYERS, LAST_PLAY_MATCHES):
        assert len(set(parse_cards(f"{centre} {plays}"))) == 52
