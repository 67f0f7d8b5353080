"""Running the window: in the main thread, as systems want it, beside the server."""

from __future__ import annotations

import os
import sys
from collections.abc import Callable
from typing import TYPE_CHECKING, Any, Final

from advisor.errors import LiveError
from engine import PistiError

if TYPE_CHECKING:
    from advisor.api.adviser import Adviser
    from advisor.api.desk import Desk
    from advisor.live.drawing import Layer
    from advisor.live.station import Station
    from advisor.live.window import Action

TITLE: Final = "Pisti"
_LAYERS: Final[frozenset[Layer]] = frozenset(("boxes", "names"))


class Evening:
    """What the window shows and what its keys do.

    Args:
        desk: the open games.
        station: the camera.
        adviser: gives advice.

    Attributes:
        hints: whether advice is shown.
        full_screen: whether the window fills the screen.
        ended: whether the window is to be closed.
    """

    def __init__(self, desk: Desk, station: Station, adviser: Adviser) -> None:
        self.hints = True
        self.full_screen = False
        self.ended = False
        self._desk = desk
        self._station = station
        self._adviser = adviser

    def canvas(self) -> Any:
        """Return what the window shows now."""
        from advisor.live.drawing import draw_layers
        from advisor.live.window import draw_window
        from advisor.messages import Catalogue

        catalogue = Catalogue(self._desk.language)
        game = self._station.watched
        state = None if game is None else self._desk.state(game)
        advice = None
        if game is not None and game.session.created.me is not None and self.hints:
            advice = self._adviser.newest(game)
        picture = None
        camera = self._station.camera
        if camera is not None and camera.newest is not None:
            sightings = self._station.sightings
            layout = self._station.layout
            back = catalogue.text("overlay.back")
            picture = draw_layers(camera.newest.image, _LAYERS, sightings, layout, back)
        return draw_window(picture, state, advice, catalogue, hints=self.hints)

    def do(self, action: Action) -> None:
        """Do what a key asks for; what cannot be done is left."""
        from advisor.live.window import Action
        from advisor.session import Undone

        camera, game = self._station.camera, self._station.watched
        if action is Action.QUIT:
            self.ended = True
        elif action is Action.HINTS:
            self.hints = not self.hints
        elif action is Action.FULL_SCREEN:
            self.full_screen = not self.full_screen
        elif action is Action.PAUSE and camera is not None:
            self._station.pause(not camera.paused)
        elif action is Action.UNDO and game is not None and game.session.can_undo:
            try:
                self._desk.change(game, [Undone()])
            except PistiError:
                # Somebody at the page was quicker.
                return


def show(evening: Evening, running: Callable[[], bool]) -> None:
    """Show the window until it is closed, or *running* says that the server has ended.

    Raises:
        LiveError: this machine has no screen.
    """
    check_screen()
    import cv2

    from advisor.live.window import keys_pressed

    try:
        cv2.namedWindow(TITLE, cv2.WINDOW_NORMAL)
    except cv2.error as error:
        raise LiveError("live.no_screen") from error
    try:
        full_screen = False
        while running() and not evening.ended:
            for action in keys_pressed(TITLE, evening.canvas()):
                evening.do(action)
            if evening.full_screen != full_screen:
                full_screen = evening.full_screen
                mode = cv2.WINDOW_FULLSCREEN if full_screen else cv2.WINDOW_NORMAL
                cv2.setWindowProperty(TITLE, cv2.WND_PROP_FULLSCREEN, mode)
    finally:
        cv2.destroyAllWindows()


def check_screen() -> None:
    """Raise LiveError where this machine has no screen: OpenCV would end the program."""
    if sys.platform.startswith("linux") and not (
        os.environ.get("DISPLAY") or os.environ.get("WAYLAND_DISPLAY")
    ):
        raise LiveError("live.no_screen")
