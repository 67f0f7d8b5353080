"""What is wrong in a JSON form is listed where it stands (at the ¶), and what is legal is kept."""

import pytest

from .marked import check, data

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


@pytest.mark.parametrize("name", JSONS)
def test_json(name: str) -> None:
    check(*JSONS[name])
