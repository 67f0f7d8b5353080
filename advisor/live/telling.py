"""How the camera is doing, as clients are told."""

from __future__ import annotations

from typing import TYPE_CHECKING, Any

if TYPE_CHECKING:
    from advisor.live.camera import Camera
    from advisor.live.reading import TableReader
    from advisor.live.table import TableWatch
    from advisor.messages import Catalogue
    from engine import PistiError
    from vision.quality import PictureCheck


def camera_state(
    camera: Camera, reading: TableReader, watch: TableWatch | None, catalogue: Catalogue
) -> dict[str, Any]:
    """Return how *camera* is doing, as the API's `CameraState`.

    Args:
        camera: the open source.
        reading: what reads its pictures.
        watch: what watches a game through it; None where none is watched.
        catalogue: the words for what is wrong.
    """
    check = reading.check
    problem: PistiError | None = camera.problem or reading.problem
    if problem is None and watch is not None:
        problem = watch.problem
    return {
        "status": camera.status,
        "source": camera.name,
        "opened": camera.opened,
        "fps": round(camera.rate, 1),
        "dropped": camera.dropped,
        "reading_ms": reading.milliseconds,
        "light": None if check is None else _light(check),
        "size": camera.size,
        "game": None if watch is None else watch.game.id,
        "message": None if problem is None else catalogue.error(problem),
    }


def _light(check: PictureCheck) -> str:
    return check.light if check.light != "ok" else check.focus
