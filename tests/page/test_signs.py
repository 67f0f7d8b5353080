"""What the page says without being asked: sounds, and signs of how the camera is doing."""

from __future__ import annotations

import json
import time
from typing import TYPE_CHECKING, Any

from tests.page.dealt import Played
from tests.page.driver import Sheet
from tests.page.running import Server
from tests.page.test_together import new_game

if TYPE_CHECKING:
    from playwright.sync_api import Browser, WebSocketRoute

#: Counts the tones that the page makes.
COUNT_TONES = """
window.tones = 0;
const make = AudioContext.prototype.createOscillator;
AudioContext.prototype.createOscillator = function () {
  window.tones += 1;
  return make.call(this);
};
"""


def tones(sheet: Sheet) -> int:
    count: int = sheet.page.evaluate("window.tones")
    return count


def test_sounds_and_mute(server: Server, browser: Browser, sheets: list[Sheet]) -> None:
    game = Played.shuffled(seed=9)
    name = new_game(server, game, 0)
    loud, other = Sheet(browser, server.address), Sheet(browser, server.address)
    sheets += [loud, other]
    for sheet in (loud, other):
        sheet.page.add_init_script(COUNT_TONES)
        sheet.open(f"game/{name}")
    server.call("POST", f"/games/{name}/plays", {"card": game.cards[0]})
    loud.has_play(game.cards[0], 0)
    # Browsers let no page sound before it was touched.
    assert tones(loud) == 0

    for sheet in (loud, other):
        sheet.page.click(".state-line")
    server.call("POST", f"/games/{name}/plays", {"card": game.cards[1]})
    for sheet in (loud, other):
        end = time.monotonic() + 60
        while not tones(sheet):
            assert time.monotonic() < end
            sheet.page.wait_for_timeout(50)

    # Muted once, muted in all browsers.
    loud.page.get_by_role("button", name="Mute the sounds").click()
    for sheet in (loud, other):
        sheet.page.get_by_role("button", name="Sounds on").wait_for()
    before = tones(loud), tones(other)
    for number in (2, 3):
        server.call("POST", f"/games/{name}/plays", {"card": game.cards[number]})
        for sheet in (loud, other):
            sheet.has_play(game.cards[number], number)
    assert (tones(loud), tones(other)) == before

    other.page.get_by_role("button", name="Sounds on").click()
    loud.page.get_by_role("button", name="Mute the sounds").wait_for()
    other.play(game.cards[4], 4)
    assert tones(other) > before[1]


def test_signs_of_a_camera_in_trouble(
    server: Server, browser: Browser, sheets: list[Sheet]
) -> None:
    """Lost, starting, dark, blurred, glaring, slow, out of order: each says so; all well, none."""
    name = new_game(server, Played.shuffled(seed=9), 1)
    lines: list[WebSocketRoute] = []

    def between(line: WebSocketRoute) -> None:
        line.connect_to_server()
        lines.append(line)

    sheet = Sheet(browser, server.address)
    sheets.append(sheet)
    sheet.page.route_web_socket("**/api/v1/ws*", between)
    sheet.open(f"game/{name}")
    well = {"status": "live", "game": name, "light": "ok", "reading_ms": 46, "message": None}

    def signs(**camera: Any) -> dict[str, str]:
        number = server.call("GET", f"/games/{name}/state")["sequence"]
        notice = {"sequence": number, "type": "camera", "data": well | camera}
        lines[-1].send(json.dumps(notice))
        sheet.page.wait_for_selector(f'[data-chip="camera"]:has-text("{wanted(camera)}")')
        chips = sheet.page.locator("[data-chip]").all()
        return {str(chip.get_attribute("data-chip")): chip.inner_text() for chip in chips}

    def wanted(camera: dict[str, Any]) -> str:
        status = camera.get("status", "live")
        return {"live": "Live", "lost": "Camera lost", "starting": "Camera is starting"}[status]

    sheet.page.wait_for_selector(".state-line")
    assert signs() == {"camera": "Live"}
    assert signs(status="lost", message="It was unplugged.") == {"camera": "Camera lost"}
    assert sheet.text(".live-cover") == "Camera lost"
    assert "It was unplugged." in sheet.text(".table-panel")
    assert signs(status="starting") == {"camera": "Camera is starting"}
    for light, said in (
        ("low", "Low light"),
        ("glare", "Glare on the cards"),
        ("blurred", "Picture is blurred"),
    ):
        assert signs(light=light) == {"camera": "Live", "light": said}
        signs()
    assert signs(reading_ms=812)["slow"] == "Reading slowly (812 ms)"
    # What is wrong is said beside the drawn table as well.
    sheet.page.locator(".table-panel .choice-button").nth(1).click()
    signs(message="The reader has failed.")
    sheet.page.wait_for_selector('.table-panel .notice:has-text("The reader has failed.")')
    # The camera of another game is none of this one's business.
    lines[-1].send(json.dumps({"sequence": 1, "type": "camera", "data": well | {"game": "other"}}))
    sheet.page.wait_for_selector("[data-chip]", state="detached")
