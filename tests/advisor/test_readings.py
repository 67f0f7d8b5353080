"""Cards that are not certain: which readings are possible, and advice that reckons with them."""

import json

import numpy as np
import pytest
from click.testing import CliRunner

from advisor import Advisor, Limit
from advisor.cli.main import group
from advisor.errors import AdviceError
from advisor.position import read_position
from advisor.readings import Doubt, likely_readings
from engine import Card, View

NINE, SIX = Card.parse("9S"), Card.parse("6S")


def asked(plays: str, hand: str, seat: int = 1, doubts: object = ()) -> str:
    deal = {"dealer": 1, "centre": ["??", "??", "??", "7S"], "bottom": "KD", "plays": plays.split()}
    record = {"rules": {"preset": "classic", "players": 2}, "deals": [deal]}
    form = {"record": record, "seat": seat, "hand": hand.split()}
    return json.dumps(form | {"doubts": doubts} if doubts else form)


def view_of(plays: str, hand: str, seat: int = 1) -> View:
    return read_position(asked(plays, hand, seat))[0]


def may_be(play: int, **faces: float) -> Doubt:
    return Doubt(play, tuple((Card.parse(name[1:]), chance) for name, chance in faces.items()))


def cards(readings: list[tuple[View, float]], play: int) -> dict[str, float]:
    return {str(view.plays[play].card): chance for view, chance in readings}


def test_each_likely_face_is_a_reading() -> None:
    view = view_of("3H 4C 9S", "9H AD JC")
    readings = likely_readings(view, [may_be(2, _9S=0.6, _6S=0.3, _8S=0.01)])
    assert cards(readings, 2) == pytest.approx({"9S": 2 / 3, "6S": 1 / 3})
    assert readings[0][0] == view


@pytest.mark.parametrize(
    "other",
    [
        "9H",  # lies in the seat's hand
        "3H",  # was played before
        "KD",  # is the bottom card
        "4H",  # would have captured
        "JS",  # would have captured
    ],
)
def test_what_cannot_have_been_is_no_reading(other: str) -> None:
    view = view_of("3H 4C 9S", "9H AD JC")
    doubt = Doubt(2, ((NINE, 0.5), (Card.parse(other), 0.5)))
    assert likely_readings(view, [doubt]) == [(view, 1.0)]


def test_two_cards_may_have_been_taken_for_each_other() -> None:
    view = view_of("6S 4C 9S", "9H AD JC")
    doubts = [may_be(0, _6S=0.6, _9S=0.4), may_be(2, _9S=0.6, _6S=0.4)]
    readings = likely_readings(view, doubts)
    # One alone would lie there twice.
    assert [[str(play.card) for play in reading.plays] for reading, _ in readings] == [
        ["6S", "4C", "9S"],
        ["9S", "4C", "6S"],
    ]
    assert [chance for _, chance in readings] == pytest.approx([0.36 / 0.52, 0.16 / 0.52])


def test_few_readings_of_many_doubts() -> None:
    view = view_of("3H 4C 9S 8D 5C 6S 2D", "QH", seat=1)
    faces = ["_10S", "_10H", "_QS", "_QD", "_KS", "_KH"]
    doubts = [may_be(at, **dict.fromkeys(faces, 0.1)) for at in range(7)]
    readings = likely_readings(view, doubts)
    assert 1 <= len(readings) <= 4
    assert sum(chance for _, chance in readings) == pytest.approx(1)
    assert readings[0][0] == view


@pytest.mark.parametrize(
    ("play", "faces"),
    [(3, {"9S": 0.5}), (-1, {"9S": 0.5}), (2, {}), (2, {"9S": 0}), (2, {"9S": 2}), (2, {"??": 1})],
)
def test_what_is_no_doubt(play: int, faces: dict[str, float]) -> None:
    view = view_of("3H 4C 9S", "9H AD JC")
    pairs = tuple((Card.parse(card), chance) for card, chance in faces.items())
    with pytest.raises(AdviceError) as caught:
        likely_readings(view, [Doubt(play, pairs)])
    assert caught.value.key == "advise.doubt"


def test_advice_is_the_mean_of_the_readings() -> None:
    view = view_of("3H 4C 9S", "9H AD JC")
    other = view_of("3H 4C 6S", "9H AD JC")
    limit = Limit(samples=512, seed=4)
    mixed = Advisor().advise(view, limit, doubts=[Doubt(2, ((NINE, 0.5), (SIX, 0.5)))])
    half = Limit(samples=256, seed=4)
    parts = [Advisor().advise(each, half) for each in (view, other)]

    def points(advice: object) -> dict[Card, float]:
        return {move.card: move.points for move in advice.moves}  # type: ignore[attr-defined]

    means = {card: np.mean([points(part)[card] for part in parts]) for card in points(mixed)}
    assert points(mixed) == pytest.approx(means)
    assert mixed.limit.samples == 512
    holds = [part.opponents[0].has_rank["6"] for part in (mixed, *parts)]
    assert holds[0] == pytest.approx((holds[1] + holds[2]) / 2)


def test_a_doubtful_nine_is_not_worth_a_nine() -> None:
    # For certain, the 9 takes the table; where it is more likely a 6, the Jack does.
    view = view_of("3H 4C 9S", "9H AD JC")
    sure = Advisor().advise(view, Limit(samples=512))
    doubtful = Advisor("en").advise(
        view, Limit(samples=512), doubts=[Doubt(2, ((NINE, 0.2), (SIX, 0.8)))]
    )
    assert (str(sure.best), str(doubtful.best)) == ("9H", "JC")
    assert "9♠ may really be 6♠ (80%); the advice allows for both." in doubtful.why
    assert not doubtful.exact


def test_the_command_reads_doubts() -> None:
    doubts = [{"play": 2, "faces": {"9S": 0.2, "6S": 0.8}}]
    words = ["--language", "en", "advise", "--samples", "512", "-"]
    done = CliRunner().invoke(group, words, input=asked("3H 4C 9S", "9H AD JC", doubts=doubts))
    assert done.exit_code == 0
    assert done.stdout.startswith("Play J♣.")
    for wrong in (
        [1],
        {"play": 2},
        [{"play": "2", "faces": {}}],
        [{"play": 2, "faces": {"9S": "x"}}],
    ):
        done = CliRunner().invoke(group, words, input=asked("3H 4C 9S", "9H AD JC", doubts=wrong))
        assert (done.exit_code, done.stdout) == (1, "")
        assert "doubts is a list of plays" in done.stderr
