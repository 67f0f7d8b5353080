"""A whole evening by hand: set up, play, correct, undo, reload, lose the power, finish, export."""

from __future__ import annotations

from pathlib import Path
from typing import TYPE_CHECKING

import pytest

from engine.record import read_file, replay, score_to_json
from tests.page.dealt import Played
from tests.page.driver import Sheet
from tests.page.running import Server

if TYPE_CHECKING:
    from playwright.sync_api import Browser

#: What the evening says in each language.
WORDS = {
    "en": {"turn": "Your turn", "over": "The deal is over", "begin": "Begin"},
    "tr": {"turn": "Sıra sizde", "over": "El bitti", "begin": "Başla"},
}


@pytest.mark.parametrize(
    ("language", "size"),
    [("en", "laptop"), ("tr", "phone")],
)
def test_an_evening(
    own_server: Server,
    browser: Browser,
    sheets: list[Sheet],
    tmp_path: Path,
    language: str,
    size: str,
) -> None:
    words = WORDS[language]
    game = Played(seed=11)
    sheet = Sheet(browser, own_server.address, size, language)
    sheets.append(sheet)
    page = sheet.page

    # Set up.
    sheet.open()
    assert page.get_attribute("html", "lang") == language
    page.click('a[href="#/new/hand"]')
    page.fill("#name-0", "Ayşe")
    page.fill("#name-1", "Mehmet")
    assert sheet.text("#create-game") == words["begin"]
    page.click("#create-game")
    page.click("#slot-centre")
    sheet.pick(game.centre)
    page.click("#slot-bottom")
    sheet.pick(game.bottom)
    page.click("#next-deal")
    page.wait_for_selector(".hand-panel .hand-card")
    assert sheet.text("#pile-size") == "4"
    assert words["turn"] in sheet.text("#turn")

    hands = iter(game.hands)
    for number, card in enumerate(game.cards):
        if number % 8 == 0:
            sheet.set_hand(next(hands))
            page.wait_for_selector("#hint-best")
        if number == 5:
            _misread_and_correct(sheet, game, number)
        elif number == 9:
            _play_and_take_back(sheet, card, number)
        elif number == 14:
            page.reload()
            sheet.has_play(game.cards[13], 13)
        elif number == 20:
            _lose_the_power(own_server, sheet, game)
        if number != 5:
            sheet.play(card, number)

    # The end: the score is that of the engine, on the page and in the file.
    assert words["over"] in sheet.text("#turn")
    totals = page.locator(".score-total").all_text_contents()
    assert totals == [str(points) for points in game.score["totals"]]
    with page.expect_download() as download:
        page.goto(f"{own_server.address}/#/history")
        page.click('.game-row a[href$="format=pisti"]')
    saved = tmp_path / "saved.pisti"
    download.value.save_as(saved)
    reading = read_file(saved)
    assert reading.problems == ()
    assert score_to_json(replay(reading.record))["deals"] == game.score["deals"]
    assert reading.record.names == ("Ayşe", "Mehmet")


def _misread_and_correct(sheet: Sheet, game: Played, number: int) -> None:
    """Enter a wrong card for the other player, go on, then put it right in the list."""
    wrong = next(card for card in game.cards[30:] if card != game.bottom)
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


def _lose_the_power(server: Server, sheet: Sheet, game: Played) -> None:
    """Kill the server: the page says so at once, and goes on when the server is back."""
    server.kill()
    sheet.page.wait_for_selector('[data-chip="disconnected"]')
    assert sheet.page.locator(".view.offline").count() == 1
    server.start()
    sheet.page.wait_for_selector('[data-chip="disconnected"]', state="detached")
    sheet.has_play(game.cards[19], 19)
    assert sheet.page.locator(".play-row[data-play]").count() == 20
