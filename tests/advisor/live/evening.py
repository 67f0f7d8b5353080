"""A long evening in a short time: `python -m tests.advisor.live.evening [HOURS] [VIEWERS]`.

Plays deal after deal before a scripted camera, many times faster than real ones, while viewers come
and go, and prints how much memory the program takes. Without a scripted reader's work, what is
measured is everything else: capture, decoding, session, store, notices, video.
"""

from __future__ import annotations

import asyncio
import gc
import resource
import sys
from collections.abc import Sequence
from pathlib import Path
from tempfile import TemporaryDirectory
from time import monotonic

from advisor.api.desk import Desk
from advisor.api.hub import Hub
from advisor.live.station import Station
from advisor.session import Created
from advisor.store import Store
from engine import Card, Deal, RuleSet
from tests.advisor.live.scripted import STEP, Reader, Script, film

RULES = RuleSet.modern(target=1_000_000)


def resident() -> float:
    """Return the megabytes of memory that the program takes now."""
    try:
        pages = int(Path("/proc/self/statm").read_text(encoding="ascii").split()[1])
        return pages * resource.getpagesize() / 1e6
    except OSError:
        return resource.getrusage(resource.RUSAGE_SELF).ru_maxrss / 1e3


class Endless(Script):
    """A camera before which deal follows deal."""

    def __init__(self) -> None:
        super().__init__(self._deal(0), pace=0.0)
        self.patience = 30.0
        self.deals = 1

    def _deal(self, number: int) -> Sequence[Sequence[Card]]:
        return list(film([Deal.shuffled(RULES, 1 - number % 2, number)], seed=number))

    def more(self) -> None:
        """Add a deal where the film runs out."""
        if self.number > len(self.shown) - 50:
            self.shown = [*self.shown, *self._deal(self.deals)]
            self.deals += 1


async def evening(hours: float, viewers: int) -> None:
    """Play for so many hours of the table's time, with so many viewers coming and going."""
    with TemporaryDirectory() as folder:
        desk = Desk(Store.open(Path(folder)), Hub())
        cameras: list[Endless] = []

        def opener(_text: str) -> Endless:
            cameras.append(Endless())
            return cameras[-1]

        station = Station(desk, make_reader=Reader, opener=opener)
        game = desk.create(Created(RULES, ("Ayşe", "Mehmet"), dealer=1, me=0))
        await asyncio.to_thread(station.open, "script", game=game.id)
        (camera,) = cameras
        reading = station._reading
        assert reading is not None
        camera.done = lambda: reading.done
        begun, told, came = monotonic(), 0.0, 0
        while camera.number * STEP < hours * 3600:
            camera.more()
            looking = [station.view(frozenset(("boxes",))) for _ in range(min(viewers, 50))]
            await asyncio.sleep(0.5)
            for video, viewer in looking:
                video.remove(viewer)
            came += len(looking)
            at = camera.number * STEP / 3600
            if at >= told:
                told += hours / 12
                gc.collect()
                plays = sum(len(facts.plays) for facts in game.session.facts)
                print(
                    f"{at:5.2f} h: {resident():6.1f} MB, {plays} plays, {came} viewers came, "
                    f"{monotonic() - begun:.0f} s",
                    flush=True,
                )
        await asyncio.to_thread(station.close)
        desk.store.close()


if __name__ == "__main__":
    words = [float(word) for word in sys.argv[1:]]
    asyncio.run(evening(words[0] if words else 3.0, int(words[1]) if len(words) > 1 else 5))
