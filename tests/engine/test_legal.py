"""A deal: what is legal, claims, and taking back."""

import random

import pytest

from engine import (
    UNKNOWN,
    BluffCaught,
    Captured,
    CardPlayed,
    Claim,
    Deal,
    Pisti,
    RuleSet,
    deck,
    parse_cards,
    resolved,
)

from .tables import card, deck_order, play_out, refused, texts, watched

TWO = RuleSet.classic(players=2)
BLUFF = RuleSet.classic(players=2, bluff=True)


def test_legal_cards_are_the_hand_on_turn():
    deal = Deal.shuffled(TWO, 1, seed=7)
    assert deal.legal_cards() == tuple(deal.hands[0])
    deal.play(deal.hands[0][2])
    assert deal.legal_cards() == tuple(deal.hands[1])
    play_out(deal, random.Random(1))
    assert deal.legal_cards() == ()


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


@pytest.mark.parametrize(("rules", "decided"), [(TWO, True), (RuleSet.modern(), False)])
def test_a_last_jack_takes_an_unknown_card_where_the_last_play_scores_no_pisti(rules, decided):
    pairs = "A? A? 2? 2? 3? 3? 4? 4? 8? 8? 9? 9? 10? 10? Q? Q? K? K? "
    deal = watched(rules, f"7H 5? 6? J? {pairs} {pairs} 5? 5? 6? 6? 7? 7? ??")
    assert deal.plays_left == 1
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


def test_reveal_settles_which_card_a_known_hand_laid():
    deal = Deal.watched(
        TWO, 1, centre=parse_cards("?? ?? ?? 9S"), hands=[parse_cards("7S 7H 8S 9H"), ()]
    )
    deal.play(card("7?"))
    refused("play.not_in_hand", deal.reveal, 0, parse_cards("KC 8S 9H"))
    deal.reveal(0, parse_cards("8S 7S 9H"))
    assert sorted(texts(deal.setup.dealt[0][0]).split()) == ["7H", "7S", "8S", "9H"]
    assert texts(resolved(deal).history[0][1:2]) == "7H"


def test_reveal_refuses_cards_that_are_not_those_known_to_be_in_the_hand():
    deal = Deal.watched(
        TWO, 1, centre=parse_cards("?? ?? ?? 7S"), hands=[parse_cards("AS 9? ?? ??"), ()]
    )
    assert refused("play.not_in_hand", deal.reveal, 0, parse_cards("9S KC JH QH"))
    error = refused("play.not_in_hand", deal.reveal, 0, parse_cards("AS KC JH QH"))
    assert str(error) == "Player 1 does not hold QH."
    deal.reveal(0, parse_cards("K? ?? ?? 9?"))  # what is known stays known
    assert texts(deal.hands[0]) == "K? AS ?? 9?"
    deal.reveal(0, parse_cards("KC 9D 9H AS"))
    assert texts(deal.hands[0]) == "KC 9D 9H AS"


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
