"""Corrections: hard facts, and decoding again from where they change anything."""

from dataclasses import replace

import numpy as np

from engine import Card, Deal, RuleSet
from vision.decoder import Decoder, Fact, Look
from vision.decoder.search import Search

from .simulated import STEP, Table

RULES = RuleSet.modern(players=2)
FIRST = Table(Deal.shuffled(RULES, 1, 5), seed=5)
#: A capture of the first deal.
UNSEEN = next(n for n, one in enumerate(FIRST.deal.history) if n > 16 and one.captured)


def plays(decoded, deal=0):
    return [str(play.card) for play in decoded.record.deals[deal].plays]


def two_deals():
    """Looks at two deals, the second one right after the first; a captor never shows."""
    looks, deals = [], []
    for seed, unseen in ((5, {UNSEEN}), (6, set())):
        shown = Table(Deal.shuffled(RULES, 1, seed), seed=seed, unseen=frozenset(unseen))
        begin = len(looks) * STEP
        looks += [replace(look, time=look.time + begin) for look in shown.looks]
        deals.append([str(played.card) for played in shown.deal.history])
    return looks, deals


def advances(monkeypatch):
    """The looks that searches take in from now on."""
    taken = []
    advance = Search.advance

    def counted(self, look):
        taken.append(look)
        advance(self, look)

    monkeypatch.setattr(Search, "advance", counted)
    return taken


def test_only_the_deal_of_a_correction_is_decoded_again(monkeypatch):
    looks, deals = two_deals()
    decoder = Decoder(RULES, looks)
    first = decoder.decode()
    assert plays(first, 1) == deals[1]
    taken = advances(monkeypatch)
    fact = Fact(0, UNSEEN, Card.parse(deals[0][UNSEEN]))
    again = decoder.decode([fact])
    assert [plays(again, 0), plays(again, 1)] == deals
    assert again.record.deals[0].plays[UNSEEN].confidence == 1.0
    starts = [round(play.t / STEP) for deal in again.record.deals for play in deal.plays]
    assert starts[UNSEEN - 1] - 16 < taken[0] < starts[UNSEEN + 1]
    assert taken[-1] < starts[48 + 12]
    anew = Decoder(RULES, looks).decode([fact])
    assert [plays(anew, 0), plays(anew, 1)] == deals
    # A fact of the second deal leaves the first alone; taken back, all is as it was.
    taken.clear()
    more = Fact(1, 40, Card.parse(deals[1][40]))
    assert plays(decoder.decode([fact, more]), 1) == deals[1]
    assert taken[0] > starts[48]
    taken.clear()
    assert plays(decoder.decode([fact]), 0) == deals[0]
    assert decoder.decode([fact]).record == again.record
    assert plays(decoder.decode(), 0) == plays(first, 0)


def test_a_play_that_a_person_has_named_is_not_renamed():
    # The 8 was taken for a 9; a person says that it was a 9, and then the 9 shows again.
    looks = []
    for card in ["2C"] * 8 + ["9H"] * 8 + ["4S"] * 8 + ["9H"] * 8 + ["5D"] * 8:
        row = np.full((1, 52), 0.001, np.float32)
        row[0, Card.parse(card).index] = 0.9
        new = not looks or looks[-1].lying[0].argmax() != row[0].argmax()
        news = np.array([1.0 if new else 0.05], np.float32)
        looks.append(Look(len(looks) * STEP, row, news, row[0], 1.0))
    decoded = Decoder(RULES, looks).decode([Fact(0, 0, Card.parse("9H"))])
    assert plays(decoded)[0] == "9H"
    assert plays(decoded).count("9H") == 1


def test_a_card_of_which_only_the_rank_can_be_told_is_a_play():
    shown = Table(Deal.shuffled(RULES, 1, 3), seed=3)
    truth = [str(played.card) for played in shown.deal.history]
    kings = [Card.parse(f"K{suit}").index for suit in "SHDC"]
    blurred = []
    for look in shown.looks:
        rows = look.lying.copy()
        for row in rows:
            if row.argmax() in kings:
                share = np.full(4, 0.2, np.float32)
                share[kings.index(int(row.argmax()))] = 0.34
                row[kings] = share
        near = rows.max(axis=0) if len(rows) else look.near
        opened = np.zeros(len(rows), np.float32)
        opened[-1:] = 1.0
        blurred.append(replace(look, lying=rows, near=near, open=opened))
    decoded = plays(Decoder(RULES, blurred).decode())
    assert [card[0] for card in decoded] == [card[0] for card in truth]
