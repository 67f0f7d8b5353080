"""What is wrong in a text is listed where it stands (at the ¶), and what is legal is kept."""

import pytest

from .marked import DEMO, NO_CENTRE, check, text

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
    "the bottom card not in the dealer's last hand": (
        text("7H", deal=f"{NO_CENTRE} bottom KD hand 0 ¶hand 1 {'?? ' * 20} 9S KH 9D 9C"),
        "play.not_in_hand",
        [1],
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
    "two slashes": (text("7H", deal="centre ?? / ?? ¶/ ?? 7S"), "record.token", [1]),
    "the rules twice": (text("7H", "modern", head='[Rules "players=2"]\n¶'), "record.again", [1]),
    "a name twice": (
        text("7H", head='[Seat0 ""] [Seat1 "B"] ¶[Seat0 "C"]\n'),
        "record.again",
        [1],
    ),
    "a rule twice": (text("7H", "players=2 players=3", head="¶"), "rules.twice", []),
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
    "two buried where one lies": (
        text("7H", "modern players=5", deal="centre ?? JH ?? / 7S ¶buried JH JH"),
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


@pytest.mark.parametrize("name", TEXTS)
def test_text(name: str) -> None:
    check(*TEXTS[name])
