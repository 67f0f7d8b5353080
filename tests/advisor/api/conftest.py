"""A real server on a free port, and clients that talk to it."""

from __future__ import annotations

from collections.abc import Callable, Iterator
from pathlib import Path
from threading import Thread
from typing import Any

import httpx
import pytest

from advisor.api.app import create_app
from advisor.api.desk import Desk
from advisor.api.hub import Hub
from advisor.api.serve import Server, address_of, listen
from advisor.live.reading import fast_reader
from advisor.live.station import IDLE, Station
from advisor.store import Store


class Running:
    """A server in a thread.

    Attributes:
        desk: its open games.
        address: where it is, ending in a slash.
        client: a client of its API.
        station, store, app, folder: its parts.
    """

    def __init__(
        self,
        folder: Path,
        host: str = "127.0.0.1",
        token: str | None = None,
        make_reader: Callable[[], Any] = fast_reader,
        idle: float = IDLE,
    ) -> None:
        self.store = Store.open(folder)
        self.desk = Desk(self.store, Hub())
        self.station = Station(self.desk, make_reader=make_reader, idle=idle)
        self.folder = folder
        app = create_app(self.desk, self.station, folder=folder, host=host, token=token)
        self.app = app
        self._socket = listen("127.0.0.1", 0)
        self.address = address_of(self._socket, "127.0.0.1")
        self._server = Server(app, self._ending)
        self._thread = Thread(target=self._server.serve_until_stopped, args=([self._socket],))
        self._thread.start()
        self.client = httpx.Client(base_url=f"{self.address}api/v1", timeout=90)

    def _ending(self) -> None:
        self.station.end_videos()
        self.desk.hub.close()

    def close(self) -> None:
        self.client.close()
        self._server.stop()
        self._thread.join(10)
        self._socket.close()
        self.store.close()
        assert not self._thread.is_alive()

    def __enter__(self) -> Running:
        return self

    def __exit__(self, *_: object) -> None:
        self.close()

    def new_game(self, **body: Any) -> dict[str, Any]:
        answer = self.client.post("/games", json={"rules": "modern", **body})
        assert answer.status_code == 201, answer.text
        state: dict[str, Any] = answer.json()
        return state


@pytest.fixture(scope="module")
def running(tmp_path_factory: pytest.TempPathFactory) -> Iterator[Running]:
    with Running(tmp_path_factory.mktemp("data")) as server:
        yield server


@pytest.fixture
def client(running: Running) -> httpx.Client:
    return running.client


@pytest.fixture
def begun(running: Running) -> str:
    """The name of a game with a deal begun and the hand of seat 0 known."""
    game: str = running.new_game(names=["Ayşe", "Mehmet"], me=0)["game"]
    centre = {"centre": ["??", "??", "??", "7S"]}
    assert running.client.post(f"/games/{game}/deals", json=centre).status_code == 201
    hand = {"seat": 0, "cards": ["7H", "JS", "2C", "9D"]}
    assert running.client.put(f"/games/{game}/hand", json=hand).status_code == 200
    return game


@pytest.fixture
def table(tmp_path: Path) -> Iterator[Any]:
    """A `tests.advisor.api.tables.Table`."""
    from tests.advisor.api.tables import Table

    made = Table(tmp_path)
    yield made
    made.running.close()
