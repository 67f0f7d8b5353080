"""Spreading deals over processes or a Dask cluster."""

from __future__ import annotations

import os
import signal
import time
from collections.abc import Callable, Iterator
from concurrent.futures import ProcessPoolExecutor
from contextlib import contextmanager
from functools import partial
from importlib import import_module
from multiprocessing import active_children, get_context
from threading import current_thread, main_thread
from typing import Final

import numpy as np

from advisor.arena.match import calibrated, duel, seating
from advisor.arena.players import Player
from advisor.arena.results import Floats, Result, without_luck
from advisor.arena.table import SEARCH
from advisor.errors import AdviceError
from engine import RuleSet
from vision.extras import install_command

#: Deals of one unit of work, a multiple of all numbers of players; a learner forgets at its end.
_UNIT: Final = 240

#: Deals on which the control's mean is measured.
_REFERENCE: Final = 20_000

_Part = tuple[Floats, Floats, float]


def run(
    rules: RuleSet,
    first: Player,
    second: Player,
    deals: int,
    seed: int,
    *,
    mirror: bool = True,
    processes: int | None = None,
    cluster: str | None = None,
    progress: Callable[[int], object] = lambda _: None,
) -> Result:
    """Play *deals* deals between two players and return the result.

    Args:
        rules: the rule set.
        first: the player whose gain is asked for.
        second: the other.
        deals: how many deals; mirrored, each is played at every seating.
        seed: the same seed gives the same cards, and the same result unless a player has a time.
        mirror: whether to exchange seats on the same cards.
        processes: how many to use; one for each core by default.
        cluster: the address of a Dask cluster to use instead.
        progress: called with the number of deals done.

    Raises:
        AdviceError: `cluster` without Dask installed.
    """
    first, second = calibrated(rules, first), calibrated(rules, second)
    work = partial(_unit, rules, first, second, seed, mirror)
    starts = [(at, min(_UNIT, deals - at)) for at in range(0, deals, _UNIT)]
    gains, control, seconds = [], [], 0.0
    for (_, count), part in zip(starts, _spread(work, starts, processes, cluster), strict=True):
        gains.append(part[0])
        control.append(part[1])
        seconds += part[2]
        progress(count)
    every = np.concatenate(gains)
    usual = error = 0.0
    if mirror:
        reference = duel(rules, *_control(second), _REFERENCE, seed + 1)
        usual = float(reference.mean())
        error = float(reference.std(ddof=1)) / len(reference) ** 0.5
    adjusted, slope = without_luck(every, np.concatenate(control) - usual)
    # The time of rules of thumb is nothing: all of it is put on the moves of who searches.
    seats = [
        seat for way, _ in seating(rules, first, second)[: None if mirror else 1] for seat in way
    ]
    searching = sum(player.kind == SEARCH for player in seats) or len(seats)
    moves = deals * rules.plays * searching / rules.players
    return Result(
        first=first.name,
        second=second.name,
        rules=str(rules),
        gains=every,
        adjusted=adjusted,
        control_error=slope * error,
        ms_per_move=1000 * seconds / moves,
    )


def _control(second: Player) -> tuple[Player, Player]:
    """Return the cheap players whose result on the same cards tells of luck."""
    even = Player.parse("row-tuned")
    return even, second if second.kind != SEARCH else even


def _unit(
    rules: RuleSet, first: Player, second: Player, seed: int, mirror: bool, part: tuple[int, int]
) -> _Part:
    """Play deals *part* (first number, count); return gains, control and processor seconds."""
    start, count = part
    began = time.process_time()
    gains = duel(rules, first, second, count, seed, start, mirror)
    seconds = time.process_time() - began
    # On mirrored cards equal players gain nothing in any deal, so the tuned player against the
    # second one is the control, and its mean is measured on other deals. On cards played once, the
    # tuned player against itself is, and its mean is 0 by symmetry.
    one, other = _control(second)
    control = duel(rules, one, other if mirror else one, count, seed, start, mirror)
    return gains, control, seconds


def _spread(
    work: Callable[[tuple[int, int]], _Part],
    parts: list[tuple[int, int]],
    processes: int | None,
    cluster: str | None,
) -> Iterator[_Part]:
    if cluster:
        try:
            client_of = import_module("distributed").Client
        except ImportError:
            raise AdviceError("cluster.dask", command=install_command("cluster")) from None
        with client_of(cluster) as client:
            yield from client.gather(client.map(work, parts))
        return
    # Compiled here once, so that no time is measured with it and processes find the code on disk.
    work((0, 2))
    count = min(processes or os.cpu_count() or 1, len(parts))
    if count == 1:
        yield from map(work, parts)
        return
    with ProcessPoolExecutor(count, mp_context=get_context("spawn")) as pool:
        try:
            with _deaf():
                done = pool.map(work, parts)
            yield from done
        except (KeyboardInterrupt, GeneratorExit):
            # Nobody waits for what is being played, however long it takes.
            pool.shutdown(wait=False, cancel_futures=True)
            for process in active_children():
                process.terminate()
            raise


@contextmanager
def _deaf() -> Iterator[None]:
    """Start processes that do not hear Ctrl-C, which is ours to answer as soon as they run."""
    if not hasattr(signal, "pthread_sigmask") or current_thread() is not main_thread():
        yield
        return
    heard: list[int] = []
    # Blocked, it is not heard by the processes; but another thread of ours may still be chosen to
    # hear it, and then Python would leave off here, between a process and what it is to be told.
    usual = signal.signal(signal.SIGINT, lambda number, _: heard.append(number))
    before = signal.pthread_sigmask(signal.SIG_BLOCK, (signal.SIGINT,))
    try:
        yield
    finally:
        signal.pthread_sigmask(signal.SIG_SETMASK, before)
        signal.signal(signal.SIGINT, usual)
    if heard:
        raise KeyboardInterrupt
