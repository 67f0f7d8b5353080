"""The decoder finds the game behind what was seen."""

import dataclasses

import pytest

from engine import Deal, RuleSet, score_deal
from engine.record import read_record, replay, write_text
from vision.decoder import Weights, decode

from .simulated import Table

TWO = RuleSet.classic(players=2)


def table(seed, rules=TWO, **options):
    deal = Deal.shuffled(rules, rules.players - 1, seed)
    while deal.setup.centre_up > 1:
        seed += 1000
        deal = Deal.shuffled(rules, rules.players - 1, seed)
    return Table(deal, seed=seed, **options)


def plays(record):
    return [str(play.card) for play in record.deals[0].plays]


def truth(shown):
    return [str(played.card) for played in shown.deal.history]


@pytest.mark.parametrize("rules", [TWO, RuleSet.modern(), RuleSet.classic(players=3)])
@pytest.mark.parametrize("seed", range(3))
def test_a_game_that_is_seen_well_is_decoded_exactly(rules, seed):
    shown = table(seed, rules)
    decoded = decode(rules, shown.looks)
    assert plays(decoded.record) == truth(shown)
    assert score_deal(replay(decoded.record).deals[0]).points == score_deal(shown.deal).points


def test_each_play_has_the_time_it_was_made_at():
    shown = table(1)
    record = decode(TWO, shown.looks).record
    for play, time in zip(record.deals[0].plays, shown.times, strict=True):
        assert play.t == pytest.approx(time, abs=0.41)


def test_a_card_misread_for_a_moment_is_no_play():
    shown = table(2, misread=frozenset({1, 6, 20, 33}))
    assert plays(decode(TWO, shown.looks).record) == truth(shown)


def test_cards_that_are_read_badly_are_still_told_by_their_order():
    shown = table(0, sure=0.6)
    assert plays(decode(TWO, shown.looks).record) == truth(shown)


def test_a_capture_by_a_card_that_never_showed_is_known_and_put_on_the_review_list():
    shown = table(3)
    captures = [n for n, played in enumerate(shown.deal.history) if played.captured]
    hidden = captures[len(captures) // 2]
    again = table(3, unseen=frozenset({hidden}))
    decoded = decode(TWO, again.looks)
    found = plays(decoded.record)
    assert len(found) == len(truth(shown))
    assert [card for n, card in enumerate(found) if n != hidden] == [
        card for n, card in enumerate(truth(shown)) if n != hidden
    ]
    assert hidden in [doubt.play for doubt in decoded.review]


def test_a_recording_that_begins_before_and_ends_within_a_deal():
    shown = table(4)
    cut = shown.times[20]
    looks = [look for look in shown.looks if look.time < cut]
    record = decode(TWO, looks).record
    assert plays(record) == truth(shown)[:20]


def test_nothing_on_the_table_is_no_game():
    empty = [look for look in table(0).looks if not len(look.lying)][:5]
    assert decode(TWO, empty).record.deals == ()
    assert decode(TWO, []).record.deals == ()


def test_the_shown_bottom_card_is_kept_only_where_it_can_be():
    shown = table(5)
    right, wrong = shown.deal.setup.bottom, shown.deal.history[0].card
    assert decode(TWO, shown.looks, bottom=right).record.deals[0].bottom is right
    assert decode(TWO, shown.looks, bottom=wrong).record.deals[0].bottom is None


def test_two_deals_in_one_recording():
    first, second = table(6), table(7)
    offset = first.looks[-1].time + 0.2
    later = [dataclasses.replace(look, time=look.time + offset) for look in second.looks]
    record = decode(TWO, [*first.looks, *later]).record
    assert [deal.dealer for deal in record.deals] == [1, 0]
    assert [str(play.card) for play in record.deals[1].plays] == truth(second)
    assert not read_record(write_text(record)).problems


@pytest.mark.parametrize("rule", ["turn_next", "bury", "bottom"])
def test_a_jack_turned_up_in_the_centre_is_no_play(rule):
    rules = RuleSet.classic(players=2, jack_on_centre=rule)
    seed = next(
        seed
        for seed in range(500)
        if Deal.shuffled(rules, 1, seed).setup.centre_up > 1
        or Deal.shuffled(rules, 1, seed).setup.buried
    )
    shown = Table(Deal.shuffled(rules, 1, seed), seed=seed)
    decoded = decode(rules, shown.looks).record
    setup = shown.deal.setup
    assert plays(decoded) == truth(shown)
    assert decoded.deals[0].centre_up == setup.centre_up
    assert decoded.deals[0].buried == setup.buried
    assert not read_record(write_text(decoded)).problems


def test_the_next_deal_takes_time_to_gather_and_shuffle():
    weights = Weights()
    assert weights.of_gathering(weights.gather) == weights.of_gathering(60) == 0
    # Sooner is unlikely, however much speaks for it: less than between two plays.
    assert weights.of_gathering(1) < weights.of_pause(1, dealt=True, swept=False) - 4
