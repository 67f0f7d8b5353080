"""Elimination: what is certain gets its name, and nothing else does."""

import itertools
import random
from collections import Counter

import pytest

from engine import (
    UNKNOWN,
    Card,
    Claim,
    Deal,
    RuleSet,
    deck,
    parse_cards,
    resolved,
    score_deal,
    unseen_cards,
    unseen_faces,
)

from .tables import play_out, random_rules, watched

BLUFF = RuleSet.modern(bluff=True)


def masked(deal: Deal, rng: random.Random, blurred: float = 0.0) -> Deal:
    """*deal* as a watcher sees it who sees no hand and misses the suit of some plays."""
    setup = deal.setup
    down = len(setup.centre) - setup.centre_up
    seen = Deal.watched(
        deal.rules,
        deal.dealer,
        centre=[
            UNKNOWN if at < down and card not in setup.buried else card.face
            for at, card in enumerate(setup.centre)
        ],
        centre_up=setup.centre_up,
        bottom=setup.bottom.face if setup.bottom else None,
        buried=[card.face for card in setup.buried],
    )
    for play in deal.history:
        card = play.card.face
        if play.claim is Claim.ACCEPTED:
            card = UNKNOWN
        elif rng.random() < blurred:
            card = Card.of(card.rank, None)
        seen.play(card, play.claim)
    return seen


def places(deal: Deal) -> list[tuple[tuple, Card]]:
    """Every card of *deal* with the group of places it lies in that nobody can tell apart."""
    setup = deal.setup
    down = len(setup.centre) - setup.centre_up
    found = [(("centre", 0 if at < down else at), card) for at, card in enumerate(setup.centre)]
    found += [(("play", at), play.card) for at, play in enumerate(deal.history)]
    for number in range(deal.hand_deal, deal.rules.hand_deals):
        hands = deal.hands if number == deal.hand_deal else setup.dealt[number]
        found += [
            (("hand", number, seat), card) for seat, hand in enumerate(hands) for card in hand
        ]
    return found + [(("undealt",), card) for card in setup.undealt]


def every_way(deal: Deal) -> list[dict[tuple, Counter]]:
    """Brute force: for every way to fill the unknown cards, what lies in each group of places."""
    slots = places(deal)
    pool = Counter(card.face for card in deck(deal.rules.decks))
    pool.subtract(card.face for _, card in slots if card.known)
    open_slots = [(group, card) for group, card in slots if not card.known]
    ways = set()
    for order in itertools.permutations(pool.elements()):
        if all(
            slot.rank in (None, face.rank)
            for (_, slot), face in zip(open_slots, order, strict=True)
        ):
            ways.add(
                tuple(
                    sorted(
                        (group, face) for (group, _), face in zip(open_slots, order, strict=True)
                    )
                )
            )
    return [
        {
            group: Counter(face for at, face in way if at == group)
            for group in {group for group, _ in open_slots}
        }
        for way in ways
    ]


def named(deal: Deal, again: Deal) -> dict[tuple, Counter]:
    """The names that *again* gives to the open places of *deal*, by group."""
    open_groups = {group for group, card in places(deal) if not card.known}
    before, after = (
        {
            group: Counter(card.face for at, card in places(one) if at == group and card.known)
            for group in open_groups
        }
        for one in (deal, again)
    )
    return {group: after[group] - before[group] for group in open_groups}


def unknown_cards(deal: Deal) -> int:
    return sum(not card.known for _, card in places(deal))


def small_case(seed: int) -> tuple[Deal, Deal]:
    """A deal close to its end, and what is seen of it, with at most seven unknown cards."""
    for attempt in itertools.count():
        rng = random.Random(f"{seed} {attempt}")
        rules = random_rules(rng)
        deal = Deal.shuffled(rules, 0, rng.getrandbits(32))
        play_out(deal, rng, rules.plays - rng.choice([0, 0, 0, 1, 2, 3]))
        seen = masked(deal, rng, rng.choice([0, 0, 0.04, 0.1]))
        if unknown_cards(seen) <= 7:
            return deal, seen
    raise AssertionError


@pytest.mark.parametrize("seed", range(50))
def test_what_every_way_to_fill_the_unknown_cards_agrees_on_is_named(seed):
    _, seen = small_case(seed)
    ways = every_way(seen)
    for group, faces in named(seen, resolved(seen)).items():
        possible = [way[group] for way in ways]
        # Never a name that is wrong in some way ...
        assert all(faces <= way for way in possible)
        # ... and all the names of a group that has only one way.
        if all(way == possible[0] for way in possible):
            assert faces == possible[0]


def holders(deal: Deal) -> dict[tuple, int | None]:
    """The side that has captured each group of places, None for what nobody has."""
    held: dict[tuple, int | None] = {group: None for group, _ in places(deal)}
    pile = [group for group in held if group[0] == "centre"]
    for number, play in enumerate(deal.history):
        pile.append(("play", number))
        if play.captured:
            held.update(dict.fromkeys(pile, deal.rules.side_of(play.seat)))
            pile = []
    held.update(dict.fromkeys(pile, deal.swept_by))
    return held


COUNTED = {"A": lambda card: card.rank.value == "A", "J": lambda card: card.is_jack} | {
    text: lambda card, text=text: str(card) == text for text in ("2C", "10D")
}


@pytest.mark.parametrize("seed", range(50))
def test_a_score_is_exact_where_every_way_to_fill_the_unknown_cards_counts_the_same(seed):
    deal, seen = small_case(seed)
    held = holders(seen)
    outcomes = {
        tuple(
            sum(
                count
                for group, faces in way.items()
                for face, count in faces.items()
                if held[group] == side and counts(face)
            )
            for side in range(seen.rules.sides)
            for counts in COUNTED.values()
        )
        for way in every_way(seen)
    }
    claimed = score_deal(seen)
    if claimed.exact:
        assert claimed == score_deal(deal)
        assert len(outcomes) == 1
    elif not seen.rules.ten_of_diamonds_bonus:
        assert len(outcomes) > 1


@pytest.mark.parametrize("seed", range(120))
def test_no_score_claims_more_than_the_truth(seed):
    rng = random.Random(seed)
    rules = random_rules(rng)
    deal = Deal.shuffled(rules, 0, seed)
    play_out(deal, rng, rng.choice([rules.plays, rng.randrange(rules.plays)]))
    truth = score_deal(deal)
    assert truth.exact
    seen = masked(deal, rng, rng.choice([0, 0.1, 0.3]))
    claimed = score_deal(seen)
    assert claimed.complete == truth.complete
    if claimed.exact:
        assert claimed == truth
    for mine, true in zip(claimed.sides, truth.sides, strict=True):
        assert (mine.cards, mine.pistis, mine.double_pistis) == (
            true.cards,
            true.pistis,
            true.double_pistis,
        )
        assert mine.majority == true.majority
        assert mine.bonus <= true.bonus
        for name in ("aces", "jacks", "two_of_clubs", "ten_of_diamonds"):
            assert getattr(mine, name) <= getattr(true, name)


@pytest.mark.parametrize("seed", range(40))
def test_naming_cards_changes_neither_plays_nor_what_is_certain(seed):
    rng = random.Random(seed)
    rules = random_rules(rng)
    deal = Deal.shuffled(rules, 0, seed)
    play_out(deal, rng, rules.plays - rng.randrange(4))
    seen = masked(deal, rng, rng.choice([0, 0.05]))
    again = resolved(seen)
    assert [play.captured for play in again.history] == [play.captured for play in seen.history]
    assert (again.turn, again.is_over, again.claimed) == (seen.turn, seen.is_over, seen.claimed)
    for before, after in zip(score_deal(seen).points, score_deal(again).points, strict=True):
        assert after >= before
    assert len({card for _, card in places(again) if card.known}) == sum(
        card.known for _, card in places(again)
    )


# One rule at a time.


def complete_deal() -> Deal:
    """A deal played to its end, rank by rank, with three cards of the centre never seen."""
    rules = RuleSet.modern()
    left_out = parse_cards("2C AH JD")
    rest = [card for card in deck() if card not in left_out and str(card) != "7S"]
    rest.sort(key=lambda card: (card.rank.index, card.suit.index))
    return watched(rules, " ".join(map(str, rest)))


def test_the_centre_of_a_complete_deal_follows():
    deal = complete_deal()
    assert sorted(map(str, resolved(deal).setup.centre)) == ["2C", "7S", "AH", "JD"]
    assert unseen_faces(deal) == Counter(parse_cards("2C AH JD"))
    assert unseen_faces(resolved(deal)) == Counter()
    assert resolved(deal).pile == []
    assert score_deal(deal).exact


def test_nothing_follows_one_play_before_the_end():
    deal = complete_deal()
    deal.undo()
    assert resolved(deal) is deal


def test_a_deal_with_every_card_known_is_returned_as_it_is():
    deal = Deal.shuffled(RuleSet.modern(), 1, seed=1)
    assert resolved(deal) is deal


def test_the_last_card_of_a_rank_gets_its_suit():
    deal = watched(RuleSet.modern(), "7H 5? 5D 5C", centre="5S 3S 4S 7S")
    assert str(resolved(deal).history[1].card) == "5H"
    assert (
        resolved(watched(RuleSet.modern(), "7H 5? 5D", centre="2S 3S 4S 7S")).history[1].card.suit
        is None
    )


def test_two_cards_of_a_rank_in_two_places_keep_their_suits_open():
    deal = watched(RuleSet.modern(), "7H 5? 5? 6S 5H", centre="5S 3S 4S 7S")
    assert [str(play.card) for play in resolved(deal).history[1:3]] == ["5?", "5?"]


def test_two_equal_cards_of_two_decks_are_named_as_both():
    rules = RuleSet.modern(players=5)
    seen = "5S 5S 5H 5H 5D 5D"
    deal = watched(rules, f"7H {' 6S '.join(seen.split()[:2])} 9H 5H 9D 5H 9C 5D 9S 5D 8S 5? 8H 5?")
    names = [play.card for play in resolved(deal).history if str(play.card) == "5C"]
    assert names == list(Card.parse("5C").copies(2))


def test_an_accepted_bluff_card_is_named_once_it_is_the_only_one_left():
    """Only the face-down card of the claim was never seen."""
    centre = "2S 3S 4S 7S"
    deal = watched(BLUFF, "7H 5D", centre=centre)
    deal.play(UNKNOWN, Claim.ACCEPTED)
    shown = {Card.parse(text) for text in f"{centre} 7H 5D".split()}
    rest = [card for card in deck() if card not in shown and str(card) != "AH"]
    rest.sort(key=lambda card: (card.rank.index, card.suit.index))
    for card in rest[:-1]:
        deal.play(card)
        assert resolved(deal) is deal
    deal.play(rest[-1])
    assert str(resolved(deal).history[2].card) == "AH"
    assert score_deal(deal).exact


def test_an_accepted_bluff_card_stays_open_beside_a_hidden_centre():
    deal = watched(BLUFF, "7H 5D")
    deal.play(UNKNOWN, Claim.ACCEPTED)
    shown = set(parse_cards("7S 7H 5D"))
    rest = [card for card in deck() if card not in (*shown, *parse_cards("AH 2H 3H 4H"))]
    rest.sort(key=lambda card: (card.rank.index, card.suit.index))
    for card in rest:
        deal.play(card)
    assert deal.is_over
    assert resolved(deal).history[2].card is UNKNOWN
    # Whichever card it was, one side has captured both it and the centre.
    assert score_deal(deal).exact
    assert score_deal(deal).sides[0].aces >= 1


def test_a_face_down_card_of_the_dealers_last_hand_may_be_the_shown_bottom_card():
    """Of two cards not seen, the bottom KD and the 7C, the dealer laid one and holds the other."""
    rules = RuleSet.classic(players=2, bluff=True)
    deal = Deal.watched(rules, 1, centre=parse_cards("JH JD JC 7S"), bottom=Card.parse("KD"))
    for card in parse_cards(
        "7H AS 2S 3S 4S 5S 6S 8S 9S 10S QS KS AH 2H 3H 4H 5H 6H 8H 9H 10H QH KH AD 2D 3D 4D 5D 6D "
        "8D 9D 10D QD KC 2C AC 3C 4C 5C JS 7D"
    ):
        deal.play(card)
    deal.play(UNKNOWN, Claim.ACCEPTED)
    for card in parse_cards("6C 8C 9C 10C QC"):
        deal.play(card)
    assert resolved(deal).history[41].card is UNKNOWN
    deal.play(Card.parse("7C"))
    assert str(resolved(deal).history[41].card) == "KD"


def test_in_the_last_hand_deal_everything_unseen_is_in_the_other_hand():
    deal = Deal.shuffled(RuleSet.modern(centre_seen_by="all"), 1, seed=5)
    rng = random.Random(5)
    play_out(deal, rng, 42)
    view = deal.view(0)
    named_hand = resolved(view.deal()).hands[1]
    assert sorted(card.face for card in named_hand) == sorted(card.face for card in deal.hands[1])


def test_the_shown_bottom_card_is_not_one_of_the_unseen():
    deal = Deal.watched(
        RuleSet.classic(), 3, centre=parse_cards("?? ?? ?? 7S"), bottom=Card.parse("KD")
    )
    unseen = unseen_faces(deal)
    assert unseen.total() == 50
    assert Card.parse("KD") not in unseen
    assert Card.parse("7S") not in unseen


def test_unseen_cards_are_the_unseen_faces_as_cards():
    for decks, seed in ((1, 5), (2, 6)):
        rules = RuleSet.classic(players=3, bluff=True, decks=decks)
        deal = Deal.shuffled(rules, 1, seed)
        while not deal.is_over:
            watched = deal.view(0).deal()
            unseen = unseen_cards(watched)
            assert Counter(card.face for card in unseen) == unseen_faces(watched)
            assert len(set(unseen)) == len(unseen)
            deal.push(deal.legal_cards()[-1], Claim.ACCEPTED if deal.may_claim else None)
