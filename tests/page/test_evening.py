"""A whole evening: set up, play, correct, undo, reload, lose the power, finish, export.

Once with a recording as the camera, which goes on by hand where that ends; once all by hand.
"""

from __future__ import annotations

from pathlib import Path
from typing import TYPE_CHECKING

from engine.record import read_file, replay, score_to_json
from tests.page.dealt import Played, cut_sample
from tests.page.driver import Sheet
from tests.page.running import Server

if TYPE_CHECKING:
    from playwright.sync_api import Browser


def test_by_hand_in_turkish_on_a_phone(
    own_server: Server, browser: Browser, sheets: list[Sheet], tmp_path: Path
) -> None:
    game = Played.shuffled(seed=11)
    sheet = Sheet(browser, own_server.address, "phone", "tr")
    sheets.append(sheet)
    page = sheet.page

    sheet.open()
    assert page.get_attribute("html", "lang") == "tr"
    page.click('a[href="#/new/hand"]')
    name_players(sheet)
    page.click("#slot-centre")
    sheet.pick(game.centre)
    page.click("#slot-bottom")
    sheet.pick(game.bottom)
    page.click("#next-deal")
    page.wait_for_selector(".hand-panel .hand-card")
    assert sheet.text("#pile-size") == "4"
    assert sheet.text("#turn") == "Sıra sizde"

    go_on(own_server, sheet, game, 0)
    assert sheet.text("#turn") == "El bitti"
    export(own_server, sheet, game, tmp_path)


def test_from_a_recording_on_a_laptop(
    own_server: Server, browser: Browser, sheets: list[Sheet], tmp_path: Path
) -> None:
    game = Played.recorded()
    video = tmp_path / "evening.mp4"
    cut_sample(video, seconds=17.5)
    sheet = Sheet(browser, own_server.address)
    sheets.append(sheet)
    page = sheet.page

    # Set up: the players first, so that nothing is missed once the camera is open.
    sheet.open("new/hand")
    name_players(sheet)
    url = page.url
    sheet.open("watch")
    page.click("summary")
    page.fill("#source", str(video))
    page.click("#open-source")
    page.wait_for_selector(".live-picture")
    page.goto(url)
    page.click("#watch-this")

    # The camera deals, plays, and ends; its picture was there all the while.
    page.wait_for_selector('[data-play="0-0"]', state="attached")
    assert sheet.has_picture(".live-picture") == 1280
    page.wait_for_selector('[data-chip="camera"]:has-text("Recording ended")')
    state = own_server.call("GET", f"/games/{url.rsplit('/', 1)[1]}/state")
    read = [play["card"] for play in state["plays"]]
    assert read[0] == game.cards[0]
    assert state["plays"][0]["by"] == "camera"

    # The play that the camera read comes with its picture.
    page.click('[data-play="0-0"]')
    sheet.has_picture(".play-picture")
    page.keyboard.press("Escape")

    # By hand from where the two part.
    right = 0
    while right < len(read) and read[right] == game.cards[right]:
        right += 1
    for number in reversed(range(right, len(read))):
        page.click("#undo")
        page.wait_for_selector(f'[data-play="0-{number}"]', state="detached")
    go_on(own_server, sheet, game, right)
    assert sheet.text("#turn") == "The deal is over"
    export(own_server, sheet, game, tmp_path)


def name_players(sheet: Sheet) -> None:
    """Fill in the form of a new game."""
    sheet.page.fill("#name-0", "Ayşe")
    sheet.page.fill("#name-1", "Mehmet")
    sheet.page.click("#create-game")
    sheet.page.wait_for_selector(".state-line")


def go_on(server: Server, sheet: Sheet, game: Played, done: int) -> None:
    """Enter all plays from *done* on, with everything that happens in an evening."""
    hands = dict(zip(range(0, 48, 8), game.hands, strict=True))
    for number, card in list(enumerate(game.cards))[done:]:
        if number in hands:
            sheet.set_hand(hands[number])
            sheet.page.wait_for_selector("#hint-best")
        if number == 11:
            _misread_and_correct(sheet, game, number)
            continue
        if number == 17:
            _play_and_take_back(sheet, card, number)
        elif number == 22:
            sheet.page.reload()
            sheet.has_play(game.cards[21], 21)
        elif number == 28:
            _lose_the_power(server, sheet, game, number)
        sheet.play(card, number)


def export(server: Server, sheet: Sheet, game: Played, folder: Path) -> None:
    """Hold the score on the page and in the file against the engine's."""
    totals = sheet.page.locator(".score-total").all_text_contents()
    assert totals == [str(points) for points in game.score["totals"]]
    with sheet.page.expect_download() as download:
        sheet.page.goto(f"{server.address}/#/history")
        sheet.page.click('.game-row a[href$="format=pisti"]')
    saved = folder / "saved.pisti"
    download.value.save_as(saved)
    reading = read_file(saved)
    assert reading.problems == ()
    assert score_to_json(replay(reading.record))["deals"] == game.score["deals"]
    assert reading.record.names == ("Ayşe", "Mehmet")


def _misread_and_correct(sheet: Sheet, game: Played, number: int) -> None:
    """Enter a wrong card for the other player, go on, then put it right in the list."""
    wrong = next(card for card in game.cards[40:] if card != game.bottom)
    sheet.play(wrong, number)
    if sheet.phone:
        sheet.page.click(".pane-bar button:nth-child(3)")
    sheet.page.click(f'[data-play="0-{number}"]')
    sheet.page.wait_for_selector("dialog .picker")
    sheet.pick(game.cards[number])
    sheet.has_play(game.cards[number], number)
    sheet.page.wait_for_selector("dialog", state="detached")
    if sheet.phone:
        sheet.page.click(".pane-bar button:nth-child(1)")


def _play_and_take_back(sheet: Sheet, card: str, number: int) -> None:
    sheet.play(card, number)
    sheet.page.click("#undo")
    sheet.page.wait_for_selector(f'[data-play="0-{number}"]', state="detached")
    sheet.page.wait_for_selector("#redo:not([disabled])")


def _lose_the_power(server: Server, sheet: Sheet, game: Played, number: int) -> None:
    """Kill the server: the page says so at once, and goes on when the server is back."""
    server.kill()
    sheet.page.wait_for_selector('[data-chip="disconnected"]')
    assert sheet.page.locator(".view.offline").count() == 1
    server.start()
    sheet.page.wait_for_selector('[data-chip="disconnected"]', state="detached")
    sheet.has_play(game.cards[number - 1], number - 1)
    assert sheet.page.locator(".play-row[data-play]").count() == number
