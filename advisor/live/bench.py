"""How quick the live table is: `python -m advisor.live.bench RECORDING [SECONDS]`.

Plays a recording of which the truth lies beside it (``.json`` with the second ``t`` of every play)
as if it were a camera, and measures how long after each card came to rest the play is told, and
how long until the advice for the next play is. Pictures are packed for one viewer meanwhile.
"""

from __future__ import annotations

import asyncio
import json
import sys
from dataclasses import dataclass, field
from pathlib import Path
from time import monotonic
from typing import Any

import numpy as np

from advisor.api.adviser import Adviser
from advisor.api.desk import Desk
from advisor.api.hub import Hub, Subscriber
from advisor.live.station import Station
from advisor.session import Created, HandSet
from advisor.store import Store
from engine import Card, PistiError, RuleSet
from engine.rules import HAND_SIZE

#: A play told later than this belongs to another card.
_LATEST = 6.0


@dataclass(slots=True)
class Delays:
    """What was measured.

    Attributes:
        plays, hints: seconds from a card at rest to its play, and to the advice after it.
        missed: plays that were never told, or told as another card.
        pictures: pictures packed, in `seconds`.
        seconds: how long was measured.
        reading: milliseconds to read one picture.
    """

    plays: list[float] = field(default_factory=list)
    hints: list[float] = field(default_factory=list)
    missed: int = 0
    pictures: int = 0
    seconds: float = 0.0
    reading: int | None = None

    def lines(self) -> list[str]:
        """Return the results as text."""
        return [
            _line("card at rest to play told", self.plays),
            _line("card at rest to hint ready", self.hints),
            f"plays not told or told wrong: {self.missed}",
            f"pictures packed a second: {self.pictures / max(self.seconds, 1e-9):.1f}",
            f"reading one picture: {self.reading} ms",
        ]


def _line(name: str, seconds: list[float]) -> str:
    if not seconds:
        return f"{name}: nothing measured"
    low, high = np.percentile(seconds, (50, 95))
    return f"{name}: median {1000 * low:.0f} ms, p95 {1000 * high:.0f} ms ({len(seconds)} plays)"


async def measure(recording: Path, truth: dict[str, Any], most: float | None = None) -> Delays:
    """Return the delays over *recording*, or its first *most* seconds."""
    deal = truth["record"]["deals"][0]
    rules = RuleSet.of(**truth["record"]["rules"])
    plays = [(Card.parse(play["card"]), float(play["t"])) for play in deal["plays"]]
    desk = Desk(Store(None), Hub())
    adviser = Adviser(desk)
    station = Station(desk)
    delays = Delays()
    game = desk.create(Created(rules, dealer=deal["dealer"], me=(deal["dealer"] + 1) % 2))
    subscriber, _ = desk.hub.subscribe(None)
    try:
        await asyncio.to_thread(_warm_up)
        await asyncio.to_thread(station.open, str(recording), game=game.id)
        assert station.camera is not None
        picture = await asyncio.to_thread(station.camera.wait, 0, 10.0)
        assert picture is not None
        start = monotonic() - picture.time
        _, viewer = station.view(frozenset(("boxes", "names")))
        watching = asyncio.create_task(_count(viewer, delays))
        await _listen(desk, subscriber, game.id, plays, start, most, delays)
        delays.seconds = monotonic() - start
        delays.reading = station.state().get("reading_ms")
        watching.cancel()
    finally:
        await asyncio.to_thread(station.close)
        adviser.close()
    return delays


def _warm_up() -> None:
    """Load the advisor's machine code before the clock runs."""
    from advisor.advisor import Advisor

    Advisor.warm_up()


async def _count(viewer: Any, delays: Delays) -> None:
    async for _ in viewer.pictures():
        delays.pictures += 1


async def _listen(
    desk: Desk,
    subscriber: Subscriber,
    game: str,
    plays: list[tuple[Card, float]],
    start: float,
    most: float | None,
    delays: Delays,
) -> None:
    """Take the time of every play and hint until the recording ends."""
    told: set[int] = set()
    end = start + min(plays[-1][1] + 3, most or float("inf"))
    while (left := end - monotonic()) > 0:
        try:
            notice = await asyncio.wait_for(subscriber.next(), left)
        except TimeoutError:
            break
        if notice is None:
            break
        now = monotonic() - start
        if notice.type == "advice":
            last = notice.data["advice"]["counts"]["seen"]
            count = len(desk.game(game).session.facts[-1].plays)
            late = now - plays[count - 1][1] if count else -1.0
            if last and 0 <= late < _LATEST:
                delays.hints.append(late)
        if notice.type != "state" or notice.data["game"] != game:
            continue
        shown = notice.data["plays"]
        for number in range(len(shown)):
            if number not in told and number < len(plays):
                told.add(number)
                late = now - plays[number][1]
                if shown[number]["card"] == str(plays[number][0]) and late < _LATEST:
                    delays.plays.append(late)
        _show_hand(desk, game, plays)
    count = sum(t < monotonic() - start - 1 for _, t in plays)
    delays.missed = max(0, count - len(delays.plays))


def _show_hand(desk: Desk, game: str, plays: list[tuple[Card, float]]) -> None:
    """Name the advised hand as soon as it was dealt, as a player would."""
    session = desk.game(game).session
    deal, me = session.deal, session.created.me
    if deal is None or me is None or all(card.known for card in deal.hands[me]):
        return
    players = session.created.rules.players
    made, held = len(deal.history), len(deal.hands[me])
    seat = (deal.dealer + 1) % players
    mine = [
        card for at, (card, _) in enumerate(plays) if (seat + at) % players == me and at >= made
    ]
    if held == 0 or len(mine) < held or held > HAND_SIZE:
        return
    try:
        desk.change(desk.game(game), [HandSet("person", me, tuple(mine[:held]))])
    except PistiError:
        # The camera took a card of this hand for another; the next hand is named again.
        return


def main() -> None:
    """Measure the recording named on the command line."""
    recording = Path(sys.argv[1])
    truth = json.loads(recording.with_suffix(".json").read_text(encoding="utf-8"))
    most = float(sys.argv[2]) if len(sys.argv) > 2 else None
    for line in asyncio.run(measure(recording, truth, most)).lines():
        print(line)


if __name__ == "__main__":
    main()
