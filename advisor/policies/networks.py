"""The value networks that ship, by rule set: one for each player of the pool."""

from __future__ import annotations

from functools import lru_cache
from importlib import resources
from typing import Final

import numpy as np
import numpy.typing as npt

from engine import RuleSet

_FILE: Final = "value.npz"
#: Fields in which a rule set may differ from the one a network was trained on.
_HARMLESS: Final = ("target", "win_by", "tie_at_target", "first_play_pisti", "last_play_pisti")


@lru_cache(maxsize=32)
def networks_of(rules: RuleSet) -> npt.NDArray[np.float64]:
    """Return the networks (opponent of the pool × weights) for *rules*, or none.

    They were trained on *rules* or rules that play alike.
    """
    file = resources.files(__package__).joinpath(_FILE)
    if not file.is_file():
        return np.empty((0, 0))
    with file.open("rb") as stream, np.load(stream) as networks:
        for line in networks.files:
            other = RuleSet.parse(line)
            values = {name: getattr(rules, name) for name in _HARMLESS}
            if RuleSet.of("classic", **{**_fields(other), **values}) == rules:
                return np.array(networks[line], np.float64)
    return np.empty((0, 0))


def _fields(rules: RuleSet) -> dict[str, object]:
    return {name: getattr(rules, name) for name in rules.__dataclass_fields__}
