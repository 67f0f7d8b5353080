"""What holds for every view: nothing leaves the machine, nothing sticks out, every word is said."""

from __future__ import annotations

import json
import re
import urllib.request
from pathlib import Path
from typing import TYPE_CHECKING, Any

import pytest

from advisor.messages import LANGUAGES
from tests.page.dealt import Played
from tests.page.driver import Sheet
from tests.page.running import ROOT, Server

if TYPE_CHECKING:
    from playwright.sync_api import Browser

PAGE = ROOT / "advisor" / "page"
VIEWS = ["", "watch", "new/hand", "new/computer", "recordings", "history"]


@pytest.fixture(scope="module")
def played(shared_server: Server) -> str:
    """A game in the middle of its first hand deal, with the hand of seat 0 known."""
    game = Played.shuffled(seed=3)
    names = ["Ayşe", "Mehmet"]
    made = shared_server.call(
        "POST", "/games", {"rules": game.rules.to_json(), "names": names, "me": 0}
    )
    return begin(shared_server, made["game"], game, 4)


def begin(server: Server, name: str, game: Played, plays: int) -> str:
    """Deal *game* and make its first *plays*."""
    centre = ["??", "??", "??", game.centre]
    server.call("POST", f"/games/{name}/deals", {"centre": centre, "bottom": game.bottom})
    server.call("PUT", f"/games/{name}/hand", {"seat": 0, "cards": game.hands[0]})
    for card in game.cards[:plays]:
        server.call("POST", f"/games/{name}/plays", {"card": card})
    return name


def test_the_start_follows_the_score(server: Server, browser: Browser, sheets: list[Sheet]) -> None:
    body = {"rules": "classic players=2", "names": ["Ayşe", "Mehmet"], "me": 0}
    name = server.call("POST", "/games", body)["game"]
    server.call("POST", f"/games/{name}/deals", {"centre": ["??", "??", "??", "7S"]})
    sheet = Sheet(browser, server.address)
    sheets.append(sheet)
    sheet.open()
    score = sheet.page.locator(f'.resume[href="#/game/{name}"] .resume-score')
    score.filter(has_text="0 : 0").wait_for()
    for card in ("AC", "AH"):
        server.call("POST", f"/games/{name}/plays", {"card": card})
    score.filter(has_text="0 : 2").wait_for(timeout=10_000)


def test_every_view_in_every_language_fits_a_phone(
    server: Server, browser: Browser, sheets: list[Sheet], played: str
) -> None:
    sheet = Sheet(browser, server.address, "phone")
    sheets.append(sheet)
    for language in LANGUAGES:
        server.call("PUT", "/settings", {"language": language})
        for view in [*VIEWS, f"game/{played}"]:
            sheet.open(view)
            sheet.page.wait_for_selector(f'html[lang="{language}"]')
            assert sheet.wide() <= 0, (language, view)
            # A sentence that is missing shows as its key.
            assert "page." not in sheet.text("body"), (language, view)


def test_the_language_changes_at_run_time(
    server: Server, browser: Browser, sheets: list[Sheet], played: str
) -> None:
    sheet = Sheet(browser, server.address)
    sheets.append(sheet)
    sheet.open(f"game/{played}")
    assert sheet.text("#turn") == "Your turn"
    sheet.page.click("#open-settings")
    sheet.page.select_option("dialog select", "fr")
    sheet.page.wait_for_selector('html[lang="fr"]')
    sheet.page.keyboard.press("Escape")
    assert sheet.text("#turn") == "À vous de jouer"
    # The reasons come from the server; they follow.
    sheet.page.wait_for_selector("#why-list")


def test_the_address_may_name_the_language(
    server: Server, browser: Browser, sheets: list[Sheet]
) -> None:
    """`pisti --language tr watch` opens it so; what is chosen in the settings goes before it."""
    server.call("PUT", "/settings", {"language": "es"})
    sheet = Sheet(browser, server.address)
    sheets.append(sheet)
    sheet.page.goto(f"{server.address}/?language=tr#/")
    sheet.page.wait_for_selector('html[lang="tr"]')
    sheet.page.click("#open-settings")
    sheet.page.select_option("dialog select", "fr")
    sheet.page.wait_for_selector('html[lang="fr"]')
    sheet.page.goto(f"{server.address}/?language=xx#/")
    sheet.page.wait_for_selector('html[lang="fr"]')


def test_looks(server: Server, browser: Browser, sheets: list[Sheet]) -> None:
    sheet = Sheet(browser, server.address, color_scheme="dark")
    sheets.append(sheet)
    sheet.open()
    background = "getComputedStyle(document.documentElement).backgroundColor"

    def look(name: str) -> Any:
        server.call("PUT", "/settings", {"theme": name})
        sheet.page.wait_for_selector(f'html[data-theme="{name}"]')
        return sheet.page.evaluate(background)

    light, dark, contrast = look("light"), look("dark"), look("contrast")
    assert contrast == "rgb(0, 0, 0)"
    assert len({light, dark, contrast}) == 3
    # The look of the system, which is dark here.
    assert look("system") == dark


def test_typed_cards(server: Server, browser: Browser, sheets: list[Sheet]) -> None:
    sheet = Sheet(browser, server.address)
    sheets.append(sheet)
    sheet.open()
    for typed, cards, wrong in (
        ("7S JH", ["7S", "JH"], []),
        ("7s,jh; t♦  10c", ["7S", "JH", "10D", "10C"], []),
        ("1S 7X ??", [], ["1S", "7X", "??"]),
        ("AS as A♠", ["AS"], []),
        ("", [], []),
    ):
        read = sheet.page.evaluate(
            f"import('/js/cards.js').then((cards) => cards.readCards({json.dumps(typed)}))"
        )
        assert read == {"cards": cards, "wrong": wrong}


def test_the_help_shows_what_the_keys_do(
    server: Server, browser: Browser, sheets: list[Sheet]
) -> None:
    sheet = Sheet(browser, server.address)
    sheets.append(sheet)
    sheet.open()
    sheet.page.keyboard.press("?")
    shown = sheet.page.locator("dialog .keys dt").all_inner_texts()
    count = sheet.page.evaluate("import('/js/keys.js').then((keys) => keys.SHORTCUTS.length)")
    assert len(shown) == count > 10
    sheet.page.keyboard.press("Escape")
    assert sheet.page.locator("dialog").count() == 0


def test_no_key_has_two_meanings() -> None:
    source = (PAGE / "js" / "keys.js").read_text(encoding="utf-8")
    keys = re.findall(r'keys: \["([^"]+)"', source)
    assert len(keys) == len(set(keys)) > 10
    # Ranks begin a card: they cannot be anything else.
    assert not set(keys) & set("atjqk0123456789")


def test_files_are_small_and_whole() -> None:
    scripts = [*(PAGE / "js").rglob("*.js"), *(PAGE / "css").glob("*.css")]
    assert all(len(path.read_text(encoding="utf-8").splitlines()) <= 400 for path in scripts)
    cards = sorted((PAGE / "cards").glob("*.svg"))
    assert {path.stem for path in cards} == {rank + suit for rank in "JQK" for suit in "SHDC"}
    assert sum(path.stat().st_size for path in cards) < 500_000
    assert "CC0" in (PAGE / "cards" / "LICENCE.txt").read_text(encoding="utf-8")


def test_the_page_asks_for_nothing_that_a_strict_policy_forbids() -> None:
    html = (PAGE / "index.html").read_text(encoding="utf-8")
    assert not re.search(r"<style|\son\w+=|\sstyle=|https?://", html)
    for path in Path(PAGE).rglob("*.js"):
        source = path.read_text(encoding="utf-8")
        assert not re.search(
            r"innerHTML|outerHTML|insertAdjacentHTML|document\.write|eval\(", source
        )


def test_a_new_version_replaces_the_old_page(server: Server) -> None:
    for path, kind in (("/js/main.js", "text/javascript"), ("/css/base.css", "text/css")):
        with urllib.request.urlopen(server.address + path) as answer:
            assert answer.headers["Cache-Control"] == "no-cache"
            assert answer.headers["Content-Type"].startswith(kind)
