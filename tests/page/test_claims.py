"""A claimed pişti on the page: said, advised on, and answered with a click."""

from __future__ import annotations

from typing import TYPE_CHECKING

from tests.page.driver import Sheet
from tests.page.running import Server

if TYPE_CHECKING:
    from playwright.sync_api import Browser


def test_a_claim_is_answered_on_the_page(
    server: Server, browser: Browser, sheets: list[Sheet]
) -> None:
    names = ["Ayşe", "Mehmet"]
    game = {"rules": "modern bluff=on", "names": names, "me": 1}
    path = f"/games/{server.call('POST', '/games', game)['game']}"
    server.call("POST", f"{path}/deals", {"centre": ["??", "??", "??", "7S"]})
    server.call("PUT", f"{path}/hand", {"seat": 1, "cards": ["4C", "2D", "9H", "KD"]})
    for card in ("7H", "4C"):
        server.call("POST", f"{path}/plays", {"card": card})
    sheet = Sheet(browser, server.address)
    sheets.append(sheet)
    sheet.open(f"game/{path.rpartition('/')[2]}")
    sheet.page.wait_for_selector("#turn")
    server.call("POST", f"{path}/claims", {"card": "??"})
    sheet.page.wait_for_selector("text=Ayşe lays a card face down")
    sheet.page.wait_for_selector("#hint-best", timeout=90_000)
    assert sheet.text("#hint-best") in ("Accept the claim.", "Challenge the claim.")
    sheet.page.click("button:has-text('Accept')")
    sheet.page.wait_for_selector("small.claimed:has-text('Accepted')")
    state = server.call("GET", path)
    assert state["claim"] is None
    assert (state["plays"][-1]["claim"], state["plays"][-1]["bonus"]) == ("accepted", 10)
