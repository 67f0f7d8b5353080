"""Claimed piştis: a card laid face down on a single one is told by what follows."""

import dataclasses

import numpy as np
import pytest

from advisor.scorer import understand, who_plays
from engine import UNKNOWN, Claim, Deal, RuleSet, deck, score_deal
from engine.record import DealRecord, PlayRecord, Record, read_record, replay, write_text
from vision.decoder import Fact, Weights, decode
from vision.decoder.claim_course import ClaimCourse
from vision.decoder.evidence import Evidence
from vision.decoder.plays import known_game
from vision.decoder.steps import plain, steps_of
from vision.table import Survey

from .simulated import STEP, Table
from .staged import ZONE, stage

DECK = deck()
PLAIN = RuleSet.classic(players=2)
TWO = RuleSet.classic(players=2, bluff=True)
FOUR = RuleSet.modern(players=4, bluff=True)
DOUBLES = RuleSet.classic(players=2, bluff=True, bluff_jack_doubles=True)


def table(rules, seed, **options):
    deal = Deal.shuffled(rules, rules.players - 1, seed)
    return Table(deal, seed=seed, **options)


def truth(deal):
    """What a perfect watcher sees: of an accepted claim not the card."""
    return [
        (UNKNOWN if played.claim is Claim.ACCEPTED else played.card, played.claim)
        for played in deal.history
    ]


def read(record):
    return [(play.card, play.claim) for play in record.deals[0].plays]


def points(rules, deal):
    """The points by what a perfect watcher sees."""
    setup = deal.setup
    up = len(setup.centre) - setup.centre_up
    shown = {id(card) for card in setup.buried}
    centre = tuple(
        card if at >= up or id(card) in shown else UNKNOWN for at, card in enumerate(setup.centre)
    )
    plays = tuple(PlayRecord(card, claim) for card, claim in truth(deal))
    laid = DealRecord(deal.dealer, centre, setup.centre_up, buried=setup.buried, plays=plays)
    return score_deal(replay(Record(rules, deals=(laid,))).deals[0]).points


def answers(deal):
    return {(played.claim, bool(played.captured)) for played in deal.history if played.claim}


ACCEPTED, MATCH, BLUFF = (Claim.ACCEPTED, True), (Claim.CHALLENGED, True), (Claim.CHALLENGED, False)


@pytest.mark.parametrize(
    ("rules", "seed", "peeks"),
    [(TWO, 5, True), (TWO, 6, False), (FOUR, 7, False), (FOUR, 9, True), (DOUBLES, 6, True)],
)
def test_claims_are_told_from_what_follows(rules, seed, peeks):
    shown = table(rules, seed, peeks=peeks)
    decoded = decode(rules, shown.looks)
    assert answers(shown.deal) == {ACCEPTED, MATCH, BLUFF}
    assert read(decoded.record) == truth(shown.deal)
    assert score_deal(replay(decoded.record).deals[0]).points == points(rules, shown.deal)
    assert not read_record(write_text(decoded.record)).problems
    assert not decoded.review


@pytest.mark.parametrize("on_jack", [Claim.ACCEPTED, Claim.CHALLENGED])
def test_a_claim_on_a_jack_pays_double_where_the_rules_say_so(on_jack):
    shown = next(
        shown
        for shown in (table(DOUBLES, seed) for seed in range(40))
        if any(played.claim is on_jack and played.single.is_jack for played in shown.deal.history)
    )
    decoded = decode(DOUBLES, shown.looks).record
    assert read(decoded) == truth(shown.deal)
    at = next(
        number
        for number, played in enumerate(shown.deal.history)
        if played.claim is on_jack and played.single.is_jack
    )
    played = replay(decoded).deals[0].history[at]
    assert played.bonus + played.penalty == (20 if on_jack is Claim.ACCEPTED else 40)


def test_without_the_rule_claims_are_plays_of_what_showed():
    shown = table(TWO, 2)
    unseen = truth(shown.deal).index((UNKNOWN, Claim.ACCEPTED))
    assert answers(shown.deal) == {ACCEPTED, BLUFF}
    decoded = decode(PLAIN, shown.looks)
    found, played = read(decoded.record), [(one.card, None) for one in shown.deal.history]
    # Of the card that nobody saw only a guess is left, which is listed.
    assert found[:unseen] + found[unseen + 1 :] == played[:unseen] + played[unseen + 1 :]
    assert found[unseen][1] is None
    assert unseen in [doubt.play for doubt in decoded.review]
    with pytest.raises(ValueError, match="no pişti can be claimed"):
        decode(PLAIN, shown.looks, facts=[Fact(0, unseen, UNKNOWN)])


def test_where_nobody_claims_the_rule_changes_nothing():
    shown = table(PLAIN, 6)
    expected, found = decode(PLAIN, shown.looks), decode(TWO, shown.looks)
    assert found.record.deals == expected.record.deals
    assert found.review == expected.review


def test_the_centre_lying_face_down_is_no_claim():
    staged = stage(TWO, 66, level=1, deals=2)
    record, _ = understand(staged.seen, Survey(ZONE, None), TWO)
    assert [[(play.card, play.claim) for play in deal.plays] for deal in record.deals] == [
        truth(deal) for deal in staged.deals
    ]


def test_a_match_that_was_turned_over_unseen_is_listed():
    shown = table(TWO, 7)
    at = next(
        number
        for number, played in enumerate(shown.deal.history)
        if played.claim is Claim.CHALLENGED and played.captured
    )
    again = table(TWO, 7, never_turned=frozenset({at}))
    # What was turned over was out of sight: for a while hands were over the pile.
    begin, end = again.times[at] + 0.9, again.times[at + 1] - 0.1
    hidden = [look for look in again.looks if begin <= look.time < end]
    blank = np.zeros((0, 52), np.float32)
    covered = {
        look.time: dataclasses.replace(
            look, lying=blank, news=blank[:, 0], near=np.zeros(52, np.float32), clear=0.1, back=0.0
        )
        for look in hidden
    }
    looks = [covered.get(look.time, look) for look in again.looks]
    decoded = decode(TWO, looks)
    assert len(read(decoded.record)) == len(truth(again.deal))
    doubt = next(doubt for doubt in decoded.review if doubt.play == at)
    assert doubt.read is UNKNOWN
    assert again.deal.history[at].card in doubt.alternatives
    # A person says what it was, or that it was accepted after all.
    card = again.deal.history[at].card
    told = decode(TWO, looks, facts=[Fact(0, at, card)])
    assert read(told.record) == truth(again.deal)
    kept = decode(TWO, looks, facts=[Fact(0, at, UNKNOWN)])
    assert read(kept.record)[at] == (UNKNOWN, Claim.ACCEPTED)
    assert kept.record.deals[0].plays[at].confidence == 1.0


def test_a_claim_that_a_person_saw_and_the_camera_did_not():
    shown = table(TWO, 5)
    at = truth(shown.deal).index((UNKNOWN, Claim.ACCEPTED))
    begin, end = shown.times[at] - 0.1, shown.times[at + 1] - 0.1
    looks = [
        dataclasses.replace(look, back=0.0, back_news=0.0) if begin < look.time < end else look
        for look in shown.looks
    ]
    assert read(decode(TWO, looks).record)[at] != (UNKNOWN, Claim.ACCEPTED)
    told = decode(TWO, looks, facts=[Fact(0, at, UNKNOWN)])
    assert read(told.record) == truth(shown.deal)


def course_of(shown):
    """What the camera saw of a deal with claims, each play at its look."""
    up = [(card.index, 5) for card in shown.deal.setup.centre[-1:]]
    claims = {number for number, (_, claim) in enumerate(truth(shown.deal)) if claim}
    looks = [round(time / STEP) for time in shown.times]
    plays = [(card.index, look) for (card, _), look in zip(truth(shown.deal), looks, strict=True)]
    steps = steps_of(known_game(TWO, up, plays, claims).last)
    evidence = Evidence(shown.looks, Weights())
    return ClaimCourse(TWO, evidence, steps, 1, len(shown.looks), {}, None)


def test_a_card_laid_where_two_unseen_were_taken_has_no_rivals_of_another_rank():
    shown = table(TWO, 5)
    accepted = truth(shown.deal).index((UNKNOWN, Claim.ACCEPTED))
    card = shown.deal.history[accepted + 1].card
    place = accepted + 2
    course = course_of(shown)
    assert course.cards[place] == card.index
    rivals = [DECK[rival.card] for rival in course.rivals(place)]
    assert {rival.rank for rival in rivals} == {card.rank}


def test_a_claim_and_a_play_of_the_same_card_are_told_apart():
    up, plays = [(0, 5)], [(13, 10), (1, 15), (14, 20)]
    claimed, played = (known_game(TWO, up, plays, claims).last for claims in ({2}, ()))
    assert plain(steps_of(claimed)) == ((0, 5, -1), (13, 10, -1), (1, 15, -1), (14, 20, 20))
    assert plain(steps_of(played)) == ((0, 5, -1), (13, 10, -1), (1, 15, -1), (14, 20, -1))


def test_a_claim_that_waits_as_the_recording_ends_is_listed():
    shown = table(TWO, 9)
    at = next(number for number, played in enumerate(shown.deal.history) if played.claim)
    looks = [look for look in shown.looks if look.time < shown.times[at] + 0.9]
    decoded = decode(TWO, looks)
    assert read(decoded.record)[:-1] == truth(shown.deal)[:at]
    assert read(decoded.record)[at:] == [(UNKNOWN, Claim.ACCEPTED)]
    assert decoded.review[-1].play == at
    assert decoded.record.deals[0].plays[at].confidence <= 0.5


@pytest.mark.parametrize(("players", "seed", "level"), [(2, 71, 3), (4, 66, 5)])
def test_a_whole_game_with_claims(players, seed, level):
    rules = RuleSet.classic(players=players, bluff=True)
    staged = stage(rules, seed, level=level)
    found = Survey(ZONE, None)
    _, hands, _ = who_plays(staged.seen, found, rules)
    record, _ = understand(staged.seen, found, rules, hands=hands)
    (deal,) = staged.deals
    assert len([played for played in deal.history if played.claim]) >= 3
    assert read(record) == truth(deal)
    assert score_deal(replay(record).deals[0]).points == points(rules, deal)
    for play, t in zip(record.deals[0].plays, staged.plan.plays[0], strict=True):
        assert play.t == pytest.approx(t, abs=0.8)
