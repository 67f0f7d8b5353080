"""Rule sets: the presets, every field with every value, what excludes what, text and JSON forms."""

import dataclasses
import json
import pickle

import pytest
from hypothesis import given

from engine import RuleSet, RuleSetError

from .tables import CHOICES, SEATINGS, rule_sets

CLASSIC = {
    "players": 4,
    "partnership": True,
    "sides": 2,
    "decks": 1,
    "undealt": "out",
    "target": 151,
    "win_by": 0,
    "tie_at_target": "another_deal",
    "bottom_card": "shown",
    "jack_on_centre": "turn_next",
    "centre_seen_by": "first_capturer",
    "first_play_pisti": False,
    "last_play_pisti": False,
    "double_pisti": 20,
    "jack_on_single": 0,
    "ten_of_diamonds_bonus": 0,
    "majority_points": 3,
    "no_capture_at_all": "dealer",
    "bluff": False,
    "bluff_jack_doubles": False,
}
MODERN = CLASSIC | {
    "players": 2,
    "partnership": False,
    "bottom_card": "hidden",
    "jack_on_centre": "bury",
    "last_play_pisti": True,
}
NAMES = list(CLASSIC)
VALUES = [
    *((name, value) for name, values in CHOICES.items() for value in values),
    *(("target", value) for value in (1, 101, 151, 1_000_000)),
    *(("win_by", value) for value in (0, 2, 50)),
    *(("majority_points", value) for value in (0, 3, 10)),
    ("tie_at_target", "another_deal"),
]


def test_the_classic_preset_is_the_club_rules():
    assert dataclasses.asdict(RuleSet.classic()) == CLASSIC


def test_the_modern_preset_is_the_article():
    assert dataclasses.asdict(RuleSet.modern()) == MODERN


def test_classic_is_the_default():
    assert RuleSet.of() == RuleSet.classic() == RuleSet.parse("")
    assert RuleSet.parse("Modern players=3") == RuleSet.modern(players=3)


@pytest.mark.parametrize(("name", "value"), VALUES)
@pytest.mark.parametrize("preset", ["classic", "modern"])
def test_every_value_of_every_field_is_taken_kept_and_read_back(preset, name, value):
    rules = RuleSet.of(preset, **{name: value})
    assert getattr(rules, name) == value
    assert type(getattr(rules, name)) is type(value)
    others = CLASSIC if preset == "classic" else MODERN
    assert dataclasses.asdict(rules) == others | {name: value}
    assert RuleSet.parse(str(rules)) == rules
    assert RuleSet.parse(f"{preset} {name}={value}") == rules


@pytest.mark.parametrize(("players", "partnership", "sides"), SEATINGS)
def test_every_seating(players, partnership, sides):
    rules = RuleSet.classic(players=players, partnership=partnership, sides=sides)
    assert (rules.players, rules.partnership, rules.sides) == (players, partnership, sides)
    assert [rules.side_of(seat) for seat in range(players)] == [s % sides for s in range(players)]


@pytest.mark.parametrize(
    ("fields", "partnership", "sides", "decks"),
    [
        ({"players": 2}, False, 2, 1),
        ({"players": 3}, False, 3, 1),
        ({"players": 4}, True, 2, 1),
        ({"players": 4, "partnership": "no"}, False, 4, 1),
        ({"players": 4, "sides": 4}, False, 4, 1),
        ({"players": 5}, False, 5, 2),
        ({"players": 6}, False, 6, 2),
        ({"players": 6, "partnership": "yes"}, True, 3, 2),
        ({"players": 6, "sides": 2}, True, 2, 2),
        ({"players": 6, "sides": 3}, True, 3, 2),
    ],
)
def test_what_follows_from_the_number_of_players(fields, partnership, sides, decks):
    for preset in ("classic", "modern"):
        rules = RuleSet.of(preset, **fields)
        assert (rules.partnership, rules.sides, rules.decks) == (partnership, sides, decks)


@pytest.mark.parametrize(
    ("players", "undealt", "cards", "hand_deals", "centre", "out"),
    [
        (2, "out", 52, 6, 4, 0),
        (3, "out", 52, 4, 4, 0),
        (4, "centre", 52, 3, 4, 0),
        (5, "centre", 104, 5, 4, 0),
        (6, "out", 104, 4, 4, 4),
        (6, "centre", 104, 4, 8, 0),
    ],
)
def test_how_the_cards_divide(players, undealt, cards, hand_deals, centre, out):
    rules = RuleSet.classic(players=players, undealt=undealt)
    assert (rules.cards, rules.hand_deals, rules.centre_size, rules.out_size) == (
        cards,
        hand_deals,
        centre,
        out,
    )
    assert rules.plays == hand_deals * 4 * players == cards - centre - out


@pytest.mark.parametrize(
    ("fields", "key"),
    [
        *(({"players": n, "partnership": True}, "rules.partnership") for n in (2, 3, 5)),
        ({"players": 4, "partnership": True, "sides": 4}, "rules.sides"),
        ({"players": 4, "partnership": True, "sides": 3}, "rules.sides"),
        ({"players": 6, "partnership": True, "sides": 6}, "rules.sides"),
        ({"players": 6, "partnership": True, "sides": 4}, "rules.sides"),
        ({"players": 2, "sides": 3}, "rules.alone"),
        ({"players": 6, "partnership": False, "sides": 3}, "rules.alone"),
        *(({"players": n, "decks": 1}, "rules.decks") for n in (5, 6)),
    ],
)
def test_fields_that_exclude_each_other_are_refused_in_one_sentence(fields, key):
    with pytest.raises(RuleSetError) as caught:
        RuleSet.classic(**fields)
    assert caught.value.key == key
    sentence = str(caught.value)
    assert str(fields["players"]) in sentence
    assert sentence.endswith(".")
    assert "\n" not in sentence


@pytest.mark.parametrize(("players", "hand_deals"), [(2, 12), (3, 8), (4, 6)])
def test_fewer_than_five_may_share_two_decks_with_four_cards_undealt(players, hand_deals):
    rules = RuleSet.classic(players=players, decks=2)
    assert (rules.cards, rules.hand_deals, rules.out_size) == (104, hand_deals, 4)


def test_a_rule_set_made_by_hand_is_checked_too():
    with pytest.raises(RuleSetError, match="target"):
        dataclasses.replace(RuleSet.classic(), target=0)
    with pytest.raises(RuleSetError, match="partners"):
        dataclasses.replace(RuleSet.classic(), players=2)
    written = dataclasses.replace(
        RuleSet.modern(), players="3", sides="3", bottom_card="Shown", bluff="off"
    )
    assert written == RuleSet.modern(players=3, bottom_card="shown")


@pytest.mark.parametrize(
    ("name", "value"),
    [
        ("players", 1),
        ("players", 7),
        ("players", "two"),
        ("players", 2.0),
        ("players", True),
        ("players", None),
        ("decks", 3),
        ("decks", 0),
        ("target", 0),
        ("target", -1),
        ("target", 1_000_001),
        ("target", "99999999999"),
        ("target", "1e3"),
        ("win_by", -1),
        ("majority_points", "-3"),
        ("double_pisti", 15),
        ("jack_on_single", 20),
        ("ten_of_diamonds_bonus", 1),
        ("bottom_card", "turned"),
        ("bottom_card", True),
        ("jack_on_centre", ""),
        ("tie_at_target", "no"),
        ("tie_at_target", 0),
        ("first_play_pisti", "perhaps"),
        ("last_play_pisti", 2),
        ("bluff", "maybe"),
        ("partnership", "both"),
        ("bluff_jack_doubles", None),
        ("no_capture_at_all", ["dealer"]),
    ],
)
def test_a_value_that_a_field_cannot_take_is_named_with_what_it_can(name, value):
    with pytest.raises(RuleSetError) as caught:
        RuleSet.classic(**{name: value})
    assert caught.value.key == "rules.value"
    assert name in str(caught.value)
    assert repr(value) in str(caught.value)
    assert caught.value.values["allowed"]


@pytest.mark.parametrize(
    ("name", "spellings"),
    [
        ("partnership", {"yes": True, "no": False}),
        (
            "bluff",
            {"on": True, "off": False, "ON": True, "yes": True, "true": True, "false": False},
        ),
        ("bluff_jack_doubles", {"on": True, "off": False}),
        ("first_play_pisti", {"allowed": True, "not": False}),
        ("last_play_pisti", {"allowed": True, "not": False, " Allowed ": True}),
        (
            "tie_at_target",
            {"another_deal": "another_deal", "yes": "another_deal", True: "another_deal"},
        ),
        ("target", {"101": 101, " 101 ": 101}),
        ("jack_on_centre", {"BURY": "bury"}),
    ],
)
def test_fields_take_the_words_of_the_rules(name, spellings):
    for written, meant in spellings.items():
        rules = (
            RuleSet.classic(players=4, sides=2, **{name: written})
            if name != "partnership"
            else (RuleSet.classic(partnership=written))
        )
        assert getattr(rules, name) == meant


def test_unknown_names_are_refused():
    with pytest.raises(RuleSetError, match="'colour'"):
        RuleSet.classic(colour="red")
    with pytest.raises(RuleSetError, match="classic, modern"):
        RuleSet.of("house")
    with pytest.raises(RuleSetError, match="'modern'"):
        RuleSet.parse("classic modern")


@pytest.mark.parametrize(
    ("rules", "line"),
    [
        (RuleSet.classic(), "classic"),
        (RuleSet.modern(), "modern"),
        (RuleSet.classic(players=2), "classic players=2"),
        (RuleSet.classic(players=2, bluff=True), "classic players=2 bluff=on"),
        (RuleSet.modern(target=101), "modern target=101"),
        (RuleSet.classic(partnership=False), "classic partnership=no sides=4"),
    ],
)
def test_the_line_names_the_nearest_preset_and_what_differs(rules, line):
    assert str(rules) == line
    assert RuleSet.parse(line) == rules


def test_commas_separate_as_well():
    assert RuleSet.parse("modern, players=3, target=101") == RuleSet.modern(players=3, target=101)


@given(rule_sets())
def test_any_rule_set_reads_back_from_its_line_its_json_form_and_its_repr(rules):
    line = str(rules)
    assert "\n" not in line
    assert RuleSet.parse(line) == rules
    assert hash(RuleSet.parse(line)) == hash(rules)
    assert RuleSet.of(**json.loads(json.dumps(rules.to_json()))) == rules
    assert eval(repr(rules), {"RuleSet": RuleSet}) == rules
    assert pickle.loads(pickle.dumps(rules)) == rules


@given(rule_sets())
def test_equal_by_value_whatever_made_it(rules):
    again = RuleSet.of("modern", **dataclasses.asdict(rules))
    assert again == rules
    for name in ("target", "win_by", "majority_points"):
        assert dataclasses.replace(rules, **{name: getattr(rules, name) + 1}) != rules


def test_every_field_of_the_rules_is_a_field_here():
    assert [field.name for field in dataclasses.fields(RuleSet)] == NAMES
