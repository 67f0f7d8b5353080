"""The cameras of this machine, by the names that people know them by."""

from __future__ import annotations

import json
import subprocess
import sys
from dataclasses import dataclass
from pathlib import Path
from typing import Final

_LINUX: Final = Path("/sys/class/video4linux")
#: Seconds that the system may take to tell its cameras.
_PATIENCE: Final = 8
_MAC: Final = ("system_profiler", "-json", "SPCameraDataType")
_WINDOWS: Final = (
    "powershell",
    "-NoProfile",
    "-Command",
    "Get-CimInstance Win32_PnPEntity -Filter \"PNPClass='Camera' OR PNPClass='Image'\" |"
    " Select-Object -ExpandProperty Name | ConvertTo-Json",
)


@dataclass(frozen=True, slots=True)
class CameraName:
    """A camera: the *number* by which it is opened, and its *name*."""

    number: int
    name: str

    def to_json(self) -> dict[str, object]:
        """Return the camera as an item of `pisti cameras --json`."""
        return {"source": str(self.number), "name": self.name}


def list_cameras(devices: Path = _LINUX) -> list[CameraName]:
    """Return the cameras that the system names; none is opened for it.

    Args:
        devices: the folder in which Linux lists its video devices.
    """
    if sys.platform == "darwin":
        return _numbered(_names_on_mac(_output(_MAC)))
    if sys.platform == "win32":
        return _numbered(_names_on_windows(_output(_WINDOWS)))
    return _on_linux(devices)


def _on_linux(devices: Path) -> list[CameraName]:
    """Return the capturing nodes; a camera has further ones, for its settings, behind the first."""
    found = []
    try:
        nodes = sorted(devices.glob("video*"))
    except OSError:
        return []
    for node in nodes:
        number = node.name.removeprefix("video")
        if number.isdecimal() and _text(node / "index", "0") == "0":
            found.append(CameraName(int(number), _text(node / "name", f"video{number}")))
    return sorted(found, key=lambda camera: camera.number)


def _text(path: Path, default: str) -> str:
    try:
        return path.read_text(encoding="utf-8", errors="replace").strip() or default
    except OSError:
        return default


def _output(command: tuple[str, ...]) -> str:
    try:
        done = subprocess.run(command, capture_output=True, timeout=_PATIENCE, check=False)
    except (OSError, subprocess.SubprocessError):
        return ""
    return done.stdout.decode("utf-8", errors="replace")


def _names_on_mac(output: str) -> list[str]:
    try:
        items = json.loads(output)["SPCameraDataType"]
        return [str(item["_name"]) for item in items]
    except (ValueError, LookupError, TypeError):
        return []


def _names_on_windows(output: str) -> list[str]:
    try:
        names = json.loads(output)
    except ValueError:
        return []
    return [str(name) for name in (names if isinstance(names, list) else [names])]


def _numbered(names: list[str]) -> list[CameraName]:
    return [CameraName(number, name) for number, name in enumerate(names)]
