"""A deal that ends before all its cards were played, on the page."""

from __future__ import annotations

from typing import TYPE_CHECKING, Any

import pytest

from tests.page.dealt import Played
from tests.page.driver import Sheet
from tests.page.running import Server
from tests.page.test_together import new_game

if TYPE_CHECKING:
    from playwright.sync_api import Browser


def state(server: Server, name: str) -> Any:
    return server.call("GET", f"/games/{name}/state")


@pytest.mark.parametrize("size", ["laptop", "phone"])
def test_a_deal_is_ended_and_the_next_begins(
    server: Server, browser: Browser, sheets: list[Sheet], size: str
) -> None:
    game = Played.shuffled(seed=5)
    name = new_game(server, game, 11)
    before = state(server, name)
    sheet = Sheet(browser, server.address, size)
    sheets.append(sheet)
    sheet.open(f"game/{name}")
    page = sheet.page
    page.click("#end-deal")
    assert "11 of 48" in sheet.text("dialog p")
    # It is asked for twice: nothing happens by a slip.
    page.keyboard.press("Escape")
    page.wait_for_selector("dialog", state="detached")
    assert state(server, name)["revision"] == before["revision"]
    page.click("#end-deal")
    page.click("#end-keep")
    page.wait_for_selector("dialog", state="detached")
    assert "11 of 48" in sheet.text(".deal-panel .notice")
    assert page.locator("#end-deal").count() == 0
    page.click("#next-deal")
    page.wait_for_selector("#name-top")
    after = state(server, name)
    assert (after["deal"], after["phase"]) == (1, "waiting")
    assert after["dealer"] == before["next_dealer"]
    assert after["score"]["totals"] == before["score"]["totals"]
    # The sheet says it as well.
    if size == "laptop":
        page.click("#score-details")
        assert "incomplete" in sheet.text("dialog caption")
        page.keyboard.press("Escape")
    # All of it is taken back.
    for _ in range(2):
        page.wait_for_selector("#undo:not([disabled])")
        page.click("#undo")
    page.wait_for_selector("#end-deal")
    assert state(server, name)["plays"] == before["plays"]


def test_a_deal_is_dealt_again(server: Server, browser: Browser, sheets: list[Sheet]) -> None:
    name = new_game(server, Played.shuffled(seed=5), 5)
    dealer = state(server, name)["dealer"]
    sheet = Sheet(browser, server.address, language="tr")
    sheets.append(sheet)
    sheet.open(f"game/{name}")
    sheet.page.click("#end-deal")
    assert "48 karttan yalnızca 5" in sheet.text("dialog p")
    sheet.page.click("#end-again")
    sheet.page.wait_for_selector("#next-deal")
    after = state(server, name)
    assert (after["phase"], after["plays"], after["next_dealer"]) == ("setup", [], dealer)
    sheet.page.click("#undo")
    sheet.page.wait_for_selector("#end-deal")
    assert len(state(server, name)["plays"]) == 5


def test_another_browser_is_told_of_a_deal_that_the_camera_cut_off(
    server: Server, browser: Browser, sheets: list[Sheet]
) -> None:
    name = new_game(server, Played.shuffled(seed=5), 5)
    sheet = Sheet(browser, server.address)
    sheets.append(sheet)
    sheet.open(f"game/{name}")
    sheet.page.wait_for_selector("#end-deal")
    server.call("POST", f"/games/{name}/deals/end", {})
    sheet.page.wait_for_selector("#next-deal")
    assert "5 of 48" in sheet.text(".deal-panel .notice")
    # Somebody ended it, so nobody is told that the camera did.
    server.call("POST", f"/games/{name}/deals", {"centre": ["??", "??", "??", "7S"]})
    sheet.page.wait_for_selector("#end-deal")
    assert sheet.page.locator(".toast").count() == 0
