"""Looking through the camera: the picture, the zones, the signs; and recordings."""

from __future__ import annotations

import base64
from collections.abc import Iterator
from pathlib import Path
from typing import TYPE_CHECKING, Any

import cv2
import numpy as np
import pytest

from tests.page.dealt import SAMPLES, cut_sample
from tests.page.driver import Sheet
from tests.page.running import Server

if TYPE_CHECKING:
    from playwright.sync_api import Browser


@pytest.fixture
def filmed(server: Server) -> Iterator[Server]:
    """The server with the sample recording as its camera."""
    server.call("POST", "/sources", {"source": str(SAMPLES / "sample.mp4"), "loop": True})
    server.call("POST", "/sources/current/pause")
    yield server
    server.call("DELETE", "/sources/current")


def corner(server: Server, zone: str, number: int) -> Any:
    return server.call("GET", "/sources/current/layout")["zones"][zone][number]


def test_zones_are_moved_by_pointer_and_by_keys(
    filmed: Server, browser: Browser, sheets: list[Sheet]
) -> None:
    filmed.call("PUT", "/sources/current/layout", {})
    sheet = Sheet(browser, filmed.address)
    sheets.append(sheet)
    page = sheet.page
    sheet.open("watch")
    sheet.has_picture(".live-picture")
    page.wait_for_selector(".check-list li")
    assert page.locator(".check-list li").count() == 3
    page.click("#next-step")
    sheet.has_picture(".zones-picture")
    page.wait_for_selector(".handle.zone-pile")
    page.click(".zone-tag.zone-pile")
    page.wait_for_selector(".handle.zone-pile", state="detached")
    page.click(".zone-tag.zone-pile")

    # By pointer: a tenth of the picture to the right.
    handle = page.locator(".handle.zone-pile").first
    frame = page.locator(".zones-picture").bounding_box()
    assert frame is not None
    before = corner(filmed, "pile", 0)
    where = handle.bounding_box()
    assert where is not None
    x, y = where["x"] + where["width"] / 2, where["y"] + where["height"] / 2
    page.mouse.move(x, y)
    page.mouse.down()
    page.mouse.move(x + frame["width"] / 10, y, steps=3)
    with page.expect_response("**/sources/current/layout"):
        page.mouse.up()
    moved = corner(filmed, "pile", 0)
    assert moved == pytest.approx([before[0] + 0.1, before[1]], abs=0.01)

    # By keys: one large and two small steps down.
    handle.focus()
    for key in ("Shift+ArrowDown", "ArrowDown", "ArrowDown"):
        with page.expect_response("**/sources/current/layout"):
            page.keyboard.press(key)
    assert corner(filmed, "pile", 0) == pytest.approx([moved[0], moved[1] + 0.06], abs=0.002)
    assert "%" in str(handle.get_attribute("aria-label"))


def test_the_preview_shows_the_source_that_was_opened_last(
    server: Server, browser: Browser, sheets: list[Sheet], tmp_path: Path
) -> None:
    sheet = Sheet(browser, server.address)
    sheets.append(sheet)
    sheet.open("watch")
    sheet.page.click("summary")
    for width in (320, 240, 320):
        folder = tmp_path / str(width)
        folder.mkdir(exist_ok=True)
        for number in range(40):
            picture = np.full((180, width, 3), 90 + number, np.uint8)
            cv2.imwrite(str(folder / f"{number}.png"), picture)
        sheet.page.fill("#source", str(folder))
        sheet.page.click("#open-source")
        sheet.page.wait_for_function(
            "width => document.querySelector('.live-picture')?.naturalWidth === width",
            arg=width,
            timeout=10_000,
        )
    server.call("DELETE", "/sources/current")


def test_the_picture_is_judged_again_by_itself(
    filmed: Server, browser: Browser, sheets: list[Sheet]
) -> None:
    sheet = Sheet(browser, filmed.address)
    sheets.append(sheet)
    page = sheet.page
    found: dict[str, Any] = {"light": None, "focus": None, "framing": None, "advice": []}
    page.route("**/sources/current/check?*", lambda route: route.fulfill(json=found))
    sheet.open("watch")
    for part in ("light", "focus", "framing"):
        page.wait_for_selector(f'[data-check="{part}"].looking:has-text("still looking")')
    found |= {"light": "low", "focus": "ok", "framing": "none", "advice": ["A lamp."]}
    page.wait_for_selector('[data-check="light"].poor')
    page.wait_for_selector('[data-check="focus"].good')
    page.wait_for_selector('.advice:has-text("A lamp.")')
    # Without a card there are no cards that are too small.
    page.wait_for_selector('[data-check="framing"].looking')
    found |= {"light": "ok", "framing": "ok", "advice": []}
    page.wait_for_selector('[data-check="light"].good')
    page.wait_for_selector('[data-check="framing"].good')
    assert page.locator(".advice").count() == 0


def test_a_recording_waits_until_the_game_is_started(
    own_server: Server, browser: Browser, sheets: list[Sheet], tmp_path: Path
) -> None:
    video = tmp_path / "evening.mp4"
    cut_sample(video, seconds=11.4)
    sheet = Sheet(browser, own_server.address)
    sheets.append(sheet)
    page = sheet.page
    sheet.open("watch")
    page.click("summary")
    page.fill("#source", str(video))
    page.click("#open-source")
    page.wait_for_selector('[data-chip="camera"]:has-text("Recording ready")')
    # What the first picture shows is read, judged and taken for the places of things.
    page.wait_for_selector('[data-check="framing"].good')
    page.click("#next-step")
    for zone in ("pile", "stock", "hand"):
        page.wait_for_selector(f".handle.zone-{zone}")
    assert own_server.call("GET", "/sources/current/layout")["zones"]["pile"] is None
    with page.expect_response("**/sources/current/layout"):
        page.click("#next-step")
    assert own_server.call("GET", "/sources/current/layout")["zones"]["pile"] is not None
    sheet.has_picture(".live-picture")
    assert own_server.call("GET", "/sources")["camera"]["status"] == "waiting"
    page.click("#create-game")
    sheet.has_play("8C", 0)
    name = own_server.call("GET", "/games")["games"][0]["id"]
    seconds = own_server.call("GET", f"/games/{name}/state")["plays"][0]["t"]
    # By the clock of the recording.
    assert seconds == pytest.approx(9.8, abs=1.0)


def test_nobody_watches_when_the_recording_has_ended(
    own_server: Server, browser: Browser, sheets: list[Sheet], tmp_path: Path
) -> None:
    video = tmp_path / "short.mp4"
    cut_sample(video, seconds=1.5)
    made = own_server.call("POST", "/games", {"rules": "classic players=2", "me": 0})
    own_server.call("POST", "/sources", {"source": str(video), "game": made["game"]})
    sheet = Sheet(browser, own_server.address)
    sheets.append(sheet)
    sheet.open(f"game/{made['game']}")
    sheet.page.wait_for_selector('[data-chip="camera"]:has-text("Recording ended")')
    assert "The recording has ended" in sheet.text(".deal-panel")
    assert sheet.page.locator(".watching").count() == 0
    # It can be seen again from its beginning.
    sheet.open("watch")
    assert sheet.text(".live-cover") == "Recording ended"
    assert sheet.page.is_disabled("#next-step")
    sheet.page.click("#from-beginning")
    sheet.page.wait_for_selector('[data-chip="camera"]:has-text("Recording ready")')


def test_signs_of_the_camera(filmed: Server, browser: Browser, sheets: list[Sheet]) -> None:
    sheet = Sheet(browser, filmed.address)
    sheets.append(sheet)
    made = filmed.call("POST", "/games", {"rules": "classic players=2", "me": 0})
    sheet.open(f"game/{made['game']}")
    # The camera is open, but for no game; this one can have it.
    assert sheet.page.locator('[data-chip="camera"]').count() == 0
    sheet.page.click("#watch-this")
    sheet.page.wait_for_selector('[data-chip="camera"]:has-text("Paused")')
    assert sheet.text(".live-cover") == "Paused"
    sheet.page.get_by_role("button", name="Go on").click()
    sheet.page.wait_for_selector('[data-chip="camera"]:has-text("Live")')
    sheet.page.wait_for_selector(".live-cover", state="detached")
    sheet.page.keyboard.press(" ")
    sheet.page.wait_for_selector('[data-chip="camera"]:has-text("Paused")')
    # Layers of the picture are asked of the server.
    with sheet.page.expect_request("**/video?overlay=boxes,names,zones&*"):
        sheet.page.get_by_role("button", name="Zones").click()


def test_a_recording_is_read(
    server: Server, browser: Browser, sheets: list[Sheet], tmp_path: Path
) -> None:
    video = tmp_path / "evening.mp4"
    cut_sample(video, seconds=11.4)
    sheet = Sheet(browser, server.address)
    sheets.append(sheet)
    sheet.open("recordings")
    assert sheet.page.get_attribute("#recorded-name-0", "placeholder") == "Player 1"
    sheet.page.fill("#recorded-name-0", "Ayşe, the first")
    dealer = sheet.page.get_by_label("Who deals first")
    assert dealer.input_value() == ""
    assert dealer.locator("option:checked").inner_text() == "The last player (usual)"
    dealer.select_option(label="Player 2")
    sheet.page.set_input_files("#recording-file", video)
    panel = sheet.page.locator(".panel.job", has_text="evening.mp4")
    panel.locator("progress").wait_for()
    panel.locator(".result").wait_for(timeout=120_000)
    assert "1 play found" in panel.inner_text()
    phone = Sheet(browser, server.address, "phone")
    sheets.append(phone)
    phone.open("recordings")
    phone.page.locator(".panel.job .result").first.wait_for()
    assert phone.wide() <= 0
    panel.get_by_role("button", name="Open as a game").click()
    sheet.has_play("8C", 0)
    # One play does not tell how many play: as many as the rules say.
    assert sheet.page.locator(".seat").count() == 4
    state = server.call("GET", f"/games/{sheet.page.url.split('/')[-1]}/state")
    # A comma separates names where a form is sent.
    assert (state["names"][0], state["dealer"]) == ("Ayşe the first", 1)
    assert sheet.text(".seat:has(.dealer) .seat-name").startswith("Player 2")
    assert sheet.text('[data-play="0-0"] .play-who') == "Player 3"
    sheet.page.click('[data-play="0-0"]')
    sheet.page.wait_for_selector('dialog :text("Seen at 0:10")')


def test_a_recording_is_dropped_onto_the_page(
    server: Server, browser: Browser, sheets: list[Sheet], tmp_path: Path
) -> None:
    video = tmp_path / "dropped.mp4"
    cut_sample(video, seconds=2.0)
    sheet = Sheet(browser, server.address)
    sheets.append(sheet)
    sheet.open("history")
    files = sheet.page.evaluate_handle(
        """data => {
            const bytes = Uint8Array.from(atob(data), (letter) => letter.charCodeAt(0));
            const files = new DataTransfer();
            files.items.add(new File([bytes], "dropped.mp4", { type: "video/mp4" }));
            return files;
        }""",
        base64.b64encode(video.read_bytes()).decode(),
    )

    def drag(kind: str, where: str) -> None:
        sheet.page.dispatch_event(where, kind, {"dataTransfer": files})

    # Dropped where no recording is read, it leads to where one is; the page is not left.
    drag("drop", "h1")
    sheet.page.wait_for_selector(".drop")
    assert sheet.page.url.endswith("#/recordings")
    drag("dragover", "h1")
    sheet.page.wait_for_selector("main.dragging")
    drag("drop", "h1")
    sheet.page.wait_for_selector("main.dragging", state="detached")
    panel = sheet.page.locator(".panel.job", has_text="dropped.mp4")
    panel.locator(".result").or_(panel.locator(".wrong")).wait_for(timeout=120_000)


def test_a_play_is_put_right_by_its_picture(
    own_server: Server, browser: Browser, sheets: list[Sheet], tmp_path: Path
) -> None:
    """From the thumbnail to the picture that was read, to what it may have been, to the right card.

    And what a person says stands, whatever the camera goes on to see.
    """
    video = tmp_path / "evening.mp4"
    cut_sample(video, seconds=17.5)
    made = own_server.call("POST", "/games", {"rules": "classic players=2", "me": 0})
    name = made["game"]
    own_server.call("POST", "/sources", {"source": str(video), "game": name})
    sheet = Sheet(browser, own_server.address)
    sheets.append(sheet)
    page = sheet.page
    sheet.open(f"game/{name}")
    page.wait_for_selector('[data-play="0-0"] .thumb', state="attached")
    # What the card may have been changes with each picture, and is compared here.
    own_server.call("POST", "/sources/current/pause")
    # Small, and of the pile alone: the card is to be seen in it.
    assert 100 < sheet.has_picture('[data-play="0-0"] .thumb') <= 132
    page.click('[data-play="0-0"] .thumb')
    assert sheet.has_picture(".play-picture") == 1280
    ranked = own_server.call("GET", f"/games/{name}/plays/0/0/alternatives")
    chances = [one["probability"] for one in ranked]
    assert chances == sorted(chances, reverse=True)
    page.wait_for_selector("dialog .picker")
    shown = page.locator("dialog .likely [data-card]")
    likely = [one["card"] for one in ranked if one["probability"] > 0]
    assert [each.get_attribute("data-card") for each in shown.all()] == likely[:6]
    right = (likely or [ranked[0]["card"]])[0]
    if likely:
        shown.first.click()
    else:
        sheet.pick(right)
    sheet.has_play(right, 0)
    page.wait_for_selector("dialog", state="detached")
    own_server.call("POST", "/sources/current/resume")
    page.wait_for_selector('[data-chip="camera"]:has-text("Recording ended")')
    play = own_server.call("GET", f"/games/{name}/state")["plays"][0]
    assert (play["card"], play["by"]) == (right, "person")


def test_a_file_that_is_no_recording(
    server: Server, browser: Browser, sheets: list[Sheet], tmp_path: Path
) -> None:
    wrong = tmp_path / f"{'long' * 30}letter.mp4"
    wrong.write_text("Dear Ayşe", encoding="utf-8")
    sheet = Sheet(browser, server.address, "phone")
    sheets.append(sheet)
    sheet.open("recordings")
    sheet.page.set_input_files("#recording-file", wrong)
    panel = sheet.page.locator(".panel.job", has_text="longlong")
    panel.locator(".wrong").or_(sheet.page.locator(".toast.fault")).wait_for()
    assert sheet.wide() <= 0
