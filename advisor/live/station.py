"""The camera of the evening: one source at a time, shared by all who look and the game it watches.

The source stays open while somebody looks or a game is watched; when the last has left, it is let
go after a moment. One that is to be kept stays open until it ends.
"""

from __future__ import annotations

import logging
from collections.abc import Callable
from dataclasses import fields, replace
from threading import Condition, RLock, Thread
from time import monotonic
from typing import TYPE_CHECKING, Any, Final

from advisor.errors import LiveError
from advisor.live.camera import Camera, Opener, open_live
from advisor.live.hand import held
from advisor.live.reading import Reading, Shown, TableReader, fast_reader
from advisor.live.table import TableWatch
from advisor.live.telling import camera_state
from advisor.live.video import QUALITY, Layers, Video, Viewer, encode, encode_pile
from advisor.messages import Catalogue
from engine import Card
from vision.errors import LayoutError
from vision.layout import Layout

if TYPE_CHECKING:
    from advisor.api.desk import Desk, OpenGame
    from advisor.live.camera import Picture
    from vision.quality import PictureCheck
    from vision.sightings import Sighting
    from vision.table import PileZone, ReadsParts

logger = logging.getLogger(__name__)

#: Seconds after which a source that nobody looks at and no game needs is let go.
IDLE: Final = 20.0
#: Seconds between two notices of how the camera is doing.
_NOTICE: Final = 2.0


class Station:
    """Holds the camera.

    Args:
        desk: the open games.
        make_reader: makes what reads cards.
        opener: opens a source.
        idle: seconds without viewers and games after which the source is let go.
    """

    def __init__(
        self,
        desk: Desk,
        *,
        make_reader: Callable[[], ReadsParts] = fast_reader,
        opener: Opener = open_live,
        idle: float = IDLE,
    ) -> None:
        self._desk = desk
        self._make_reader = make_reader
        self._opener = opener
        self._idle = idle
        self._lock = RLock()
        self._camera: Camera | None = None
        self._reading: TableReader | None = None
        self._video: Video | None = None
        self._watch: TableWatch | None = None
        self._layout = Layout()
        self._left = monotonic()
        self._kept = False
        self._told: dict[str, Any] = {}
        self._wake = Condition()
        self._ended = False
        desk.decorate = self._decorate
        desk.deleted.append(self._forget)
        self._thread = Thread(target=self._run, name="station", daemon=True)
        self._thread.start()

    # Opening and closing.

    def open(
        self, text: str, *, loop: bool = False, game: str | None = None, keep: bool = False
    ) -> None:
        """Open the source that *text* names, instead of the one before.

        Args:
            text: the source.
            loop: play a recording over and over.
            game: the game to watch; none is watched otherwise, also not the one before.
            keep: keep it open until it ends, also when nobody looks.

        Raises:
            SourceError: there is no such source; the one before stays open.
            PistiError: there is no such game.
        """
        with self._lock:
            watched = None if game is None else self._desk.game(game)
            camera = Camera(text, loop=loop, opener=self._opener, changed=self._nudge)
            self.close_source()
            self._camera, self._kept = camera, keep
            self._layout = self._remembered(text)
            self._reading = TableReader(camera, self._make_reader, self._taken, self._zone)
            self._video = Video(camera, self._newest, lambda: self.layout, self._viewed, self._back)
            self._left = monotonic()
            if watched is not None:
                self.watch(watched)
        self._nudge()

    def close_source(self) -> None:
        """Let go of the source; nothing happens where none is open."""
        with self._lock:
            camera, reading, video = self._camera, self._reading, self._video
            self._camera = self._reading = self._video = None
            self._unwatch()
        if camera is not None and reading is not None and video is not None:
            camera.close()
            video.close()
            reading.join()
        self._nudge()

    def close(self) -> None:
        """Let go of everything."""
        with self._wake:
            self._ended = True
            self._wake.notify()
        self.close_source()
        self._thread.join(2)

    def end_videos(self) -> None:
        """Tell all who look that it is over, because the server ends."""
        with self._lock:
            if self._video is not None:
                self._video.close()

    # The game.

    @property
    def watched(self) -> OpenGame | None:
        """The game that the camera watches."""
        watch = self._watch
        return None if watch is None else watch.game

    def watch(self, game: OpenGame | None) -> None:
        """Watch *game* from now on; None watches none.

        Raises:
            LiveError: no source is open, or nobody plays that game at a table.
        """
        with self._lock:
            if game is None:
                self._unwatch()
            else:
                self._open_camera()
                if game.session.created.opponent is not None:
                    raise LiveError("live.computer")
                self._unwatch()
                self._watch = TableWatch(self._desk, game, lambda: self._layout, self._keep)
        self._nudge()

    # What it shows.

    @property
    def camera(self) -> Camera | None:
        """The open source."""
        return self._camera

    @property
    def sightings(self) -> tuple[Sighting, ...]:
        """The cards in the picture that was read last."""
        newest = self._newest()
        return () if newest is None else newest.sightings

    @property
    def layout(self) -> Layout:
        """The layout of the table, as it is seen now."""
        return self._placed(self._layout).in_sight()

    def set_layout(self, layout: Layout) -> None:
        """Take *layout* from now on, and whenever this source is opened.

        Raises:
            LiveError: no source is open.
            LayoutError: nothing can lie in one of its zones.
        """
        camera = self._open_camera()
        layout.check_room(self.layout)
        self.use_layout(layout)
        # What is out of sight now is found anew when the source is opened the next time.
        self._desk.store.set_setting(f"layout:{camera.text}", layout.with_room().to_json())

    def use_layout(self, layout: Layout) -> None:
        """Take *layout*, as it is seen now, from now on, for this evening.

        What comes back as it was shown stays as it was drawn, also where that is out of sight.
        """
        shown = self.layout
        unchanged = {
            field.name: getattr(self._layout, field.name)
            for field in fields(layout)
            if getattr(layout, field.name) == getattr(shown, field.name)
        }
        self._layout = replace(self._placed(layout, back=True), **unchanged)

    def pause(self, paused: bool) -> None:
        """Stop reading, or go on.

        Raises:
            LiveError: no source is open.
        """
        self._open_camera().paused = paused
        self._nudge()

    def snapshot(self, layers: Layers) -> bytes:
        """Return the newest picture with *layers* as JPEG.

        Raises:
            LiveError: no source is open, or no picture came yet.
        """
        return self._open_video().draw(self.picture(), layers)

    def picture(self) -> Picture:
        """Return the newest picture.

        Raises:
            LiveError: no source is open, or no picture came yet.
        """
        picture = self._open_camera().wait(0, 5.0)
        if picture is None:
            raise LiveError("live.no_picture")
        return picture

    def view(self, layers: Layers) -> tuple[Video, Viewer]:
        """Return the video and a new viewer of it; must be called in the loop that serves it.

        Raises:
            LiveError: no source is open.
        """
        video = self._open_video()
        return video, video.add(layers)

    def check(self) -> PictureCheck:
        """Return what stands in the way of reading the newest picture.

        Raises:
            LiveError: no source is open, or no picture came yet.
        """
        picture, reading = self.picture(), self._reading
        assert reading is not None
        return reading.check_of(picture)

    def read_hand(self) -> list[Card]:
        """Return the cards in the hand zone, the surest first.

        Raises:
            LiveError: no source is open, nothing was read yet, or there is no hand zone.
        """
        self._open_camera()
        picture, reading = self.picture(), self._reading
        layout, size = self.layout, (picture.image.shape[1], picture.image.shape[0])
        quad = layout.pixels("hand", size)
        if quad is None:
            raise LiveError("live.no_zone")
        assert reading is not None
        return held(reading.read_part(picture, quad), layout, size)

    def proposal(self) -> Layout:
        """Return a layout that fits what the newest picture shows.

        Raises:
            LiveError: no source is open, or nothing was read yet.
        """
        from advisor.live.proposing import propose

        self._open_camera()
        picture, reading = self.picture(), self._reading
        height, width = picture.image.shape[:2]
        assert reading is not None
        return propose(reading.read_whole(picture), (width, height))

    def state(self) -> dict[str, Any]:
        """Return how the camera is doing, as the API's `CameraState`."""
        # Without the lock: a game that changes asks for this, and whoever opens a source holds the
        # lock and waits for the game.
        camera, reading, watch = self._camera, self._reading, self._watch
        if camera is None or reading is None:
            return {"status": "none"}
        return camera_state(camera, reading, watch, Catalogue(self._desk.language))

    # Inside.

    def _open_camera(self) -> Camera:
        if self._camera is None:
            raise LiveError("live.no_source")
        return self._camera

    def _open_video(self) -> Video:
        if self._video is None:
            raise LiveError("live.no_source")
        return self._video

    def _newest(self) -> Reading | None:
        reading = self._reading
        return None if reading is None else reading.newest

    def _placed(self, layout: Layout, *, back: bool = False) -> Layout:
        """Return where what was seen in *layout* at first is seen now, or the other way *back*."""
        reading = self._reading
        if reading is None or reading.size is None:
            return layout
        return layout.moved(reading.move.back() if back else reading.move, reading.size)

    def _remembered(self, text: str) -> Layout:
        try:
            return Layout.from_json(self._desk.store.setting(f"layout:{text}") or {})
        except LayoutError:
            return Layout()

    def _forget(self, game: str) -> None:
        """Stop watching a game that was deleted."""
        with self._lock:
            if self._watch is not None and self._watch.game.id == game:
                self._unwatch()

    def _unwatch(self) -> None:
        if self._watch is not None:
            self._watch.close()
            self._watch = None

    def _taken(self, shown: Shown) -> None:
        watch = self._watch
        if watch is not None:
            watch.take(shown)

    def _zone(self, size: tuple[int, int]) -> PileZone | None:
        """Return where the pile lies that is watched; without a game, all is looked at."""
        watch = self._watch
        return None if watch is None else watch.place(size)

    def _keep(self, t: float) -> None:
        """Keep the picture of a play."""
        reading, watch = self._reading, self._watch
        if reading is None or watch is None:
            return
        if not self._desk.pictures.has(watch.game.id, t):
            picture = reading.picture_at(t)
            if picture is not None:
                zone = watch.place((picture.image.shape[1], picture.image.shape[0]))
                self._desk.pictures.put(
                    watch.game.id,
                    t,
                    encode(picture.image, QUALITY),
                    b"" if zone is None else encode_pile(picture.image, zone.moved(reading.move)),
                    record=self._desk.settings.record_frames,
                )

    def _decorate(self, game: str, state: dict[str, Any]) -> None:
        watched = self.watched
        if watched is None or watched.id == game:
            state["camera"] = self.state()

    def _back(self) -> str:
        return Catalogue(self._desk.language).text("overlay.back")

    def _viewed(self, count: int) -> None:
        if not count:
            self._left = monotonic()
        self._nudge()

    def _nudge(self) -> None:
        with self._wake:
            self._wake.notify()

    def _tell(self, state: dict[str, Any]) -> None:
        if state != self._told:
            self._told = state
            self._desk.hub.publish("camera", lambda _: state)

    def _needed(self) -> bool:
        camera, video = self._camera, self._video
        if camera is None or video is None or video.viewers or self._watch is not None:
            return True
        return self._kept and camera.status != "ended"

    def _run(self) -> None:
        """Tell how the camera is doing, and let it go when nobody needs it."""
        while not self._ended:
            with self._wake:
                self._wake.wait(_NOTICE)
            if self._ended:
                return
            if self._needed():
                self._left = monotonic()
            elif monotonic() - self._left > self._idle:
                self.close_source()
            self._desk.retry()
            self._tell(self.state())
