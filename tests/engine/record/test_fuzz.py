"""Whatever a file holds, reading it never raises, and what it keeps is a record like any other."""

import json
from pathlib import Path

import pytest
from hypothesis import example, given, settings
from hypothesis import strategies as st

from engine.record import Reading, read_record, score_to_json, write_json, write_text

from .makers import records

calm = settings(max_examples=100, deadline=None)
DEMO = (Path(__file__).parents[3] / "advisor" / "samples" / "demo.pisti").read_text("utf-8")
RICH = """[Rules "classic players=2 bluff=on"]
[Seat0 "Ayşe \\"A.\\""]
[Seat1 "Mehmet"]
{a game {\\}}
deal 1
dealer 1
centre ?? 3S 4? / 7S
bottom KD
hand 0 7H 4D ?? 9C 8S
hand 1
{a deal}
plays
1. 7Hx 4C 4D! {[t 51.2] [confidence 0.9]} 2. JH ??!:accepted 2C 9C:challenged {note} 9Dx
deal 2
centre ?? ?? ?? / 8S
plays
8? 9?
"""
FORMS = [DEMO, RICH, write_json(read_record(DEMO).record), write_json(read_record(RICH).record)]


def check(data: str | bytes) -> Reading:
    """Read *data*; whatever was kept can be scored, written and read again."""
    reading = read_record(data)
    score = score_to_json(reading.match, reading.problems)
    json.dumps(score, allow_nan=False)
    for problem in reading.problems:
        assert problem.line >= 1
        assert problem.column >= 1
        assert 0 < len(str(problem)) < 400
        assert "\n" not in str(problem)
    assert len(reading.problems) <= 101
    for written in (write_text(reading.record), write_json(reading.record)):
        again = read_record(written.encode())
        assert again.record == reading.record
        assert again.match.totals == reading.match.totals
    return reading


@calm
@given(st.text())
@example("\ufeff")
@example("[0")
@example("{" * 2000)
@example('["' * 2000)
@example("deal hand 9 9 9 7S")
@example("deal hand 7S")
@example("deal centre / / 7S /")
@example("deal dealer \u0663 plays ?? [t 5]")
@example('[Rules "preset=classic preset"]')
@example('[Rules "="]')
def test_any_text(data: str) -> None:
    check(data)


@calm
@given(st.binary())
@example(b"\xff\xfe")
@example(b"\xff\xfe\x00")
@example(b"\xfe\xff\xd8\x00")
@example(b"\xef\xbb\xbf")
@example(b"\xff\xfe\x00\x00d\x00\x00\x00")
@example(b"\x89PNG\r\n\x1a\n\0\0\0\rIHDR")
@example(b"deal\0plays")
def test_any_bytes(data: bytes) -> None:
    check(data)


@pytest.mark.parametrize(
    ("data", "key"),
    [
        (b"\x89PNG\r\n\x1a\n\0\0\0\rIHDR", "record.encoding"),
        (b"deal plays 7S\0", "record.encoding"),
        ("deal plays 7S\0", "record.encoding"),
        (b"\xff\xfed\x00\x00", "record.encoding"),
        (DEMO.encode("utf-32"), "record.encoding"),
        (DEMO.encode("iso8859-9"), "record.encoding"),
        (b"\xff\xfe", "record.empty"),
        (b"\xef\xbb\xbf", "record.empty"),
        (b"", "record.empty"),
    ],
)
def test_what_is_no_text_gets_one_sentence(data: bytes | str, key: str) -> None:
    assert [problem.error.key for problem in check(data).problems] == [key]


_WORDS = r"""
deal dealer centre bottom buried hand plays / 0 1 2 7S 7H ?? 7? JS JH jd 10D TDx 4C! KD!!
7H:accepted 9C:challenged ??:accepted { } {note} [ ] " \ [t [Rules [Seat0 "x"] 1. 99 x ! : {[t
{1}]} [Rules "players=2"] [Rules "modern bluff=on"] [Seat1 "Ayşe"] ♠ ７S
"""
_words = st.sampled_from(_WORDS.split())


@calm
@given(st.lists(_words, max_size=60).map(" ".join))
def test_words_of_a_record_in_any_order(data: str) -> None:
    check(data)


_scalars = (
    st.none()
    | st.booleans()
    | st.integers()
    | st.floats()
    | st.text(max_size=5)
    | st.sampled_from(["7S", "??", "JS", "KD", "accepted", "players=2", 0, 1, 2, 10**400, 1e308])
)
_values = st.recursive(
    _scalars,
    lambda inner: (
        st.lists(inner, max_size=4) | st.dictionaries(st.text(max_size=4), inner, max_size=4)
    ),
    max_leaves=12,
)
_NAMES = r"""
format rules names deals date event source comment dealer centre centre_up bottom buried hands
plays card claim t confidence mark preset players target bluff sides record
"""
_names = st.sampled_from(_NAMES.split())
_shaped = st.recursive(
    _scalars,
    lambda inner: st.lists(inner, max_size=5) | st.dictionaries(_names, inner, max_size=6),
    max_leaves=30,
)


@calm
@given(_values)
def test_any_json(value: object) -> None:
    check(json.dumps(value))


@calm
@given(st.dictionaries(_names, _shaped, max_size=8))
def test_json_with_the_names_of_a_record(value: object) -> None:
    check(json.dumps(value))


@calm
@given(
    st.lists(
        st.fixed_dictionaries(
            {},
            optional={
                "dealer": _values,
                "centre": _values | st.lists(st.sampled_from(["??", "7S", "JS", "4?"]), max_size=9),
                "centre_up": _values,
                "bottom": _values,
                "buried": _values | st.just(["JS"]),
                "hands": _values | st.lists(st.lists(st.just("??"), max_size=30), max_size=3),
                "plays": st.lists(
                    st.sampled_from(["7S", "8S", "7?", "??", "JS"]) | _shaped, max_size=20
                ),
                "comment": _values,
            },
        ),
        max_size=3,
    )
)
def test_json_deals_of_any_values(deals: list[object]) -> None:
    check(json.dumps({"rules": {"players": 2, "bluff": True}, "deals": deals}))


@st.composite
def damaged(draw: st.DrawFn, form: str) -> str:
    """*form* with a few slices deleted, doubled, moved or overwritten."""
    for _ in range(draw(st.integers(1, 3))):
        first, second = sorted(draw(st.tuples(*[st.integers(0, len(form))] * 2)))
        second = min(second, first + draw(st.sampled_from([1, 3, 20, 200])))
        part = form[first:second]
        how = draw(st.sampled_from(["delete", "double", "move", "replace"]))
        rest = form[:first] + form[second:]
        if how == "delete":
            form = rest
        elif how == "double":
            form = form[:second] + part + form[second:]
        elif how == "move":
            at = draw(st.integers(0, len(rest)))
            form = rest[:at] + part + rest[at:]
        else:
            form = form[:first] + draw(st.text(max_size=4)) + form[second:]
    return form


@settings(max_examples=200, deadline=None)
@given(st.sampled_from(FORMS).flatmap(damaged))
def test_a_damaged_record(data: str) -> None:
    check(data)


@settings(max_examples=60, deadline=None)
@given(records(), st.data())
def test_a_record_cut_off_anywhere_keeps_its_legal_prefix(record, data: st.DataObject) -> None:
    written = write_text(record)
    cut = check(written[: data.draw(st.integers(0, len(written)))]).record
    assert len(cut.deals) <= len(record.deals)
    for kept, whole in zip(cut.deals[:-1], record.deals, strict=False):
        assert kept == whole


def test_a_dealer_cut_off_begins_no_deal() -> None:
    whole = '[Rules "classic"]\ndeal 1\ndealer 1\nplays\n'
    kept = check(whole[: whole.index("dealer") + len("deal")])
    assert len(kept.record.deals) == 1
    assert "record.token" in [problem.error.key for problem in kept.problems]
    assert len(check(whole[: whole.index("deal 1") + len("deal ")]).record.deals) == 1


def test_a_header_cut_off_begins_no_deal() -> None:
    for header in ("[deal", '[Seat2 "deal 1', '[x_1 "say \\"deal 1\\" centre'):
        assert check(f'[Rules "classic"]\n{header}').record.deals == ()


@settings(max_examples=100, deadline=None)
@given(st.sampled_from(FORMS), st.data())
def test_damaged_bytes(form: str, data: st.DataObject) -> None:
    raw = bytearray(form.encode())
    for _ in range(data.draw(st.integers(1, 3))):
        raw[data.draw(st.integers(0, len(raw) - 1))] = data.draw(st.integers(0, 255))
    check(bytes(raw))
