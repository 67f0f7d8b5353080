"""A game before a scripted camera, over the API: what tests of the live table share."""

from __future__ import annotations

from collections.abc import Callable, Sequence
from pathlib import Path
from time import monotonic, sleep
from typing import Any

import cv2
import numpy as np

from engine import Card, Deal, RuleSet
from tests.advisor.api.conftest import Running
from tests.advisor.live.scripted import Reader, Script, film
from vision.sources import SourceError

RULES = RuleSet.modern()


Film = Sequence[Sequence[Card]]


class Table:
    """A server with a scripted camera.

    Args:
        folder: the data folder.
        seeds: of the deals.
        idle: seconds after which the camera is let go.
        cut: makes what the camera sees of the films of the deals.

    Attributes:
        running: the server.
        deals: the deals that are played before the camera.
        films: what shows of each.
        shown: what the camera sees.
        script: the camera, once it is open.
    """

    def __init__(
        self,
        folder: Path,
        seeds: tuple[int, ...] = (1,),
        idle: float = 30.0,
        cut: Callable[[list[Film]], Film] = lambda films: [each for film in films for each in film],
    ) -> None:
        self.deals = [
            Deal.shuffled(RULES, 1 - number % 2, seed) for number, seed in enumerate(seeds)
        ]
        self.films: list[Film] = [list(film([deal])) for deal in self.deals]
        self.shown = cut(self.films)
        self.scripts: list[Script] = []
        self.running = Running(folder, make_reader=Reader, idle=idle)
        self.running.station._opener = self.open
        self.client = self.running.client

    @property
    def script(self) -> Script:
        return self.scripts[-1]

    def open(self, text: str) -> Script:
        if text == "nothing":
            raise SourceError("source.missing", path=text)
        script = Script(self.shown)
        script.done = self.done
        script.patience = 5.0
        self.scripts.append(script)
        return script

    def done(self) -> int | None:
        """Return the newest picture that was read; None where reading is paused."""
        camera, reading = self.running.station._camera, self.running.station._reading
        if reading is None or camera is None:
            # Nobody reads yet: what shows now would be lost.
            return 0
        return None if camera.paused else reading.done

    def truth(self, deal: int = 0) -> list[str]:
        return [str(played.card) for played in self.deals[deal].history]

    def start(self) -> str:
        game: str = self.running.new_game(names=["Ayşe", "Mehmet"], me=0)["game"]
        answer = self.client.post("/sources", json={"source": "script", "game": game})
        assert answer.status_code == 201, answer.text
        return game

    def wait(self, what: Callable[[], Any], seconds: float = 90.0) -> Any:
        end = monotonic() + seconds
        while monotonic() < end:
            found = what()
            if found:
                return found
            sleep(0.05)
        raise AssertionError("it did not happen")

    def state(self, game: str) -> dict[str, Any]:
        state: dict[str, Any] = self.client.get(f"/games/{game}/state").json()
        return state

    def cards(self, game: str) -> list[str]:
        return [play["card"] for play in self.state(game)["plays"]]


def frames(table: Table, count: int, overlay: str = "") -> list[Any]:
    """Return the first *count* pictures of the live video."""
    found = []
    with table.client.stream(
        "GET", "/sources/current/video", params={"overlay": overlay}
    ) as answer:
        assert answer.headers["content-type"].startswith("multipart/x-mixed-replace; boundary=")
        data = b""
        for chunk in answer.iter_bytes():
            data += chunk
            while (head := data.find(b"\r\n\r\n")) >= 0:
                length = int(data[:head].rpartition(b"Content-Length: ")[2])
                if len(data) < head + 4 + length:
                    break
                jpeg, data = data[head + 4 : head + 4 + length], data[head + 6 + length :]
                found.append(cv2.imdecode(np.frombuffer(jpeg, np.uint8), cv2.IMREAD_COLOR))
                if len(found) == count:
                    return found
    return found
