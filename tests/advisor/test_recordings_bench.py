"""How recorded games that were read are compared with their truth."""

from dataclasses import replace

import numpy as np
import pytest
from click.testing import CliRunner

from advisor.cli.bench import command
from advisor.recordings_bench import judged, judged_plain, table, to_json
from datasets.games.script import play_deal
from engine import Card, RuleSet
from engine.record import DealRecord, PlayRecord, Record
from vision.decoder import Doubt, Look
from vision.decoder.plain import cards_laid

RULES = RuleSet.modern(players=2)
DEAL, TURNS = play_deal(RULES, 1, 4)
CARDS = [turn.card for turn in TURNS]


def record(cards, sure=None):
    centre = tuple(card.face for card in DEAL.setup.centre)
    plays = tuple(
        PlayRecord(card, t=float(n), confidence=None if sure is None else sure[n])
        for n, card in enumerate(cards)
    )
    return Record(RULES, deals=(DealRecord(1, centre, plays=plays),))


TRUTH = record(CARDS)


def swapped():
    """The truth with two cards that take nothing and are taken by nothing told in wrong order."""
    quiet = [n for n, turn in enumerate(TURNS) if not turn.captured]
    for n in quiet:
        a, b = n, n + 1
        if b in quiet and CARDS[a].rank is not CARDS[b].rank:
            cards = list(CARDS)
            cards[a], cards[b] = cards[b], cards[a]
            return a, cards
    raise AssertionError


def test_the_truth_is_exact():
    line = judged("one", 1, TRUTH, record(CARDS, [0.99] * 48), ())
    assert (line.plays, line.right, line.wrong, line.unlisted) == (48, 48, 0, 0)
    assert line.score
    assert line.exact
    assert not replace(line, wrong=1).exact


def test_a_wrong_play_is_listed_or_not():
    at, cards = swapped()
    read = record(cards, [0.6 if n in (at, at + 1) else 0.99 for n in range(48)])
    line = judged("two", 3, TRUTH, read, ())
    assert (line.right, line.wrong, line.unlisted) == (47, 1, 1)
    assert not line.exact
    doubts = [Doubt(0.0, 0, n, cards[n], ()) for n in (at, at + 1)]
    line = judged("two", 3, TRUTH, read, doubts)
    assert (line.wrong, line.unlisted, line.listed) == (1, 0, 2)
    rows = table([line]).splitlines()
    assert "47" in rows[1]
    assert "1 games, 0 exact in every play" in rows[2]
    assert "2.08% of plays not read" in rows[2]
    # Of the two plays said to be 60 % sure one is right.
    assert rows[4].split() == ["0.500-0.700", "2", "0.600", "0.500"]
    assert rows[-1] == f"expected calibration error {(2 * 0.1 + 46 * 0.01) / 48:.3f}"
    assert to_json([line])[0]["exact"] is False


def test_without_rules_each_card_that_comes_to_lie_on_the_pile_is_a_play():
    def look(t, *cards):
        rows = np.zeros((len(cards), 52), np.float32)
        for row, (name, sure) in zip(rows, cards, strict=True):
            row[Card.parse(name).index] = sure
        return Look(t, rows, np.ones(len(cards), np.float32), np.zeros(52, np.float32), 1.0)

    looks = [look(0, ("7S", 0.9)), look(1, ("7S", 0.9), ("2C", 0.8)), look(2, ("9H", 0.4)),
             look(3, ("KD", 0.7), ("7S", 0.9))]  # fmt: skip
    assert [str(card) for card in cards_laid(looks)] == ["7S", "2C", "KD"]
    up = str(DEAL.setup.centre[-1])
    line = judged_plain("one", 1, TRUTH, [up, *map(str, CARDS[:40])])
    assert (line.plays, line.right, line.wrong) == (48, 40, 0)
    assert not line.exact
    assert judged_plain("one", 1, TRUTH, [str(CARDS[3]), str(CARDS[0])]).wrong == 1


def test_a_table_of_nothing():
    assert len(table([]).splitlines()) == 1
    assert pytest.approx(0) == len(to_json([]))


def test_a_game_that_does_not_exist(tmp_path):
    result = CliRunner().invoke(command, ["score", "--game", "level9-1", "--folder", str(tmp_path)])
    assert result.exit_code == 2
    assert "there is no game 'level9-1'; the first is 'level1-1'" in result.output
