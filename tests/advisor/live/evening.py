"""A long evening in a short time: `python -m tests.advisor.live.evening [HOURS] [VIEWERS]`.

Plays deal after deal before a scripted camera, many times faster than real ones, while viewers come
and go, hands are named and hints thought of (in fewer worlds than in earnest), and prints how much
memory the program takes and how large notices are. The reader is a scripted one too: what is
measured is everything else.
"""

from __future__ import annotations

import asyncio
import gc
import json
import resource
import sys
from collections.abc import Sequence
from contextlib import suppress
from pathlib import Path
from tempfile import TemporaryDirectory
from time import monotonic

from advisor.advice import Limit
from advisor.advisor import Advisor, Thought
from advisor.api.adviser import Adviser
from advisor.api.desk import Desk, OpenGame
from advisor.api.hub import Hub
from advisor.live.station import Station
from advisor.memory import OpponentMemory
from advisor.readings import Doubt
from advisor.session import Created, HandSet
from advisor.store import Store
from engine import Card, Deal, PistiError, RuleSet, View
from engine.rules import HAND_SIZE
from tests.advisor.live.scripted import STEP, Reader, Script, film

#: Pictures that each card lies: a play every six seconds.
HELD = 40
RULES = RuleSet.modern(target=1_000_000)


def resident() -> float:
    """Return the megabytes of memory that the program takes now."""
    try:
        pages = int(Path("/proc/self/statm").read_text(encoding="ascii").split()[1])
        return pages * resource.getpagesize() / 1e6
    except OSError:
        return resource.getrusage(resource.RUSAGE_SELF).ru_maxrss / 1e3


def dealt(number: int) -> Deal:
    """Return deal *number* of the evening."""
    return Deal.shuffled(RULES, 1 - number % 2, number)


class Hasty(Advisor):
    """Thinks in a few worlds only."""

    def think(
        self,
        view: View,
        limit: Limit | None = None,
        memory: OpponentMemory | None = None,
        doubts: Sequence[Doubt] = (),
    ) -> Thought:
        return super().think(view, Limit(samples=32), memory, doubts)


class Listener:
    """A client: notes how large notices are, and names the hand of seat 0 when it was dealt."""

    def __init__(self, desk: Desk, game: OpenGame) -> None:
        self.largest = self.hints = 0
        self._desk = desk
        self._game = game
        self._subscriber, _ = desk.hub.subscribe(None)

    async def listen(self) -> None:
        while (notice := await self._subscriber.next()) is not None:
            self.largest = max(self.largest, len(json.dumps(notice.data)))
            if notice.type == "advice":
                self.hints += notice.data["final"]
            elif notice.type == "state":
                await asyncio.to_thread(self._name_hand)

    def _name_hand(self) -> None:
        with self._game.lock, suppress(PistiError):
            session = self._game.session
            deal = session.deal
            if deal is None or deal.is_over or all(card.known for card in deal.hands[0]):
                return
            made = len(deal.history) % (HAND_SIZE * RULES.players)
            if made == 0:
                hand = dealt(len(session.facts) - 1).setup.dealt[deal.hand_deal][0]
                named = tuple(card.face for card in hand)
                self._desk.change(self._game, [HandSet("person", 0, named)])


class Endless(Script):
    """A camera before which deal follows deal."""

    def __init__(self) -> None:
        super().__init__(self._deal(0), pace=0.0)
        self.patience = 30.0
        # Not before somebody reads: a deal of which the beginning was missed is never over.
        self.hold.set()
        self.deals = 1

    def _deal(self, number: int) -> Sequence[Sequence[Card]]:
        return list(film([dealt(number)], number, HELD))

    def more(self) -> None:
        """Add a deal where the film runs out."""
        if self.number > len(self.shown) - 50:
            # What has been shown is forgotten: only the program's own memory is to be seen.
            self.shown = [
                *([[]] * self.number),
                *self.shown[self.number :],
                *self._deal(self.deals),
            ]
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
        camera.hold.clear()
        adviser = Adviser(desk, Hasty())
        listener = Listener(desk, game)
        listening = asyncio.create_task(listener.listen())
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
                    f"{at:5.2f} h: {resident():6.1f} MB, {plays} plays, {listener.hints} hints, "
                    f"largest notice {listener.largest / 1e3:.1f} kB, {came} viewers came, "
                    f"{monotonic() - begun:.0f} s",
                    flush=True,
                )
                listener.largest = 0
        assert not listening.done(), listening.exception()
        listening.cancel()
        adviser.close()
        await asyncio.to_thread(station.close)
        desk.store.close()


if __name__ == "__main__":
    words = [float(word) for word in sys.argv[1:]]
    asyncio.run(evening(words[0] if words else 3.0, int(words[1]) if len(words) > 1 else 5))
