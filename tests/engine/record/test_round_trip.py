"""Writing and reading again gives the same record."""

import json
import random
from pathlib import Path

import pytest
from hypothesis import given, settings

from engine import Deal, Match
from engine.record import (
    Record,
    read_file,
    read_record,
    recorded,
    replay,
    to_json,
    write_json,
    write_text,
)

from .makers import records, rule_set

DEMO = Path(__file__).parents[3] / "advisor" / "samples" / "demo.pisti"


@settings(max_examples=120, deadline=None)
@given(records())
def test_text_reads_back(record: Record) -> None:
    for written in (write_text(record), write_text(record).encode()):
        reading = read_record(written)
        assert reading.problems == ()
        assert reading.record == record


@settings(max_examples=120, deadline=None)
@given(records())
def test_json_reads_back(record: Record) -> None:
    for written in (write_json(record), json.dumps(to_json(record)), write_json(record).encode()):
        reading = read_record(written)
        assert reading.problems == ()
        assert reading.record == record


@settings(max_examples=40, deadline=None)
@given(records())
def test_a_reading_holds_the_match_that_the_record_replays_to(record: Record) -> None:
    match = read_record(write_text(record)).match
    assert match.totals == replay(record).totals
    assert [len(deal.history) for deal in match.deals] == [len(deal.plays) for deal in record.deals]


@pytest.mark.parametrize("seed", range(30))
def test_a_match_played_here_is_recorded_in_full(seed: int) -> None:
    rng = random.Random(seed)
    rules = rule_set(rng)
    match = Match(rules)
    while match.winner is None and len(match.deals) < 3:
        match.start(Deal.shuffled(rules, match.next_dealer, rng.randrange(10**6)))
        for _ in range(rules.plays):
            match.play(rng.choice(match.deals[-1].legal_cards()))
    record = recorded(match)
    for written in (write_text(record), write_json(record)):
        reading = read_record(written)
        assert reading.problems == ()
        assert reading.record == record
        assert reading.match.totals == match.totals
        assert reading.match.winner == match.winner


def test_the_bundled_record_is_written_as_it_stands() -> None:
    reading = read_file(DEMO)
    assert reading.problems == ()
    assert write_text(reading.record) == DEMO.read_text(encoding="utf-8")


@pytest.mark.parametrize("encoding", ["utf-8", "utf-8-sig", "utf-16"])
@pytest.mark.parametrize("newline", ["\n", "\r\n"])
@pytest.mark.parametrize("write", [write_text, write_json])
def test_encodings_and_line_ends_of_other_systems(encoding: str, newline: str, write) -> None:
    record = read_file(DEMO).record
    reading = read_record(write(record).replace("\n", newline).encode(encoding))
    assert reading.problems == ()
    assert reading.record == record


def test_people_may_write_more_freely() -> None:
    strict = read_record(
        '[Rules "classic players=2"] deal 1 dealer 1 centre ?? ?? ?? / 10S bottom KD '
        "plays TH 4C 4D! 9C {a note}"
    )
    free = read_record(
        '[ Rules  "players=2"]\nDEAL\nDealer 1\nPlays 1. 10hX 2. 4♣ 4d 9c\n{a}{note}\n'
        "centre ?? ?? ?? / t♠\nBottom kd\n"
    )
    assert strict.problems == free.problems == ()
    assert strict.record == free.record


def test_a_record_inside_an_answer_is_read() -> None:
    record = read_file(DEMO).record
    answer = {"record": to_json(record), "score": {"format": "pisti-score/1"}, "review": []}
    reading = read_record(json.dumps(answer))
    assert reading.problems == ()
    assert reading.record == record
    position = {"record": to_json(record), "seat": 0, "hand": ["7H"]}
    assert read_record(json.dumps(position)).record == record


def test_problems_of_a_record_inside_an_answer_are_placed() -> None:
    (problem,) = read_record('{"record":\n {"format": "x"}}').problems
    assert (problem.error.key, problem.line, problem.column) == ("record.format", 2, 13)


def test_a_record_inside_a_record_is_none() -> None:
    reading = read_record('{"record": ' * 200 + "{}" + "}" * 200)
    assert [problem.error.key for problem in reading.problems] == ["record.not_a_record"]
