"""A deal: how it is dealt, and what a play does."""

import copy
import pickle
import random

import pytest
from hypothesis import given, settings
from hypothesis import strategies as st

from engine import (
    UNKNOWN,
    Captured,
    Card,
    CardPlayed,
    Deal,
    DealEnded,
    HandsDealt,
    Pisti,
    RuleSet,
    deck,
    parse_cards,
)

from .tables import card, deck_order, play_out, refused, rule_sets, texts, watched

TWO = RuleSet.classic(players=2)
BLUFF = RuleSet.classic(players=2, bluff=True)


def all_cards(deal: Deal) -> list[Card]:
    setup = deal.setup
    hands = [card for hands in setup.dealt for hand in hands for card in hand]
    return [*setup.centre, *hands, *setup.undealt]


# Dealing.


def test_the_centre_comes_first_then_four_to_each_from_the_dealers_right():
    rules = RuleSet.modern(players=3)
    deal = Deal.from_order(rules, 1, deck())
    assert texts(deal.setup.centre) == "AS 2S 3S 4S"
    assert texts(deal.hands[2]) == "5S 6S 7S 8S"
    assert texts(deal.hands[0]) == "9S 10S JS QS"
    assert texts(deal.hands[1]) == "KS AH 2H 3H"
    assert texts(deal.setup.dealt[1][2]) == "4H 5H 6H 7H"
    assert texts(deal.setup.dealt[3][1]) == "10C JC QC KC"
    assert deal.turn == deal.to_act == 2


def test_one_card_of_the_centre_lies_face_up():
    deal = Deal.from_order(TWO, 1, deck())
    assert (deal.setup.centre_up, deal.top) == (1, card("4S"))
    assert deal.setup.buried == ()


@pytest.mark.parametrize("dealer", range(4))
def test_the_dealer_gets_the_shown_bottom_card_in_the_last_hand(dealer):
    deal = Deal.shuffled(RuleSet.classic(), dealer, seed=3)
    assert deal.setup.bottom in deal.setup.dealt[-1][dealer]


def test_a_hidden_bottom_card_is_not_shown():
    assert Deal.shuffled(RuleSet.modern(), 1, seed=3).setup.bottom is None


def test_a_shown_bottom_card_may_stay_undealt():
    deal = Deal.shuffled(RuleSet.classic(players=6), 5, seed=3)
    assert len(deal.setup.undealt) == 4
    assert deal.setup.bottom in deal.setup.undealt


def test_the_centre_may_take_the_undealt_cards():
    deal = Deal.shuffled(RuleSet.classic(players=6, undealt="centre"), 5, seed=3)
    assert (len(deal.setup.centre), len(deal.pile), deal.setup.undealt) == (8, 8, ())


@settings(deadline=None, max_examples=60)
@given(rule_sets(), st.integers(0, 5), st.integers(0, 2**32))
def test_every_card_is_dealt_once_and_the_same_seed_deals_the_same(rules, dealer, seed):
    dealer %= rules.players
    deal = Deal.shuffled(rules, dealer, seed)
    assert sorted(all_cards(deal)) == sorted(deck(rules.decks))
    assert Deal.shuffled(rules, dealer, seed).setup == deal.setup
    assert len(deal.pile) == rules.centre_size
    assert {len(hand) for hand in deal.hands} == {4}
    assert deal.turn == (dealer + 1) % rules.players


def test_seeds_deal_differently():
    assert len({Deal.shuffled(TWO, 1, seed).setup for seed in range(20)}) == 20


def test_the_cut_leaves_no_jack_at_a_shown_bottom():
    shown = [Deal.shuffled(RuleSet.classic(), 3, seed).setup.bottom for seed in range(300)]
    assert not any(bottom.is_jack for bottom in shown)
    hidden = [
        Deal.shuffled(RuleSet.modern(), 1, seed).setup.dealt[-1][1][-1] for seed in range(300)
    ]
    assert any(bottom.is_jack for bottom in hidden)


@pytest.mark.parametrize(
    ("rule", "packet", "centre", "up", "buried"),
    [
        ("turn_next", "7S 8S 9S 10S", "7S 8S 9S 10S", 1, ""),
        ("turn_next", "7S 8S 9S JS", "7S 8S JS 9S", 2, ""),
        ("turn_next", "7S 8S JH JS", "7S JS JH 8S", 3, ""),
        ("turn_next", "7S JD JH JS", "JS JH JD 7S", 4, ""),
        ("turn_next", "JS 7S JH 8S", "JS 7S JH 8S", 1, ""),
        ("bury", "7S 8S 9S 10S", "7S 8S 9S 10S", 1, ""),
        ("bottom", "7S 8S 9S JS", "JS 7S 8S 9S", 1, "JS"),
        ("bottom", "7S 8S JH JS", "JH JS 7S 8S", 1, "JS JH"),
    ],
)
def test_a_jack_turned_up_in_the_centre(rule, packet, centre, up, buried):
    rules = RuleSet.classic(players=2, jack_on_centre=rule)
    deal = Deal.from_order(rules, 1, deck_order(packet, rules))
    assert texts(deal.setup.centre) == centre
    assert deal.setup.centre_up == up
    assert texts(deal.setup.buried) == buried
    assert not deal.top.is_jack


@pytest.mark.parametrize(
    ("packet", "top", "buried"),
    [
        ("7S 8S 9S JS", "9S", "JS"),
        ("7S 8S JH JS", "8S", "JS JH"),
        ("7S JD JH JS", "7S", "JS JH JD"),
        ("7S JD 8S JS", "8S", "JS"),
    ],
)
def test_a_buried_jack_lies_face_down_inside_the_pile(packet, top, buried):
    rules = RuleSet.modern()
    deal = Deal.from_order(rules, 1, deck_order(packet, rules))
    assert (str(deal.top), deal.setup.centre_up) == (top, 1)
    assert texts(deal.setup.buried) == buried
    assert sorted(deal.setup.centre) == sorted(parse_cards(packet))
    if top != "7S":
        assert str(deal.setup.centre[0]) == "7S"


@pytest.mark.parametrize("rule", ["turn_next", "bury", "bottom"])
def test_no_shuffle_leaves_a_jack_on_top_of_the_centre(rule):
    rules = RuleSet.classic(players=2, jack_on_centre=rule)
    deals = [Deal.shuffled(rules, 1, seed) for seed in range(1000)]
    assert not any(deal.top.is_jack for deal in deals)
    turned = sum(bool(deal.setup.buried) or deal.setup.centre_up > 1 for deal in deals)
    assert 40 < turned < 140  # one in thirteen


FOUR_JACKS = "JS JH JD JC"


@pytest.mark.parametrize("rule", ["turn_next", "bury", "bottom"])
def test_a_centre_of_four_jacks_is_dealt_again(rule, monkeypatch):
    rules = RuleSet.modern(jack_on_centre=rule)
    again = Deal.shuffled(rules, 1, seed=3)
    orders = [deck_order(FOUR_JACKS, rules), deck_order("2S 3S 4S 5S", rules)]

    def shuffle(cards, rng):
        order = orders.pop(0)
        rng.randrange = lambda *_: 1
        cards[:] = order[-1:] + order[:-1]

    monkeypatch.setattr("engine.setup._shuffle", shuffle)
    deal = Deal.shuffled(rules, 1, seed=3)
    assert texts(deal.setup.centre) == "2S 3S 4S 5S"
    assert orders == []
    assert again.setup.centre != deal.setup.centre


def test_four_jacks_cannot_be_laid_out_as_a_centre():
    with pytest.raises(ValueError, match="dealt again"):
        Deal.from_order(TWO, 1, deck_order(FOUR_JACKS, TWO))


def test_what_cannot_be_dealt_is_refused():
    order = list(deck())
    for wrong in (order[:50], [*order[:51], order[0]], [*order, UNKNOWN], [*order[:51], UNKNOWN]):
        with pytest.raises(ValueError, match="each of the 52 cards"):
            Deal.from_order(TWO, 1, wrong)
    with pytest.raises(ValueError, match="each of the 104 cards"):
        Deal.from_order(RuleSet.classic(players=5), 1, order)
    for make in (
        lambda: Deal.shuffled(TWO, 2, seed=1),
        lambda: Deal.from_order(TWO, -1, order),
        lambda: Deal.watched(TWO, 2, centre=[UNKNOWN] * 4),
        lambda: Deal.shuffled(TWO, 1, seed=1).view(-1),
        lambda: Deal.shuffled(TWO, 1, seed=1).view(2),
    ):
        with pytest.raises(ValueError, match="seats run from 0 to 1"):
            make()


@pytest.mark.parametrize(
    ("seen", "reason"),
    [
        ({"centre": [UNKNOWN] * 3}, "centre holds 4"),
        ({"centre": [UNKNOWN] * 4, "centre_up": 0}, "centre holds 4"),
        ({"centre": [UNKNOWN] * 4, "centre_up": 5}, "centre holds 4"),
        ({"centre": [UNKNOWN] * 4, "hands": [(), (), ()]}, "more hands"),
        ({"centre": [UNKNOWN] * 4, "hands": [[UNKNOWN] * 25]}, "more hands"),
        ({"centre": [UNKNOWN] * 4, "buried": parse_cards("JS")}, "not there"),
    ],
)
def test_what_cannot_have_been_seen_is_refused(seen, reason):
    with pytest.raises(ValueError, match=reason):
        Deal.watched(TWO, 1, **seen)


def test_a_copy_is_a_deal_of_its_own():
    deal = play_out(Deal.shuffled(TWO, 1, seed=3), random.Random(3), 10)
    for again in (copy.copy(deal), copy.deepcopy(deal), pickle.loads(pickle.dumps(deal))):
        assert again.view(0) == deal.view(0)
        play_out(again, random.Random(1))
        assert len(deal.history) == 10
        assert deal.view(1).plays == again.view(1).plays[:10]


def test_hands_that_are_known_are_given_by_seat_in_the_order_dealt():
    deal = Deal.watched(
        TWO,
        1,
        centre=parse_cards("?? ?? ?? 7S"),
        bottom=card("KD"),
        hands=[parse_cards("AS 2S 3S 4S 5S"), parse_cards("AH ?? ?? 4H")],
    )
    assert texts(deal.hands[0]) == "AS 2S 3S 4S"
    assert texts(deal.hands[1]) == "AH ?? ?? 4H"
    assert texts(deal.setup.dealt[1][0]) == "5S ?? ?? ??"
    assert card("KD") in deal.setup.dealt[-1][1]
    refused("play.not_in_hand", deal.play, card("8C"))
    deal.play(card("AS"))
    deal.play(card("8C"))


def test_a_shown_bottom_card_may_be_named_in_the_dealers_last_hand():
    known = parse_cards("AS 2S 3S 4S 5S 6S 8S 9S 10S QS KS AH 2H 3H 4H 5H 6H 8H 9H 10H KD QH KH AD")
    deal = Deal.watched(
        TWO, 1, centre=parse_cards("?? ?? ?? 7S"), bottom=card("KD"), hands=[(), known]
    )
    assert texts(deal.setup.dealt[-1][1]) == "KD QH KH AD"
    dealt = [one for hands in deal.setup.dealt for hand in hands for one in hand]
    assert dealt.count(card("KD")) == 1


@pytest.mark.parametrize(
    ("bottom", "last", "expected"),
    [
        ("7C", "10? ?? A? 7?", "10? ?? A? 7C"),
        ("7C", "7? ?? ?? 9?", "7C ?? ?? 9?"),
        ("7C", "?? ?? A? A?", "?? 7C A? A?"),
        ("7?", "7C ?? ?? ??", "7C ?? ?? ??"),
        ("7?", "?? ?? ?? 8S", "?? ?? 7? 8S"),
        ("7C", "8S 8H 8D 8C", "8S 8H 8D 8C"),
    ],
)
def test_a_shown_bottom_card_takes_the_place_in_the_last_hand_that_is_nearest_to_it(
    bottom, last, expected
):
    hand = parse_cards("?? " * 20 + last)
    deal = Deal.watched(
        TWO, 1, centre=parse_cards("?? ?? ?? 7S"), bottom=card(bottom), hands=[(), hand]
    )
    assert texts(deal.setup.dealt[-1][1]) == expected


# Playing.


def test_a_rank_match_captures_the_whole_pile():
    deal = watched(TWO, "")
    events = deal.play(card("7H"))
    pile = (UNKNOWN, UNKNOWN, UNKNOWN, card("7S"), card("7H"))
    assert events == (CardPlayed(0, card("7H"), None), Captured(0, 0, pile))
    assert deal.pile == []
    assert deal.taken == [[list(pile)], []]
    assert (deal.last_capturer, deal.turn, deal.top) == (0, 1, None)


def test_a_jack_captures_whatever_lies_there():
    deal = watched(TWO, "3H")
    deal.play(card("JH"))
    assert (deal.pile, deal.last_capturer) == ([], 1)
    assert deal.history[-1].captured == 6


def test_another_rank_stays_on_top():
    deal = watched(TWO, "")
    assert deal.play(card("8H")) == (CardPlayed(0, card("8H"), None),)
    assert (deal.top, len(deal.pile), deal.last_capturer) == (card("8H"), 5, None)


def test_a_jack_on_an_empty_table_just_lies_there():
    deal = watched(TWO, "7H")
    assert deal.play(card("JS")) == (CardPlayed(1, card("JS"), None),)
    assert (deal.pile, deal.last_capturer) == ([card("JS")], 0)


def test_play_goes_to_the_right():
    deal = Deal.shuffled(RuleSet.classic(players=3), 1, seed=5)
    seats = []
    while not deal.is_over:
        assert deal.to_act == deal.turn
        seats.append(deal.turn)
        deal.play(deal.legal_cards()[0])
    assert seats == [2, 0, 1] * 16
    assert deal.to_act is None


def test_four_cards_more_when_all_hands_are_empty():
    deal = Deal.shuffled(TWO, 1, seed=5)
    dealt = []
    while not deal.is_over:
        events = deal.play(deal.legal_cards()[0])
        number = len(deal.history)
        dealt += [(number, event.hand_deal) for event in events if isinstance(event, HandsDealt)]
        assert deal.hands_just_dealt == (number % 8 == 0 and number < 48)
        assert deal.hand_deal == min(number // 8, 5)
        assert deal.stock_size == (0 if deal.is_over else (5 - deal.hand_deal) * 8)
    assert dealt == [(8, 1), (16, 2), (24, 3), (32, 4), (40, 5)]


def test_what_lies_on_the_table_at_the_end_goes_to_the_last_capturer():
    deal = Deal.shuffled(TWO, 1, seed=11)
    play_out(deal, random.Random(11), 47)
    before = [sum(map(len, piles)) for piles in deal.taken]
    events = deal.play(deal.legal_cards()[0])
    end = events[-1]
    assert isinstance(end, DealEnded)
    assert end.side == deal.swept_by == deal.last_capturer
    assert deal.pile == []
    after = [sum(map(len, piles)) for piles in deal.taken]
    assert sum(after) == 52
    captured = [0, 0]
    captured[deal.history[-1].seat] = deal.history[-1].captured
    assert after[end.side] == before[end.side] + captured[end.side] + end.swept


@pytest.mark.parametrize("seed", range(20))
def test_the_capture_of_the_last_play_is_reported_before_the_sweep(seed):
    deal = play_out(Deal.shuffled(RuleSet.modern(), 1, seed), random.Random(seed), 47)
    top = deal.top
    (last,) = deal.legal_cards()
    takes = top is not None and (last.is_jack or last.rank is top.rank)
    pile = tuple(deal.pile)
    events = deal.play(last)
    captured = [event for event in events if isinstance(event, Captured)]
    assert [event.cards for event in captured] == ([(*pile, last)] if takes else [])
    assert events[-1] == DealEnded(deal.swept_by, 0 if takes else len(pile) + 1)


@pytest.mark.parametrize(
    ("led", "played", "points", "double"),
    [("5D", "5C", 10, False), ("JD", "JC", 20, True)],
)
def test_a_pisti_is_reported_after_its_capture(led, played, points, double):
    deal = watched(TWO, f"7H {led}")
    events = deal.play(card(played))
    assert events[1:] == (
        Captured(0, 0, parse_cards(f"{led} {played}")),
        Pisti(0, points, double),
    )


def test_partners_share_one_capture_pile():
    deal = watched(RuleSet.classic(), "7H 3C 4D 4C 5D 5C")
    assert [[len(pile) for pile in piles] for piles in deal.taken] == [[5], [3, 2]]
    assert deal.last_capturer == 1
