"""Records of every kind, as values, for tests of their written forms."""

import random

from hypothesis import strategies as st

from engine import UNKNOWN, Claim, Deal, PistiError, RuleSet
from engine.cards import Card
from engine.match import winner_of
from engine.record import DealRecord, PlayRecord, Record
from engine.record.replay import start
from engine.record.types import RESERVED
from engine.scoring import score_deal

_SEATINGS = [(2, 2), (3, 3), (4, 2), (4, 4), (5, 5), (6, 6), (6, 3), (6, 2)]
_CHOICES = {
    "undealt": ["out", "centre"],
    "win_by": [0, 2],
    "bottom_card": ["shown", "hidden"],
    "jack_on_centre": ["turn_next", "bury", "bottom"],
    "centre_seen_by": ["first_capturer", "all", "nobody"],
    "first_play_pisti": [False, True],
    "last_play_pisti": [False, True],
    "double_pisti": [20, 10, 0],
    "jack_on_single": [0, 10],
    "ten_of_diamonds_bonus": [0, 3],
    "majority_points": [3, 0],
    "no_capture_at_all": ["dealer", "nobody"],
    "bluff": [False, True],
    "bluff_jack_doubles": [False, True],
    "target": [151, 101, 1_000_000],
}
#: Texts that a written form could mistake for something else.
_NASTY = [
    'say "check"',
    "C:\\games\\",
    "\\",
    "{braces}",
    "}",
    "[t 5] not a note",
    "[confidence 1]",
    "[",
    " spaces around ",
    " ",
    "two\nlines",
    "\r\n",
    "deal plays 7S",
    "Ayşe İğıüöç",
    "♠♥♦♣ 𝄞 名前",
    "\x85\u2028",
    "/",
    '"',
]
_letters = st.characters(exclude_categories=["Cs"], exclude_characters="\0")
texts = st.sampled_from(_NASTY) | st.text(_letters, min_size=1, max_size=12)
_tag_names = st.sampled_from(["Site", "Turnuva", "şehir", "x_1", "deal"]) | st.from_regex(
    r"[^\W\d]\w{0,8}", fullmatch=True
).filter(lambda name: not RESERVED.match(name))
_maybe = st.none() | texts


def rule_set(rng: random.Random) -> RuleSet:
    """Any rule set."""
    players, sides = rng.choice(_SEATINGS)
    fields = {name: rng.choice(values) for name, values in _CHOICES.items()}
    return RuleSet.of(
        rng.choice(["classic", "modern"]),
        players=players,
        sides=sides,
        partnership=sides < players,
        **fields,
    )


@st.composite
def records(draw: st.DrawFn) -> Record:
    """Any record that reads without a problem."""
    rng = random.Random(draw(st.integers(0, 2**32)))
    rules = rule_set(rng)
    names = draw(st.just(()) | st.tuples(*[texts | st.just("")] * rules.players))
    comments = draw(st.lists(texts, max_size=4))
    tags = draw(st.dictionaries(_tag_names, texts | st.just(""), max_size=3))
    deals = some_deals(rng, rules, draw(st.integers(0, 2)), comments)
    return Record(rules, names, deals, draw(_maybe), draw(_maybe), draw(_maybe), draw(_maybe), tags)


def some_deals(
    rng: random.Random, rules: RuleSet, count: int, comments: list[str]
) -> tuple[DealRecord, ...]:
    """Up to *count* deals; all but the last are complete and none follows the end of the match."""
    deals: list[DealRecord] = []
    totals = [0] * rules.sides
    for _ in range(count):
        record, deal = _deal(rng, rules, rng.randrange(rules.players), comments)
        deals.append(record)
        totals = [sum(pair) for pair in zip(totals, score_deal(deal).points, strict=True)]
        if not deal.is_over or winner_of(rules, totals) is not None:
            break
    return tuple(deals)


def _deal(
    rng: random.Random, rules: RuleSet, dealer: int, comments: list[str]
) -> tuple[DealRecord, Deal]:
    """A random deal, of which some cards are not or only half known, often cut off."""
    full = Deal.shuffled(rules, dealer, rng.randrange(2**32))
    setup = full.setup
    blur = rng.choice([0, 0, 0.2])
    down = len(setup.centre) - setup.centre_up
    seen = [_blurred(rng, card, rng.choice([0, 0.5, 1])) for card in setup.centre[:down]]
    buried = tuple(card.face for card in setup.buried)
    if buried:
        seen = [card.face for card in setup.centre[:down]]
    hands = None
    if not blur and rng.random() < 0.5:
        known = rng.randrange(rules.hand_deals + 1)
        hands = tuple(
            tuple(card.face for dealt in setup.dealt[:known] for card in dealt[seat])
            for seat in range(rules.players)
        )
    comment = rng.choice([*comments, None])
    record = DealRecord(
        dealer=dealer,
        centre=(*seen, *(card.face for card in setup.centre[down:])),
        centre_up=setup.centre_up,
        bottom=setup.bottom.face if setup.bottom and rng.random() < 0.8 else None,
        buried=buried,
        hands=hands,
        comment=comment,
    )
    watched = start(rules, record)
    plays: list[PlayRecord] = []
    for _ in range(rng.choice([rules.plays, rules.plays, rng.randrange(rules.plays)])):
        play = _play(rng, full, blur, hands is not None, comments)
        try:
            watched.play(play.card, play.claim)
        except PistiError:
            break
        plays.append(play)
    return DealRecord(
        dealer, record.centre, record.centre_up, record.bottom, buried, hands, tuple(plays), comment
    ), watched


def _play(
    rng: random.Random, full: Deal, blur: float, named: bool, comments: list[str]
) -> PlayRecord:
    card = rng.choice(full.legal_cards())
    claim = rng.choice(list(Claim)) if full.may_claim and rng.random() < 0.5 else None
    full.play(card, claim)
    seen = _blurred(rng, card, blur, rank=True)
    if claim is Claim.ACCEPTED and not named:
        seen = UNKNOWN
    noted = rng.random() < 0.3
    return PlayRecord(
        seen,
        claim,
        t=rng.choice([None, 0.0, 51.2, 1e-7, 1e9, rng.random() * 1000]) if noted else None,
        confidence=rng.choice([None, 0.0, 1.0, rng.random()]) if noted else None,
        comment=rng.choice([*comments, None]) if noted else None,
    )


def _blurred(rng: random.Random, card: Card, share: float, *, rank: bool = False) -> Card:
    if rng.random() >= share:
        return card.face
    return Card.of(card.rank, None) if rank or rng.random() < 0.3 else UNKNOWN
