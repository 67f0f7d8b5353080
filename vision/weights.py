"""The trained weights: where they lie, what they mean, and that they are the right ones.

A folder of weights holds ONNX files and ``manifest.json``::

    {"format": "pisti-weights/1",
     "detector": {"file": "detector.onnx", "sha256": "…", "classes": ["index", "face", "back"],
                  "sizes": {"fast": [640], "accurate": [640, 1280]}, "near": 320},
     "index": {"file": "index.onnx", "sha256": "…", "size": [64, 64],
               "ranks": ["A", …, "K", "none"], "suits": ["S", "H", "D", "C"]},
     "face": {"file": "face.onnx", "sha256": "…", "size": [128, 96], "ranks": […], "suits": […]},
     "corners": {"file": "corners.onnx", "sha256": "…", "size": [80, 56], "margin": 0.18},
     "letters": {"german": {"J": [13 shares], "Q": […], "K": […]}, "french": {…}},
     "reading": {…}}

Sizes of names are [height, width]; ``letters`` says how the index network reads
other letters than J, Q and K (see `vision.names.Namer`), ``reading`` holds the fitted numbers of
`vision.evidence`.
"""

from __future__ import annotations

import hashlib
import json
from dataclasses import dataclass
from importlib.resources import files
from pathlib import Path
from typing import Any, Final

from vision.errors import WeightsError

FORMAT: Final = "pisti-weights/1"


@dataclass(frozen=True)
class Weights:
    """A folder of weights whose manifest was read.

    Attributes:
        folder: where the files lie.
        manifest: the manifest, as in the module's text.
    """

    folder: Path
    manifest: dict[str, Any]

    @classmethod
    def load(cls, folder: Path | str | None = None) -> Weights:
        """Return the weights in *folder*, by default those that ship.

        Raises:
            WeightsError: no manifest, or one of another format.
        """
        folder = Path(str(files("models") / "weights")) if folder is None else Path(folder)
        path = folder / "manifest.json"
        try:
            manifest = json.loads(path.read_text("utf-8"))
        except FileNotFoundError:
            raise WeightsError("weights.missing", path=str(path)) from None
        except (OSError, ValueError) as error:
            raise WeightsError("weights.manifest", path=str(path), reason=str(error)) from None
        if not isinstance(manifest, dict) or manifest.get("format") != FORMAT:
            reason = f"its format is not {FORMAT}"
            raise WeightsError("weights.manifest", path=str(path), reason=reason)
        return cls(folder, manifest)

    def has(self, part: str) -> bool:
        """Return whether the manifest lists *part*."""
        return part in self.manifest

    def read(self, part: str) -> bytes:
        """Return the bytes of *part* (``detector``, ``index``, ``face`` or ``corners``), checked.

        Raises:
            WeightsError: the file is missing or its sha256 is not the manifest's.
        """
        entry = self.manifest[part]
        path = self.folder / str(entry["file"])
        try:
            data: bytes = path.read_bytes()
        except OSError:
            raise WeightsError("weights.missing", path=str(path)) from None
        found = hashlib.sha256(data).hexdigest()
        if found != entry["sha256"]:
            raise WeightsError(
                "weights.changed", path=str(path), found=found, expected=entry["sha256"]
            )
        return data
