"""The page as a person uses it."""

from __future__ import annotations

import time
from typing import TYPE_CHECKING, Any, Final

if TYPE_CHECKING:
    from playwright.sync_api import Browser, Page

SIZES: Final = {"laptop": (1366, 768), "phone": (360, 740)}


class Sheet:
    """One page in one browser, of its own (storage, language, size).

    Attributes:
        page: Playwright's page.
        faults: what went wrong in the page or was asked of another machine.
    """

    def __init__(
        self,
        browser: Browser,
        address: str,
        size: str = "laptop",
        language: str = "en",
        **more: Any,
    ) -> None:
        width, height = SIZES[size]
        self._context = browser.new_context(
            viewport={"width": width, "height": height},
            locale=language,
            has_touch=size == "phone",
            reduced_motion="reduce",
            accept_downloads=True,
            **more,
        )
        self.address = address
        self.phone = size == "phone"
        self.faults: list[str] = []
        self.page: Page = self._context.new_page()
        self.page.set_default_timeout(60_000)
        self.page.on("pageerror", lambda error: self.faults.append(str(error)))
        self.page.on("console", self._listen)
        self.page.on("request", self._watch)

    def close(self) -> None:
        """Close the browser's window."""
        self._context.close()

    def open(self, where: str = "") -> None:
        """Go to a view, and wait until it is drawn."""
        self.page.goto(f"{self.address}/#/{where}")
        self.page.wait_for_selector("main:not(:has(.loading))")

    def play(self, card: str, number: int, deal: int = 0) -> None:
        """Enter *card* as play *number*, as a pointer does, and wait until it is there."""
        mine = self.page.locator(f'.hand-panel .hand-card[data-card="{card}"]')
        if mine.count() and self.on_turn():
            mine.click()
        else:
            self.pick(card)
        self.has_play(card, number, deal)

    def pick(self, card: str) -> None:
        """Choose *card* from all cards: rank and suit on a phone, from the grid on a laptop."""
        place = "dialog" if self.page.locator("dialog[open]").count() else "main"
        if self.phone:
            self.page.click(f'{place} .picker [data-rank="{card[:-1]}"]')
        self.page.click(f'{place} .picker [data-card="{card}"]')

    def has_play(self, card: str, number: int, deal: int = 0) -> None:
        """Wait until play *number* is *card*."""
        row = self.page.locator(f'[data-play="{deal}-{number}"] .mini.suit-{card[-1]} b')
        row.filter(has_text=card[:-1]).wait_for(state="attached")

    def has_picture(self, selector: str) -> int:
        """Wait until an image has its picture; return how many pixels wide that is."""
        image = self.page.locator(selector)
        # The page's policy forbids the waiting that Playwright itself can do for a function.
        end = time.monotonic() + 60
        while not (width := int(image.evaluate("image => image.naturalWidth"))):
            assert time.monotonic() < end, f"{selector} stays empty"
            self.page.wait_for_timeout(50)
        return width

    def set_hand(self, cards: list[str]) -> None:
        """Type my hand."""
        self.page.click("#edit-hand")
        self.page.fill("#hand-text", " ".join(cards))
        self.page.click("#save-hand")
        self.page.wait_for_selector("dialog", state="detached")

    def on_turn(self) -> bool:
        """Whether the page says that it is my turn."""
        return self.page.locator(".state-line.mine").count() > 0

    def text(self, selector: str) -> str:
        """Return the text of an element."""
        return self.page.locator(selector).first.inner_text()

    def wide(self) -> int:
        """Return by how many pixels the page is wider than the window."""
        width: int = self.page.evaluate(
            "document.documentElement.scrollWidth - document.documentElement.clientWidth"
        )
        return width

    def _listen(self, message: Any) -> None:
        # A server that is away is said in red by the browser itself; the page copes with it.
        expected = ("net::ERR_", "Failed to load resource", "WebSocket connection")
        if message.type == "error" and not any(word in message.text for word in expected):
            self.faults.append(message.text)

    def _watch(self, request: Any) -> None:
        if not request.url.startswith((self.address, "data:", "blob:")):
            self.faults.append(f"asked another machine: {request.url}")
