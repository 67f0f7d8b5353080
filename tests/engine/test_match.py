"""A match: the dealer goes round, points add up, and when a side has won."""

import random
from types import SimpleNamespace

import pytest

from engine import Card, Claim, Deal, IllegalPlayError, Match, MatchEnded, RuleSet, score_deal

from .tables import choose, play_out, random_rules


@pytest.fixture
def winner_at(monkeypatch):
    """The winner of a match whose complete deals gave the sides these points."""
    monkeypatch.setattr("engine.match.score_deal", lambda deal: deal)

    def winner(rules: RuleSet, *deals: tuple[int, ...], over: bool = True) -> int | None:
        ended = [SimpleNamespace(points=points, is_over=True, dealer=0) for points in deals]
        ended[-1].is_over = over
        return Match(rules, ended).winner

    return winner


CLASSIC = RuleSet.classic()


def test_example_7_158_wins_over_154_and_155_each_asks_for_another_deal(winner_at):
    assert winner_at(CLASSIC, (140, 145), (18, 9)) == 0
    assert winner_at(CLASSIC, (140, 145), (15, 10)) is None
    assert winner_at(CLASSIC, (140, 145), (15, 10), (2, 11)) == 1


@pytest.mark.parametrize(
    ("rules", "points", "winner"),
    [
        ("classic", (150, 149), None),
        ("classic", (151, 149), 0),
        ("classic", (149, 151), 1),
        ("classic", (152, 151), 0),
        ("classic", (151, 151), None),
        ("classic target=101", (101, 0), 0),
        ("classic target=101", (100, 0), None),
        ("classic win_by=1", (152, 151), 0),
        ("classic win_by=2", (152, 151), None),
        ("classic win_by=2", (153, 151), 0),
        ("classic win_by=2", (151, 150), None),
        ("classic win_by=2", (151, 149), 0),
        ("classic players=3", (160, 151, 160), None),
        ("classic players=3", (160, 151, 161), 2),
        ("classic players=3 win_by=20", (180, 10, 161), None),
    ],
)
def test_when_a_side_has_won(winner_at, rules, points, winner):
    assert winner_at(RuleSet.parse(rules), points) == winner


def test_a_match_is_won_at_the_end_of_a_deal_only(winner_at):
    assert winner_at(CLASSIC, (200, 0), over=False) is None


def test_before_the_first_deal():
    match = Match(CLASSIC)
    assert (match.deal, match.totals, match.winner, match.next_dealer) == (None, (0, 0), None, 3)
    for call in (
        lambda: match.play(Card.parse("7S")),
        match.undo,
        lambda: match.claim(Card.parse("7S")),
    ):
        with pytest.raises(IllegalPlayError) as caught:
            call()
        assert caught.value.key == "match.no_deal"


@pytest.mark.parametrize("players", [2, 3, 4, 5, 6])
def test_the_last_seat_deals_first_and_then_the_next_to_the_right(players):
    rules = RuleSet.classic(players=players, target=100_000)
    match = Match(rules)
    dealers = []
    for seed in range(players + 2):
        dealers.append(match.next_dealer)
        match.start(play_out(Deal.shuffled(rules, match.next_dealer, seed), random.Random(seed)))
    assert dealers == [(players - 1 + n) % players for n in range(players + 2)]
    assert match.deals[0].history[0].seat == 0


@pytest.mark.parametrize("seed", range(8))
def test_a_match_played_to_its_end(seed):
    rng = random.Random(seed)
    rules = random_rules(rng, target=40)
    match = Match(rules)
    sums = [0] * rules.sides
    while match.winner is None:
        match.start(Deal.shuffled(rules, match.next_dealer, rng.getrandbits(32)))
        ended = []
        while not match.deal.is_over:
            assert match.winner is None
            events = match.play(*choose(match.deal, rng))
            ended = [event for event in events if isinstance(event, MatchEnded)]
            if len(match.deal.history) % 16 == 0 or match.deal.is_over:
                running = score_deal(match.deal).points
                assert match.totals == tuple(map(sum, zip(sums, running, strict=True)))
        sums = list(match.totals)
        reached = sorted(sums)[-1] >= 40 and sorted(sums)[-1] - sorted(sums)[-2] >= max(
            1, rules.win_by
        )
        assert ended == ([MatchEnded(sums.index(max(sums)))] if reached else [])
    with pytest.raises(IllegalPlayError, match="already won") as caught:
        match.start(Deal.shuffled(rules, 0, 0))
    assert caught.value.key == "match.won"
    match.undo()
    assert match.winner is None


def test_a_deal_must_end_before_the_next():
    match = Match(CLASSIC)
    match.start(Deal.shuffled(CLASSIC, 3, seed=1))
    with pytest.raises(IllegalPlayError) as caught:
        match.start(Deal.shuffled(CLASSIC, 0, seed=2))
    assert caught.value.key == "match.deal_not_over"


def test_a_deal_by_other_rules_is_no_deal_of_the_match():
    with pytest.raises(ValueError, match="a deal by modern in a match by classic players=2"):
        Match(RuleSet.classic(players=2)).start(Deal.shuffled(RuleSet.modern(), 1, seed=1))


def test_undo_goes_back_into_the_deal_before():
    match = Match(CLASSIC)
    first = play_out(Deal.shuffled(CLASSIC, 3, seed=1), random.Random(1))
    last = first.history[-1].card
    match.start(first)
    match.start(Deal.shuffled(CLASSIC, 0, seed=2))
    match.play(match.deal.legal_cards()[0])
    match.undo()
    assert len(match.deals) == 2
    assert match.undo() == last
    assert match.deals == [first]
    assert not first.is_over


def test_the_first_deal_is_not_taken_back():
    match = Match(CLASSIC)
    match.start(Deal.shuffled(CLASSIC, 3, seed=1))
    with pytest.raises(IllegalPlayError) as caught:
        match.undo()
    assert caught.value.key == "play.nothing_to_undo"
    assert len(match.deals) == 1


def test_claims_go_through_the_match():
    rules = RuleSet.modern(bluff=True)
    match = Match(rules)
    match.start(Deal.shuffled(rules, 1, seed=1))
    rng = random.Random(1)
    while not match.deal.may_claim:
        match.play(choose(match.deal, rng)[0])
    card = match.deal.legal_cards()[0]
    before = match.totals
    match.claim(card)
    assert match.undo() == card
    match.claim(card)
    match.answer(challenge=False)
    assert match.deal.history[-1].claim is Claim.ACCEPTED
    assert sum(match.totals) >= sum(before) + 10


def test_a_claim_in_the_last_play_can_win_the_match():
    for seed in range(200):
        rules = RuleSet.modern(bluff=True, target=1, first_play_pisti=True)
        match = Match(rules)
        rng = random.Random(seed)
        match.start(Deal.shuffled(rules, 1, seed))
        play_out(match.deal, rng, 47)
        if match.deal.may_claim:
            break
    match.claim(match.deal.legal_cards()[0])
    events = match.answer(challenge=False)
    assert events[-1] == MatchEnded(match.winner)
