"""Take the pictures of the page that the documents show, of the bundled recording.

`python -m tests.page.pictures` writes them to docs/pictures; it needs Chromium and the test extra.
"""

from __future__ import annotations

import shutil
from pathlib import Path
from tempfile import TemporaryDirectory
from typing import TYPE_CHECKING, Any, Final

import cv2
import numpy as np
from playwright.sync_api import sync_playwright

from tests.page.conftest import FLAGS, NAMES
from tests.page.running import ROOT, Server

if TYPE_CHECKING:
    from playwright.sync_api import Browser, Page

_OUT: Final = ROOT / "docs" / "pictures"
_SAMPLE: Final = ROOT / "advisor" / "samples" / "sample.mp4"
_GAME: Final = {"rules": "classic players=2", "names": ["Ayşe", "Mehmet"], "dealer": 1, "me": 0}
#: What seat 0 holds as the recording begins, and how far it is watched.
_HAND: Final = ["8C", "7C", "7D", "5S"]
_WATCHED: Final = '[data-play="0-3"]'
_QUALITY: Final = 85


def main() -> None:
    """Take all pictures."""
    path = next(filter(None, map(shutil.which, NAMES)))
    with TemporaryDirectory() as folder, sync_playwright() as running:
        browser = running.chromium.launch(executable_path=path, args=list(FLAGS))
        server = Server(Path(folder))
        server.start()
        try:
            _take(server, browser)
        finally:
            server.stop()
            browser.close()


def _take(server: Server, browser: Browser) -> None:
    page = _open(browser, server, "", width=1366, height=768)
    page.wait_for_selector("main:not(:has(.loading))")
    _save(page, "start")
    _look(page, server, "watch")
    page.click("summary")
    page.fill("#source", str(_SAMPLE))
    page.click("#open-source")
    page.wait_for_selector('[data-check="framing"].good')
    page.click("#next-step")
    page.wait_for_selector(".handle.zone-hand")
    page.wait_for_timeout(1500)
    _save(page, "zones")
    page.click("#next-step")
    game = server.call("POST", "/games", _GAME)["game"]
    server.call("POST", "/sources", {"source": str(_SAMPLE), "game": game})
    _look(page, server, f"game/{game}")
    page.click("#edit-hand")
    page.fill("#hand-text", " ".join(_HAND))
    page.click("#save-hand")
    phone = _open(
        browser,
        server,
        f"game/{game}",
        width=390,
        height=844,
        locale="tr",
        has_touch=True,
        color_scheme="dark",
        device_scale_factor=1.5,
    )
    page.wait_for_selector(_WATCHED)
    for seen, name in ((phone, "phone"), (page, "table")):
        seen.wait_for_selector(".state-line.mine")
        seen.wait_for_selector("#why-list li")
        seen.wait_for_timeout(100)
        _save(seen, name)


def _open(
    browser: Browser, server: Server, where: str, *, width: int, height: int, **more: Any
) -> Page:
    size = {"width": width, "height": height}
    options = {"locale": "en", "reduced_motion": "reduce"} | more
    page = browser.new_context(viewport=size, **options).new_page()
    page.set_default_timeout(60_000)
    _look(page, server, where)
    return page


def _look(page: Page, server: Server, where: str) -> None:
    page.goto(f"{server.address}/#/{where}")


def _save(page: Page, name: str) -> None:
    picture = cv2.imdecode(np.frombuffer(page.screenshot(), np.uint8), cv2.IMREAD_COLOR)
    cv2.imwrite(str(_OUT / f"{name}.webp"), picture, [cv2.IMWRITE_WEBP_QUALITY, _QUALITY])


if __name__ == "__main__":
    main()
