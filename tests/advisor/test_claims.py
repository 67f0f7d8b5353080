"""Claimed piştis: what is advised to who may claim, and to who must answer."""

import pytest

from advisor import Advisor, Limit
from advisor.search.knowledge import position_of
from engine import Claim, Deal, RuleSet, parse_cards

RULES = RuleSet.classic(players=2, bluff=True)


def single(hands: list[str], plays: str) -> Deal:
    deal = Deal.watched(
        RULES,
        1,
        centre=parse_cards("?? ?? ?? 7S"),
        bottom=parse_cards("KD")[0],
        hands=[parse_cards(hand) for hand in hands],
    )
    for card in parse_cards(plays):
        deal.push(deal.find(card))
    return deal


def test_a_true_pisti_is_claimed_because_a_challenge_pays_more() -> None:
    deal = single(["7H QC 3D 3S", "4D QD 5S 6S"], "7H QD")
    advice = Advisor().advise(deal.view(0), Limit(samples=200))
    assert (str(advice.best), advice.claim) == ("QC", True)
    assert advice.why == ("It really matches: a challenge would only pay you more.",)
    assert sorted(str(move.card) for move in advice.moves if move.claim) == ["3D", "3S", "QC"]
    by = {(str(move.card), move.claim): move.points for move in advice.moves}
    # Claimed it pays 10, or 20 when challenged: a third of the time.
    assert by["QC", True] - by["QC", False] == pytest.approx(10 / 3, abs=0.7)


def test_the_claim_of_a_rank_that_is_gone_is_challenged() -> None:
    deal = Deal.watched(RULES, 1, centre=parse_cards("4H 4S 4D 7S"), centre_up=4)
    for card in parse_cards("7H 9C 9D 4C"):
        deal.push(deal.find(card))
    # Seat 1 laid the last 4: what seat 0 claims cannot be one.
    deal.reveal(1, parse_cards("8S 8C"))
    deal.claimed = deal.hands[0][0]
    advice = Advisor().advise(deal.view(1), Limit(samples=100))
    assert advice.challenge is True
    assert advice.why == ("The claim is true in only 0% of cases: few cards of rank 4 are left.",)


def test_positions_after_claims_can_be_advised() -> None:
    deal = Deal.shuffled(RULES, 1, 3)
    rng = iter(range(100))
    while not deal.is_over:
        if deal.may_claim:
            deal.push(deal.legal_cards()[0], Claim.ACCEPTED if next(rng) % 2 else Claim.CHALLENGED)
        else:
            deal.push(deal.legal_cards()[-1])
        if not deal.is_over and len(deal.history) % 5 == 0:
            advice = Advisor().advise(deal.view(deal.turn), Limit(samples=16))
            assert advice.best in {card.face for card in deal.hands[deal.turn]}
            assert len(deal.view(deal.turn).deal().history) == len(deal.history)


@pytest.mark.parametrize("players", [2, 3, 4])
@pytest.mark.parametrize("decks", [1, 2])
def test_a_position_holds_every_card_once_when_all_claims_are_accepted(
    players: int, decks: int
) -> None:
    # The dealer may lay the shown bottom card face down: from then on nobody knows where it is.
    rules = RuleSet.classic(players=players, bluff=True, decks=decks)
    for seed in range(8):
        deal = Deal.shuffled(rules, seed % players, seed)
        while not deal.is_over:
            for seat in range(players):
                position_of(deal.view(seat))
            claim = Claim.ACCEPTED if deal.may_claim else None
            deal.push(deal.legal_cards()[0], claim)
