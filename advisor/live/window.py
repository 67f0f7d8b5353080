"""The window of `pisti watch --window`: the picture of the table, and beside it what is known.

What is shown is drawn by a function that needs no window, and what a key does is a table. OpenCV
writes plain letters only, so letters with marks are shown without them.
"""

from __future__ import annotations

import unicodedata
from collections.abc import Iterator, Mapping, Sequence
from enum import Enum
from typing import TYPE_CHECKING, Any, Final

import cv2
import numpy as np

if TYPE_CHECKING:
    from numpy.typing import NDArray

    from advisor.messages import Catalogue

#: Width and height of the window, and how much of it the picture takes.
SIZE: Final = (1280, 720)
PICTURE: Final = 860

_BACK: Final = (32, 28, 26)
_INK: Final = (235, 235, 235)
_QUIET: Final = (160, 160, 160)
_BEST: Final = (90, 200, 90)
_WARN: Final = (60, 150, 255)
_RED: Final = (60, 60, 220)
_PAPER: Final = (245, 245, 245)
_FONT: Final = cv2.FONT_HERSHEY_SIMPLEX
_LINE: Final = 30


#: How the camera is doing, in words.
_STATUS: Final = {
    "ended": "window.ended",
    "live": "window.live",
    "lost": "window.lost",
    "none": "window.none",
    "paused": "window.paused",
    "starting": "window.starting",
    "waiting": "window.waiting",
}


class Action(Enum):
    """What a key does."""

    FULL_SCREEN = "full_screen"
    PAUSE = "pause"
    HINTS = "hints"
    UNDO = "undo"
    QUIT = "quit"


#: The keys, as `cv2.waitKey` returns them; capital letters do the same.
KEYS: Final[Mapping[int, Action]] = {
    ord("f"): Action.FULL_SCREEN,
    ord(" "): Action.PAUSE,
    ord("h"): Action.HINTS,
    ord("u"): Action.UNDO,
    ord("q"): Action.QUIT,
    27: Action.QUIT,
}


def action_of(key: int) -> Action | None:
    """Return what the key with this code does; None for no key and for others."""
    code = key & 0xFF
    return None if key < 0 else KEYS.get(ord(chr(code).lower()) if code < 128 else code)


def draw_window(
    picture: NDArray[np.uint8] | None,
    state: Mapping[str, Any] | None,
    advice: Mapping[str, Any] | None,
    catalogue: Catalogue,
    *,
    hints: bool = True,
) -> NDArray[np.uint8]:
    """Return what the window shows (720 × 1280 × 3 BGR uint8).

    Args:
        picture: the table with its overlay; None before the first.
        state: the state of the game as the API tells it; None where no game is watched.
        advice: the advice of the API for this state; None where there is none.
        catalogue: the sentences.
        hints: whether the advice is shown.
    """
    width, height = SIZE
    canvas = np.full((height, width, 3), _BACK, np.uint8)
    if picture is not None:
        _paste(canvas[:, :PICTURE], picture)
    panel = _Panel(canvas, PICTURE + 24, width - 16)
    if state is None:
        panel.write(catalogue.text("window.no_game"), _QUIET)
        return canvas
    camera = state["camera"]
    status = camera["status"]
    colour = _INK if status == "live" else _WARN
    panel.write(catalogue.text(_STATUS[status]), colour, strong=True)
    for sentence in (camera.get("message"), state.get("unsaved")):
        if sentence:
            panel.write(sentence, _WARN)
    pile = state["pile"]
    top = pile["top"] or "-"
    panel.write(catalogue.text("window.pile", count=pile["size"], top=top), _INK, strong=True)
    panel.write(catalogue.text("window.jacks", count=state["jacks"]["left"]), _INK)
    if state["turn"] is not None:
        panel.write(catalogue.text("window.turn", name=_name(state, state["turn"])), _INK)
    for side, points in zip(state["sides"], state["score"]["totals"], strict=True):
        names = " & ".join(_name(state, seat) for seat in side)
        panel.write(f"{names}: {points}", _INK)
    mine = state["hands"][state["me"]] if state["me"] is not None and state["hands"] else None
    if mine is not None and mine["cards"]:
        panel.cards(mine["cards"], advice["best"] if advice and hints else None)
    if state["review"]:
        panel.write(catalogue.text("window.review", count=len(state["review"])), _WARN)
    if not hints:
        panel.write(catalogue.text("window.hints_off"), _QUIET)
    elif advice and advice["best"]:
        best = advice["moves"][0]
        text = catalogue.text(
            "window.best", card=best["card"], points=catalogue.decimal(f"{best['points']:+.1f}")
        )
        panel.write(text, _BEST, strong=True)
        for sentence in advice["why"]:
            panel.write(sentence, _INK)
        for move in advice["moves"][1:]:
            points = catalogue.decimal(f"{move['points']:+.1f}")
            panel.write(f"{move['card']}  {points}", _QUIET)
    panel.foot(catalogue.text("window.keys"))
    return canvas


def plain(text: str) -> str:
    """Return *text* in letters that OpenCV can write."""
    spread = unicodedata.normalize("NFKD", text.replace("ı", "i").replace("–", "-"))
    for suit, letter in zip("♠♥♦♣", "SHDC", strict=True):
        spread = spread.replace(suit, letter)
    return "".join(
        letter if letter.isascii() else "?"
        for letter in spread
        if not unicodedata.combining(letter)
    )


class _Panel:
    """Writes line under line."""

    def __init__(self, canvas: NDArray[np.uint8], left: int, right: int) -> None:
        self._canvas = canvas
        self._left = left
        self._right = right
        self._y = 44

    def write(self, text: str, colour: tuple[int, int, int], *, strong: bool = False) -> None:
        """Write *text*, over several lines where it is long."""
        scale, thickness = (0.8, 2) if strong else (0.6, 1)
        for line in _wrapped(plain(text), self._right - self._left, scale, thickness):
            if self._y > SIZE[1] - 2 * _LINE:
                return
            place = self._left, self._y
            cv2.putText(self._canvas, line, place, _FONT, scale, colour, thickness, cv2.LINE_AA)
            self._y += _LINE if strong else _LINE - 4

    def cards(self, cards: Sequence[str], best: str | None) -> None:
        """Draw a hand, the card to play framed."""
        if self._y > SIZE[1] - 4 * _LINE:
            return
        for at, card in enumerate(cards):
            left, top = self._left + at * 84, self._y - 16
            cv2.rectangle(self._canvas, (left, top), (left + 70, top + 62), _PAPER, cv2.FILLED)
            if card == best:
                cv2.rectangle(self._canvas, (left - 4, top - 4), (left + 74, top + 66), _BEST, 4)
            colour = _RED if card[-1] in "HD" else _BACK
            cv2.putText(
                self._canvas, card, (left + 8, top + 42), _FONT, 0.9, colour, 2, cv2.LINE_AA
            )
        self._y += 84

    def foot(self, text: str) -> None:
        """Write *text* at the bottom."""
        for line in _wrapped(plain(text), self._right - self._left, 0.45, 1)[:1]:
            place = self._left, SIZE[1] - 16
            cv2.putText(self._canvas, line, place, _FONT, 0.45, _QUIET, 1, cv2.LINE_AA)


def _wrapped(text: str, width: int, scale: float, thickness: int) -> list[str]:
    lines: list[str] = []
    for word in text.split():
        longer = f"{lines[-1]} {word}" if lines else word
        (taken, _), _ = cv2.getTextSize(longer, _FONT, scale, thickness)
        if lines and taken <= width:
            lines[-1] = longer
        else:
            lines.append(word)
    return lines


def _paste(place: NDArray[np.uint8], picture: NDArray[np.uint8]) -> None:
    """Put *picture* into *place*, as large as fits."""
    height, width = place.shape[:2]
    scale = min(width / picture.shape[1], height / picture.shape[0])
    size = max(1, round(picture.shape[1] * scale)), max(1, round(picture.shape[0] * scale))
    small = cv2.resize(picture, size, interpolation=cv2.INTER_AREA)
    x, y = (width - size[0]) // 2, (height - size[1]) // 2
    place[y : y + size[1], x : x + size[0]] = small


def _name(state: Mapping[str, Any], seat: int) -> str:
    names = state["names"]
    return names[seat] if seat < len(names) and names[seat] else str(seat)


def keys_pressed(title: str, canvas: NDArray[np.uint8]) -> Iterator[Action]:
    """Show *canvas* in the window *title* and yield what was asked for meanwhile."""
    cv2.imshow(title, canvas)
    action = action_of(cv2.waitKey(30))
    if cv2.getWindowProperty(title, cv2.WND_PROP_VISIBLE) < 1:
        yield Action.QUIT
    elif action is not None:
        yield action
