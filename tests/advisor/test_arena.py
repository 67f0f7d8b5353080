"""The arena: mirrored deals, intervals, and a control that removes luck and no more."""

import json
import os
import signal
import subprocess
import sys
import time
from dataclasses import replace
from pathlib import Path
from threading import Event, Thread

import numpy as np
import pytest
from click.testing import CliRunner

from advisor.arena.match import duel, play
from advisor.arena.players import Player
from advisor.arena.results import Result, ratings, to_svg, without_luck
from advisor.arena.runner import _deaf, run
from advisor.arena.table import running_prior
from advisor.cli.main import group
from advisor.errors import AdviceError
from engine import RuleSet, kernel

RULES = RuleSet.classic(players=2)


def test_equal_players_gain_nothing_on_mirrored_cards() -> None:
    counting = Player.parse("counting")
    assert not duel(RULES, counting, counting, 50, 1).any()
    for rules in (RuleSet.classic(), RuleSet.classic(players=3), RuleSet.modern(players=6)):
        assert np.allclose(duel(rules, counting, counting, 24, 1), 0.0)


def test_a_duel_is_zero_sum_and_continues() -> None:
    greedy, tips = Player.parse("greedy"), Player.parse("tips")
    gains = duel(RULES, greedy, tips, 60, 3)
    assert np.allclose(gains, -duel(RULES, tips, greedy, 60, 3))
    again = np.concatenate([duel(RULES, greedy, tips, 20, 3, start) for start in (0, 20, 40)])
    assert np.allclose(gains, again)


def test_the_arena_plays_as_the_kernel_does() -> None:
    """Greedy in the kernel and in the arena, on the same shuffles, score the same."""
    player = Player.parse("greedy")
    mine = play(RULES, [player, player], 300, 9)
    batch = kernel.play_batch(RULES, kernel.greedy, 300, 9, dealers=(np.arange(300) - 1) % 2)
    assert (mine == batch.points).all()


def test_the_known_order_of_the_rules_of_thumb() -> None:
    for better, worse, low, high in [
        ("greedy", "random", 10.0, 11.5),
        ("counting", "greedy", 3.5, 4.6),
        ("tips", "greedy", 2.9, 4.1),
        ("hunter", "greedy", 0.0, 0.9),
    ]:
        gains = duel(RULES, Player.parse(better), Player.parse(worse), 8000, 2)
        assert low < gains.mean() < high, (better, worse)


def test_the_control_takes_luck_out_and_leaves_the_mean() -> None:
    rng = np.random.default_rng(1)
    means, adjusted_means, spreads = [], [], []
    for _ in range(300):
        luck = rng.normal(size=200)
        gains = 1.0 + 3 * luck + rng.normal(size=200)
        adjusted, slope = without_luck(gains, luck)
        assert slope == pytest.approx(3, abs=0.7)
        means.append(gains.mean())
        adjusted_means.append(adjusted.mean())
        spreads.append(adjusted.std())
    assert np.mean(spreads) < 1.1
    error = np.std(adjusted_means) / len(adjusted_means) ** 0.5
    assert abs(np.mean(adjusted_means) - 1.0) < 4 * error
    assert np.std(adjusted_means) < np.std(means) / 2


def test_the_adjusted_result_agrees_with_many_deals() -> None:
    first, second = Player.parse("counting"), Player.parse("hunter")
    truth = duel(RULES, first, second, 30_000, 77).mean()
    results = [run(RULES, first, second, 480, seed, processes=1) for seed in range(8)]
    adjusted = np.array([result.points for result in results])
    plain = np.array([result.gains.mean() for result in results])
    assert abs(adjusted.mean() - truth) < 4 * adjusted.std(ddof=1) / 8**0.5
    assert adjusted.std() < plain.std()
    covered = sum(result.interval[0] < truth < result.interval[1] for result in results)
    assert covered >= 5


def test_the_control_itself_has_an_interval() -> None:
    result = run(RULES, Player.parse("row-tuned"), Player.parse("greedy"), 240, 1, processes=1)
    low, high = result.interval
    assert 0.1 < high - low < 1.0


def test_search_beats_what_it_should() -> None:
    advisor, learner = Player.parse("advisor:24worlds"), Player.parse("learner:24worlds")
    assert run(RULES, advisor, Player.parse("greedy"), 240, 1, processes=1).interval[0] > 0
    assert run(RULES, learner, Player.parse("hunter"), 240, 1, processes=1).interval[0] > 0


@pytest.mark.parametrize(
    "rules",
    [RuleSet.classic(), RuleSet.classic(players=3), RuleSet.modern(players=5)],
    ids=str,
)
def test_search_plays_other_rules(rules: RuleSet) -> None:
    gains = duel(rules, Player.parse("advisor:6worlds"), Player.parse("greedy"), 30, 1)
    assert gains.mean() > -2
    assert np.isfinite(gains).all()


def test_one_world_leaves_the_next_card_to_the_row() -> None:
    """A world's own result has no say in its choices, so one alone changes nothing."""
    plain, ahead = Player.parse("advisor:1worlds-near"), Player.parse("advisor:1worlds")
    greedy = Player.parse("greedy")
    assert (duel(RULES, plain, greedy, 20, 4) == duel(RULES, ahead, greedy, 20, 4)).all()
    more = [replace(player, worlds=40) for player in (plain, ahead)]
    assert (duel(RULES, more[0], greedy, 20, 4) != duel(RULES, more[1], greedy, 20, 4)).any()


def test_in_doubt_it_plays_as_the_tuned_row() -> None:
    row, greedy = Player.parse("row-tuned"), Player.parse("greedy")
    always = replace(Player.parse("advisor:8worlds"), doubt=1e9, plies=5)
    assert abs(duel(RULES, always, row, 40, 4).mean()) < 0.5
    # Where all worlds agree there is no doubt; that is rare.
    assert np.mean(duel(RULES, always, greedy, 40, 4) == duel(RULES, row, greedy, 40, 4)) > 0.8


def test_what_nobody_is_believed_to_be_does_not_count() -> None:
    prior, out = np.array([[0.5, 0.5, 0.0]]), np.empty((1, 3))
    running_prior(prior, np.array([[-900.0, -901.0, 0.0]]), out)
    assert np.allclose(out, [[1 / (1 + np.exp(-1)), 1, 1]])


def test_players_by_name() -> None:
    assert Player.parse("advisor:5worlds").worlds == 5
    assert Player.parse("advisor:2ms").milliseconds == 2
    without = Player.parse("learner:8worlds-without-counting-tips")
    assert (len(without.pool), sum(without.prior)) == (4, pytest.approx(1.0))
    for wrong in ("learner:8worlds-without-nobody", "nobody", "greedy:3", "advisor:3", "mc48:2ms"):
        with pytest.raises(AdviceError, match="There is no player"):
            Player.parse(wrong)


def test_ratings_and_plot() -> None:
    def result(first: str, second: str, points: float) -> Result:
        gains = np.array([points - 1, points + 1])
        return Result(first, second, "classic", gains, gains, 0.0, 0.0)

    results = [result("a", "b", 2.0), result("b", "c", 1.0), result("a", "c", 3.0)]
    table = ratings(results)
    assert table == pytest.approx({"a": 5 / 3, "b": -1 / 3, "c": -4 / 3}, abs=0.01)
    svg = to_svg(results, table)
    assert svg.startswith("<svg")
    assert svg.count("<circle") == 3


def test_the_command(tmp_path: Path) -> None:
    plot = tmp_path / "plot.svg"
    args = ["arena", "counting", "greedy", "--deals", "40", "--processes", "1", "--json"]
    done = CliRunner().invoke(group, [*args, "--plot", str(plot)])
    form = json.loads(done.stdout)
    assert form.keys() >= {"a", "b", "rules", "deals", "points", "ci95", "ms_per_move"}
    assert (form["a"], form["deals"]) == ("counting", 40)
    assert form["ci95"][0] < form["points"] < form["ci95"][1]
    assert plot.read_text(encoding="utf-8").startswith("<svg")
    many = CliRunner().invoke(group, ["--language", "en", *args[:3], "tips", *args[3:-1]])
    assert len(many.stdout.splitlines()) == 7
    assert CliRunner().invoke(group, ["arena", "greedy"]).exit_code == 2


def test_calibration_of_the_advice() -> None:
    from advisor import Limit
    from advisor.arena.calibration import measure, reliability, to_svg

    found = measure(RULES, 60, 3, Limit(samples=24, seed=1))
    slope, error = found.slope
    assert abs(slope - 1) < 4 * error
    form = found.to_json()
    assert form["positions"] == 60
    # Over all ranks and positions the chances to hold a rank must add up to what was held.
    said, came = found.has_rank.mean(axis=0)
    assert said == pytest.approx(came, abs=0.03)
    assert sum(row["count"] for row in reliability(found.has_rank)) == 60 * 13
    assert to_svg({"has_rank": reliability(found.has_rank)}).count("<circle") >= 3


@pytest.mark.skipif(sys.platform != "linux", reason="processes are looked for in /proc")
def test_processes_are_started_whole_whichever_thread_hears_that_it_is_to_stop() -> None:
    usual, begun, done = signal.getsignal(signal.SIGINT), Event(), []

    def hear() -> None:
        begun.wait(60)
        signal.raise_signal(signal.SIGINT)

    # Begun before, so that it is open to signals that the main thread is not.
    other = Thread(target=hear)
    other.start()

    def start() -> None:
        with _deaf():
            begun.set()
            other.join()
            done.append("all that was to be started")

    with pytest.raises(KeyboardInterrupt):
        start()
    assert done
    assert signal.getsignal(signal.SIGINT) is usual


def test_stopped_it_says_so_and_nothing_else() -> None:
    words = ["arena", "random", "greedy", "--deals", "2000000", "--processes", "2"]
    process = subprocess.Popen(
        [sys.executable, "-m", "advisor.cli", "--language", "en", *words],
        cwd=Path(__file__).parents[2],
        stdout=subprocess.PIPE,
        stderr=subprocess.PIPE,
        start_new_session=True,
        # Where the tests run in the background, Ctrl-C is ignored from the beginning.
        preexec_fn=lambda: signal.signal(signal.SIGINT, signal.SIG_DFL),
    )
    children = Path(f"/proc/{process.pid}/task/{process.pid}/children")
    while process.poll() is None and not (children.exists() and children.read_text()):
        time.sleep(0.1)
    os.killpg(process.pid, signal.SIGINT)
    out, err = process.communicate(timeout=120)
    assert (process.returncode, out, err) == (1, b"", b"Stopped.\n")
