"""Hands that reach for the pile tell who played, and that somebody did."""

from dataclasses import replace

import numpy as np
import pytest

from advisor.scorer import understand, who_plays
from engine import RuleSet
from vision.decoder.evidence import Evidence, Weights
from vision.decoder.hands import Hands
from vision.decoder.looks import Look
from vision.decoder.search import Search
from vision.table import Survey, find_hands

from .staged import ZONE, stage
from .test_whole_games import read, truth

#: Of two players, one near and one far: their hands come in five times each, one after the other.
NEAR_FAR = np.array([[0.0, 1.0], [0.0, -1.0]])


def visits(order, every=2.0):
    """Times and movements of hands that come for half a second, from the sides *order*."""
    times, pulls = [], []
    for number, side in enumerate(order):
        for step in (0.0, 0.2, 0.4):
            times.append(every * number + step)
            pulls.append(0.1 * NEAR_FAR[side])
        times.append(every * number + 1.0)
        pulls.append(np.zeros(2))
    return times, np.array(pulls)


def test_who_plays_is_told_by_the_side():
    hands = Hands(*visits([0, 1, 0, 1]), NEAR_FAR, 0.3)
    near, far = hands.played(-np.inf, 0.3)
    assert near > 1.5
    assert far < near - 2
    # The other one comes two seconds later.
    assert hands.played(0.3, 2.3)[1] == pytest.approx(near, abs=0.1)
    # Nobody moves: hardly anybody plays.
    assert max(hands.played(0.5, 1.6)) < -3
    # The hand that is still there has played already.
    assert hands.played(0.35, 0.4)[0] < 0.1


def test_hands_that_come_and_play_nothing_are_counted():
    hands = Hands(*visits([0, 1, 0, 1, 0]), NEAR_FAR, 0.3)
    assert hands.idle(0.2, 2.2, dealt=False) == 0
    one = hands.idle(0.2, 4.2, dealt=False)
    assert one < -3
    assert hands.idle(0.2, 8.2, dealt=False) == pytest.approx(3 * one)
    assert one < hands.idle(0.2, 4.2, dealt=True) < 0
    # What twitches is no hand.
    times, pulls = visits([0, 1, 0])
    pulls[4:7] *= 0.1
    assert Hands(times, pulls, NEAR_FAR, 0.3).idle(0.2, 4.2, dealt=False) == 0


@pytest.mark.parametrize("players", [2, 3, 4])
def test_players_are_found_in_the_order_of_play(players):
    staged = stage(RuleSet.classic(players=players), 50 + players, level=3)
    times = staged.plan.plays
    hands = find_hands(staged.seen, times, players)
    likely = [hands.played(a, b) for a, b in zip(times[0], times[0][1:], strict=False)]
    seats = np.argmax(likely, axis=1)
    assert (np.diff(seats) % players == 1).mean() > 0.9
    # Few plays, or plays at times at which nobody played, tell nothing.
    assert find_hands(staged.seen, [times[0][:8]], players) is None
    assert find_hands([], times, players) is None


def test_players_are_counted_by_their_sides_where_their_plays_do_not_tell(monkeypatch):
    monkeypatch.setattr("advisor.scorer.count_players", lambda *_: None)
    staged = stage(RuleSet.classic(players=2), 52, level=3)
    four, two = RuleSet.classic(players=4), RuleSet.classic(players=2)
    rules, hands, told = who_plays(staged.seen, Survey(ZONE, None), four, [two])
    assert (rules, told) == (two, "recording")
    assert hands.players == 2
    # Without any movement nothing tells, and the rules hold.
    still = [replace(one, pull=(0.0, 0.0)) for one in staged.seen]
    rules, hands, told = who_plays(still, Survey(ZONE, None), four, [two])
    assert (rules, hands, told) == (four, None, "rules")


def test_cards_that_nobody_could_read_do_not_put_the_rest_out_of_order():
    rules = RuleSet.modern(players=2)
    staged = stage(rules, 31, level=3)
    times, cards = staged.plan.plays[0], truth(staged.deals[0])
    # Two cards in a row, of which neither takes anything, show as nothing.
    taken = [bool(played.captured) for played in staged.deals[0].history]
    at = next(n for n in range(12, 40) if not any(taken[n - 1 : n + 3]))
    lost = {staged.deals[0].history[n].card.index for n in (at, at + 1)}
    seen = [
        replace(
            one,
            sightings=tuple(s for s in one.sightings if int(s.probabilities.argmax()) not in lost),
        )
        for one in staged.seen
    ]
    found = Survey(ZONE, None)
    _, hands, told = who_plays(seen, found, rules)
    assert told == "given"
    assert hands is not None
    record, review = understand(seen, found, rules, hands=hands)
    (deal,) = record.deals
    assert len(deal.plays) == 48
    wrong = [n for n in range(48) if read(deal)[n] != cards[n]]
    assert set(wrong) <= {at - 1, at, at + 1}
    # What is wrong is to be checked.
    assert {doubt.play for doubt in review} >= set(wrong)
    for n in (at, at + 1):
        assert deal.plays[n].t == pytest.approx(times[n], abs=0.8)


def test_whose_hand_turns_up_the_centre_is_the_dealer():
    times, pulls = visits([1, 0, 1])
    card = np.zeros((1, 52), np.float32)
    card[0, 7] = 0.95
    looks = [
        Look(t, card if t >= 0.4 else card[:0], np.ones(int(t >= 0.4), np.float32), card[0], 1.0)
        for t in (0.0, 0.2, 0.4, 0.6, 1.0)
    ]
    for turner in (1, 0):
        sides = NEAR_FAR if turner else NEAR_FAR[::-1]
        evidence = Evidence(looks, Weights(), Hands(times, pulls, sides, 0.3))
        begun = Search(RuleSet.modern(players=2), evidence).run()
        assert begun.last.card == 7
        assert begun.first == 1 - turner


def look(time, down):
    none = np.zeros((0, 52), np.float32)
    return Look(time, none, np.zeros(0, np.float32), np.zeros(52, np.float32), 1.0, down=down)


def test_a_centre_that_is_dealt_begins_a_deal():
    weights = Weights()
    looks = [look(0.2 * n, 0.7 if 3 <= n < 6 or n == 12 else 0.0) for n in range(20)]
    evidence = Evidence(looks, weights)
    assert evidence.of_centre(0, 8, begins=True) == 0
    assert evidence.of_centre(0, 8, begins=False) == weights.centre_false
    # One look alone is nothing; where centres were seen before, one is missed here.
    assert evidence.of_centre(8, 15, begins=False) == 0
    assert evidence.of_centre(8, 15, begins=True) == weights.centre_missed
    assert Evidence([look(n, 0.0) for n in range(9)], weights).of_centre(0, 8, begins=True) == 0


def test_pauses_before_the_first_play_and_the_first_card():
    weights = Weights()
    assert weights.of_first(0) == weights.at_once
    assert weights.of_first(0.6) == pytest.approx(weights.at_once / 2)
    assert weights.of_first(3) == 0
    assert weights.of_cut(1) == weights.cut_in
    assert weights.of_cut(4) == pytest.approx(weights.cut_in - 1.6)
    assert weights.of_cut(60) == weights.cut_in + weights.cut_latest
