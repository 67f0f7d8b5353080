"""The kernel against the readable engine: the same deals, the same plays, the same scores."""

from __future__ import annotations

import random
from collections.abc import Iterator
from itertools import islice
from typing import Any

import numpy as np
import pytest

from engine import UNKNOWN, Card, Claim, Deal, RuleSet, RuleSetError, deck, kernel, score_deal
from engine.kernel.dealing import draw_at, set_keys, shuffle_states
from engine.kernel.layout import STATE, Rules
from engine.rules import FIELDS, Field
from engine.scoring import SideScore
from engine.setup import Setup

# Three of every four deals from the first card, the fourth from a position in the middle.
BATCHES = 204
BATCH = 100
CARDS = deck(2)
BLUFF = {"bluff", "bluff_jack_doubles"}


def values_of(field: Field) -> tuple[object, ...]:
    """Return the values of *field*, or some of them."""
    return field.values or ((False, True) if field.words else (1, 3, 10**6))


def random_rules(rng: random.Random) -> RuleSet:
    """Return a rule set with every field drawn, apart from the bluff variant."""
    while True:
        drawn = {name: rng.choice(values_of(field)) for name, field in FIELDS.items()}
        fields: dict[str, Any] = {name: drawn[name] for name in FIELDS if name not in BLUFF}
        fields["sides"] = rng.choice((2, 3)) if fields["partnership"] else fields["players"]
        try:
            return RuleSet.of("classic", **fields)
        except RuleSetError:
            continue


def random_order(rules: RuleSet, rng: random.Random) -> list[Card]:
    """Return a deck in random order; in one of four some Jacks are brought to the centre."""
    order = list(deck(rules.decks))
    rng.shuffle(order)
    if rng.random() < 0.25:
        jacks = [card for card in order if card.is_jack][: rng.randrange(1, rules.centre_size)]
        others = [card for card in order if card not in jacks]
        centre = jacks + others[: rules.centre_size - len(jacks)]
        rng.shuffle(centre)
        order = centre + [card for card in others if card not in centre]
    if all(card.is_jack for card in order[: rules.centre_size]):
        return random_order(rules, rng)
    return order


def random_tables(seed: int) -> Iterator[tuple[random.Random, RuleSet, list[kernel.Policy]]]:
    """Yield rule sets, with a policy for each seat."""
    rng = random.Random(seed)
    while True:
        rules = random_rules(rng)
        policies = [rng.choice([kernel.random_policy, kernel.greedy]) for _ in range(rules.players)]
        yield rng, rules, policies


def check(deal: Deal, scores: Any) -> None:
    """Check every field of the kernel's scores against the readable engine's."""
    expected = score_deal(deal)
    assert expected.exact
    found = [SideScore(*(int(row[name]) for name in SideScore.__slots__)) for row in scores]
    assert found == list(expected.sides), deal
    assert tuple(map(int, scores["points"])) == expected.points, deal


def test_every_value_of_every_field_is_drawn() -> None:
    drawn = [rules for _, rules, _ in islice(random_tables(1), 300)]
    for name in FIELDS.keys() - BLUFF:
        assert {getattr(rules, name) for rules in drawn} == set(values_of(FIELDS[name])), name
    assert len(set(map(str, drawn))) > 290


def test_outcomes_equal_the_readable_engine() -> None:
    replayed = 0
    for number, (rng, rules, policies) in enumerate(islice(random_tables(2), BATCHES)):
        orders = [random_order(rules, rng) for _ in range(BATCH)]
        dealers = [rng.randrange(rules.players) for _ in range(BATCH)]
        deals = [
            Deal.from_order(rules, dealer, order)
            for order, dealer in zip(orders, dealers, strict=True)
        ]
        if number % 4:
            batch = kernel.play_orders(
                rules, policies, orders, seed=number, dealers=dealers, record=True
            )
        else:
            for deal in deals:
                for _ in range(rng.randrange(rules.plays + 1)):
                    deal.push(rng.choice(deal.legal_cards()))
            states = np.concatenate([kernel.from_deal(deal) for deal in deals])
            batch = kernel.play_states(rules, policies, states, seed=number, record=True)
        assert batch.plays is not None
        for deal, plays, scores in zip(deals, batch.plays, batch.scores, strict=True):
            for index in plays[plays >= 0].tolist():
                card = CARDS[index]
                assert card in deal.hands[deal.turn]
                deal.push(card)
            assert deal.is_over
            check(deal, scores)
            replayed += 1
    assert replayed >= 20_000


def mingling(view: kernel.SeatView, draw: int) -> int:
    """Play a card that depends on everything the view tells."""
    mingled = draw & 0xFFFF
    mingled = mingled * 31 + view.hand
    mingled = (mingled * 31 + view.held) & 0xFFFFFFFFFF
    mingled = mingled * 31 + view.top
    mingled = mingled * 31 + view.pile
    mingled = (mingled * 31 + view.stake) & 0xFFFFFFFFFF
    mingled = mingled * 31 + (view.seen >> 20) + (view.seen & 0xFFFFF)
    mingled = (mingled * 31 + view.left) & 0xFFFFFFFFFF
    mingled = mingled * 31 + view.ours
    mingled = mingled * 31 + view.took_last
    mingled = (mingled * 31 + view.bottom) & 0xFFFFFFFFFF
    mingled = mingled * 31 + view.seat
    mingled = mingled * 31 + view.dealer
    mingled = mingled * 31 + view.players
    mingled = (mingled * 31 + view.covered) & 0xFFFFFFFFFF
    mingled = mingled * 31 + view.next_held
    mingled = mingled * 31 + view.next_bottom
    return ((mingled ^ (mingled >> 17)) & 0xFFFF) % view.held


def view_of(deal: Deal) -> kernel.SeatView:
    """Return what the seat on turn may know, made from the readable engine's `View`."""
    seat, rules = deal.turn, deal.rules
    side = rules.side_of(seat)
    seen_in_centre = deal.view(seat).centre
    centre = [
        card
        for card, seen in zip(deal.setup.centre, seen_in_centre, strict=True)
        if seen is not UNKNOWN
    ]
    hand = deal.hands[seat]
    known = {*centre, *hand, *(play.card for play in deal.history)}
    bottom = deal.setup.bottom
    if bottom:
        known.add(bottom)
    captured_once = any(play.captured for play in deal.history)
    open_pile = [
        card
        for card in deal.pile
        if captured_once or card not in deal.setup.centre or card in centre
    ]
    up_from = len(deal.setup.centre) - deal.setup.centre_up
    down = [card for card in deal.setup.centre[:up_from] if card not in deal.setup.buried]
    open_to_all = [card for card in deal.pile if captured_once or card not in down]
    following = (seat + 1) % rules.players
    next_held = len(deal.hands[following])
    if not next_held and deal.plays_left > 1:
        next_held = 4
    return kernel.SeatView(
        hand=sum(card.index << 8 * place for place, card in enumerate(hand)),
        held=len(hand),
        top=deal.top.index if deal.top else -1,
        pile=len(deal.pile),
        stake=sum(int(kernel.points_of(card.index)) for card in open_pile),
        seen=sum(1 << 4 * card.rank.index for card in known if card.rank),
        left=rules.plays - len(deal.history),
        ours=score_deal(deal).sides[side].cards,
        took_last=int(deal.last_capturer == side),
        bottom=bottom.index if bottom else -1,
        seat=seat,
        dealer=deal.dealer,
        players=rules.players,
        covered=len(deal.pile) - len(open_to_all),
        next_held=next_held,
        next_bottom=int(bottom is not None and bottom in deal.hands[following]),
    )


def test_policies_are_told_what_the_seat_may_know_and_nothing_else() -> None:
    for number, (rng, rules, _) in enumerate(islice(random_tables(3), 120)):
        order, dealer = random_order(rules, rng), rng.randrange(rules.players)
        deal = Deal.from_order(rules, dealer, order)
        for _ in range(rng.randrange(rules.plays) if number % 2 else 0):
            deal.push(rng.choice(deal.legal_cards()))
        states = kernel.from_deal(deal)
        batch = kernel.play_states(rules, mingling, states, seed=number, record=True)
        set_keys(states, np.uint64(number), 0)
        assert batch.plays is not None
        for index in batch.plays[0][batch.plays[0] >= 0]:
            view = view_of(deal)
            draw = int(draw_at(states["key"][0], view.left) >> np.uint64(32))
            assert deal.hands[deal.turn][mingling(view, draw)] is CARDS[index], (deal, view)
            deal.push(CARDS[index])


def test_a_position_is_the_same_dealt_from_an_order_or_taken_from_a_deal() -> None:
    for rng, rules, _ in islice(random_tables(4), 100):
        order, dealer = random_order(rules, rng), rng.randrange(rules.players)
        dealt = kernel.from_orders(rules, [order], dealer)
        taken = kernel.from_deal(Deal.from_order(rules, dealer, order))
        # The order of the centre is the deal's own: a Jack may have been put below.
        for states in (dealt, taken):
            states["cards"][:, : rules.centre_size].sort()
        assert dealt.tobytes() == taken.tobytes()


def test_orders_may_be_cards_or_numbers() -> None:
    rules = RuleSet.classic()
    orders = [random_order(rules, random.Random(seed)) for seed in range(5)]
    numbers = [[card.index for card in order] for order in orders]
    as_cards = kernel.from_orders(rules, orders)
    assert as_cards.tobytes() == kernel.from_orders(rules, numbers).tobytes()
    assert as_cards.tobytes() == kernel.from_orders(rules, np.array(numbers)).tobytes()


@pytest.mark.parametrize("text", ["classic", "modern", "classic players=6", "modern players=3"])
def test_same_seed_same_bytes_whatever_the_batch(text: str) -> None:
    rules = RuleSet.parse(text)

    def run(count: int, seed: int = 5, start: int = 0) -> tuple[bytes, bytes]:
        batch = kernel.play_batch(
            rules, kernel.random_policy, count, seed, dealers=1, start=start, record=True
        )
        assert batch.plays is not None
        return batch.scores.tobytes(), batch.plays.tobytes()

    whole = run(3000)
    assert run(3000) == whole
    assert run(3000, seed=6) != whole
    for split in (1, 7, 1024, 1025):
        parts = run(split), run(3000 - split, start=split)
        assert tuple(first + second for first, second in zip(*parts, strict=True)) == whole


def test_luck_does_not_depend_on_the_policies() -> None:
    rules = RuleSet.classic()
    some = kernel.play_batch(rules, kernel.random_policy, 50, 3, record=True).plays
    others = [kernel.random_policy, kernel.random_policy, kernel.greedy, kernel.random_policy]
    mixed = kernel.play_batch(rules, others, 50, 3, record=True).plays
    assert some is not None
    assert mixed is not None
    assert (some[:, 0] == mixed[:, 0]).all()
    assert (some != mixed).any()


def test_play_outs_leave_their_states_alone() -> None:
    deal = Deal.shuffled(RuleSet.modern(), dealer=0, seed=1)
    states = np.repeat(kernel.from_deal(deal), 64)
    before = states.tobytes()
    batch = kernel.play_states(deal.rules, kernel.random_policy, states, seed=1)
    assert states.tobytes() == before
    assert len(np.unique(batch.points, axis=0)) > 8


@pytest.mark.parametrize(
    "text", ["classic", "modern", "classic players=6", "classic players=6 undealt=centre"]
)
def test_shuffles_are_even(text: str) -> None:
    rules = RuleSet.parse(text)
    count = 40_000
    states = np.zeros(count, STATE)
    set_keys(states, np.uint64(11), 0)
    shuffle_states(Rules.of(rules), states, np.zeros(count, np.int8))
    decks = states["cards"][:, : rules.cards]
    assert (np.sort(decks, axis=1) == np.arange(rules.cards)).all()
    jacks = np.array([card.is_jack for card in CARDS])
    assert not jacks[decks[:, : rules.centre_size]].all(axis=1).any()
    shown = rules.bottom_card == "shown"
    if shown:
        assert not jacks[decks[:, -1]].any()
    places = decks[:, :-1] if shown else decks
    for card in range(0, rules.cards, 5):
        # A Jack is kept from a shown bottom, so it is likelier at each other place.
        kept = places == card
        chance = kept.sum() / kept.size
        spread = (chance * (1 - chance) * count) ** 0.5
        assert abs(kept.sum(axis=0) - chance * count).max() < 5 * spread


def test_scores_of_full_deals_add_up() -> None:
    rules = RuleSet.modern()
    scores = kernel.play_batch(rules, kernel.greedy, 5000, 1).scores
    totals = {name: scores[name].sum(axis=1) for name in SCORE_FIELDS}
    assert (totals["cards"] == 52).all()
    assert (totals["aces"] + totals["jacks"] == 8).all()
    assert (totals["two_of_clubs"] + totals["ten_of_diamonds"] == 2).all()
    tied = scores["cards"][:, 0] == scores["cards"][:, 1]
    assert (totals["points"] == np.where(tied, 13, 16) + totals["bonus"]).all()
    assert (totals["bonus"] == 10 * totals["pistis"] + 20 * totals["double_pistis"]).all()


SCORE_FIELDS = (*SideScore.__slots__, "points")


def test_greedy_beats_random() -> None:
    policies = [kernel.greedy, kernel.random_policy]
    points = kernel.play_batch(RuleSet.modern(), policies, 4000, 1).points
    assert points[:, 0].mean() > points[:, 1].mean() + 10
    first = kernel.play_batch(RuleSet.modern(), kernel.first_legal, 10, 1, record=True)
    again = kernel.play_batch(RuleSet.modern(), kernel.first_legal, 10, 1, record=True)
    assert first.plays is not None
    assert again.plays is not None
    assert (first.plays == again.plays).all()


@pytest.mark.parametrize(("who", "cards"), [("dealer", (52, 0)), ("nobody", (0, 0))])
def test_nobody_captures_in_a_whole_deal(who: str, cards: tuple[int, int]) -> None:
    # A Jack that is played captures, so all of them must lie in the centre; people deal again.
    rules = RuleSet.modern(jack_on_centre="turn_next", no_capture_at_all=who)
    jacks = [card for card in deck() if card.is_jack]
    plays = [card for card in deck() if not card.is_jack]
    rounds = [plays[at : at + 8] for at in range(0, 48, 8)]
    dealt = tuple((tuple(cards[1::2]), tuple(cards[::2])) for cards in rounds)
    setup = Setup(centre=tuple(jacks), centre_up=4, bottom=None, buried=(), dealt=dealt, undealt=())
    deal = Deal(rules, 0, setup)
    states = kernel.from_deal(deal)
    batch = kernel.play_states(rules, kernel.first_legal, states, seed=1, record=True)
    assert batch.plays is not None
    assert batch.plays[0].tolist() == [card.index for card in plays]
    for card in plays:
        deal.push(card)
    check(deal, batch.scores[0])
    assert tuple(batch.scores[0]["cards"]) == cards


def test_a_deal_of_the_bluff_variant_is_played_on_without_claims() -> None:
    rng = random.Random(1)
    rules = RuleSet.modern(bluff=True)
    claims = 0
    for seed in range(40):
        deal = Deal.shuffled(rules, 0, seed)
        for _ in range(24):
            claim = rng.choice(list(Claim)) if deal.may_claim else None
            claims += claim is not None
            deal.push(rng.choice(deal.legal_cards()), claim)
        batch = kernel.play_states(
            rules, kernel.random_policy, kernel.from_deal(deal), seed, record=True
        )
        assert batch.plays is not None
        for index in batch.plays[0][:24]:
            deal.push(CARDS[index])
        check(deal, batch.scores[0])
    assert claims > 40


def test_what_cannot_be_played_is_refused() -> None:
    rules = RuleSet.modern()
    order = list(range(52))
    with pytest.raises(ValueError, match="each of the 52 cards exactly once"):
        kernel.from_orders(rules, [[*order[:-1], 0]])
    with pytest.raises(ValueError, match="each of the 52 cards exactly once"):
        kernel.from_orders(rules, [order[:-1]])
    jacks = [10, 23, 36, 49]
    with pytest.raises(ValueError, match="Order 1 puts nothing but Jacks"):
        kernel.from_orders(rules, [order, jacks + [card for card in order if card not in jacks]])
    with pytest.raises(ValueError, match="Seats run from 0 to 1"):
        kernel.play_batch(rules, kernel.random_policy, 1, 1, dealers=2)
    with pytest.raises(ValueError, match="2 players need as many policies, not 3"):
        kernel.play_batch(rules, [kernel.random_policy] * 3, 1, 1)
    with pytest.raises(ValueError, match="every card is known"):
        kernel.from_deal(Deal.watched(rules, 0, centre=[UNKNOWN] * 3 + [deck()[0]]))
    bluff = Deal.shuffled(RuleSet.modern(bluff=True), 0, 2)
    while not bluff.may_claim:
        bluff.push(bluff.legal_cards()[0])
    bluff.claim(bluff.legal_cards()[0])
    with pytest.raises(ValueError, match="must be answered"):
        kernel.from_deal(bluff)
