"""The report of a scored recording, as a phone and a laptop show it."""

from __future__ import annotations

from dataclasses import replace
from pathlib import Path
from typing import TYPE_CHECKING

import pytest

from advisor.messages import LANGUAGES, Catalogue
from advisor.report import write_report
from tests.advisor.test_reports import scored

if TYPE_CHECKING:
    from playwright.sync_api import Browser


@pytest.mark.parametrize("language", LANGUAGES)
@pytest.mark.parametrize("width", [390, 1280])
def test_nothing_has_to_be_scrolled_sideways(
    browser: Browser, tmp_path: Path, language: str, width: int
) -> None:
    game = scored("a-recording-with-a-name-as-long-as-phones-give-them-20261124-201533.mp4")
    game = replace(game, record=replace(game.record, names=("Abdurrahman Fevzi", "W" * 60)))
    write_report(game, tmp_path / "report.html", Catalogue(language))
    page = browser.new_page(viewport={"width": width, "height": 800})
    page.goto((tmp_path / "report.html").as_uri())
    assert page.evaluate("document.documentElement.scrollWidth") <= width
    page.click(".check")
    assert page.locator(".doubts li:target").count() == 1
    page.close()
