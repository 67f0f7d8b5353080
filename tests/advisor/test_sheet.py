"""The score sheet: what it says, and that its columns stand under each other."""

import unicodedata
from pathlib import Path

import pytest

from advisor.messages import LANGUAGES, Catalogue
from advisor.sheet import score_sheet, seat_name, side_names
from engine import RuleSet, deck
from engine.record import read_file, read_record

ROOT = Path(__file__).parents[2]
DATA = ROOT / "tests" / "data"
RULES = RuleSet.classic(players=2)


def columns(line: str) -> int:
    """Terminal columns of *line*: wide letters take two, marks on a letter none."""
    line = unicodedata.normalize("NFC", line)
    return sum(2 if unicodedata.east_asian_width(letter) in "WF" else 1 for letter in line)


def sheet(record: str, language: str = "en") -> list[str]:
    reading = read_record(record)
    return score_sheet(reading.match, reading.record.names, Catalogue(language)).splitlines()


@pytest.mark.parametrize("language", ["en", "tr"])
@pytest.mark.parametrize("name", ["bluff", "partners"])
def test_sheets_as_they_were_checked_by_eye(name: str, language: str) -> None:
    reading = read_file(DATA / f"{name}.pisti")
    assert reading.problems == ()
    expected = (DATA / f"{name}.{language}.txt").read_text(encoding="utf-8")
    printed = score_sheet(reading.match, reading.record.names, Catalogue(language))
    assert printed + "\n" == expected


@pytest.mark.parametrize(
    "names",
    [
        ("Ayşe", "Mehmet"),
        ("A", "İğdırlı Şükrüğıoöç"),
        ("名前", "ｗｉｄｅ"),
        ("S\u0327u\u0308kru\u0308", "e\u0301"),
        ("a very long name of a player who sits at the table", "b"),
        ("", "Mehmet"),
    ],
)
@pytest.mark.parametrize("language", LANGUAGES)
def test_columns_stand_under_each_other(names: tuple[str, str], language: str) -> None:
    lines = sheet(
        f'[Rules "players=2"] [Seat0 "{names[0]}"] [Seat1 "{names[1]}"] deal dealer 1 '
        "centre ?? ?? ?? / 7S plays 7H 4C 4D",
        language,
    )
    first = next(number for number, line in enumerate(lines) if line.startswith("  "))
    for table in (lines[first : first + 9], lines[-2:]):
        assert len({columns(line) for line in table}) == 1


def test_letters_that_would_spoil_the_sheet_are_left_out() -> None:
    catalogue = Catalogue("en")
    names = ("two\nlines\tand \x1b[2J", " \r\n ")
    assert seat_name(0, names, catalogue) == "two lines and [2J"
    assert seat_name(1, names, catalogue) == "Player 2"
    assert seat_name(2, names, catalogue) == "Player 3"


def test_partners_share_a_column() -> None:
    names = side_names(RuleSet.classic(), ("A", "B", "C"), Catalogue("tr"))
    assert names == ["A & C", "B & Oyuncu 4"]


def test_a_match_without_a_deal() -> None:
    assert sheet('[Rules "players=2"]') == [
        "Rules: classic players=2",
        "",
        "       Player 1  Player 2",
        "Total         0         0",
    ]


def test_a_complete_deal_that_is_not_certain_says_so() -> None:
    demo = (ROOT / "advisor" / "samples" / "demo.pisti").read_text(encoding="utf-8")
    assert not any("may still change" in line for line in sheet(demo))
    # Each side took one of these two 2s, and either may be the 2♣.
    lines = sheet(demo.replace("2H", "2?").replace("2S", "2?"))
    assert "Cards that nobody has shown may still change these points." in lines
    (points,) = [line for line in lines if line.startswith("Points")]
    assert points.count("?") == 2


def test_bluffs_have_a_line_where_one_was_caught() -> None:
    start = '[Rules "players=2 bluff=on"] deal dealer 1 centre ?? ?? ?? / 7S plays 7H 4C '
    for play, there in (("9C:challenged", True), ("4D:challenged", False), ("9C", False)):
        assert any("Bluffs caught" in line for line in sheet(start + play)) is there


def test_a_centre_that_lay_open_has_no_line_of_face_down_cards() -> None:
    centre = "JH JD JC 7S"
    plays = " ".join(str(card) for card in deck() if str(card) not in centre.split())
    rules = '[Rules "modern jack_on_centre=turn_next"]'
    lines = sheet(f"{rules} deal dealer 1 centre / {centre} plays {plays}")
    assert lines[-1].split()[0] == "Total"
    assert not [line for line in lines if "not finished" in line or "Face down" in line]
