"""The live picture for everybody who looks: each frame is drawn and packed once."""

from __future__ import annotations

import asyncio
from collections.abc import AsyncIterator, Callable
from threading import Condition, Thread
from typing import TYPE_CHECKING, Final

import cv2

from advisor.live.drawing import draw_layers
from vision.table import Region

if TYPE_CHECKING:
    import numpy as np
    from numpy.typing import NDArray

    from advisor.live.camera import Camera, Picture
    from advisor.live.drawing import Layer
    from advisor.live.reading import Reading
    from vision.layout import Layout
    from vision.table import PileZone

#: Most pictures a second that are sent, and their quality (JPEG, 0 to 100).
RATE: Final = 20.0
QUALITY: Final = 80
_WAIT: Final = 0.5
#: Half the side of what a play's small picture shows, in radii of the pile's zone, and its pixels.
_PILE: Final = 0.8
_PILE_SIZE: Final = 132

Layers = frozenset["Layer"]


def encode(image: object, quality: int = QUALITY) -> bytes:
    """Return *image* (H × W × 3 BGR uint8) as JPEG."""
    done, data = cv2.imencode(".jpg", image, (cv2.IMWRITE_JPEG_QUALITY, quality))  # type: ignore[call-overload]
    assert done
    return bytes(data.tobytes())


def encode_pile(image: NDArray[np.uint8], zone: PileZone) -> bytes:
    """Return the part of *image* (H × W × 3 BGR) in which the pile lies, small, as JPEG."""
    size = image.shape[1], image.shape[0]
    part = Region.around(zone.centre, _PILE * zone.radius, size).cut(image)
    scale = min(1.0, _PILE_SIZE / max(part.shape[:2]))
    return encode(cv2.resize(part, None, fx=scale, fy=scale, interpolation=cv2.INTER_AREA))


class Viewer:
    """One who looks: holds the newest picture that was not fetched yet."""

    def __init__(self, layers: Layers) -> None:
        self.layers = layers
        self._loop = asyncio.get_running_loop()
        self._newest: bytes | None = None
        self._ended = False
        self._ready = asyncio.Event()

    def push(self, data: bytes | None) -> None:
        """Hand over a picture, or None for the end, from any thread."""
        try:
            self._loop.call_soon_threadsafe(self._put, data)
        except RuntimeError:
            # The loop has ended, and the viewer with it.
            return

    def _put(self, data: bytes | None) -> None:
        self._ended = self._ended or data is None
        self._newest = data if data is not None else self._newest
        self._ready.set()

    async def pictures(self) -> AsyncIterator[bytes]:
        """Yield the newest picture each time, until the end."""
        while True:
            await self._ready.wait()
            self._ready.clear()
            data, self._newest = self._newest, None
            if data is not None:
                yield data
            if self._ended:
                return


class Video:
    """Draws and packs the pictures of a camera while somebody looks.

    Args:
        camera: where they come from.
        reading: returns the newest reading, None before the first.
        layout: returns the layout of the table.
        watched: called, from any thread, with the number of viewers when it has changed.
        back: returns what a card that lies face down is called.
    """

    def __init__(
        self,
        camera: Camera,
        reading: Callable[[], Reading | None],
        layout: Callable[[], Layout],
        watched: Callable[[int], None] = lambda _count: None,
        back: Callable[[], str] = lambda: "??",
    ) -> None:
        self._camera = camera
        self._reading = reading
        self._layout = layout
        self._watched = watched
        self._back = back
        self._viewers: set[Viewer] = set()
        self._wake = Condition()
        self._ended = False
        self._thread = Thread(target=self._run, name=f"video {camera.name}", daemon=True)
        self._thread.start()

    @property
    def viewers(self) -> int:
        """How many look."""
        return len(self._viewers)

    def add(self, layers: Layers) -> Viewer:
        """Return a new viewer; must be called in the loop that serves it."""
        viewer = Viewer(layers)
        with self._wake:
            if self._ended:
                viewer.push(None)
                return viewer
            self._viewers.add(viewer)
            self._wake.notify()
        self._watched(self.viewers)
        return viewer

    def remove(self, viewer: Viewer) -> None:
        """Forget *viewer*, who has left."""
        with self._wake:
            self._viewers.discard(viewer)
        self._watched(self.viewers)

    def draw(self, picture: Picture, layers: Layers) -> bytes:
        """Return *picture* with *layers* drawn on it, as JPEG."""
        reading = self._reading()
        sightings = reading.sightings if reading is not None else ()
        layout, back = self._layout(), self._back()
        return encode(draw_layers(picture.image, layers, sightings, layout, back))

    def close(self) -> None:
        """Tell all viewers that it is over."""
        with self._wake:
            self._ended = True
            self._wake.notify()
        self._thread.join(2)

    def _run(self) -> None:
        number, last = 0, -1.0
        while True:
            with self._wake:
                self._wake.wait_for(lambda: self._ended or self._viewers)
                viewers = list(self._viewers)
                if self._ended:
                    break
            picture = self._camera.wait(number, _WAIT)
            if picture is None:
                if self._camera.status == "ended":
                    break
                continue
            number = picture.number
            if 0 <= picture.time - last < 1 / RATE - 0.005:
                continue
            last = picture.time
            drawn: dict[Layers, bytes] = {}
            for viewer in viewers:
                if viewer.layers not in drawn:
                    drawn[viewer.layers] = self.draw(picture, viewer.layers)
                viewer.push(drawn[viewer.layers])
        with self._wake:
            self._ended = True
            for viewer in self._viewers:
                viewer.push(None)
            self._viewers.clear()
