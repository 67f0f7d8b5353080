"""How fast deals are played: the readable engine, the kernel, and other projects' card games.

Everything runs in this process, on one core, and is timed by the processor time it takes. Each
contender plays whole games with random legal actions, the dealing included, and
counts what the players do, not the cards dealt; the best of several repeats stands. RLCard and
OpenSpiel (the `bench` extra) play games of their own, which are not Pişti: they show what stepping
a card game from Python costs there.
"""

from __future__ import annotations

import importlib
import platform
import random
import time
import warnings
from collections.abc import Callable, Iterator, Sequence
from dataclasses import asdict, dataclass
from functools import partial
from importlib.metadata import PackageNotFoundError, version
from pathlib import Path
from typing import Any, Final

from engine.cards import Card
from engine.deal import Deal
from engine.rules import RuleSet
from engine.scoring import score_deal

#: Plays whole games, about a hundredth of a second of them, and returns how many actions.
Contender = Callable[[], int]

_REPEATS: Final = 5
_RLCARD_GAMES: Final = ("leduc-holdem", "uno", "gin-rummy")
_OPEN_SPIEL_GAMES: Final = ("kuhn_poker", "leduc_poker", "gin_rummy", "hearts")


@dataclass(frozen=True)
class Row:
    """One line of the table.

    Attributes:
        project: whose code runs.
        what: what it plays, and how.
        per_second: plays a second on one core, None where it did not run.
        ratio: that in terms of the readable engine's first line.
        note: the version, or why it did not run.
    """

    project: str
    what: str
    per_second: float | None
    ratio: float | None
    note: str


def run(seconds: float = 2.0) -> list[Row]:
    """Measure every contender for about *seconds* each and return the table's rows.

    A peer that is not installed, or fails, has its rows all the same, and the note says so.
    """
    rows: list[Row] = []
    for project, what, make in _contenders():
        rate, note = _measured(project, make, seconds)
        base = next((row.per_second for row in rows if row.per_second), rate)
        rows.append(Row(project, what, rate, rate / base if rate and base else None, note))
    return rows


def format(rows: Sequence[Row]) -> str:
    """Return *rows* as a table to read."""
    lines = [("project", "plays", "a second", "ratio", "")]
    for row in rows:
        rate = f"{row.per_second:,.0f}" if row.per_second else "-"
        ratio = f"{row.ratio:,.2f}" if row.ratio else "-"
        lines.append((row.project, row.what, rate, ratio, row.note))
    widths = [max(len(line[column]) for line in lines) for column in range(4)]
    table = [
        f"{project:<{widths[0]}}  {what:<{widths[1]}}  {rate:>{widths[2]}}  {ratio:>{widths[3]}}"
        f"  {note}".rstrip()
        for project, what, rate, ratio, note in lines
    ]
    return "\n".join([*table, "", "One core, " + _machine() + "."])


def to_json(rows: Sequence[Row]) -> dict[str, object]:
    """Return *rows* and the machine, for ``--json``."""
    return {"machine": _machine(), "rows": [asdict(row) for row in rows]}


def _contenders() -> Iterator[tuple[str, str, Callable[[], Contender]]]:
    push, play = Deal.push, Deal.play
    yield "pisti", "readable engine, push", partial(_readable, push, scored=False)
    yield "pisti", "readable engine, push, scored", partial(_readable, push, scored=True)
    yield "pisti", "readable engine, play, scored", partial(_readable, play, scored=True)
    yield "pisti", "kernel, random policy", partial(_kernel, "random_policy")
    yield "pisti", "kernel, greedy policy", partial(_kernel, "greedy")
    for game in _RLCARD_GAMES:
        yield "rlcard", f"{game}, environment", partial(_rlcard, game)
        yield "rlcard", f"{game}, game alone", partial(_rlcard_game, game)
    for game in _OPEN_SPIEL_GAMES:
        yield "open_spiel", game, partial(_open_spiel, game)


def _measured(
    project: str, make: Callable[[], Contender], seconds: float
) -> tuple[float | None, str]:
    """Return the best rate of what *make* makes, and a note."""
    try:
        with warnings.catch_warnings():
            warnings.simplefilter("ignore")
            contender = make()
            contender()
            return max(_rate(contender, seconds / _REPEATS) for _ in range(_REPEATS)), _note(
                project
            )
    except ImportError:
        return None, "not installed"
    except Exception as error:
        # Whatever another project's code raises, the other rows are still worth printing.
        if project == "pisti":
            raise
        return None, f"does not run: {error!r}"


def _rate(contender: Contender, seconds: float) -> float:
    plays = 0
    start = time.process_time()
    while (spent := time.process_time() - start) < seconds or not plays:
        plays += contender()
    return plays / max(spent, 1e-9)


def _note(project: str) -> str:
    try:
        return version(project)
    except PackageNotFoundError:
        return ""


def _machine() -> str:
    return f"{_processor()}, Python {platform.python_version()}, {platform.system()}"


def _processor() -> str:
    try:
        lines = Path("/proc/cpuinfo").read_text(encoding="utf-8").splitlines()
        return next(line.split(":")[1].strip() for line in lines if "model name" in line)
    except (OSError, StopIteration):
        return platform.processor() or platform.machine()


def _random_deals() -> Iterator[Deal]:
    rules = RuleSet.modern()
    seed = 0
    while True:
        yield Deal.shuffled(rules, seed % 2, seed)
        seed += 1


def _readable(play: Callable[[Deal, Card], object], *, scored: bool) -> Contender:
    """Play deals with *play*, and count each deal up at its end if *scored*."""
    deals, chance = _random_deals(), random.Random(1).random

    def play_deal() -> int:
        deal = next(deals)
        for _ in range(deal.rules.plays):
            hand = deal.hands[deal.turn]
            play(deal, hand[int(chance() * len(hand))])
        if scored:
            score_deal(deal)
        return deal.rules.plays

    return play_deal


def _kernel(policy: str) -> Contender:
    from engine import kernel

    rules, chosen, seed, count = RuleSet.modern(), getattr(kernel, policy), 0, 10_000

    def play_batch() -> int:
        nonlocal seed
        seed += 1
        kernel.play_batch(rules, chosen, count, seed)
        return count * rules.plays

    return play_batch


def _rlcard(name: str) -> Contender:
    environment = importlib.import_module("rlcard").make(name, config={"seed": 1})
    chance = random.Random(1).random

    def play_game() -> int:
        actions = 0
        state, _ = environment.reset()
        while not environment.is_over():
            legal = list(state["legal_actions"])
            state, _ = environment.step(legal[int(chance() * len(legal))])
            actions += 1
        environment.get_payoffs()
        return actions

    return play_game


def _rlcard_game(name: str) -> Contender:
    """Step the game inside the environment, without what a learner is shown."""
    game: Any = importlib.import_module("rlcard").make(name, config={"seed": 1}).game
    chance = random.Random(1).random
    legal_actions = (
        game.get_legal_actions
        if hasattr(game, "get_legal_actions")
        else lambda: game.judge.get_legal_actions()
    )

    def play_game() -> int:
        actions = 0
        game.init_game()
        while not game.is_over():
            legal = legal_actions()
            game.step(legal[int(chance() * len(legal))])
            actions += 1
        return actions

    return play_game


def _open_spiel(name: str) -> Contender:
    game = importlib.import_module("pyspiel").load_game(name)
    chance = random.Random(1).random

    def play_game() -> int:
        actions = 0
        state = game.new_initial_state()
        while not state.is_terminal():
            # At a chance node these are the outcomes; taking any is quicker than weighing them.
            legal = state.legal_actions()
            actions += not state.is_chance_node()
            state.apply_action(legal[int(chance() * len(legal))])
        state.returns()
        return actions

    return play_game
