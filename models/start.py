"""The weights that the detector's training begins with.

They are YOLOv8n as trained on photos of everyday things (COCO) and then on drawings of molecules,
from the package ABD-model on PyPI (AGPL-3.0 checkpoint in an MIT package). Starting there instead
of from noise saves most of the training.
"""

from __future__ import annotations

import hashlib
import subprocess
import sys
import zipfile
from pathlib import Path
from typing import Final

_WHEEL: Final = "ABD_model-0.3.0-py3-none-any.whl"
_MEMBER: Final = "ABD_model/ABD.pt"
_SHA256: Final = "c3335b0cc6c504c4ac74b62bf2bc9aa06ecf402fa71184ec88f40a1f37979859"


def starting_weights(folder: Path) -> Path:
    """Return the checkpoint in *folder*, fetched there with pip if it is missing.

    Raises:
        RuntimeError: it cannot be fetched, or it is not the file this project was trained from.
    """
    path = folder / "start.pt"
    if not path.exists():
        folder.mkdir(parents=True, exist_ok=True)
        command = [sys.executable, "-m", "pip", "download", "--no-deps", "--quiet"]
        done = subprocess.run([*command, "--dest", str(folder), "ABD-model==0.3.0"], check=False)
        if done.returncode:
            raise RuntimeError("pip could not fetch ABD-model 0.3.0, which holds the start weights")
        with zipfile.ZipFile(folder / _WHEEL) as wheel:
            path.write_bytes(wheel.read(_MEMBER))
    found = hashlib.sha256(path.read_bytes()).hexdigest()
    if found != _SHA256:
        raise RuntimeError(f"{path} has sha256 {found}, expected {_SHA256}")
    return path
