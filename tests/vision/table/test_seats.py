"""How many play, told by the sides from which hands come."""

import numpy as np
import pytest

from engine import RuleSet
from tests.vision.decoder.staged import stage
from vision.table import Closeup, count_players
from vision.table.seats import find_hands, repeats, sides


def hands(order, wobble=0.0, seed=1):
    """Close-ups of hands that come in from *order*, angles in degrees, every two seconds."""
    rng = np.random.default_rng(seed)
    seen, times = [], []
    for number, angle in enumerate(order):
        for step in (0.2, 0.4, 0.6, 0.8):
            way = np.radians(angle + wobble * rng.normal())
            pull = 0.1 * np.cos(way), 0.1 * np.sin(way)
            seen.append(Closeup(2 * number + step, (), 0.5, pull=pull))
        times.append(2 * number + 0.6)
    return seen, times


def test_a_hand_comes_from_the_side_of_its_player():
    seen, times = hands([90, -90, 0])
    ways = sides(seen, times)
    assert ways == pytest.approx(np.array([[0, 1], [0, -1], [1, 0]]), abs=1e-9)
    still, when = [Closeup(1.0, (), 0.0)], [1.0]
    assert sides(still, when).tolist() == [[0.0, 0.0]]


def test_deals_without_plays_and_with_one_tell_no_order():
    seen, times = hands([90, -90] * 8)
    assert sides(seen, []).shape == (0, 2)
    # Of the second deal only the centre was seen.
    hands_found = find_hands(seen, [times, []], 2)
    assert hands_found is not None
    assert hands_found.players == 2
    assert find_hands(seen, [[]], 2) is None
    assert find_hands(seen, [[time] for time in times], 2) is None
    assert count_players(seen, [times, []], (2, 3)) == 2


def test_sides_repeat_after_as_many_plays_as_there_are_players():
    ways = sides(*hands([90, -30, 210] * 8))
    assert repeats(ways, 3) == pytest.approx(1)
    assert repeats(ways, 1) == pytest.approx(-0.5)
    assert repeats(ways, 2) == pytest.approx(-0.5)


@pytest.mark.parametrize(
    ("seats", "players"),
    [
        ([90, -90], 2),
        # Round a corner of the table, and side by side.
        ([90, 0], 2),
        ([70, 110], 2),
        ([90, -30, 210], 3),
        ([90, 0, -90, 180], 4),
        # Seen from a low camera that stands askew.
        ([80, 30, -95, 200], 4),
    ],
)
def test_players_are_counted(seats, players):
    seen, times = hands((seats * 24)[:48], wobble=12)
    assert count_players(seen, [times], (2, 3, 4)) == players
    # One play was missed, another invented.
    del times[20]
    times.insert(33, times[33] - 0.7)
    assert count_players(seen, [times], (2, 3, 4)) == players


def test_what_cannot_be_told_is_not():
    seen, times = hands([90] * 48, wobble=40)
    assert count_players(seen, [times], (2, 3, 4)) is None
    seen, times = hands([90, -90] * 5)
    assert count_players(seen, [times], (2, 3, 4)) is None
    assert count_players([], [], (2, 3, 4)) is None
    rng = np.random.default_rng(3)
    seen, times = hands(rng.uniform(0, 360, 48))
    assert count_players(seen, [times], (2, 3, 4)) is None


@pytest.mark.parametrize("players", [2, 3, 4])
def test_the_players_of_a_staged_game_are_counted(players):
    staged = stage(RuleSet.classic(players=players), 40 + players, level=4, deals=2)
    assert count_players(staged.seen, staged.plan.plays, (2, 3, 4)) == players
