"""The live decoder: look by look, with what people say as facts."""

import pytest

from advisor.live import decoding
from advisor.live.decoding import LiveDecoder, LiveEvidence
from engine import Deal, RuleSet, deck
from tests.vision.decoder.simulated import Table
from vision.decoder.evidence import Evidence, Weights

TWO = RuleSet.modern()


def table(seed: int, rules: RuleSet = TWO, **options: object) -> Table:
    return Table(Deal.shuffled(rules, rules.players - 1, seed), seed=seed, **options)  # type: ignore[arg-type]


def follow(decoder: LiveDecoder, looks: list) -> list[list[str]]:
    """Return the plays that the decoder had after each look."""
    had = []
    for look in looks:
        decoder.take(look)
        deals = decoder.deals()
        had.append([str(seen.card) for seen in deals[-1].plays] if deals else [])
    return had


def truth(shown: Table) -> list[str]:
    return [str(played.card) for played in shown.deal.history]


def test_evidence_that_grows_is_that_of_all_looks() -> None:
    looks = table(1).looks[:80]
    growing = LiveEvidence(Weights())
    for look in looks:
        growing.append(look)
    whole = Evidence(looks, Weights())
    assert growing.times == pytest.approx(whole.times)
    for number in range(80):
        assert growing.played(number) == pytest.approx(whole.played(number))
    for number in (0, 20, 79):
        for pile, top in ((0, -1), (0b1011, 3)):
            assert growing.of_pile(number, pile, top) == whole.of_pile(number, pile, top)


@pytest.mark.parametrize("seed", range(2))
def test_plays_are_told_as_they_come(seed: int) -> None:
    shown = table(seed)
    had = follow(LiveDecoder(TWO), shown.looks)
    assert had[-1] == truth(shown)
    # Each play is known at the latest four looks after it was made.
    for number, time in enumerate(shown.times):
        look = min(len(had) - 1, round(time / 0.2) + 4)
        assert had[look][: number + 1] == truth(shown)[: number + 1]


def test_each_play_has_its_second_and_confidence() -> None:
    shown = table(2, misread=frozenset({5}))
    decoder = LiveDecoder(TWO)
    follow(decoder, shown.looks)
    (deal,) = decoder.deals()
    assert [str(each.card) for each in deal.turned_up][-1] == str(shown.deal.setup.centre[-1])
    for seen, time in zip(deal.plays, shown.times, strict=True):
        assert seen.t == pytest.approx(time, abs=0.41)
        assert 0 <= seen.confidence <= 1
        assert seen.card not in dict(seen.alternatives)


def test_a_correction_is_a_fact_and_what_follows_is_decoded_again() -> None:
    """Two cards of one suit read for each other: the person names one, the rest follows."""
    shown = table(4)
    decoder = LiveDecoder(TWO)
    follow(decoder, shown.looks)
    (deal,) = decoder.deals()
    up = [(seen.card, seen.t) for seen in deal.turned_up]
    plays = [(seen.card, seen.t) for seen in deal.plays]
    decoder.hold(up, plays[:10], again=True)
    assert [str(seen.card) for seen in decoder.deals()[0].plays] == truth(shown)
    other = next(card for card in deck() if card not in {card for card, _ in (*plays, *up)})
    decoder.hold(up, [*plays[:9], (other, plays[9][1])], again=True)
    after = [seen.card for seen in decoder.deals()[0].plays]
    assert after[9] is other
    assert [str(card) for card in after[:9]] == truth(shown)[:9]


def test_what_was_taken_back_does_not_come_again() -> None:
    shown = table(1)
    at = round(shown.times[5] / 0.2) + 4
    decoder = LiveDecoder(TWO)
    had = follow(decoder, shown.looks[:at])
    assert len(had[-1]) == 6
    (deal,) = decoder.deals()
    decoder.bar(deal.plays[5].card)
    up = [(seen.card, seen.t) for seen in deal.turned_up]
    decoder.hold(up, [(seen.card, seen.t) for seen in deal.plays[:5]], again=False)
    still = shown.looks[at - 1]
    for step in range(1, 6):
        decoder.take(type(still)(still.time + step / 5, *_rest(still)))
    assert [str(seen.card) for seen in decoder.deals()[0].plays] == truth(shown)[:5]
    decoder.allow(deal.plays[5].card)
    for step in range(6, 16):
        decoder.take(type(still)(still.time + step / 5, *_rest(still)))
    assert [str(seen.card) for seen in decoder.deals()[0].plays] == truth(shown)[:6]


def _rest(look: object) -> list[object]:
    from dataclasses import fields

    return [getattr(look, field.name) for field in fields(look) if field.name != "time"]  # type: ignore[arg-type]


def test_long_evenings_do_not_grow(monkeypatch: pytest.MonkeyPatch) -> None:
    """Deal after deal: what is over is dropped, and the deals are still told in order."""
    monkeypatch.setattr(decoding, "_MOST_LOOKS", 400)
    decoder = LiveDecoder(TWO, beam=8)
    time, told = 0.0, 0
    for seed in range(4):
        shown = table(seed)
        for look in shown.looks:
            time += 0.2
            decoder.take(type(look)(time, *_rest(look)))
        told = decoder.dropped + len(decoder.deals())
        assert told == seed + 1
        assert [str(seen.card) for seen in decoder.deals()[-1].plays] == truth(shown)
    assert decoder.dropped >= 2
    assert decoder.looks < 1000


@pytest.mark.parametrize(("first", "last"), [(0.3, 1.0), (0.0, 0.5)])
def test_the_next_deal_begins_after_one_that_was_not_seen_whole(first: float, last: float) -> None:
    """The camera came within the first deal, or the players gave it up."""
    decoder, time = LiveDecoder(TWO), 0.0
    for seed, (begin, end) in ((4, (first, last)), (5, (0.0, 1.0))):
        shown = table(seed)
        count = len(shown.looks)
        for look in shown.looks[int(begin * count) : int(end * count)]:
            time += 0.2
            decoder.take(type(look)(time, *_rest(look)))
            deals = decoder.deals()
            # Nothing but whole deals is told surely within the first.
            assert seed == 5 or len(deals) <= 1
        time += 15.0
    assert decoder.dropped + len(decoder.deals()) == 2
    after = decoder.deals()[-1]
    assert [str(seen.card) for seen in after.plays] == truth(shown)
    assert after.confidence > 0.99


def test_a_deal_that_a_person_ends_is_over_and_what_lies_there_is_no_new_one() -> None:
    shown = table(1)
    decoder = LiveDecoder(TWO)
    follow(decoder, shown.looks[: len(shown.looks) // 2])
    (deal,) = decoder.deals()
    decoder.end()
    still = shown.looks[len(shown.looks) // 2 - 1]
    time = still.time
    for _ in range(40):
        time += 0.2
        decoder.take(type(still)(time, *_rest(still)))
    assert len(decoder.deals()) == 1
    following = table(2)
    for look in following.looks:
        decoder.take(type(look)(time + 15 + look.time, *_rest(look)))
        if decoder.dropped == 0:
            before = decoder.deals()[0]
            assert [seen.card for seen in before.plays] == [seen.card for seen in deal.plays]
    assert decoder.dropped + len(decoder.deals()) == 2
    assert [str(seen.card) for seen in decoder.deals()[-1].plays] == truth(following)
