"""A seat's view holds what the seat may know, and nothing else."""

import pickle
import random
from dataclasses import replace

import pytest

from engine import UNKNOWN, Card, Claim, Deal, IllegalPlayError, Match, RuleSet, View, parse_cards

from .tables import SEATINGS, choose, play_out, random_rules


def may_look(deal: Deal, seat: int) -> bool:
    """Whether *seat* has seen the face-down centre cards, by the words of the rules."""
    takers = [play.seat for play in deal.history if play.captured]
    if takers:
        side = takers[0] % deal.rules.sides
    elif deal.is_over and deal.rules.no_capture_at_all == "dealer":
        side = deal.dealer % deal.rules.sides
    else:
        return False
    who = deal.rules.centre_seen_by
    return who == "all" or (who == "first_capturer" and seat % deal.rules.sides == side)


def hidden_from(deal: Deal, seat: int) -> list[Card]:
    """The cards that *seat* may not know: other hands, the stock, the centre, bluffs, undealt."""
    setup = deal.setup
    hidden = [card for other, hand in enumerate(deal.hands) if other != seat for card in hand]
    for hands in setup.dealt[deal.hand_deal + 1 :]:
        hidden += [card for hand in hands for card in hand]
    hidden += setup.undealt
    if not may_look(deal, seat):
        hidden += setup.centre[: len(setup.centre) - setup.centre_up]
    hidden += [
        play.card for play in deal.history if play.claim is Claim.ACCEPTED and play.seat != seat
    ]
    public = {setup.bottom, *setup.buried}
    return [card for card in hidden if card not in public]


def swapped(deal: Deal, one: Card, other: Card) -> Deal:
    """The same deal, played the same way, with two cards in each other's place."""
    change = {one: other, other: one}

    def swap(cards):
        return tuple(change.get(card, card) for card in cards)

    setup = replace(
        deal.setup,
        centre=swap(deal.setup.centre),
        dealt=tuple(tuple(swap(hand) for hand in hands) for hands in deal.setup.dealt),
        undealt=swap(deal.setup.undealt),
    )
    again = Deal(deal.rules, deal.dealer, setup)
    for play in deal.history:
        again.push(change.get(play.card, play.card), play.claim)
    again.claimed = change.get(deal.claimed, deal.claimed)
    return again


def random_deal(seed: int, **fixed) -> tuple[Deal, random.Random]:
    """A deal somewhere on its way, perhaps with a claim that waits."""
    rng = random.Random(seed)
    rules = random_rules(rng, **fixed)
    deal = Deal.shuffled(rules, rng.randrange(rules.players), seed)
    play_out(deal, rng, rng.randrange(rules.plays + 1))
    if deal.may_claim and rng.random() < 0.5:
        deal.claim(rng.choice(deal.legal_cards()))
    return deal, rng


@pytest.mark.parametrize("seed", range(60))
def test_swapping_two_cards_that_a_seat_may_not_know_leaves_its_view_equal(seed):
    deal, rng = random_deal(seed)
    for seat in range(deal.rules.players):
        view = deal.view(seat)
        hidden = hidden_from(deal, seat)
        for _ in range(4 if len(hidden) > 1 else 0):
            one, other = rng.sample(hidden, 2)
            again = swapped(deal, one, other)
            assert again.view(seat) == view
            assert hash(again.view(seat)) == hash(view)


@pytest.mark.parametrize("seed", range(30))
def test_swapping_a_card_that_a_seat_knows_changes_its_view(seed):
    deal, rng = random_deal(seed, centre_seen_by="all")
    for seat in range(deal.rules.players):
        hidden = hidden_from(deal, seat)
        known = list(deal.hands[seat])
        if may_look(deal, seat):
            known += deal.setup.centre[: len(deal.setup.centre) - deal.setup.centre_up]
        known = [card for card in known if card not in (deal.setup.bottom, *deal.setup.buried)]
        if hidden and known:
            one, other = rng.choice(known), rng.choice(hidden)
            changed = swapped(deal, one, other).view(seat) != deal.view(seat)
            assert changed == (one.face is not other.face)


@pytest.mark.parametrize("seed", range(60))
def test_the_deal_of_a_view_gives_the_same_view(seed):
    deal, rng = random_deal(seed)
    for seat in range(deal.rules.players):
        totals = tuple(rng.randrange(150) for _ in range(deal.rules.sides))
        view = View.of(deal, seat, totals)
        own = view.deal()
        assert View.of(own, seat, totals) == view
        assert (own.turn, own.to_act, own.is_over) == (deal.turn, deal.to_act, deal.is_over)
        assert [play.captured for play in own.history] == [play.captured for play in deal.history]
        assert [play.bonus for play in own.history] == [play.bonus for play in deal.history]


@pytest.mark.parametrize("seed", range(30))
def test_what_a_seat_has_not_seen_is_what_is_hidden_from_it(seed):
    deal, _ = random_deal(seed)
    for seat in range(deal.rules.players):
        hidden = sorted(card.face for card in hidden_from(deal, seat))
        bottom_was_laid_face_down = any(
            play.card is deal.setup.bottom and play.claim is Claim.ACCEPTED for play in deal.history
        )
        if not bottom_was_laid_face_down:
            assert sorted(deal.view(seat).unseen.elements()) == hidden


# The centre, one rule at a time. Seat 1 takes it.

CENTRE = parse_cards("2S 3S 4S 7S")


def taken_by_seat_1(**fields) -> Deal:
    rules = RuleSet.classic(**fields)
    deal = Deal.watched(rules, rules.players - 1, centre=CENTRE)
    deal.play(Card.parse("8H"))
    deal.play(Card.parse("8C"))
    return deal


def seats_that_know(deal: Deal) -> list[int]:
    seats = range(deal.rules.players)
    know = [seat for seat in seats if deal.view(seat).centre == CENTRE]
    assert all(
        deal.view(seat).centre == (UNKNOWN,) * 3 + CENTRE[3:] for seat in seats if seat not in know
    )
    return know


@pytest.mark.parametrize(
    ("fields", "know"),
    [
        ({}, [1, 3]),
        ({"partnership": False}, [1]),
        ({"centre_seen_by": "all"}, [0, 1, 2, 3]),
        ({"centre_seen_by": "nobody"}, []),
        ({"players": 3}, [1]),
        ({"players": 6, "partnership": True}, [1, 4]),
        ({"players": 6, "partnership": True, "sides": 2}, [1, 3, 5]),
    ],
)
def test_who_knows_the_centre_once_it_is_captured(fields, know):
    deal = taken_by_seat_1(**fields)
    assert seats_that_know(deal) == know
    deal.undo()
    assert seats_that_know(deal) == []


def test_who_captures_later_does_not_see_the_centre():
    deal = taken_by_seat_1()
    deal.play(Card.parse("9H"))
    deal.play(Card.parse("10H"))
    deal.play(Card.parse("10C"))
    assert deal.last_capturer == 0
    assert seats_that_know(deal) == [1, 3]


def test_all_know_a_jack_that_was_turned_up():
    rules = RuleSet.modern(players=3)
    deal = Deal.watched(
        rules,
        2,
        centre=parse_cards("2S JS 4S 7S"),
        buried=parse_cards("JS"),
    )
    for seat in range(3):
        assert deal.view(seat).centre == (UNKNOWN, Card.parse("JS"), UNKNOWN, Card.parse("7S"))
        assert deal.view(seat).buried == (Card.parse("JS"),)
    shown = Deal.watched(rules, 2, centre=parse_cards("2S 3S JS 7S"), centre_up=2)
    assert shown.view(0).centre == (UNKNOWN, UNKNOWN, Card.parse("JS"), Card.parse("7S"))


@pytest.mark.parametrize(("rule", "place"), [("bury", 2), ("bottom", 0)])
def test_a_jack_of_the_other_deck_that_was_dealt_face_down_is_not_one_that_was_turned_up(
    rule, place
):
    rules = RuleSet.modern(players=5, jack_on_centre=rule)
    centre = parse_cards("JH 4C JH 9H")
    deal = Deal.watched(rules, 4, centre=centre, buried=parse_cards("JH"))
    for seat in range(5):
        view = deal.view(seat)
        assert view.buried == parse_cards("JH")
        assert [at for at, card in enumerate(view.centre) if card is Card.parse("JH")] == [place]
        assert view.deal().view(seat) == view


@pytest.mark.parametrize("undealt", ["out", "centre"])
def test_all_know_a_shown_bottom_card_and_nobody_a_hidden_one(undealt):
    for players, _, sides in SEATINGS:
        rules = RuleSet.classic(players=players, sides=sides, undealt=undealt)
        deal = Deal.shuffled(rules, 0, seed=4)
        bottom = deal.setup.bottom.face
        assert {deal.view(seat).bottom for seat in range(players)} == {bottom}
        hidden = Deal.shuffled(replace(rules, bottom_card="hidden"), 0, seed=4)
        assert {hidden.view(seat).bottom for seat in range(players)} == {None}


# Bluffs and hands.


def test_only_the_claimer_knows_an_accepted_bluff_card():
    deal = Deal.watched(RuleSet.classic(bluff=True), 3, centre=CENTRE)
    deal.play(Card.parse("7H"))
    deal.play(Card.parse("5D"))
    deal.play(Card.parse("6C"), Claim.ACCEPTED)
    seen = [deal.view(seat).plays[-1].card for seat in range(4)]
    assert seen == [UNKNOWN, UNKNOWN, Card.parse("6C"), UNKNOWN]
    assert {deal.view(seat).plays[-1].claim for seat in range(4)} == {Claim.ACCEPTED}


def test_a_challenged_card_is_public():
    deal = Deal.watched(RuleSet.classic(bluff=True), 3, centre=CENTRE)
    deal.play(Card.parse("7H"))
    deal.play(Card.parse("5D"))
    deal.play(Card.parse("6C"), Claim.CHALLENGED)
    assert {deal.view(seat).plays[-1].card for seat in range(4)} == {Card.parse("6C")}


def test_a_waiting_claim_is_public_and_its_card_is_not():
    deal = Deal.shuffled(RuleSet.modern(bluff=True), 1, seed=1)
    rng = random.Random(1)
    while not deal.may_claim:
        deal.play(choose(deal, rng)[0])
    card = deal.legal_cards()[0]
    claimer, other = deal.turn, 1 - deal.turn
    hand = sorted(deal.hands[claimer])
    deal.claim(card)
    mine, theirs = deal.view(claimer), deal.view(other)
    assert (mine.claim_waits, theirs.claim_waits) == (True, True)
    assert (mine.claimed, theirs.claimed) == (card, None)
    assert sorted((*mine.hand, card)) == hand
    assert card in theirs.unseen


def test_a_view_holds_the_own_hand_sorted():
    deal = Deal.shuffled(RuleSet.classic(), 3, seed=9)
    for seat in range(4):
        assert deal.view(seat).hand == tuple(sorted(deal.hands[seat]))


def test_a_match_tells_the_totals_before_the_deal():
    rules = RuleSet.modern(target=1000)
    match = Match(rules)
    with pytest.raises(IllegalPlayError):
        match.view(0)
    first = Deal.shuffled(rules, 1, seed=1)
    match.start(first)
    assert match.view(0).totals == (0, 0)
    play_out(first, random.Random(1))
    totals = match.totals
    match.start(Deal.shuffled(rules, 0, seed=2))
    assert match.view(1).totals == totals
    assert match.deal.view(1).totals == (0, 0)


def test_a_view_can_be_pickled():
    view = Deal.shuffled(RuleSet.classic(), 3, seed=9).view(2)
    assert pickle.loads(pickle.dumps(view)) == view
