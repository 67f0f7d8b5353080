"""Claimed piştis seen live: one is told once it was answered."""

from threading import RLock
from types import SimpleNamespace

from advisor.live.decoding import LiveDecoder
from advisor.live.reading import Shown
from advisor.live.table import TableWatch
from advisor.session import Created, Session
from engine import Claim, Deal, RuleSet
from tests.vision.decoder.simulated import STEP, Table
from tests.vision.decoder.staged import stage
from tests.vision.decoder.test_claims import truth
from vision.layout import Layout

TWO = RuleSet.classic(players=2, bluff=True)


def had(decoder: LiveDecoder) -> list[tuple[object, object]]:
    deals = decoder.deals()
    return [(seen.card, seen.claim) for seen in deals[-1].plays] if deals else []


def test_a_claim_is_told_once_it_was_answered() -> None:
    shown = Table(Deal.shuffled(TWO, 1, 5), seed=5)
    decoder, told = LiveDecoder(TWO), []
    for look in shown.looks:
        decoder.take(look)
        told.append(len(had(decoder)))
    plays = truth(shown.deal)
    assert had(decoder) == plays
    claims = [number for number, (_, claim) in enumerate(plays) if claim]
    assert {claim for _, claim in plays} == {None, *Claim}
    for number in claims:
        # While it waits it is no play yet; a look after its answer at the latest it is one.
        laid = round(shown.times[number] / STEP)
        answered = next(at for at in range(laid, len(told)) if not shown.looks[at].back)
        assert set(told[laid:answered]) == {number}
        assert told[answered + 1] == number + 1
    for seen, time in zip(decoder.deals()[0].plays, shown.times, strict=True):
        assert abs(seen.t - time) < 0.45


def test_what_people_said_of_claims_is_kept() -> None:
    shown = Table(Deal.shuffled(TWO, 1, 5), seed=5)
    decoder = LiveDecoder(TWO)
    for look in shown.looks:
        decoder.take(look)
    (deal,) = decoder.deals()
    plays = truth(shown.deal)
    up = [(seen.card, seen.t) for seen in deal.turned_up]
    laid = [(seen.card, seen.t) for seen in deal.plays]
    # Up to behind the claim with a Jack that took nothing, or any other bluff.
    bluff = next(
        number
        for number, played in enumerate(shown.deal.history)
        if played.claim is Claim.CHALLENGED and not played.captured
    )
    claims = [number for number, (_, claim) in enumerate(plays[: bluff + 1]) if claim]
    decoder.hold(up, laid[: bluff + 1], again=True, claims=claims)
    assert had(decoder) == plays


def test_what_the_camera_sees_of_claims_becomes_events() -> None:
    staged = stage(TWO, 71, level=1)
    session = Session(Created(TWO, dealer=1))
    game = SimpleNamespace(session=session, lock=RLock())

    def change(_game: object, events: list[object]) -> None:
        for event in events:
            session.apply(event)  # type: ignore[arg-type]

    desk = SimpleNamespace(changed=[], change=change)
    watch = TableWatch(desk, game, Layout)  # type: ignore[arg-type]
    plays, times = truth(staged.deals[0]), staged.plan.plays[0]
    assert {claim for _, claim in plays[:18]} == {None, *Claim}
    for one in staged.seen:
        if one.time < times[19] - 0.2:
            watch.take(Shown(one.time, (800, 600), one.sightings, one.motion))
    watch.close()
    assert watch.problem is None
    laid = session.facts[-1].plays
    assert [(play.card, play.claim) for play in laid][:18] == plays[:18]
