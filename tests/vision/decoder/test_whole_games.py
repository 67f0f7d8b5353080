"""Whole games, staged as the renderer stages them, are decoded exactly."""

import pytest

from advisor.scorer import understand
from engine import RuleSet, score_deal
from engine.record import read_record, replay, write_text
from vision.decoder import Decoder, Fact
from vision.table import PileWatcher, Survey

from .staged import ZONE, stage

GAMES = [
    (RuleSet.classic(players=2), 11, 3),
    (RuleSet.modern(players=2), 12, 5),
    (RuleSet.classic(players=3), 13, 4),
    (RuleSet.classic(players=4), 14, 5),
]


def truth(deal):
    return [str(played.card) for played in deal.history]


def read(deal):
    return [str(play.card) for play in deal.plays]


@pytest.mark.parametrize(("rules", "seed", "level"), GAMES)
def test_a_whole_game(rules, seed, level):
    staged = stage(rules, seed, level=level)
    record, review = understand(staged.seen, Survey(ZONE, None), rules)
    (deal,) = record.deals
    assert read(deal) == truth(staged.deals[0])
    assert score_deal(replay(record).deals[0]).points == score_deal(staged.deals[0]).points
    assert not read_record(write_text(record)).problems
    for play, t in zip(deal.plays, staged.plan.plays[0], strict=True):
        assert play.t == pytest.approx(t, abs=0.8)
    assert len(review) <= 4


def test_two_deals_and_a_start_in_the_middle():
    rules = RuleSet.modern(players=2)
    staged = stage(rules, 21, level=2, deals=2)
    whole, _ = understand(staged.seen, Survey(ZONE, None), rules)
    assert [read(deal) for deal in whole.deals] == [truth(deal) for deal in staged.deals]
    begins = staged.plan.plays[0][20] - 0.3
    later = [one for one in staged.seen if one.time >= begins]
    record, _ = understand(later, Survey(ZONE, None), rules)
    # What was played before is not invented, and the deal that follows is whole.
    assert len(record.deals) == 2
    assert read(record.deals[0])[-20:] == truth(staged.deals[0])[-20:]
    assert len(record.deals[0].plays) <= 28
    assert read(record.deals[1]) == truth(staged.deals[1])


def test_a_correction_holds_and_the_rest_is_decoded_again():
    rules = RuleSet.modern(players=2)
    staged = stage(rules, 12, level=2)
    watcher = PileWatcher(ZONE)
    for one in staged.seen:
        watcher.look(one.time, one.sightings, 1 - one.motion)
    decoder = Decoder(rules, watcher.looks())
    plays = decoder.decode().record.deals[0].plays
    unplayed = next(
        card for card in staged.deals[0].setup.centre if card not in [play.card for play in plays]
    )
    corrected = decoder.decode([Fact(0, 30, unplayed)]).record.deals[0].plays
    assert corrected[30].card is unplayed
    assert corrected[30].confidence == 1.0
    assert [play.card for play in corrected[:24]] == [play.card for play in plays[:24]]
    assert len({play.card for play in corrected}) == len(corrected)
