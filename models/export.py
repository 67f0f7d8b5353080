"""From checkpoints to the weights that ship: ONNX files and their manifest."""

from __future__ import annotations

import hashlib
import io
import json
from pathlib import Path
from typing import Any, Final

import torch
from torch import nn

from models.corner_net import MARGIN, SIZE, CornerNet
from models.detector_net import CLASSES, CardDetector, ExportedDetector
from models.name_net import FACE, INDEX, SUITS, ExportedNamer, NameKind, NameNet
from vision.weights import FORMAT

#: Longer sides of the detector's input, by setting.
SIZES: Final = {"fast": [640], "accurate": [448, 704, 1088]}
#: The size at which near cards are looked for, see `vision.detector.Detector.find`.
NEAR: Final = 320
_OPSET: Final = 17


def export_all(
    runs: Path,
    folder: Path,
    reading: dict[str, float] | None = None,
    letters: dict[str, dict[str, list[float]]] | None = None,
) -> Path:
    """Export what there is of the four networks' checkpoints in *runs*.

    Args:
        runs: folder of the checkpoints.
        folder: where to write the ONNX files and ``manifest.json``.
        reading: fitted numbers, see `vision.evidence.Reading`.
        letters: how other letters are read, see `models.fit_letters`.

    Returns:
        The manifest's path.
    """
    folder.mkdir(parents=True, exist_ok=True)
    manifest: dict[str, Any] = {"format": FORMAT}
    detector = CardDetector()
    detector.load_state_dict(_averaged(runs / "detector.pt"))
    fuse(detector)
    sample = torch.zeros(1, 3, 384, 640)
    data = to_onnx(ExportedDetector(detector), sample, ["predictions"], {2: "height", 3: "width"})
    manifest["detector"] = _write(folder / "detector.onnx", data) | {
        "classes": list(CLASSES), "threshold": 0.3, "sizes": SIZES, "near": NEAR
    }  # fmt: skip
    for kind in (INDEX, FACE):
        checkpoint = runs / f"{kind.name}.pt"
        if checkpoint.exists():
            manifest[kind.name] = _export_namer(kind, checkpoint, folder)
    if (runs / "corners.pt").exists():
        manifest["corners"] = _export_corners(runs / "corners.pt", folder)
    manifest["letters"] = letters or {}
    manifest["reading"] = reading or {}
    path = folder / "manifest.json"
    path.write_text(json.dumps(manifest, indent=1, ensure_ascii=False) + "\n", "utf-8")
    return path


def _export_namer(kind: NameKind, checkpoint: Path, folder: Path) -> dict[str, Any]:
    model = NameNet(kind)
    model.load_state_dict(_averaged(checkpoint))
    fuse(model)
    temperatures = checkpoint.with_suffix(".temperatures.json")
    fitted = json.loads(temperatures.read_text("utf-8")) if temperatures.exists() else {}
    network = ExportedNamer(model, fitted.get("rank", 1.0), fitted.get("suit", 1.0))
    data = to_onnx(network, torch.zeros(2, 3, *kind.size), ["rank", "suit"], {0: "crops"})
    return _write(folder / f"{kind.name}.onnx", data) | {
        "size": list(kind.size), "ranks": list(kind.ranks), "suits": list(SUITS)
    }  # fmt: skip


def _export_corners(checkpoint: Path, folder: Path) -> dict[str, Any]:
    model = CornerNet()
    model.load_state_dict(_averaged(checkpoint))
    fuse(model)
    data = to_onnx(model, torch.zeros(2, 3, *SIZE), ["offsets"], {0: "crops"})
    return _write(folder / "corners.onnx", data) | {"size": list(SIZE), "margin": MARGIN}


def _averaged(checkpoint: Path) -> dict[str, Any]:
    state: dict[str, Any] = torch.load(checkpoint, map_location="cpu", weights_only=True)
    averaged: dict[str, Any] = state["averaged"]
    return averaged


def fuse(model: nn.Module) -> None:
    """Fold batch normalisations into the convolutions before them, in place."""
    model.eval()
    for module in list(model.modules()):
        convolution = getattr(module, "conv", None)
        norm = getattr(module, "bn", None)
        if isinstance(convolution, nn.Conv2d) and isinstance(norm, nn.BatchNorm2d):
            module.conv = nn.utils.fuse_conv_bn_eval(convolution, norm)
            module.bn = nn.Identity()
        if isinstance(module, nn.Sequential):
            for i in range(len(module) - 1):
                first, second = module[i], module[i + 1]
                if isinstance(first, nn.Conv2d) and isinstance(second, nn.BatchNorm2d):
                    module[i] = nn.utils.fuse_conv_bn_eval(first, second)
                    module[i + 1] = nn.Identity()


def to_onnx(
    model: nn.Module, sample: torch.Tensor, outputs: list[str], free: dict[int, str]
) -> bytes:
    """Return *model* as the bytes of an ONNX file; *free* names input axes of any length."""
    buffer = io.BytesIO()
    axes: dict[str, dict[int, str]] = {"images": free}
    if 0 in free:
        axes |= {name: {0: free[0]} for name in outputs}
    target: Any = buffer
    torch.onnx.export(
        model.eval(), (sample,), target, input_names=["images"], output_names=outputs,
        dynamic_axes=axes, opset_version=_OPSET, dynamo=False,
    )  # fmt: skip
    return buffer.getvalue()


def _write(path: Path, data: bytes) -> dict[str, Any]:
    path.write_bytes(data)
    return {"file": path.name, "sha256": hashlib.sha256(data).hexdigest()}
