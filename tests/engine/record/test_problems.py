"""Several problems in one record: all are listed, in order, and what is legal is kept."""

from engine.record import read_record

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
