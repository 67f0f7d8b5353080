"""The window: what it draws, what its keys do, and dragging of corners."""

from typing import Any

import numpy as np
import pytest

from advisor.live.dragging import Dragging
from advisor.live.window import KEYS, Action, action_of, draw_window, plain
from advisor.messages import LANGUAGES, Catalogue
from vision.layout import Layout, around

STATE: dict[str, Any] = {
    "camera": {"status": "live", "message": None},
    "unsaved": None,
    "pile": {"size": 5, "top": "7S"},
    "jacks": {"seen": 1, "left": 3},
    "turn": 0,
    "me": 0,
    "names": ["Ayşe", "Mehmet"],
    "sides": [[0], [1]],
    "score": {"totals": [12, 3]},
    "hands": [{"cards": ["7H", "JS", "2C", "9D"]}, {"cards": None}],
    "review": [],
}
ADVICE: dict[str, Any] = {
    "best": "7H",
    "moves": [{"card": "7H", "points": 6.2}, {"card": "JS", "points": 4.0}],
    "why": ["It takes 5 cards and the 10♦."],
}
ENGLISH = Catalogue("en")


def drawn(state: Any = STATE, advice: Any = ADVICE, **options: Any) -> np.ndarray:
    picture = np.full((360, 640, 3), 200, np.uint8)
    return draw_window(picture, state, advice, ENGLISH, **options)


def test_the_picture_and_the_panel_share_the_window() -> None:
    canvas = drawn()
    assert canvas.shape == (720, 1280, 3)
    assert (canvas[360, 430] == 200).all()
    assert not (canvas[10, 430] == 200).all()


def differing(one: np.ndarray, other: np.ndarray) -> int:
    assert (one[:, :860] == other[:, :860]).all()
    return int((one[:, 860:] != other[:, 860:]).any(axis=2).sum())


@pytest.mark.parametrize(
    ("change", "least"),
    [
        ({"pile": {"size": 6, "top": "8S"}}, 20),
        ({"jacks": {"seen": 3, "left": 1}}, 10),
        ({"turn": 1}, 20),
        ({"score": {"totals": [99, 3]}}, 20),
        ({"camera": {"status": "lost", "message": "It is gone."}}, 300),
        ({"unsaved": "The disk is full."}, 300),
        ({"review": [{}]}, 100),
    ],
)
def test_what_changes_is_seen(change: dict[str, Any], least: int) -> None:
    assert differing(drawn(), drawn(STATE | change)) > least


def test_hints_can_be_hidden() -> None:
    """Without hints nothing of the advice is left: neither a sentence nor the frame of a card."""
    hidden = drawn(hints=False)
    assert differing(drawn(), hidden) > 300
    other = ADVICE | {"best": "2C", "why": ["Something else."]}
    assert differing(hidden, drawn(advice=other, hints=False)) == 0


@pytest.mark.parametrize("language", LANGUAGES)
@pytest.mark.parametrize("status", ["none", "starting", "live", "paused", "lost", "ended"])
def test_every_state_can_be_drawn(language: str, status: str) -> None:
    state = STATE | {"camera": {"status": status, "message": "x" * 300}}
    canvas = draw_window(None, state, ADVICE, Catalogue(language))
    assert canvas.any()
    assert draw_window(None, None, None, Catalogue(language)).shape == canvas.shape


def test_letters_with_marks_are_written_without_them() -> None:
    assert plain("Ayşe'nin pişti için ığdır Ü 10♦ é") == "Ayse'nin pisti icin igdir U 10D e"
    assert plain("日") == "?"


def test_keys() -> None:
    assert action_of(-1) is None
    assert action_of(ord("x")) is None
    for key, action in KEYS.items():
        assert action_of(key) is action
        assert action_of(key | 0x100000) is action
    assert action_of(ord("F")) is Action.FULL_SCREEN


def test_a_corner_is_dragged_and_stays_in_the_picture() -> None:
    dragging = Dragging(Layout(pile=around((0.5, 0.5), 0.2, 0.2)))
    before = dragging.layout
    assert before.corners
    dragging.press(0.405, 0.395)
    dragging.move(0.3, 0.2)
    dragging.move(-1, 0.1)
    dragging.release()
    dragging.move(0.9, 0.9)
    assert dragging.layout.pile is not None
    assert dragging.layout.pile[0] == (0.0, 0.1)
    assert dragging.layout.pile[1:] == before.pile[1:]  # type: ignore[index]
    dragging.press(0.01, 0.99)
    dragging.move(0.5, 0.5)
    assert dragging.layout.corners == before.corners
    assert dragging.draw(np.zeros((90, 160, 3), np.uint8)).any()
