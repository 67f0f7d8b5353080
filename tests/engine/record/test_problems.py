"""Several problems in one record: all are listed, in order, and what is legal is kept."""

import json
from typing import Any

from engine import parse_cards
from engine.record import read_record, to_json

from .marked import DEMO, data, keys, read, text


def test_a_deal_that_is_no_object_is_left_out_and_the_next_is_kept() -> None:
    reading, place = read(
        '{"rules": "players=2", "deals": [\n ¶5,\n'
        ' {"dealer": 1, "centre": ["??", "??", "??", "7S"], "plays": ["7H"]},\n'
        ' {"dealer": 0, "centre": ["??", "??", "??", "7S"]}]}'
    )
    first, second = reading.problems
    assert (first.error.key, first.line, first.column) == ("record.deal", *place)
    assert (second.error.key, second.line, second.column) == ("record.deal_open", 4, 2)
    assert second.error.values == {"number": 2}
    assert [len(deal.plays) for deal in reading.record.deals] == [1, 0]


def test_a_centre_as_text_counts_as_not_seen() -> None:
    reading = read_record(data(deal='"dealer": 1, "centre": "?? ?? ?? 7S"'))
    assert keys(reading) == ["record.cards", "record.centre", "play.undecided"]
    assert [str(card) for card in reading.record.deals[0].centre] == ["??"] * 4


def test_the_hand_of_seat_0_alone_may_be_given() -> None:
    for written in (
        text("7H 4C", deal="centre ?? ?? ?? / 7S hand 0 7H 8H 9H 10H"),
        data(
            '"7H", "4C"',
            '"dealer": 1, "centre": ["??", "??", "??", "7S"], "hands": [["7H", "8H", "9H", "10H"]]',
        ),
    ):
        reading = read_record(written)
        assert keys(reading) == []
        assert reading.record.deals[0].hands == (parse_cards("7H 8H 9H 10H"), ())
        assert [str(card) for card in reading.match.deals[0].hands[0]] == ["8H", "9H", "10H"]


def test_commas_and_capitals_do_not_matter() -> None:
    plain = read_record(text("7H 4C"))
    loose = read_record(
        '[RULES "Classic, players=2"]\nDEAL 1, DEALER 1\nCentre ??, ??, ?? / 7s\nPlays 7h, 4c\n'
    )
    assert keys(loose) == []
    assert loose.record == plain.record


def test_null_says_as_little_as_no_value() -> None:
    nothing = ", ".join(
        f'"{key}": null' for key in ("dealer", "centre_up", "bottom", "buried", "hands", "comment")
    )
    deal = '"centre": ["??", "??", "??", "7S"]'
    reading = read_record(data(deal=f"{nothing}, {deal}", head='"names": null, "date": null,'))
    assert keys(reading) == []
    assert reading.record == read_record(data(deal=deal)).record


def test_a_header_not_closed_does_not_hide_the_deal() -> None:
    reading = read_record('[Event "never closed\n' + text("7H 4C"))
    assert keys(reading)[0] == "record.unclosed"
    assert [len(deal.plays) for deal in reading.record.deals] == [2]


def test_each_problem_is_listed_in_the_order_of_the_file() -> None:
    reading = read_record(
        data('"7H", "7H"', head='"colour": 5, "names": 5,', rules='{"players": 2, "x": 1}')
    )
    assert keys(reading) == ["record.unknown_key", "record.names", "rules.unknown", "play.twice"]


def test_broken_deals_do_not_stop_the_next() -> None:
    complete = DEMO[DEMO.index("deal 1") :]
    reading = read_record(text("7H 7H") + complete)
    assert keys(reading) == ["play.twice", "record.deal_open"]
    assert [len(deal.plays) for deal in reading.record.deals] == [1, 48]


def test_problems_beyond_a_hundred_are_not_listed() -> None:
    for many in ("hello " * 500, "[Seat12 'x'] " * 300):
        reading = read_record('[Rules "classic"] ' + many)
        assert len(reading.problems) == 101
        assert reading.problems[-1].error.key == "record.more"
    reading = read_record('{"deals": [' + ", ".join(["5"] * 500) + "]}")
    assert len(reading.problems) == 101
    assert reading.problems[-1].error.key == "record.more"


def test_what_a_problem_quotes_is_cut_short() -> None:
    for written in (text("7H " + "x" * 9999), data('"7H", ' + "[" * 400 + "]" * 400)):
        (problem,) = read_record(written).problems
        assert len(str(problem)) < 150


def demo_as_json() -> dict[str, Any]:
    return to_json(read_record(DEMO).record)


def test_a_49th_play_in_json() -> None:
    whole = demo_as_json()
    for extra in ("KS", "??", {"card": "2H", "claim": "accepted"}):
        whole["deals"][0]["plays"] = [*demo_as_json()["deals"][0]["plays"], extra, "3H"]
        written = json.dumps(whole)
        (problem,) = read_record(written).problems
        assert problem.error.key == "play.over"
        assert problem.column == written.rindex(json.dumps(extra)) + 1


def test_a_53rd_card_in_json() -> None:
    whole = demo_as_json()
    whole["deals"][0]["plays"][40] = whole["deals"][0]["plays"][3]
    written = json.dumps(whole, indent=1)
    reading = read_record(written)
    (problem,) = reading.problems
    assert problem.error.key == "play.twice"
    assert written.splitlines()[problem.line - 1].strip() == '"4C",'
    assert len(reading.record.deals[0].plays) == 40


def test_a_deal_after_the_match_was_won_in_json() -> None:
    whole = demo_as_json()
    whole["rules"]["target"] = 30
    whole["deals"] *= 3
    written = json.dumps(whole)
    reading = read_record(written)
    (problem,) = reading.problems
    assert problem.error.key == "record.match_over"
    assert problem.error.values == {"number": 1, "side": 2}
    assert written[problem.column - 1 :].startswith('{"dealer": 1')
    assert len(reading.record.deals) == 3


def test_a_deal_after_an_unfinished_one_in_json() -> None:
    whole = demo_as_json()
    whole["deals"] = [whole["deals"][0] | {"plays": ["KS"]}, *whole["deals"]]
    (problem,) = read_record(json.dumps(whole)).problems
    assert problem.error.key == "record.deal_open"
