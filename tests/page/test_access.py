"""Accessibility: no serious fault that axe-core can find, in any view, look and size."""

from __future__ import annotations

from importlib import resources
from typing import TYPE_CHECKING, Any

import pytest

from tests.page.driver import Sheet
from tests.page.running import Server
from tests.page.test_page import VIEWS, played

if TYPE_CHECKING:
    from playwright.sync_api import Browser

__all__ = ["played"]


def faults(sheet: Sheet) -> list[str]:
    """Return the serious and critical faults that axe-core finds."""
    axe = resources.files("axe_playwright_python").joinpath("axe.min.js")
    sheet.page.evaluate(axe.read_text(encoding="utf-8"))
    found: Any = sheet.page.evaluate("axe.run({ resultTypes: ['violations'] })")
    return [
        f"{fault['id']}: {node['html'][:160]}"
        for fault in found["violations"]
        if fault["impact"] in ("serious", "critical")
        for node in fault["nodes"][:3]
    ]


@pytest.mark.parametrize(
    ("theme", "size"), [("light", "laptop"), ("dark", "phone"), ("contrast", "laptop")]
)
def test_views(
    server: Server, browser: Browser, sheets: list[Sheet], played: str, theme: str, size: str
) -> None:
    server.call("PUT", "/settings", {"theme": theme, "language": "en"})
    sheet = Sheet(browser, server.address, size)
    sheets.append(sheet)
    for view in [*VIEWS, f"game/{played}"]:
        sheet.open(view)
        sheet.page.wait_for_selector(f'html[data-theme="{theme}"]')
        assert faults(sheet) == [], view


def test_dialogs(server: Server, browser: Browser, sheets: list[Sheet], played: str) -> None:
    sheet = Sheet(browser, server.address)
    sheets.append(sheet)
    sheet.open(f"game/{played}")
    sheet.page.wait_for_selector("#hint-best")
    for opener in ("#open-settings", "#open-help", "#edit-hand", "#score-details", ".play-row"):
        sheet.page.locator(opener).first.click()
        sheet.page.wait_for_selector("dialog[open]")
        assert faults(sheet) == [], opener
        sheet.page.keyboard.press("Escape")
        sheet.page.wait_for_selector("dialog", state="detached")


def test_plays_and_hints_are_said(
    server: Server, browser: Browser, sheets: list[Sheet], played: str
) -> None:
    sheet = Sheet(browser, server.address)
    sheets.append(sheet)
    sheet.open(f"game/{played}")
    said = sheet.page.locator("#said[aria-live=polite]")
    said.filter(has_text="Hint: ").wait_for(state="attached")
    sheet.page.keyboard.press("u")
    said.filter(has_text="The last play was taken back").wait_for(state="attached")
    sheet.page.keyboard.press("r")
    said.filter(has_text="Mehmet plays the ").or_(said.filter(has_text="Hint: ")).wait_for(
        state="attached"
    )
