"""What several test files share: random rule sets, deals and records."""

import random

import pytest
from hypothesis import strategies as st

from engine import Card, Claim, Deal, IllegalPlayError, Match, RuleSet, deck, parse_cards

#: Every value of every field that is one of a few; written out, not taken from the engine.
CHOICES = {
    "undealt": ["out", "centre"],
    "bottom_card": ["shown", "hidden"],
    "jack_on_centre": ["turn_next", "bury", "bottom"],
    "centre_seen_by": ["first_capturer", "all", "nobody"],
    "first_play_pisti": [False, True],
    "last_play_pisti": [False, True],
    "double_pisti": [20, 10, 0],
    "jack_on_single": [0, 10],
    "ten_of_diamonds_bonus": [0, 3],
    "no_capture_at_all": ["dealer", "nobody"],
    "bluff": [False, True],
    "bluff_jack_doubles": [False, True],
}
#: Every way to seat the players: players, partnership, sides.
SEATINGS = [
    (2, False, 2),
    (3, False, 3),
    (4, False, 4),
    (4, True, 2),
    (5, False, 5),
    (6, False, 6),
    (6, True, 2),
    (6, True, 3),
]


def card(text: str) -> Card:
    return Card.parse(text)


def texts(cards) -> str:
    return " ".join(map(str, cards))


def refused(key, call, *args, **kwargs) -> IllegalPlayError:
    """The error of an illegal play, which must be the one called *key*."""
    with pytest.raises(IllegalPlayError) as caught:
        call(*args, **kwargs)
    assert caught.value.key == key
    return caught.value


@st.composite
def rule_sets(draw: st.DrawFn, **fixed: object) -> RuleSet:
    """Any rule set, with some fields fixed."""
    players, partnership, sides = draw(st.sampled_from(SEATINGS))
    fields = {
        "players": players,
        "partnership": partnership,
        "sides": sides,
        "target": draw(st.integers(1, 1000)),
        "win_by": draw(st.integers(0, 50)),
        "majority_points": draw(st.integers(0, 10)),
    }
    fields |= {name: draw(st.sampled_from(values)) for name, values in CHOICES.items()}
    return RuleSet.of(draw(st.sampled_from(["classic", "modern"])), **(fields | fixed))


def random_rules(rng: random.Random, **fixed: object) -> RuleSet:
    """A rule set in which each field is as likely as not to differ from the preset's."""
    players, partnership, sides = rng.choice(SEATINGS)
    fields = {
        "players": players,
        "partnership": partnership,
        "sides": sides,
        "target": rng.choice([20, 60, 101, 151]),
        "win_by": rng.choice([0, 0, 2, 20]),
        "majority_points": rng.choice([3, 3, 0, 5]),
    }
    fields |= {name: rng.choice(values) for name, values in CHOICES.items() if rng.random() < 0.5}
    return RuleSet.of(rng.choice(["classic", "modern"]), **(fields | fixed))


def choose(deal: Deal, rng: random.Random) -> tuple[Card, Claim | None]:
    """A play that takes what it can more often than not, and claims when it may."""
    cards = deal.legal_cards()
    takers = [card for card in cards if deal.top and card.rank is deal.top.rank]
    if deal.may_claim and rng.random() < 0.4:
        honest = takers and rng.random() < 0.7
        return rng.choice(takers if honest else cards), rng.choice(list(Claim))
    if takers and rng.random() < 0.8:
        return rng.choice(takers), None
    return rng.choice(cards), None


def play_out(deal: Deal, rng: random.Random, plays: int | None = None) -> Deal:
    """Play up to *plays* cards, all that are left by default."""
    while not deal.is_over and (plays is None or plays > 0):
        deal.play(*choose(deal, rng))
        plays = None if plays is None else plays - 1
    return deal


def deck_order(first: str, rules: RuleSet) -> list[Card]:
    """The whole deck in an order that starts with the cards in *first*."""
    rest = list(deck(rules.decks))
    start = []
    for face in parse_cards(first):
        card = next(card for card in rest if card.face is face)
        rest.remove(card)
        start.append(card)
    return start + rest


def seen_by_all(deal: Deal) -> dict:
    """*deal* as a record that holds only what everybody at the table saw."""
    down = len(deal.setup.centre) - deal.setup.centre_up
    return {
        "dealer": deal.dealer,
        "centre": [
            "??" if at < down and card not in deal.setup.buried else str(card)
            for at, card in enumerate(deal.setup.centre)
        ],
        "centre_up": deal.setup.centre_up,
        "bottom": str(deal.setup.bottom) if deal.setup.bottom else None,
        "plays": [
            str(played.card)
            if played.claim is None
            else {
                "card": "??" if played.claim is Claim.ACCEPTED else str(played.card),
                "claim": played.claim.value,
            }
            for played in deal.history
        ],
    }


def seen_in_full(deal: Deal) -> dict:
    """*deal* as a record in which every card is named."""
    record = seen_by_all(deal)
    record["centre"] = [str(card) for card in deal.setup.centre]
    for number, played in enumerate(deal.history):
        if played.claim is not None:
            record["plays"][number]["card"] = str(played.card)
    return record


def blurred(record: dict, rng: random.Random, share: float) -> dict:
    """*record* with a *share* of its suits (``7?``) not read."""

    def blur(text: str) -> str:
        return text[:-1] + "?" if rng.random() < share else text

    return record | {
        "centre": [blur(text) for text in record["centre"]],
        "plays": [
            blur(play) if isinstance(play, str) else play | {"card": blur(play["card"])}
            for play in record["plays"]
        ],
    }


def random_match(rules: RuleSet, rng: random.Random, deals: int) -> list[Deal]:
    """Up to *deals* deals of a match, played at random; the last may stop anywhere."""
    match = Match(rules)
    while len(match.deals) < deals and match.winner is None:
        deal = Deal.shuffled(rules, match.next_dealer, rng.getrandbits(32))
        match.start(deal)
        last = len(match.deals) == deals and rng.random() < 0.5
        play_out(deal, rng, rng.randrange(rules.plays) if last else None)
    return match.deals


def watched(rules: RuleSet, plays: str, *, centre: str = "?? ?? ?? 7S", dealer: int = -1) -> Deal:
    """A deal as a watcher sees it, with *plays* made; every hand and the stock are unknown."""
    deal = Deal.watched(rules, dealer % rules.players, centre=parse_cards(centre))
    for card in parse_cards(plays):
        deal.play(card)
    return deal
