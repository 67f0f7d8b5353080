"""What is wrong in a record is listed where it stands, and what is legal before it is kept.

In the cases a ¶ marks the place where the problem must be found; it is taken out before reading.
"""

from pathlib import Path

import pytest

from engine.record import Reading, read_record

DEMO = (Path(__file__).parents[3] / "advisor" / "samples" / "demo.pisti").read_text("utf-8")
NO_CENTRE = "centre ?? ?? ?? / 7S"


def read(marked: str) -> tuple[Reading, tuple[int, int]]:
    """The reading of *marked* without its ¶, and the line and column of that."""
    before, mark, after = marked.partition("¶")
    assert mark
    return read_record(before + after), (before.count("\n") + 1, len(before.split("\n")[-1]) + 1)


def check(marked: str, key: str, kept: list[int]) -> None:
    """One problem *key* is listed at the ¶, and of each deal the given number of plays is kept."""
    reading, place = read(marked)
    found = [(problem.error.key, (problem.line, problem.column)) for problem in reading.problems]
    assert found == [(key, place)]
    assert [len(deal.plays) for deal in reading.record.deals] == kept
    assert [len(deal.history) for deal in reading.match.deals] == kept


def text(plays: str, rules: str = "players=2", deal: str = "", head: str = "") -> str:
    lead = f'{head}[Rules "{rules}"]\n'
    return f"{lead}\ndeal 1\ndealer 1\n{deal or NO_CENTRE}\nplays\n{plays}\n"


def data(plays: str = '"7H"', deal: str = "", head: str = "", rules: str = '{"players": 2}') -> str:
    deal = deal or '"dealer": 1, "centre": ["??", "??", "??", "7S"]'
    lead = f'{{"format": "pisti-record/1", {head}\n "rules": {rules}, "deals": ['
    return f'{lead}\n  {{{deal},\n   "plays": [{plays}]}}]}}'


WON = text("", "players=2 target=1").split("deal 1")[0] + DEMO[DEMO.index("deal 1") :]

TEXTS = {
    "a word that is no card": (text("7H 4C ¶9X 5D"), "card.card", [2]),
    "a number that is no card": (text("7H 4C ¶11 5D"), "card.card", [2]),
    "a card played twice": (text("7H 4C ¶7H 5D"), "play.twice", [2]),
    "a card of the centre played": (text("9H 4C ¶7S 5D"), "play.twice", [2]),
    "a card twice in the centre": (text("", deal="centre 7S ?? ?? / ¶7S"), "play.twice", [0]),
    "the bottom card twice": (text("5D", deal=f"{NO_CENTRE} bottom ¶7S"), "play.twice", [1]),
    "the bottom card in the wrong hand": (
        text("7H 4C ¶KD", deal=f"{NO_CENTRE} bottom KD"),
        "play.twice",
        [2],
    ),
    "a card twice in the hands": (
        text("7H", deal=f"{NO_CENTRE} hand 0 7H 8H hand 1 9H ¶8H"),
        "play.twice",
        [1],
    ),
    "a card not in the hand": (
        text("7H ¶4C", deal=f"{NO_CENTRE} hand 0 7H hand 1 9H 2H 3H 4H"),
        "play.not_in_hand",
        [1],
    ),
    "a 49th play": (DEMO + "¶??", "play.over", [48]),
    "a card too many": (DEMO + "¶KS", "play.over", [48]),
    "unknown rule": (text("7H", head="¶", rules="players=2 colour=red"), "rules.unknown", [1]),
    "wrong value": (text("7H", head="¶", rules="players=2 target=lots"), "rules.value", [1]),
    "a negative target": (text("7H", head="¶", rules="players=2 target=-1"), "rules.value", [1]),
    "impossible rules": (
        text("7H", head="¶", rules="players=3 partnership=yes"),
        "rules.partnership",
        [],
    ),
    "too few decks": (text("7H", head="¶", rules="players=5 decks=1"), "rules.decks", []),
    "impossible sides": (
        text("7H", head="¶", rules="players=4 partnership=yes sides=3"),
        "rules.sides",
        [],
    ),
    "no rule": (text("7H", head="¶", rules="classic house"), "rules.word", []),
    "no preset": (text("7H", head="¶", rules="ancient"), "rules.preset", []),
    "a mark too high": (text("¶7H! 4C"), "record.mark", [2]),
    "a mark too low": (text("7Hx 4C ¶4Dx"), "record.mark", [3]),
    "a mark for nothing": (text("7H ¶4C! 5D"), "record.mark_none", [3]),
    "no such claim": (text("7H 4C ¶9C:maybe 5D", "players=2 bluff=on"), "record.claim", [2]),
    "a claim without bluff": (text("7H 4C ¶9C:accepted 5D"), "play.no_bluff", [2]),
    "a claim on many cards": (
        text("¶7H:accepted 5D", "players=2 bluff=on"),
        "play.claim_needs_single",
        [0],
    ),
    "a challenged card not named": (
        text("7H 4C ¶??:challenged", "players=2 bluff=on"),
        "play.challenged_unknown",
        [2],
    ),
    "a card that matters not named": (text("7H 4C ¶?? 5D"), "play.undecided", [2]),
    "a Jack on the centre": (
        text("7H", deal="¶centre ?? ?? ?? / JS"),
        "record.jack_on_centre",
        [1],
    ),
    "a Jack at the bottom": (text("7H", deal=f"{NO_CENTRE} bottom ¶JD"), "record.bottom_jack", [1]),
    "a bottom card that is hidden": (
        text("7H", "modern", deal=f"{NO_CENTRE} bottom ¶KD"),
        "record.bottom_hidden",
        [1],
    ),
    "a small centre": (text("7H", deal="¶centre ?? ?? / 7S"), "record.centre", [1]),
    "a large centre": (text("7H", deal="¶centre ?? ?? ?? ?? / 7S"), "record.centre", [1]),
    "no centre": (
        text("", deal="bottom KD").replace("deal 1", "¶deal 1"),
        "record.centre_missing",
        [0],
    ),
    "nothing face up": (text("7H", deal="centre ?? ?? ?? 7S ¶/"), "record.whole", [1]),
    "a dealer who does not play": (
        text("7H").replace("dealer 1", "dealer ¶7"),
        "record.whole",
        [1],
    ),
    "a dealer by name": (text("7H").replace("dealer 1", "dealer ¶me"), "record.whole", [1]),
    "two dealers": (text("7H").replace("dealer 1", "dealer 1 ¶0"), "record.token", [1]),
    "too few names": (text("7H", head='¶[Seat0 "A"]\n'), "record.names_count", [1]),
    "too many names": (
        text("7H", head='¶[Seat0 "A"] [Seat1 "B"] [Seat2 "C"]\n'),
        "record.names_count",
        [1],
    ),
    "a seat nobody has": (text("7H", head='¶[Seat12 "A"]\n'), "record.token", [1]),
    "a header that means something else": (text("7H", head='¶[deals "A"]\n'), "record.token", [1]),
    "a word before the deals": (text("7H", head="¶hello\n"), "record.token", [1]),
    "a word in a deal": (text("7H").replace("deal 1", "deal 1 ¶hello"), "record.token", [1]),
    "a comment not closed": (text("7H 4C ¶{the lamp 9D"), "record.unclosed", [2]),
    "a quote alone": (text('7H 4C ¶"').replace('"\n', '"', 0), "record.unclosed", [2]),
    "a time before the video": (text("¶7H {[t -5]} 4C"), "record.number", [2]),
    "a time that is no number": (text("¶7H {[t 1.2.3]} 4C"), "record.number", [2]),
    "too sure": (text("¶7H {[confidence 1.5]} 4C"), "record.number", [2]),
    "a buried card that is not there": (
        text("7H", "modern", deal=f"{NO_CENTRE} ¶buried JS"),
        "record.buried",
        [1],
    ),
    "a buried card that is no Jack": (
        text("7H", "modern", deal="centre ?? 5S ?? / 7S ¶buried 5S"),
        "record.buried",
        [1],
    ),
    "three hands for two": (
        text("7H", deal=f"{NO_CENTRE} hand 0 7H hand 1 8H ¶hand 2 9H"),
        "record.hands",
        [1],
    ),
    "too large a hand": (
        text("7H", deal=f"{NO_CENTRE} hand 1 9H ¶hand 0" + " ??" * 25),
        "record.hand_size",
        [1],
    ),
    "another format": (text("7H", head='¶[Format "chess/1"]\n'), "record.format", [1]),
    "a deal after an unfinished one": (
        text(f"7H 4C\n¶deal 2 {NO_CENTRE} plays 8H"),
        "record.deal_open",
        [2, 1],
    ),
    "a deal after the match was won": (
        WON + f"¶deal 2 {NO_CENTRE} plays 8H",
        "record.match_over",
        [48, 1],
    ),
    "nothing but spaces": ("¶ \n\t ", "record.empty", []),
    "nothing": ("¶", "record.empty", []),
    "another text": ("¶Dear all, see you on Friday.", "record.not_a_record", []),
    "a comment alone": ("¶{hello}", "record.not_a_record", []),
}

JSONS = {
    "a text that is no card": (data('"7H", "4C", ¶"9X", "5D"'), "card.card", [2]),
    "a number that is no card": (data('"7H", ¶7, "5D"'), "record.card", [1]),
    "a play without a card": (data('"7H", ¶{"t": 5}, "5D"'), "record.card", [1]),
    "null for a card": (data('"7H", ¶null, "5D"'), "record.card", [1]),
    "a card played twice": (data('"7H",\n "4C", ¶"7H", "5D"'), "play.twice", [2]),
    "a card twice in the centre": (
        data("", deal='"dealer": 1, "centre": ["7S", "??", "??", ¶"7S"]'),
        "play.twice",
        [0],
    ),
    "the bottom card twice": (
        data(deal='"dealer": 1, "bottom": ¶"7S", "centre": ["??", "??", "??", "7S"]'),
        "play.twice",
        [1],
    ),
    "a card not in the hand": (
        data(
            '"7H", ¶"4C"',
            '"dealer": 1, "centre": ["??","??","??","7S"], "hands": [[], ["9H","2H","3H","4H"]]',
        ),
        "play.not_in_hand",
        [1],
    ),
    "unknown rule": (data(rules='{"players": 2, "colour": ¶"red"}'), "rules.unknown", [1]),
    "wrong value": (data(rules='{"players": 2, "target": ¶[1]}'), "rules.value", [1]),
    "wrong number of players": (data('"7H"', rules='{"players": ¶7}'), "rules.value", [1]),
    "yes for players": (data('"7H"', rules='{"players": ¶true}'), "rules.value", [1]),
    "impossible rules": (
        data(rules='¶{"players": 3, "partnership": true}'),
        "rules.partnership",
        [],
    ),
    "no preset": (data(rules='¶{"preset": "ancient"}'), "rules.preset", []),
    "a number for a preset": (data(rules='¶{"preset": 5}'), "rules.preset", []),
    "rules as a list": (data(rules='¶["classic"]'), "record.rules", []),
    "no such claim": (
        data('"7H", "4C", {"card": "9C", "claim": ¶"maybe"}', rules='{"players":2,"bluff":true}'),
        "record.claim",
        [2],
    ),
    "a claim as a list": (
        data('"7H", "4C", {"card": "9C", "claim": ¶[]}', rules='{"players":2,"bluff":true}'),
        "record.claim",
        [2],
    ),
    "a claim without bluff": (
        data('"7H", "4C", ¶{"card": "9C", "claim": "accepted"}'),
        "play.no_bluff",
        [2],
    ),
    "a wrong mark": (data('¶{"card": "7H", "mark": "!"}, "4C"'), "record.mark", [2]),
    "a mark for nothing": (data('"7H", ¶{"card": "4C", "mark": "x"}'), "record.mark_none", [2]),
    "a Jack on the centre": (
        data(deal='"dealer": 1, "centre": ¶["??", "??", "??", "JS"]'),
        "record.jack_on_centre",
        [1],
    ),
    "a Jack at the bottom": (
        data(deal='"dealer": 1, "centre": ["??", "??", "??", "7S"], "bottom": ¶"JD"'),
        "record.bottom_jack",
        [1],
    ),
    "a bottom card that is hidden": (
        data(
            deal='"dealer": 1, "centre": ["??", "??", "??", "7S"], "bottom": ¶"KD"',
            rules='"modern"',
        ),
        "record.bottom_hidden",
        [1],
    ),
    "a bottom card as a list": (
        data(deal='"dealer": 1, "centre": ["??", "??", "??", "7S"], "bottom": ¶["KD"]'),
        "record.card",
        [1],
    ),
    "a small centre": (data(deal='"dealer": 1, "centre": ¶["??", "7S"]'), "record.centre", [1]),
    "an empty centre": (data("", deal='"dealer": 1, "centre": ¶[]'), "record.centre", [0]),
    "no centre": (
        data("", deal='"dealer": 1').replace('{"dealer"', '¶{"dealer"'),
        "record.centre_missing",
        [0],
    ),
    "more up than there are": (
        data(deal='"dealer": 1, "centre": ["??", "??", "??", "7S"], "centre_up": ¶5'),
        "record.whole",
        [1],
    ),
    "a dealer who does not play": (
        data(deal='"dealer": ¶2, "centre": ["??", "??", "??", "7S"]'),
        "record.whole",
        [1],
    ),
    "true for a dealer": (
        data(deal='"dealer": ¶true, "centre": ["??", "??", "??", "7S"]'),
        "record.whole",
        [1],
    ),
    "a key twice, the last counts": (
        data(deal='"dealer": 0, "centre": ["??", "??", "??", "7S"], "dealer": ¶1e400'),
        "record.whole",
        [1],
    ),
    "too few names": (data(head='"names": ¶["A"],'), "record.names_count", [1]),
    "names that are none": (data(head='"names": ¶["A", 5],'), "record.names", [1]),
    "names as text": (data(head='"names": ¶"A B",'), "record.names", [1]),
    "half a letter in a name": (data(head='"names": ¶["A", "\\ud800"],'), "record.names", [1]),
    "a date that is none": (data(head='"date": ¶20200101,'), "record.text", [1]),
    "a zero byte in a text": (data(head='"event": ¶"a\\u0000b",'), "record.text", [1]),
    "an unknown key": (data(head='"colour": ¶5,'), "record.unknown_key", [1]),
    "a key that is no header": (data(head='"a b": ¶"c",'), "record.unknown_key", [1]),
    "an unknown key in a deal": (
        data(deal='"dealer": 1, "colour": ¶"red", "centre": ["??", "??", "??", "7S"]'),
        "record.unknown_key",
        [1],
    ),
    "an unknown key in a play": (
        data('{"card": "7H", "colour": ¶"red"}, "4C"'),
        "record.unknown_key",
        [2],
    ),
    "a time before the video": (data('{"card": "7H", "t": ¶-5}, "4C"'), "record.number", [2]),
    "not a number": (data('{"card": "7H", "t": ¶NaN}, "4C"'), "record.number", [2]),
    "a time without end": (data('{"card": "7H", "t": ¶Infinity}, "4C"'), "record.number", [2]),
    "a huge number": (data('{"card": "7H", "t": ¶' + "9" * 4000 + '}, "4C"'), "record.number", [2]),
    "yes for a time": (data('{"card": "7H", "t": ¶true}, "4C"'), "record.number", [2]),
    "too sure": (data('{"card": "7H", "confidence": ¶1.01}'), "record.number", [1]),
    "a number for a comment": (data('{"card": "7H", "comment": ¶1}'), "record.text", [1]),
    "a buried card that is not there": (
        data(deal='"dealer": 1, "centre": ["??", "??", "??", "7S"], "buried": ¶["JS"]'),
        "record.buried",
        [1],
    ),
    "three hands for two": (
        data(deal='"dealer": 1, "centre": ["??", "??", "??", "7S"], "hands": ¶[[], [], []]'),
        "record.hands",
        [1],
    ),
    "a hand as text": (
        data(deal='"dealer": 1, "centre": ["??", "??", "??", "7S"], "hands": [[], ¶"7H"]'),
        "record.cards",
        [1],
    ),
    "plays as text": (data().replace('"plays": ["7H"]', '"plays": ¶"7H"'), "record.plays", [0]),
    "deals as an object": ('{"rules": "players=2", "deals": ¶{}}', "record.deals", []),
    "another format": ('{"format": ¶"chess/1", "deals": []}', "record.format", []),
    "a format as a list": ('{"format": ¶[], "deals": []}', "record.format", []),
    "a list": ("¶[1, 2]", "record.not_a_record", []),
    "an object of something else": (
        '¶{"name": "pisti", "version": "1"}',
        "record.not_a_record",
        [],
    ),
    "an empty object": ("¶{}", "record.not_a_record", []),
    "a record in an answer that is none": ('{"record": ¶5}', "record.not_a_record", []),
    "broken off": ('{"deals": [¶', "record.json", []),
    "a comma too few": ('{"deals": [] ¶"names": []}', "record.json", []),
    "two documents": ('{"deals": []} ¶{}', "record.json", []),
    "nested too deeply": ('¶{"deals": ' + "[" * 100_000, "record.json_depth", []),
    "too many digits": ('¶{"deals": ' + "9" * 5000 + "}", "record.json_digits", []),
}


@pytest.mark.parametrize("name", TEXTS)
def test_text(name: str) -> None:
    check(*TEXTS[name])


@pytest.mark.parametrize("name", JSONS)
def test_json(name: str) -> None:
    check(*JSONS[name])


def keys(reading: Reading) -> list[str]:
    return [problem.error.key for problem in reading.problems]


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
