"""Events read back from their JSON form, and what is none is refused."""

import json
from typing import Any

import pytest
from hypothesis import given
from hypothesis import strategies as st

from advisor.errors import SessionError
from advisor.session import (
    Begun,
    CentreSet,
    Corrected,
    Created,
    Ended,
    Event,
    HandSet,
    Laid,
    Redone,
    Reread,
    Undone,
    event_from_json,
    event_to_json,
)
from engine import UNKNOWN, Card, Claim, RuleSet, deck

CARD = st.sampled_from([*deck(), UNKNOWN, Card.parse("7?")])
CARDS = st.lists(CARD, max_size=8).map(tuple)
BY = st.sampled_from(["person", "camera", "computer"])
SECONDS = st.none() | st.floats(0, 1e6)
SMALL = st.integers(0, 60)
LAID = st.builds(
    Laid,
    by=BY,
    card=CARD,
    claim=st.none() | st.sampled_from(Claim),
    t=SECONDS,
    confidence=st.none() | st.floats(0, 1),
    alternatives=st.lists(st.tuples(CARD, st.floats(0, 1)), max_size=3).map(tuple),
)
EVENT: st.SearchStrategy[Event] = st.one_of(
    st.builds(
        Created,
        rules=st.sampled_from(
            [RuleSet.classic(), RuleSet.modern(target=101), RuleSet.classic(players=6, bluff=True)]
        ),
        names=st.lists(st.text(max_size=9), max_size=6).map(tuple),
        dealer=SMALL,
        me=st.none() | SMALL,
        opponent=st.none() | st.text(max_size=9),
        date=st.none() | st.just("2026-11-30"),
    ),
    st.builds(
        Begun,
        by=BY,
        dealer=SMALL,
        centre=CARDS,
        centre_up=SMALL,
        bottom=st.none() | CARD,
        buried=CARDS,
        hands=st.lists(CARDS, max_size=4).map(tuple),
        t=SECONDS,
    ),
    LAID,
    st.builds(Corrected, deal=SMALL, play=SMALL, card=CARD),
    st.builds(Reread, deal=SMALL, play=SMALL, plays=st.lists(LAID, max_size=3).map(tuple)),
    st.builds(CentreSet, by=BY, deal=SMALL, centre=CARDS, centre_up=SMALL, bottom=st.none() | CARD),
    st.builds(HandSet, by=BY, seat=SMALL, cards=CARDS),
    st.builds(Ended, by=BY, kept=st.booleans()),
    st.just(Undone()),
    st.just(Redone()),
)


@given(EVENT)
def test_events_read_back(event: Event) -> None:
    assert event_from_json(json.loads(json.dumps(event_to_json(event)))) == event


@pytest.mark.parametrize(
    "data",
    [
        None,
        [],
        {},
        {"kind": "danced"},
        {"kind": "laid"},
        {"kind": "laid", "by": "person", "card": "11S"},
        {"kind": "laid", "by": "a ghost", "card": "7S"},
        {"kind": "laid", "by": "person", "card": "7S", "colour": "red"},
        {"kind": "laid", "by": "person", "card": 7},
        {"kind": "laid", "by": "person", "card": "7S", "t": "soon"},
        {"kind": "laid", "by": "person", "card": "7S", "claim": "perhaps"},
        {"kind": "corrected", "deal": 0, "play": -1, "card": "7S"},
        {"kind": "corrected", "deal": True, "play": 1, "card": "7S"},
        {"kind": "reread", "deal": 0, "play": 0, "plays": ["7S"]},
        {"kind": "created", "rules": {"preset": "home"}},
        {"kind": "created", "rules": {"preset": "classic"}, "names": [3]},
    ],
)
def test_what_is_no_event_is_refused(data: Any) -> None:
    with pytest.raises(SessionError) as caught:
        event_from_json(data)
    assert caught.value.key == "session.event"
