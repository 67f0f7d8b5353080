"""Real Chromium on the real server."""

from __future__ import annotations

import os
import shutil
from collections.abc import Iterator
from pathlib import Path
from typing import TYPE_CHECKING, Final

import pytest

from tests.page.driver import Sheet
from tests.page.running import Server

if TYPE_CHECKING:
    from playwright.sync_api import Browser

NAMES: Final = ("chromium", "chromium-browser", "google-chrome", "chrome")
FLAGS: Final = (
    "--no-sandbox",
    "--disable-gpu",
    "--disable-quic",
    "--no-first-run",
    "--disable-background-networking",
    "--disable-component-update",
    "--disable-sync",
)


@pytest.fixture(scope="session")
def browser() -> Iterator[Browser]:
    """Chromium, without a window."""
    path = next(filter(None, map(shutil.which, NAMES)), None)
    if path is None:
        said = "Chromium is not installed (Debian: apt-get install chromium)"
        if os.environ.get("PISTI_NO_SKIPS"):
            pytest.fail(said)
        pytest.skip(said)
    playwright = pytest.importorskip("playwright.sync_api")
    with playwright.sync_playwright() as running:
        chromium = running.chromium.launch(executable_path=path, args=list(FLAGS))
        yield chromium
        chromium.close()


@pytest.fixture(scope="session")
def shared_server(tmp_path_factory: pytest.TempPathFactory) -> Iterator[Server]:
    """One server for all tests that neither kill it nor look at all games."""
    server = Server(tmp_path_factory.mktemp("games"))
    server.start()
    yield server
    server.stop()


@pytest.fixture
def server(shared_server: Server) -> Server:
    """The shared server, its settings as they were at first."""
    shared_server.call("PUT", "/settings", {})
    return shared_server


@pytest.fixture
def own_server(tmp_path: Path) -> Iterator[Server]:
    """A server of the test's own."""
    server = Server(tmp_path / "games")
    server.start()
    yield server
    server.stop()


@pytest.fixture
def sheets(browser: Browser) -> Iterator[list[Sheet]]:
    """The pages that the test opened; each is to end without a fault of its own."""
    opened: list[Sheet] = []
    yield opened
    faults = [fault for sheet in opened for fault in sheet.faults]
    for sheet in opened:
        sheet.close()
    assert faults == []
