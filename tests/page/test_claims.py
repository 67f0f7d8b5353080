"""A claimed pişti on the page: said, advised on, answered with a click, put right; no choice."""

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


def test_the_answer_to_a_claim_is_put_right(
    server: Server, browser: Browser, sheets: list[Sheet]
) -> None:
    game = {"rules": "modern bluff=on", "names": ["Ayşe", "Mehmet"], "me": 1}
    path = f"/games/{server.call('POST', '/games', game)['game']}"
    server.call("POST", f"{path}/deals", {"centre": ["??", "??", "??", "7S"]})
    for card in ("7H", "4C"):
        server.call("POST", f"{path}/plays", {"card": card})
    server.call("POST", f"{path}/plays", {"card": "??", "claim": "accepted"})
    sheet = Sheet(browser, server.address)
    sheets.append(sheet)
    page = sheet.page
    sheet.open(f"game/{path.rpartition('/')[2]}")

    def put_right(how: str) -> None:
        page.click('[data-play="0-2"]')
        page.get_by_role("button", name=how).click()

    def laid() -> tuple[str, str | None, int]:
        page.wait_for_selector("dialog", state="detached")
        play = server.call("GET", path)["plays"][2]
        return play["card"], play["claim"], play["bonus"]

    # It was challenged: then the card was seen, and must be named.
    put_right("Claimed, challenged")
    page.wait_for_selector('dialog :text("Choose below which card it was.")')
    assert page.locator("#save-how").count() == 0
    sheet.pick("4D")
    assert laid() == ("4D", "challenged", 20)
    page.wait_for_selector('[data-play="0-2"] small.claimed:has-text("Challenged")')
    # It was not claimed at all.
    put_right("Face up")
    page.click("#save-how")
    assert laid() == ("4D", None, 10)
    page.wait_for_selector('[data-play="0-2"] small.claimed', state="detached")
    # It was accepted: nobody has seen the card.
    put_right("Claimed, accepted")
    page.click("#save-how")
    assert laid() == ("??", "accepted", 10)


def test_one_card_is_no_choice(server: Server, browser: Browser, sheets: list[Sheet]) -> None:
    path = f"/games/{server.call('POST', '/games', {'rules': 'modern', 'me': 0})['game']}"
    server.call("POST", f"{path}/deals", {"centre": ["??", "??", "??", "7S"]})
    server.call("PUT", f"{path}/hand", {"seat": 0, "cards": ["4C", "2D", "9H", "KD"]})
    for card in ("4C", "5S", "2D", "6S", "9H"):
        server.call("POST", f"{path}/plays", {"card": card})
    sheet = Sheet(browser, server.address)
    sheets.append(sheet)
    sheet.open(f"game/{path.rpartition('/')[2]}")
    sheet.page.wait_for_selector('.hint-panel:has-text("Your hint comes")')
    server.call("POST", f"{path}/plays", {"card": "8S"})
    sheet.page.wait_for_selector('.hint-panel:has-text("there is nothing to choose")')
    assert sheet.page.locator("#hint-best").count() == 0
