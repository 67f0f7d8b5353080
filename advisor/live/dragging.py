"""Dragging the corners of the table and its zones in a window."""

from __future__ import annotations

from dataclasses import replace
from typing import TYPE_CHECKING, Any, Final

import numpy as np

from advisor.live.drawing import draw_layers
from vision.layout import Layout, Quad, around

if TYPE_CHECKING:
    from numpy.typing import NDArray


#: What can be dragged, the small things first: where two corners are near, the smaller is meant.
NAMES: Final = ("stock", "pile", "hand", "corners")
#: How near to a corner, as a share of the picture, one must begin.
REACH: Final = 0.03


class Dragging:
    """A layout while it is changed with the mouse.

    Args:
        layout: where it begins; zones that it lacks lie in the middle.

    Attributes:
        layout: as it is now.
    """

    def __init__(self, layout: Layout) -> None:
        missing: dict[str, Any] = {
            name: around((0.5, 0.5), 0.2, 0.3) for name in NAMES if getattr(layout, name) is None
        }
        self.layout = replace(layout, **missing)
        self._held: tuple[str, int] | None = None

    def press(self, x: float, y: float) -> None:
        """Take the corner at (x, y), both 0 to 1, if one is near."""
        self._held = None
        nearest = REACH
        for name in NAMES:
            for corner, point in enumerate(getattr(self.layout, name)):
                distance = float(np.hypot(point[0] - x, point[1] - y))
                if distance < nearest:
                    nearest, self._held = distance, (name, corner)

    def move(self, x: float, y: float) -> None:
        """Move the corner that is held to (x, y); it stays in the picture."""
        if self._held is None:
            return
        name, corner = self._held
        quad: Quad = getattr(self.layout, name)
        points = list(quad)
        points[corner] = min(1.0, max(0.0, x)), min(1.0, max(0.0, y))
        changed: dict[str, Any] = {name: tuple(points)}
        self.layout = replace(self.layout, **changed)

    def release(self) -> None:
        """Let go."""
        self._held = None

    def draw(self, image: NDArray[np.uint8]) -> NDArray[np.uint8]:
        """Return *image* (H × W × 3 BGR uint8) with the zones."""
        return draw_layers(image, frozenset(("zones",)), (), self.layout)


def drag_in_window(image: NDArray[np.uint8], layout: Layout, title: str) -> Layout | None:
    """Let a person drag *layout* on *image*; Enter takes it, Esc and Q leave it (None).

    Raises:
        LiveError: this machine has no screen.
    """
    from advisor.live.show import check_screen

    check_screen()
    import cv2

    dragging = Dragging(layout)
    height, width = image.shape[:2]

    def mouse(event: int, x: int, y: int, _flags: int, _data: object) -> None:
        if event == cv2.EVENT_LBUTTONDOWN:
            dragging.press(x / width, y / height)
        elif event == cv2.EVENT_MOUSEMOVE:
            dragging.move(x / width, y / height)
        elif event == cv2.EVENT_LBUTTONUP:
            dragging.release()

    cv2.namedWindow(title, cv2.WINDOW_AUTOSIZE)
    cv2.setMouseCallback(title, mouse)
    try:
        while True:
            cv2.imshow(title, dragging.draw(image))
            key = cv2.waitKey(30) & 0xFF
            if key in (10, 13):
                return dragging.layout
            closed = cv2.getWindowProperty(title, cv2.WND_PROP_VISIBLE) < 1
            if closed or key in (27, ord("q")):
                return None
    finally:
        cv2.destroyAllWindows()
