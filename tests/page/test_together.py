"""Two browsers at one game, and a game by keyboard alone."""

from __future__ import annotations

from typing import TYPE_CHECKING

from tests.page.dealt import Played
from tests.page.driver import Sheet
from tests.page.running import Server
from tests.page.test_page import begin

if TYPE_CHECKING:
    from playwright.sync_api import Browser, Route


def new_game(server: Server, game: Played, plays: int) -> str:
    """Make a game of *game* through the API, *plays* into it."""
    made = server.call(
        "POST",
        "/games",
        {"rules": game.rules.to_json(), "names": ["Ayşe", "Mehmet"], "me": 0},
    )
    return begin(server, made["game"], game, plays)


def test_two_browsers_at_once(server: Server, browser: Browser, sheets: list[Sheet]) -> None:
    game = Played.shuffled(seed=5)
    name = new_game(server, game, 1)
    laptop, phone = Sheet(browser, server.address), Sheet(browser, server.address, "phone")
    sheets += [laptop, phone]
    for sheet in (laptop, phone):
        sheet.open(f"game/{name}")
        sheet.has_play(game.cards[0], 0)

    # What one enters, the other shows.
    laptop.play(game.cards[1], 1)
    phone.has_play(game.cards[1], 1)
    phone.play(game.cards[2], 2)
    laptop.has_play(game.cards[2], 2)

    # Both enter the next play at once: the phone's is on its way while the laptop's arrives.
    other = next(card for card in game.cards[8:] if card != game.bottom)
    held: list[Route] = []
    phone.page.route("**/plays", lambda route: held.append(route))
    phone.pick(other)
    laptop.play(game.cards[3], 3)
    held[0].continue_()
    phone.page.wait_for_selector(".toast.fault")
    for sheet in (laptop, phone):
        sheet.has_play(game.cards[3], 3)
        assert sheet.page.locator('[data-play="0-4"]').count() == 0
    assert len(server.call("GET", f"/games/{name}/state")["plays"]) == 4
    phone.page.unroute("**/plays")

    # A correction and an undo arrive as well.
    server.call("PUT", f"/games/{name}/plays/0/3", {"card": other})
    for sheet in (laptop, phone):
        sheet.has_play(other, 3)
    laptop.page.click("#undo")
    laptop.page.click("#undo")
    for sheet in (laptop, phone):
        sheet.page.wait_for_selector('[data-play="0-3"]', state="detached")


def test_by_keyboard_alone(server: Server, browser: Browser, sheets: list[Sheet]) -> None:
    game = Played.shuffled(seed=9)
    sheet = Sheet(browser, server.address)
    sheets.append(sheet)
    keys = sheet.page.keyboard
    sheet.open()

    def tab_to(selector: str) -> None:
        for _ in range(60):
            if sheet.page.locator(f"{selector}:focus").count():
                return
            keys.press("Tab")
        raise AssertionError(f"Tab never came to {selector}")

    def card(name: str) -> None:
        keys.press({"10": "t"}.get(name[:-1], name[:-1].lower()))
        keys.press(name[-1].lower())

    tab_to('a[href="#/new/hand"]')
    keys.press("Enter")
    sheet.page.wait_for_selector("#name-0")
    tab_to("#name-0")
    keys.type("Ayşe")
    keys.press("Enter")
    sheet.page.wait_for_selector("#slot-centre")
    tab_to("#slot-centre")
    keys.press("Enter")
    sheet.page.wait_for_selector("dialog .picker")
    card(game.centre)
    sheet.page.wait_for_selector("dialog", state="detached")
    keys.press("n")
    sheet.page.wait_for_selector(".hand-panel .hand-card")
    keys.press("e")
    sheet.page.wait_for_selector("#hand-text:focus")
    keys.type(" ".join(game.hands[0]))
    keys.press("Enter")
    sheet.page.wait_for_selector("#hint-best")
    for number in range(4):
        card(game.cards[number])
        sheet.has_play(game.cards[number], number)

    sheet.page.wait_for_selector("#hint-best")

    # Hints away, and back; the last play back, and again.
    keys.press("i")
    sheet.page.wait_for_selector("#hint-best", state="detached")
    keys.press("i")
    sheet.page.wait_for_selector("#hint-best")
    keys.press("u")
    sheet.page.wait_for_selector('[data-play="0-3"]', state="detached")
    keys.press("r")
    sheet.has_play(game.cards[3], 3)

    # A correction: the list, the play, another card.
    tab_to('[data-play="0-3"]')
    keys.press("Enter")
    sheet.page.wait_for_selector("dialog .picker")
    other = next(one for one in game.cards[8:] if one != game.bottom)
    card(other)
    sheet.has_play(other, 3)
    sheet.page.wait_for_selector("dialog", state="detached")


def test_the_hint_in_two_steps(server: Server, browser: Browser, sheets: list[Sheet]) -> None:
    server.call("PUT", "/settings", {"two_step": True})
    game = Played.shuffled(seed=9)
    sheet = Sheet(browser, server.address)
    sheets.append(sheet)
    sheet.open(f"game/{new_game(server, game, 0)}")
    sheet.page.wait_for_selector("#hint-best")
    assert sheet.page.locator("#why-list, .bars").count() == 0
    sheet.page.click("#why")
    assert sheet.page.locator("#why-list li").count() >= 1
    bars = sheet.page.locator(".bars li")
    assert bars.count() == 4
    assert bars.first.get_attribute("class") == "best"
    points = [float(text.replace("+", "")) for text in bars.locator("> b").all_inner_texts()]
    assert points == sorted(points, reverse=True)


def test_the_end_of_a_match(server: Server, browser: Browser, sheets: list[Sheet]) -> None:
    game = Played.shuffled(seed=5, target=10)
    name = new_game(server, game, 0)
    for card in game.cards[:-1]:
        server.call("POST", f"/games/{name}/plays", {"card": card})
    sheet = Sheet(browser, server.address)
    sheets.append(sheet)
    sheet.open(f"game/{name}")
    sheet.play(game.cards[-1], 47)
    winner = game.score["winner"]
    assert winner is not None
    assert ["Ayşe", "Mehmet"][winner] in sheet.text(".winner h2")
    assert sheet.page.locator(".entry-panel, .hint-panel").count() == 0
    # The score in full is that of the engine.
    sheet.page.click("#score-details")
    points = sheet.page.locator("dialog .sheet .points td").all_inner_texts()
    assert points == [str(side["points"]) for side in game.score["deals"][0]["sides"]]


def test_against_the_computer(server: Server, browser: Browser, sheets: list[Sheet]) -> None:
    sheet = Sheet(browser, server.address)
    sheets.append(sheet)
    sheet.open("new/computer")
    sheet.page.fill("#name-0", "Nine")
    sheet.page.click("#create-game")
    for number in range(0, 6, 2):
        sheet.page.locator(".hand-panel .hand-card:not([disabled])").first.click()
        sheet.page.wait_for_selector(f'[data-play="0-{number + 1}"]', state="attached")
    # The computer's cards stay hidden, and mine are not set by hand.
    assert sheet.page.locator("#edit-hand").count() == 0
    state = server.call("GET", f"/games/{sheet.page.url.rsplit('/', 1)[1]}/state")
    assert [hand["cards"] is None for hand in state["hands"]] == [False, True]


def test_a_game_is_deleted_after_a_question(
    server: Server, browser: Browser, sheets: list[Sheet]
) -> None:
    name = new_game(server, Played.shuffled(seed=5), 2)
    sheet = Sheet(browser, server.address)
    sheets.append(sheet)
    sheet.open("history")
    row = sheet.page.locator(f'.game-row:has(a[href="#/game/{name}"])')
    row.get_by_role("button", name="Delete").click()
    sheet.page.wait_for_selector("dialog[open]")
    sheet.page.keyboard.press("Escape")
    assert row.count() == 1
    row.get_by_role("button", name="Delete").click()
    sheet.page.click("#delete-sure")
    row.wait_for(state="detached")
    assert name not in [game["id"] for game in server.call("GET", "/games")["games"]]


def test_a_bluff_is_challenged(server: Server, browser: Browser, sheets: list[Sheet]) -> None:
    made = server.call("POST", "/games", {"rules": "classic players=2 bluff=on", "me": 0})
    name = made["game"]
    centre = ["??", "??", "??", "7S"]
    server.call("POST", f"/games/{name}/deals", {"centre": centre, "bottom": "KD"})
    server.call("PUT", f"/games/{name}/hand", {"seat": 0, "cards": ["7H", "JS", "2C", "9D"]})
    for card in ("7H", "4C"):
        server.call("POST", f"/games/{name}/plays", {"card": card})
    sheet = Sheet(browser, server.address)
    sheets.append(sheet)
    sheet.open(f"game/{name}")
    sheet.page.get_by_role("button", name="Claim a face-down pişti").click()
    sheet.page.get_by_role("button", name="Challenged").click()
    sheet.pick("9D")
    sheet.has_play("9D", 2)
    sheet.page.wait_for_selector("dialog", state="detached")
    state = server.call("GET", f"/games/{name}/state")
    assert state["plays"][2]["claim"] == "challenged"
    # The bluff is caught: twenty points for the other side, and both cards stay.
    assert sheet.page.locator(".score-total").all_text_contents() == ["0", "20"]
    assert sheet.text("#pile-size") == "2"


def test_the_open_card_is_named_later(
    server: Server, browser: Browser, sheets: list[Sheet]
) -> None:
    made = server.call("POST", "/games", {"rules": "modern", "me": 0, "dealer": 1})
    name = made["game"]
    server.call("POST", f"/games/{name}/deals", {})
    hand = {"seat": 0, "cards": ["7H", "JS", "2C", "9D"]}
    server.call("PUT", f"/games/{name}/hand", hand)
    sheet = Sheet(browser, server.address, "phone")
    sheets.append(sheet)
    sheet.open(f"game/{name}")
    assert "face-up" in sheet.text(".hint-panel p")
    sheet.page.click("#name-top")
    assert sheet.page.locator('dialog [data-rank="J"]').is_disabled()
    sheet.pick("7S")
    sheet.page.wait_for_selector(".hint-panel .hint-best")
    assert sheet.page.locator("#name-top").count() == 0
    state = server.call("GET", f"/games/{name}/state")
    assert (state["pile"]["top"], state["pile"]["size"]) == ("7S", 4)
    # By keys as well.
    sheet.page.click("#undo")
    sheet.page.wait_for_selector("#name-top")
    sheet.page.keyboard.type("8d")
    sheet.page.wait_for_selector("#name-top", state="detached")
    assert server.call("GET", f"/games/{name}/state")["pile"]["top"] == "8D"


def test_a_correction_is_made_while_the_game_goes_on(
    server: Server, browser: Browser, sheets: list[Sheet]
) -> None:
    """The next play that comes while a play is put right does not stand in the way."""
    game = Played.shuffled(seed=5)
    name = new_game(server, game, 1)
    sheet = Sheet(browser, server.address)
    sheets.append(sheet)
    sheet.open(f"game/{name}")
    sheet.page.click('[data-play="0-0"]')
    asked: list[Route] = []

    def go_on(route: Route) -> None:
        asked.append(route)
        if len(asked) == 1:
            server.call("POST", f"/games/{name}/plays", {"card": game.cards[1]})
        route.continue_()

    sheet.page.route("**/plays/0/0", go_on)
    right = game.cards[2]
    sheet.pick(right)
    sheet.has_play(right, 0)
    sheet.has_play(game.cards[1], 1)
    assert len(asked) == 2
    assert sheet.page.locator(".toast.fault").count() == 0
