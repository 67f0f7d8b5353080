"""`pisti doctor`: whether this machine is ready."""

from __future__ import annotations

import os
import platform
import sys
from collections.abc import Iterator
from typing import Any, Final

import click

from advisor.cli.common import catalogue, json_option, print_json
from engine import PistiError
from vision.extras import install_command

_VERDICTS: Final = {
    "good": "doctor.speed_good",
    "fair": "doctor.speed_fair",
    "slow": "doctor.speed_slow",
}
#: How many pictures of the camera are looked at, and how long the first may take in seconds.
_PICTURES: Final = 10
_PATIENCE: Final = 5.0


@click.command(
    epilog="\b\nExamples:\n  pisti doctor\n  pisti doctor --camera 0\n  pisti doctor --json"
)
@click.option("--camera", metavar="SOURCE", help="Also try a camera (its number) or a stream.")
@json_option
def command(camera: str | None, as_json: bool) -> None:
    """Check that this machine can read cards: runtime, weights, speed, and a camera's picture."""
    report = examine(camera)
    if as_json:
        print_json(report)
    else:
        for line in _lines(report):
            click.echo(line)
    sys.exit(0 if report["ready"] else 1)


def examine(camera: str | None = None) -> dict[str, Any]:
    """Return the report that ``--json`` prints; *camera* names a source to try."""
    from vision.health import check_weights, milliseconds, runtime_versions, speed_word
    from vision.weights import Weights

    parts = check_weights(Weights.load())
    sound = all(part.ok for part in parts)
    report: dict[str, Any] = {
        "python": platform.python_version(),
        "system": f"{platform.system()} {platform.machine()}",
        "cores": os.cpu_count(),
        "runtimes": runtime_versions(),
        "weights": [{"part": p.part, "ok": p.ok, "sha256": p.sha256} for p in parts],
    }
    if sound:
        fast, accurate = milliseconds("fast"), milliseconds("accurate", runs=3)
        report["speed"] = {
            "fast_ms": round(fast, 1),
            "accurate_ms": round(accurate, 1),
            "expect": speed_word(fast),
        }
    report["camera"] = None if camera is None else _try_camera(camera, sound)
    report["ready"] = sound and (camera is None or report["camera"]["opens"])
    return report


def _try_camera(name: str, sound: bool) -> dict[str, Any]:
    """Return whether the source *name* opens, and how its picture is."""
    from vision.quality import check_picture
    from vision.reader import CardReader
    from vision.sources import LiveSource, open_source

    try:
        source = open_source(name, paced=True)
        assert isinstance(source, LiveSource)
        try:
            # The first pictures of a camera are dark and out of focus.
            image = None
            for _ in range(_PICTURES):
                frame = source.read(_PATIENCE)
                if frame is None:
                    break
                image = frame.image
        finally:
            source.close()
        if image is None:
            raise source.problem or PistiError("source.lost", name=name)
    except PistiError as error:
        return {"source": name, "opens": False, "problem": catalogue().error(error)}
    sightings = CardReader("fast").read(image) if sound else None
    check = check_picture(image, sightings)
    return {
        "source": name,
        "opens": True,
        "size": [image.shape[1], image.shape[0]],
        "cards": None if sightings is None else len(sightings),
        "light": check.light,
        "focus": check.focus,
        "framing": check.framing,
        "advice": [catalogue().text(key) for key in check.advice],
    }


def _lines(report: dict[str, Any]) -> Iterator[str]:
    """Yield the report as sentences."""
    say = catalogue().text
    yield say(
        "doctor.system", python=report["python"], system=report["system"], cores=report["cores"]
    )
    runtimes = report["runtimes"]
    yield say("doctor.runtime", version=runtimes["onnxruntime"])
    if runtimes["openvino"]:
        yield say("doctor.openvino", version=runtimes["openvino"])
    else:
        yield say("doctor.no_openvino", command=install_command("openvino"))
    damaged = [part["part"] for part in report["weights"] if not part["ok"]]
    if damaged:
        yield say("doctor.weights_damaged", parts=", ".join(damaged))
    else:
        yield say("doctor.weights_good")
    if "speed" in report:
        speed = report["speed"]
        yield say("doctor.speed", fast=speed["fast_ms"], accurate=speed["accurate_ms"])
        yield say(_VERDICTS[speed["expect"]])
    camera = report["camera"]
    if camera is not None:
        yield from _camera_lines(camera)


def _camera_lines(camera: dict[str, Any]) -> Iterator[str]:
    say = catalogue().text
    if not camera["opens"]:
        yield camera["problem"]
        return
    width, height = camera["size"]
    yield say("doctor.camera", name=camera["source"], width=width, height=height)
    yield from camera["advice"] or [say("doctor.picture_good")]
