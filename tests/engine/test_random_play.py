"""What holds after every step of every deal, whatever is played."""

import random

import pytest

from engine import Claim, Deal, RuleSet, deck, score_deal

from .tables import SEATINGS, choose, random_rules

SEEDS = range(30)


def everything(deal: Deal) -> list:
    """Every card of the deal, wherever it lies now."""
    cards = [*deal.pile, *deal.setup.undealt]
    cards += [card for piles in deal.taken for pile in piles for card in pile]
    cards += [card for hand in deal.hands for card in hand]
    for hands in deal.setup.dealt[deal.hand_deal + 1 :]:
        cards += [card for hand in hands for card in hand]
    return cards


def state(deal: Deal) -> tuple:
    """All that can be seen of a deal, to compare."""
    return (
        tuple(deal.pile),
        tuple(tuple(hand) for hand in deal.hands),
        tuple(tuple(tuple(pile) for pile in piles) for piles in deal.taken),
        deal.turn,
        deal.to_act,
        tuple(deal.history),
        deal.last_capturer,
        deal.swept_by,
        deal.hand_deal,
        deal.stock_size,
        deal.is_over,
        deal.hands_just_dealt,
        deal.legal_cards(),
    )


def new_deal(seed: int) -> tuple[Deal, random.Random]:
    rng = random.Random(seed)
    rules = random_rules(rng)
    return Deal.shuffled(rules, rng.randrange(rules.players), seed), rng


@pytest.mark.parametrize("seed", SEEDS)
def test_invariants_after_every_step(seed):
    deal, rng = new_deal(seed)
    rules = deal.rules
    full = set(deck(rules.decks))
    points = (0,) * rules.sides
    for number in range(rules.plays):
        assert not deal.is_over
        assert deal.turn == (deal.dealer + 1 + number) % rules.players
        cards = deal.legal_cards()
        assert 1 <= len(cards) <= 4
        assert len(set(cards)) == len(cards)
        before = len(deal.pile)
        deal.play(*choose(deal, rng))
        last = deal.history[-1]
        assert len(deal.history) == number + 1
        cards = everything(deal)
        assert len(cards) == len(full)
        assert set(cards) == full
        assert last.captured in (0, before + 1)
        assert last.bonus == 0 or last.captured == 2
        now = score_deal(deal).points
        assert all(after >= earlier for after, earlier in zip(now, points, strict=True))
        points = now
    assert deal.is_over
    assert deal.legal_cards() == ()
    assert deal.to_act is None


@pytest.mark.parametrize("seed", SEEDS)
def test_a_complete_deal_is_worth_its_cards_its_majority_and_its_bonuses(seed):
    deal, rng = new_deal(seed)
    while not deal.is_over:
        deal.play(*choose(deal, rng))
    sheet = score_deal(deal)
    sizes = sorted(side.cards for side in sheet.sides)
    majority = deal.rules.majority_points if sizes[-1] > sizes[-2] else 0
    captured_points = 13 * deal.rules.decks - sum(
        {"A": 1, "J": 1}.get(str(card.rank), 0) + {"2C": 2, "10D": 3}.get(str(card), 0)
        for card in (*deal.setup.undealt, *deal.pile)
    )
    bonuses = sum(play.bonus + play.penalty for play in deal.history)
    assert sum(sheet.points) == captured_points + majority + bonuses
    assert sum(side.bonus for side in sheet.sides) == bonuses
    assert sum(side.majority for side in sheet.sides) == majority
    assert sum(sizes) == deal.rules.cards - len(deal.setup.undealt) - len(deal.pile)


@pytest.mark.parametrize("seed", range(200, 215))
def test_one_deck_is_worth_13_or_16_and_its_bonuses(seed):
    deal = Deal.shuffled(RuleSet.classic(players=2 + seed % 3), 0, seed)
    rng = random.Random(seed)
    while not deal.is_over:
        deal.play(*choose(deal, rng))
    sheet = score_deal(deal)
    worth = sum(sheet.points) - sum(side.bonus for side in sheet.sides)
    tied = sorted(side.cards for side in sheet.sides)[-2:]
    assert worth == (13 if tied[0] == tied[1] else 16)


@pytest.mark.parametrize("seed", range(100, 110))
def test_undo_restores_everything(seed):
    deal, rng = new_deal(seed)
    states = [state(deal)]
    while not deal.is_over:
        deal.play(*choose(deal, rng))
        states.append(state(deal))
    for number in range(len(deal.history), 0, -1):
        assert state(deal) == states[number]
        card = deal.history[-1].card
        assert deal.undo() == card
    assert state(deal) == states[0]
    assert score_deal(deal) == score_deal(Deal(deal.rules, deal.dealer, deal.setup))


@pytest.mark.parametrize("seed", range(120, 130))
def test_push_and_pop_equal_play_and_undo(seed):
    checked, rng = new_deal(seed)
    trusted = Deal(checked.rules, checked.dealer, checked.setup)
    while not checked.is_over:
        card, claim = choose(checked, rng)
        if claim is not None and rng.random() < 0.5:
            checked.claim(card)
            checked.answer(challenge=claim is Claim.CHALLENGED)
        else:
            checked.play(card, claim)
        trusted.push(card, claim)
        assert state(trusted) == state(checked)
        if rng.random() < 0.2:
            back = rng.randint(1, min(10, len(checked.history)))
            for _ in range(back):
                played = checked.history[-1]
                assert trusted.pop() == played
                checked.undo()
            assert state(trusted) == state(checked)


@pytest.mark.parametrize(("players", "partnership", "sides"), SEATINGS)
@pytest.mark.parametrize("undealt", ["out", "centre"])
def test_every_seating_plays_to_its_end(players, partnership, sides, undealt):
    rules = RuleSet.modern(
        players=players, partnership=partnership, sides=sides, undealt=undealt, bluff=True
    )
    rng = random.Random(players)
    deal = Deal.shuffled(rules, 0, players)
    while not deal.is_over:
        deal.play(*choose(deal, rng))
    assert len(deal.history) == rules.plays
    assert len(score_deal(deal).sides) == sides
