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


def test_the_keyboard_shows_where_it_is(
    server: Server, browser: Browser, sheets: list[Sheet], played: str
) -> None:
    """Whatever Tab leads to, a ring of at least two pixels is drawn around it or its label."""
    sheet = Sheet(browser, server.address)
    sheets.append(sheet)
    for view in [*VIEWS, f"game/{played}"]:
        sheet.open(view)
        for _ in range(60):
            sheet.page.keyboard.press("Tab")
            found = sheet.page.evaluate(
                """() => {
                    const one = document.activeElement;
                    if (!one || one === document.body) return "end";
                    for (const each of [one, one.parentElement, one.closest("label")]) {
                        const look = each && getComputedStyle(each);
                        const wide = look ? parseFloat(look.outlineWidth) : 0;
                        if (wide >= 2 && look.outlineStyle !== "none") return "ring";
                    }
                    return one.outerHTML.slice(0, 160);
                }"""
            )
            if found == "end":
                break
            assert found == "ring", (view, found)


def test_a_small_laptop_shows_what_is_needed(
    server: Server, browser: Browser, sheets: list[Sheet], played: str
) -> None:
    sheet = Sheet(browser, server.address)
    sheets.append(sheet)
    for view in VIEWS:
        sheet.open(view)
        assert sheet.wide() <= 0, view
    sheet.open(f"game/{played}")
    sheet.page.wait_for_selector("#hint-best")
    assert sheet.wide() <= 0
    for part in (".table-panel", ".hand-panel", ".hint-panel", ".score-panel", ".tabs-panel"):
        frame = sheet.page.locator(part).bounding_box()
        assert frame is not None
        assert frame["y"] + frame["height"] <= 768, part
    border = "one => parseFloat(getComputedStyle(one).borderTopWidth)"
    assert sheet.page.locator(".hand-panel").evaluate(border) >= 2
    # The cards to choose from are read whole in the list and when a play is put right.
    sheet.page.click(".play-row")
    sheet.page.wait_for_selector("dialog .picker")
    cut = "all => all.filter((one) => one.scrollWidth > one.clientWidth + 1).length"
    assert sheet.page.locator("dialog .pick").evaluate_all(cut) == 0
    dialog = sheet.page.locator("dialog").bounding_box()
    assert dialog is not None
    assert dialog["y"] + dialog["height"] <= 768


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
