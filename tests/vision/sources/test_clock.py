from __future__ import annotations

from itertools import pairwise

import pytest

from vision.sources.clock import Clock, Thinning


@pytest.mark.parametrize(
    ("stamps", "times", "patched"),
    [
        ([0.0, 0.04, 0.5], [0.0, 0.04, 0.5], False),
        ([0.0, 0.1, 0.1, 0.2], [0.0, 0.1, 0.15, 0.2], False),  # a repeated stamp
        ([0.0, 0.1, 0.08, 0.2], [0.0, 0.1, 0.15, 0.2], False),  # a swapped one
        ([None, None, 0.5, None], [0.0, 0.1, 0.5, 0.6], True),  # missing ones
        ([0.0, 5.0, 0.0, 0.1], [0.0, 5.0, 5.1, 5.2], True),  # joined recordings
    ],
)
def test_times(stamps: list[float | None], times: list[float], patched: bool) -> None:
    clock = Clock(0.1)
    assert [clock.time(stamp) for stamp in stamps] == pytest.approx(times)
    assert clock.patched == patched
    assert clock.last == pytest.approx(times[-1])


def test_times_always_increase() -> None:
    clock = Clock(0.04)
    stamps = [0.0] * 50 + [3.0, 1.5, None, 1.6, 900.0, 2.0, 2.0, None]
    times = [clock.time(stamp) for stamp in stamps]
    assert all(earlier < later for earlier, later in pairwise(times))


def test_thinning_allows_for_rounded_stamps() -> None:
    thinning = Thinning(1 / 15)
    stamps = [0.0, 0.033, 0.066, 0.1, 0.133, 0.166, 0.2]
    assert [stamp for stamp in stamps if thinning.wants(stamp)] == [0.0, 0.066, 0.133, 0.2]


def test_holding_back_keeps_the_distance() -> None:
    thinning = Thinning(1.0)
    assert thinning.wants(0.0)
    thinning.hold_until(0.5)
    assert not thinning.wants(0.7)
    thinning.hold_until(2.5)
    assert not thinning.wants(2.0)
    assert thinning.wants(2.6)
    thinning.restart(0.0)
    assert thinning.wants(0.1)


def test_distance_is_checked() -> None:
    with pytest.raises(ValueError, match="every"):
        Thinning(-1.0)
