"""How quick the live table is: `python -m advisor.live.bench RECORDING [SECONDS]`.

Plays a recording of which the truth lies beside it (``.json`` with the second ``t`` of every play)
as if it were a camera, and measures how long after each card came to rest the play is told, and,
where the advised seat is on turn then, how long until the first and the last hint for the position
after it are. A position counts when all its plays are right; hints for the same position that are
told again, because the camera has become surer of a play, are no hints of another card. Pictures
are packed for one viewer meanwhile.
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

from advisor.advisor import Advisor
from advisor.api.adviser import Adviser
from advisor.api.desk import Desk, OpenGame
from advisor.api.hub import Hub, Subscriber
from advisor.live.station import Station
from advisor.session import Created, HandSet
from advisor.store import Store
from engine import Card, PistiError, RuleSet
from engine.rules import HAND_SIZE


@dataclass(slots=True)
class Delays:
    """What was measured.

    Attributes:
        plays: by number of the play the seconds from the card at rest to its play.
        hints, last_hints: by number of the play the seconds from the card at rest to the first
            hint for the position after it, and to the one after which no better one follows.
        wrong: plays that were told as another card at first.
        missed: plays that were never told right.
        late: hints that came after the next card was at rest, or never.
        pictures: pictures packed, in `seconds`.
        seconds: how long was measured.
        reading: milliseconds to read one picture.
    """

    plays: dict[int, float] = field(default_factory=dict)
    hints: dict[int, float] = field(default_factory=dict)
    last_hints: dict[int, float] = field(default_factory=dict)
    wrong: set[int] = field(default_factory=set)
    missed: int = 0
    late: int = 0
    pictures: int = 0
    seconds: float = 0.0
    reading: int | None = None

    def lines(self) -> list[str]:
        """Return the results as text."""
        return [
            _line("card at rest to play told", self.plays, "plays"),
            _line("card at rest to first hint", self.hints, "hints"),
            _line("card at rest to last hint", self.last_hints, "hints"),
            f"hints after the next card, or never: {self.late}",
            f"plays told wrong at first: {len(self.wrong)}, never told right: {self.missed}",
            f"pictures packed a second: {self.pictures / max(self.seconds, 1e-9):.1f}",
            f"reading one picture: {self.reading} ms",
        ]


def _line(name: str, delays: dict[int, float], what: str) -> str:
    if not delays:
        return f"{name}: nothing measured"
    low, high = np.percentile(list(delays.values()), (50, 95))
    return f"{name}: median {1000 * low:.0f} ms, p95 {1000 * high:.0f} ms ({len(delays)} {what})"


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
        await asyncio.to_thread(Advisor.warm_up, rules)
        await asyncio.to_thread(station.open, str(recording), game=game.id)
        assert station.camera is not None
        picture = await asyncio.to_thread(station.camera.wait, 0, 10.0)
        while picture is not None and picture.time < 0:
            # It waits for the reader.
            picture = await asyncio.to_thread(station.camera.wait, picture.number, 10.0)
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
    cards = [str(card) for card, _ in plays]
    shown: dict[int, list[str]] = {}
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
            # No more plays than were told: what is advised is a position of the true game.
            told = shown[notice.data["revision"]]
            if told and told == cards[: len(told)]:
                late = now - plays[len(told) - 1][1]
                delays.hints.setdefault(len(told) - 1, late)
                if notice.data["final"]:
                    delays.last_hints.setdefault(len(told) - 1, late)
        if notice.type == "state":
            told = [play["card"] for play in notice.data["plays"] if play["deal"] == 0]
            shown[notice.data["revision"]] = told
            for number, (card, (right, t)) in enumerate(zip(told, plays, strict=False)):
                if card == str(right):
                    delays.plays.setdefault(number, now - t)
                elif number not in delays.plays:
                    delays.wrong.add(number)
            _show_hand(desk, game, plays)
    _count_missed(desk.game(game), plays, monotonic() - start - 1, delays)


def _count_missed(
    game: OpenGame, plays: list[tuple[Card, float]], seconds: float, delays: Delays
) -> None:
    """Count what should have been told in so many *seconds* and was not."""
    created = game.session.created
    first = (created.dealer + 1) % created.rules.players
    for number, (_, t) in enumerate(plays):
        if t >= seconds:
            continue
        delays.missed += number not in delays.plays
        if number + 1 < len(plays) and (first + number + 1) % created.rules.players == created.me:
            pause = plays[number + 1][1] - t
            delays.late += delays.hints.get(number, float("inf")) >= pause


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
