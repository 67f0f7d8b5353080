"""Cameras and streams, which end when somebody says so."""

from __future__ import annotations

import signal
from collections.abc import Callable, Iterator
from contextlib import contextmanager
from types import FrameType

from advisor.cli.common import complain
from advisor.messages import Catalogue
from vision.sources.opening import path_of, public_name


def is_live(source: str) -> bool:
    """Whether *source* is a camera or a stream."""
    return path_of(source) is None


@contextmanager
def until_ctrl_c(source: str, language: str) -> Iterator[Callable[[], bool]]:
    """Yield what tells whether the first Ctrl-C has ended *source*; the next one stops at once."""
    from advisor.scorer import GIVE_UP

    words = Catalogue(language)
    said = asked = False

    def ask(number: int, frame: FrameType | None) -> None:
        nonlocal asked
        if not said:
            # The source has not answered: there is nothing to end.
            signal.default_int_handler(number, frame)
        asked = True
        signal.signal(signal.SIGINT, signal.default_int_handler)

    def ending() -> bool:
        nonlocal said
        if not said:
            # It is said once there is something to end: the source has answered.
            said = True
            complain(words.text("score.live", source=public_name(source), seconds=round(GIVE_UP)))
        return asked

    before = signal.signal(signal.SIGINT, ask)
    try:
        yield ending
    finally:
        signal.signal(signal.SIGINT, before)
