"""What happens in a game, step by step."""

import pytest

from advisor.errors import SessionError
from advisor.session import (
    Answered,
    Begun,
    CentreSet,
    Claimed,
    Corrected,
    Created,
    Ended,
    HandSet,
    Laid,
    Redone,
    Reread,
    Session,
    Undone,
)
from engine import UNKNOWN, Card, Claim, IllegalPlayError, RuleSet, parse_cards
from engine.record import read_record, write_text


def cards(text: str) -> tuple[Card, ...]:
    return parse_cards(text)


def begun(rules: str = "modern", **options: object) -> Session:
    session = Session(Created(RuleSet.parse(rules), dealer=1, **options))  # type: ignore[arg-type]
    session.apply(Begun("person", 1, cards("?? ?? ?? 7S")))
    return session


def lay(session: Session, text: str, by: str = "person") -> None:
    for card in cards(text):
        session.apply(Laid(by, card))  # type: ignore[arg-type]


def plays(session: Session) -> str:
    assert session.deal is not None
    return " ".join(str(played.card) for played in session.deal.history)


def refused(session: Session, event: object, key: str) -> None:
    events, history = list(session.events), plays(session)
    with pytest.raises((SessionError, IllegalPlayError)) as caught:
        session.apply(event)  # type: ignore[arg-type]
    assert caught.value.key == key
    assert (session.events, plays(session)) == (events, history)


def test_a_game_follows_from_its_events() -> None:
    session = begun(names=("Ayşe", "Mehmet"), date="2026-11-30")
    lay(session, "7H 4C JS 9D")
    assert session.deal is not None
    assert session.deal.pile == list(cards("9D"))
    assert session.match.totals == (1, 0)
    assert session.deal.to_act == 0
    assert session.revision == 6


def test_undo_and_redo_are_events() -> None:
    session = begun()
    lay(session, "7H 4C")
    session.apply(Undone())
    session.apply(Undone())
    assert plays(session) == ""
    session.apply(Redone())
    assert plays(session) == "7H"
    lay(session, "5D")
    refused(session, Redone(), "session.nothing_to_redo")
    assert session.revision == 8


def test_undo_reaches_back_to_before_the_deal_and_no_further() -> None:
    session = begun()
    session.apply(Undone())
    assert session.deal is None
    with pytest.raises(SessionError):
        session.apply(Undone())
    session.apply(Redone())
    assert session.deal is not None


def test_a_correction_changes_what_follows() -> None:
    session = begun()
    lay(session, "7H 4C 4D", by="camera")
    session.apply(Corrected(0, 0, Card.parse("8H")))
    assert plays(session) == "8H 4C 4D"
    assert session.deal is not None
    assert [played.captured for played in session.deal.history] == [0, 0, 7]
    assert session.facts[0].plays[0].by == "person"


def test_two_cards_taken_for_each_other_change_places() -> None:
    session = begun()
    lay(session, "8S 4C 8C", by="camera")
    session.apply(Corrected(0, 0, Card.parse("8C")))
    assert plays(session) == "8C 4C 8S"


def test_a_correction_does_not_push_aside_what_a_person_said() -> None:
    session = begun()
    lay(session, "8S 4C 8C")
    refused(session, Corrected(0, 0, Card.parse("8C")), "play.twice")


@pytest.mark.parametrize(
    ("deal", "play", "key"), [(0, 2, "session.no_play"), (1, 0, "session.no_deal")]
)
def test_there_must_be_something_to_correct(deal: int, play: int, key: str) -> None:
    session = begun()
    lay(session, "8S 4C")
    refused(session, Corrected(deal, play, Card.parse("9C")), key)


def test_the_camera_may_change_its_mind_but_not_a_persons() -> None:
    session = begun()
    lay(session, "7H 4C", by="camera")
    session.apply(Corrected(0, 0, Card.parse("7D")))
    again = tuple(Laid("camera", card) for card in cards("7D 4H KC"))
    session.apply(Reread(0, 0, again))
    assert plays(session) == "7D 4H KC"
    assert [laid.by for laid in session.facts[0].plays] == ["person", "camera", "camera"]
    other = tuple(Laid("camera", card) for card in cards("7H 4H KC"))
    refused(session, Reread(0, 0, other), "session.person_said")
    refused(session, Reread(0, 0, ()), "session.person_said")
    session.apply(Reread(0, 1, ()))
    assert plays(session) == "7D"


def test_hands_are_named_and_put_right() -> None:
    session = begun(me=0)
    session.apply(HandSet("person", 0, cards("7H JS 2C 9D")))
    refused(session, Laid("person", Card.parse("5H")), "play.not_in_hand")
    lay(session, "7H 4C")
    session.apply(HandSet("person", 0, cards("JS 2C 9H")))
    assert session.view(0).hand == tuple(sorted(cards("JS 2C 9H")))
    refused(session, HandSet("person", 0, cards("JS 2C")), "play.hand_size")
    refused(session, HandSet("person", 1, cards("JS 3C 9C")), "play.twice")
    refused(session, HandSet("person", 2, cards("3C")), "session.seat")


def test_a_hand_is_forgotten() -> None:
    session = begun(me=0)
    session.apply(HandSet("person", 0, cards("7H JS 2C 9D")))
    refused(session, Laid("camera", Card.parse("8C")), "play.not_in_hand")
    session.apply(HandSet("camera", 0, ()))
    lay(session, "8C", by="camera")
    session.apply(Undone())
    session.apply(Undone())
    refused(session, Laid("camera", Card.parse("8C")), "play.not_in_hand")


def test_a_hand_that_the_camera_read_gives_way() -> None:
    session = begun(me=0)
    session.apply(HandSet("camera", 0, cards("7H JS 2C 9D")))
    lay(session, "7H 4C JS 5C")
    session.apply(Corrected(0, 2, Card.parse("JC")))
    assert plays(session) == "7H 4C JC 5C"


def test_the_centre_is_put_right() -> None:
    session = begun("classic players=2")
    lay(session, "5C 4C")
    session.apply(CentreSet("person", 0, cards("?? ?? ?? 5D"), 1, Card.parse("KD")))
    assert session.deal is not None
    assert session.deal.history[0].captured == 5
    assert session.deal.setup.bottom is Card.parse("KD")
    refused(session, CentreSet("person", 0, cards("?? ?? JD"), 1), "session.centre")
    refused(session, CentreSet("person", 0, cards("?? ?? ?? JD"), 1), "session.jack")


@pytest.mark.parametrize(
    ("centre", "bottom", "key"),
    [
        ("?? ?? 7S 7S", None, "play.twice"),
        ("?? ?? ??", None, "session.centre"),
        ("?? ?? ?? 7S", "KD", "session.bottom_hidden"),
    ],
)
def test_a_deal_must_fit_the_rules(centre: str, bottom: str | None, key: str) -> None:
    session = Session(Created(RuleSet.modern()))
    under = Card.parse(bottom) if bottom else None
    with pytest.raises((SessionError, IllegalPlayError)) as caught:
        session.apply(Begun("person", 1, cards(centre), bottom=under))
    assert caught.value.key == key


def test_a_deal_begins_when_the_one_before_is_over() -> None:
    session = begun()
    refused(session, Begun("person", 0, cards("?? ?? ?? 8S")), "match.deal_not_over")
    with pytest.raises(IllegalPlayError):
        Session(Created(RuleSet.modern())).apply(Laid("person", Card.parse("7S")))


def test_a_deal_that_ends_early_keeps_what_was_seen() -> None:
    session = begun(me=0)
    lay(session, "7H 4C", by="camera")
    session.apply(Ended("person"))
    assert (session.playing, session.next_dealer) == (False, 0)
    assert session.match.totals == (0, 0)
    for event in (
        Laid("person", Card.parse("9C")),
        Laid("camera", Card.parse("9C")),
        HandSet("person", 0, cards("9C")),
    ):
        refused(session, event, "session.ended")
    refused(session, Ended("person"), "session.nothing_to_end")
    # What was misread in it can still be put right: a Jack takes the seven.
    session.apply(Corrected(0, 0, Card.parse("JH")))
    assert session.match.totals == (1, 0)
    session.apply(Begun("camera", 0, cards("?? ?? ?? 9D")))
    lay(session, "9H", by="camera")
    assert len(session.match.deals) == 2
    assert session.facts[0].ended
    assert not session.facts[1].ended
    assert [len(deal.plays) for deal in session.record().deals] == [2, 1]
    for _ in range(4):
        session.apply(Undone())
    assert (session.playing, plays(session)) == (True, "7H 4C")
    session.apply(Redone())
    assert session.facts[0].ended


def test_a_deal_that_is_dealt_again_never_happened() -> None:
    session = begun()
    lay(session, "7H 4C")
    session.apply(Ended("person", kept=False))
    assert session.deal is None
    assert session.next_dealer == 1
    with pytest.raises(IllegalPlayError) as caught:
        session.apply(Ended("person"))
    assert caught.value.key == "match.no_deal"
    session.apply(Undone())
    assert plays(session) == "7H 4C"
    session.apply(Redone())
    session.apply(Begun("person", 1, cards("?? ?? ?? 8S")))
    assert plays(session) == ""
    # After a deal that is over, the one before stands as it was.
    session.apply(Ended("camera"))
    session.apply(Begun("camera", session.next_dealer, cards("?? ?? ?? 2S")))
    session.apply(Ended("person", kept=False))
    assert (len(session.facts), session.next_dealer) == (1, 0)


def test_a_deal_that_is_not_complete_decides_no_match() -> None:
    session = begun("modern target=1")
    lay(session, "JH")
    session.apply(Ended("person"))
    assert session.match.totals == (1, 0)
    assert session.match.winner is None
    session.apply(Begun("person", 0, cards("?? ?? ?? 8S")))
    assert session.playing


def test_a_claim_that_waits_ends_with_its_deal() -> None:
    session = begun("modern bluff=on")
    lay(session, "7H 4C")
    session.apply(Claimed("person", UNKNOWN))
    session.apply(Ended("person"))
    assert session.facts[0].claimed is None
    assert session.deal is not None
    assert session.deal.claimed is None
    refused(session, Answered("person", Claim.ACCEPTED), "session.ended")
    session.apply(Undone())
    session.apply(Answered("person", Claim.ACCEPTED))


def test_the_camera_fills_a_centre_that_a_person_left_open() -> None:
    session = Session(Created(RuleSet.modern(), dealer=1))
    session.apply(Begun("person", 0, cards("?? ?? ?? ??")))
    session.apply(CentreSet("camera", 0, cards("?? ?? ?? 9D"), 1))
    assert session.facts[0].begun.centre == cards("?? ?? ?? 9D")
    assert session.facts[0].begun.dealer == 0
    # It may put right what it has said itself, and nothing that a person says.
    session.apply(CentreSet("camera", 0, cards("?? ?? ?? 9H"), 1))
    session.apply(CentreSet("person", 0, cards("?? ?? ?? 9C"), 1))
    refused(session, CentreSet("camera", 0, cards("?? ?? ?? 9D"), 1), "session.centre_said")


def test_against_the_computer_the_cards_are_what_they_are() -> None:
    session = begun(me=0, opponent="greedy")
    lay(session, "7H")
    refused(session, Laid("person", Card.parse("4C")), "session.computer")
    refused(session, Corrected(0, 0, Card.parse("8H")), "session.dealt")
    refused(session, HandSet("person", 0, cards("8H 2C 3C")), "session.dealt")
    lay(session, "4C", by="computer")
    refused(session, Laid("computer", Card.parse("5C")), "session.computer")
    session.apply(Undone())
    assert plays(session) == ""
    session.apply(Redone())
    assert plays(session) == "7H 4C"


def test_the_record_reads_back_to_the_same_match() -> None:
    session = begun(names=("Ayşe", "Mehmet"), me=0)
    session.apply(HandSet("person", 0, cards("7H JS 2C 9D")))
    lay(session, "7H 4C")
    session.apply(Laid("camera", Card.parse("2C"), None, 12.5, 0.75))
    record = session.record()
    reading = read_record(write_text(record))
    assert not reading.problems
    assert reading.record == record
    assert reading.match.totals == session.match.totals
    assert record.deals[0].plays[2].confidence == 0.75


@pytest.mark.parametrize("seats", [{"dealer": 2}, {"me": 5}])
def test_seats_must_exist(seats: dict[str, int]) -> None:
    with pytest.raises(SessionError) as caught:
        Session(Created(RuleSet.modern(), **seats))
    assert caught.value.key == "session.seat"


def test_the_first_event_begins_the_game() -> None:
    with pytest.raises(SessionError):
        Session.replay([Undone()])
    session = begun()
    refused(session, Created(RuleSet.modern()), "session.event")


def test_undo_leads_back_to_what_the_camera_knows_now() -> None:
    session = begun()
    lay(session, "7H 4C 9D", by="camera")
    session.apply(Undone())
    session.apply(Reread(0, 0, (Laid("camera", Card.parse("7H"), None, 1.0, 0.99),)))
    assert plays(session) == "7H"
    refused(session, Redone(), "session.nothing_to_redo")
    lay(session, "4C", by="camera")
    session.apply(Reread(0, 0, tuple(Laid("camera", card) for card in cards("8H 4C"))))
    session.apply(Undone())
    assert plays(session) == "8H"


def test_being_surer_of_the_same_cards_leaves_redo_alone() -> None:
    session = begun()
    lay(session, "7H 4C", by="camera")
    session.apply(Undone())
    session.apply(Reread(0, 0, (Laid("camera", Card.parse("7H"), None, 1.0, 0.99),)))
    session.apply(Redone())
    assert plays(session) == "7H 4C"
    assert session.facts[0].plays[0].confidence == 0.99
