"""A deal: how it is dealt, what is legal, what a play does, claims, and taking back."""

import random

import pytest
from hypothesis import given, settings
from hypothesis import strategies as st

from engine import (
    UNKNOWN,
    BluffCaught,
    Captured,
    Card,
    CardPlayed,
    Claim,
    Deal,
    DealEnded,
    HandsDealt,
    IllegalPlayError,
    Pisti,
    RuleSet,
    deck,
    parse_cards,
    resolved,
)

from .tables import deck_order, play_out, rule_sets, watched

TWO = RuleSet.classic(players=2)
BLUFF = RuleSet.classic(players=2, bluff=True)


def card(text: str) -> Card:
    return Card.parse(text)


def texts(cards) -> str:
    return " ".join(map(str, cards))


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


# What is legal.


def test_legal_cards_are_the_hand_on_turn():
    deal = Deal.shuffled(TWO, 1, seed=7)
    assert deal.legal_cards() == tuple(deal.hands[0])
    deal.play(deal.hands[0][2])
    assert deal.legal_cards() == tuple(deal.hands[1])
    play_out(deal, random.Random(1))
    assert deal.legal_cards() == ()


def refused(key, call, *args, **kwargs):
    with pytest.raises(IllegalPlayError) as caught:
        call(*args, **kwargs)
    assert caught.value.key == key
    return caught.value


def test_a_card_of_another_hand_cannot_be_played():
    deal = Deal.from_order(TWO, 1, deck())
    before = repr(deal), list(deal.hands[0])
    error = refused("play.twice", deal.play, deal.hands[1][0])
    assert "9S" in str(error)
    refused("play.twice", deal.play, card("KC"))
    refused("play.twice", deal.play, card("AS"))
    assert (repr(deal), deal.hands[0]) == before


def test_a_card_that_lies_nowhere_known_cannot_come_from_a_known_hand():
    deal = watched(TWO, "")
    deal.reveal(0, parse_cards("AS 2S 3S 4S"))
    assert "5S" in str(refused("play.not_in_hand", deal.play, card("5S")))
    deal.play(card("3S"))
    deal.play(card("5S"))


def test_a_card_cannot_be_played_twice():
    deal = watched(TWO, "8H 9C")
    refused("play.twice", deal.play, card("8H"))
    refused("play.twice", deal.play, card("7S"))


def test_with_two_decks_a_face_can_be_played_twice_and_no_more():
    deal = watched(RuleSet.modern(players=5), "8H 9C 8H")
    assert [played.card.copy for played in deal.history] == [0, 0, 1]
    refused("play.twice", deal.play, card("8H"))


def test_the_hand_on_turn_plays_the_copy_that_it_holds():
    rules = RuleSet.modern(players=5)
    order = deck_order("AS 2S 3S 4S 5S 6S 7S 8S", rules)
    at = order.index(card("AH").in_deck(1))
    order[4], order[at] = order[at], order[4]
    deal = Deal.from_order(rules, 4, order)
    deal.play(card("AH"))
    assert deal.history[-1].card == card("AH").in_deck(1)


def test_of_two_decks_a_hand_plays_the_copy_it_was_dealt_after_it_was_forgotten():
    """An unseen suit hides which of its tens seat 0 played; its later 10♥ is still its own."""
    rules = RuleSet.modern(decks=2)
    deal = Deal.watched(
        rules,
        1,
        centre=parse_cards("?? ?? ?? 7S"),
        hands=[parse_cards("10H 2S 3S 4S 10D 10H 5S 6S"), ()],
    )
    plays = "10? KS 2S KS 3S QS 4S QS 10? KH 10H KH"
    for each in parse_cards(plays):
        deal.play(each)
    named = [str(play.card) for play in resolved(deal).history]
    assert (named[0], named[8], named[10]) == ("10H", "10D", "10H")
    copies = {deal.setup.dealt[0][0][0], deal.history[10].card}
    assert copies == set(card("10H").copies(2))


def test_a_card_that_was_dealt_to_an_earlier_hand_is_gone():
    deal = Deal.watched(
        TWO, 1, centre=parse_cards("?? ?? ?? 7S"), hands=[parse_cards("2S 3S 4S 5S"), ()]
    )
    for each in parse_cards("2? 9S 3S 10S 4S QS 5S KS"):
        deal.play(each)
    refused("play.twice", deal.play, card("2S"))


def test_nothing_can_be_played_after_the_end():
    deal = play_out(Deal.shuffled(TWO, 1, seed=7), random.Random(7))
    assert deal.is_over
    refused("play.over", deal.play, card("AS"))
    refused("play.over", deal.play, UNKNOWN)


def test_the_shown_bottom_card_waits_for_the_dealers_last_hand():
    rules = RuleSet.classic(players=2)
    deal = Deal.watched(rules, 1, centre=parse_cards("?? ?? ?? 7S"), bottom=card("KD"))
    refused("play.twice", deal.play, card("KD"))


def test_a_play_that_may_or_may_not_capture_is_refused():
    deal = watched(TWO, "")
    refused("play.undecided", deal.play, UNKNOWN)
    deal.play(card("7?"))
    deal.play(UNKNOWN)  # on an empty table every card just lies there
    refused("play.undecided", deal.play, card("8H"))
    refused("play.undecided", deal.play, card("JH"))  # 0 or 20
    assert len(deal.history) == 2


def test_a_jack_takes_an_unknown_pile_where_its_points_do_not_depend_on_it():
    unknown_top = "?? ?? 7S ??"
    deal = watched(TWO, "", centre=unknown_top)
    deal.play(card("JH"))
    assert (deal.history[-1].captured, deal.history[-1].bonus) == (5, 0)
    for double, single, ten, decided in [
        (0, 0, 0, True),
        (10, 10, 0, True),
        (0, 10, 0, True),
        (20, 0, 0, False),
        (20, 10, 0, False),
        (10, 10, 3, False),
        (0, 0, 3, True),
    ]:
        rules = RuleSet.modern(
            double_pisti=double, jack_on_single=single, ten_of_diamonds_bonus=ten
        )
        deal = watched(rules, "7H ??")
        assert deal.is_decided(card("JH")) is decided


def test_a_ranked_card_needs_no_suit():
    deal = watched(TWO, "7? 5? 5?")
    assert [played.captured for played in deal.history] == [5, 0, 2]
    assert deal.history[-1].bonus == 10


def test_reveal_names_the_cards_of_a_hand_and_keeps_the_plays():
    deal = watched(TWO, "8H 9C")
    deal.reveal(0, parse_cards("AS KC JH"))
    assert texts(deal.legal_cards()) == "AS KC JH"
    assert texts(played.card for played in deal.history) == "8H 9C"
    refused("play.hand_size", deal.reveal, 0, parse_cards("AS KC"))
    refused("play.twice", deal.reveal, 1, parse_cards("2S 3S AS"))
    refused("play.twice", deal.reveal, 1, parse_cards("2S 3S 8H"))
    deal.undo()
    deal.undo()
    assert sorted(texts(deal.hands[0]).split()) == ["??", "AS", "JH", "KC"]


# Claimed piştis.


def test_an_accepted_claim_captures_both_cards_unseen():
    deal = watched(BLUFF, "7H 5D")
    assert deal.may_claim
    events = deal.play(UNKNOWN, Claim.ACCEPTED)
    assert events == (
        CardPlayed(0, UNKNOWN, Claim.ACCEPTED),
        Captured(0, 0, (card("5D"), UNKNOWN)),
        Pisti(0, 10, False),
    )
    assert (deal.pile, deal.last_capturer) == ([], 0)


def test_a_challenged_match_scores_double_and_captures():
    deal = watched(BLUFF, "7H 5D")
    events = deal.play(card("5C"), Claim.CHALLENGED)
    assert events[1:] == (Captured(0, 0, (card("5D"), card("5C"))), Pisti(0, 20, False))


@pytest.mark.parametrize("laid", ["6C", "JC"])
def test_a_caught_bluff_pays_the_other_side_and_stays_on_top(laid):
    deal = watched(BLUFF, "7H 5D")
    events = deal.play(card(laid), Claim.CHALLENGED)
    assert events == (CardPlayed(0, card(laid), Claim.CHALLENGED), BluffCaught(1, 20))
    assert (deal.pile, deal.top) == ([card("5D"), card(laid)], card(laid))
    assert deal.history[-1].bonus == 0
    deal.play(card("6H" if laid == "6C" else "JH"))
    assert (deal.history[-1].captured, deal.history[-1].bonus) == (3, 0)


def test_a_claim_can_wait_for_its_answer():
    deal = watched(BLUFF, "7H 5D")
    deal.claim(card("5C"))
    assert (deal.claimed, deal.to_act, deal.turn) == (card("5C"), 1, 0)
    assert deal.legal_cards() == ()
    assert not deal.may_claim
    refused("play.claim_waits", deal.play, card("6C"))
    refused("play.claim_waits", deal.claim, card("6C"))
    events = deal.answer(challenge=True)
    assert events[-1] == Pisti(0, 20, False)
    assert deal.claimed is None


def test_an_accepted_answer_is_the_accepted_claim():
    deal = watched(BLUFF, "7H 5D")
    deal.claim(card("6C"))
    assert deal.answer(challenge=False)[-1] == Pisti(0, 10, False)
    assert deal.history[-1].claim is Claim.ACCEPTED


def test_a_waiting_claim_can_be_taken_back():
    deal = watched(BLUFF, "7H 5D")
    hand = list(deal.hands[0])
    deal.claim(card("6C"))
    assert deal.undo() == card("6C")
    assert (deal.claimed, deal.hands[0], deal.to_act) == (None, hand, 0)


def test_where_a_claim_is_not_allowed():
    assert not watched(TWO, "7H 5D").may_claim
    refused("play.no_bluff", watched(TWO, "7H 5D").play, card("5C"), Claim.ACCEPTED)
    refused("play.no_bluff", watched(TWO, "7H 5D").claim, card("5C"))
    for plays, count in [("", 4), ("7H", 0), ("7H 5D 6D", 2)]:
        deal = watched(BLUFF, plays)
        assert not deal.may_claim
        error = refused("play.claim_needs_single", deal.claim, card("5C"))
        assert str(count) in str(error)
    refused("play.no_claim", watched(BLUFF, "7H 5D").answer, challenge=True)


def test_a_challenged_card_must_be_known():
    deal = watched(BLUFF, "7H 5D")
    refused("play.challenged_unknown", deal.play, UNKNOWN, Claim.CHALLENGED)
    deal.claim(UNKNOWN)
    refused("play.challenged_unknown", deal.answer, challenge=True)
    deal.answer(challenge=False)
    assert deal.history[-1].captured == 2


def test_the_dealer_may_lay_the_shown_bottom_card_face_down():
    """Bottom KD; the dealer's last four: one face down, then three others. It was the KD."""
    plays = (
        "7H AS 2S 3S 4S 5S 6S 8S 9S 10S QS KS AH 2H 3H 4H 5H 6H 8H 9H 10H QH KH AD 2D 3D 4D 5D 6D "
        "8D 9D 10D QD KC 2C AC 3C 4C 5C JS"
    )
    deal = Deal.watched(BLUFF, 1, centre=parse_cards("?? ?? ?? 7S"), bottom=card("KD"))
    for face in parse_cards(plays):
        deal.play(face)
    deal.play(card("7D"))
    assert deal.may_claim
    deal.play(UNKNOWN, Claim.ACCEPTED)
    for face in parse_cards("6C 8C 9C 10C QC 7C"):
        deal.play(face)
    assert deal.is_over


# Taking back.


def test_there_is_nothing_to_take_back_before_the_first_play():
    refused("play.nothing_to_undo", watched(TWO, "").undo)


def test_undo_returns_the_card():
    deal = watched(TWO, "8H 8C")
    assert deal.undo() == card("8C")
    assert deal.top == card("8H")
    assert deal.turn == 1


def test_repr_tells_the_rules_and_the_plays():
    assert repr(watched(TWO, "8H 9C")) == "<Deal classic players=2; dealer 1; plays 8H 9C>"
    assert repr(watched(TWO, "")).endswith("plays none>")
