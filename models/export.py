"""From checkpoints to the weights that ship: ONNX files and their manifest."""

from __future__ import annotations

import hashlib
import io
import json
from collections.abc import Callable, Iterator
from functools import partial
from itertools import pairwise
from pathlib import Path
from typing import Any, Final

import torch
from torch import nn

from models.corner_net import MARGIN, SIZE, CornerNet
from models.detector_net import CLASSES, CardDetector, ExportedDetector
from models.name_net import FACE, INDEX, SUITS, ExportedNamer, NameKind, NameNet
from vision.weights import FORMAT, Weights

#: Longer sides of the detector's input, by setting.
SIZES: Final = {"fast": [640], "accurate": [640, 1280]}
#: The size at which near cards are looked for, see `vision.detector.Detector.find`.
NEAR: Final = 320
_OPSET: Final = 17


def export_all(
    runs: Path,
    folder: Path,
    begin: Weights | None = None,
    reading: dict[str, float] | None = None,
    letters: dict[str, dict[str, list[float]]] | None = None,
) -> Path:
    """Export what there is of the four networks' checkpoints in *runs*.

    Args:
        runs: folder of the checkpoints.
        folder: where to write the ONNX files and ``manifest.json``.
        begin: weights that are taken over where there is no checkpoint.
        reading: fitted numbers, see `vision.evidence.Reading`.
        letters: how other letters are read, see `models.fit_letters`.

    Returns:
        The manifest's path.
    """
    folder.mkdir(parents=True, exist_ok=True)
    manifest: dict[str, Any] = {"format": FORMAT}
    for part, export in _EXPORTS.items():
        checkpoint = runs / f"{part}.pt"
        if checkpoint.exists():
            manifest[part] = export(checkpoint, folder)
        elif begin is not None and begin.has(part):
            data = begin.read(part)
            entry = begin.manifest[part]
            manifest[part] = entry | write_network(folder / str(entry["file"]), data)
    taken = {} if begin is None else begin.manifest
    manifest["letters"] = letters or taken.get("letters", {})
    manifest["reading"] = reading or taken.get("reading", {})
    return write_manifest(folder, manifest)


def _export_detector(checkpoint: Path, folder: Path) -> dict[str, Any]:
    detector = CardDetector()
    detector.load_state_dict(_averaged(checkpoint))
    fuse(detector)
    sample = torch.zeros(1, 3, 384, 640)
    data = to_onnx(ExportedDetector(detector), sample, ["predictions"], {2: "height", 3: "width"})
    return write_network(folder / "detector.onnx", data) | {
        "classes": list(CLASSES), "threshold": 0.3, "sizes": SIZES, "near": NEAR
    }  # fmt: skip


def _export_namer(kind: NameKind, checkpoint: Path, folder: Path) -> dict[str, Any]:
    model = NameNet(kind)
    model.load_state_dict(_averaged(checkpoint))
    fuse(model)
    temperatures = checkpoint.with_suffix(".temperatures.json")
    fitted = json.loads(temperatures.read_text("utf-8")) if temperatures.exists() else {}
    network = ExportedNamer(model, fitted.get("rank", 1.0), fitted.get("suit", 1.0))
    data = to_onnx(network, torch.zeros(2, 3, *kind.size), ["rank", "suit"], {0: "crops"})
    return write_network(folder / f"{kind.name}.onnx", data) | {
        "size": list(kind.size), "ranks": list(kind.ranks), "suits": list(SUITS)
    }  # fmt: skip


def _export_corners(checkpoint: Path, folder: Path) -> dict[str, Any]:
    model = CornerNet()
    model.load_state_dict(_averaged(checkpoint))
    fuse(model)
    data = to_onnx(model, torch.zeros(2, 3, *SIZE), ["offsets"], {0: "crops"})
    return write_network(folder / "corners.onnx", data) | {"size": list(SIZE), "margin": MARGIN}


#: How the checkpoint of each network is exported to a folder; the manifest's entry is returned.
_EXPORTS: Final[dict[str, Callable[[Path, Path], dict[str, Any]]]] = {
    "detector": _export_detector,
    "index": partial(_export_namer, INDEX),
    "face": partial(_export_namer, FACE),
    "corners": _export_corners,
}


def _averaged(checkpoint: Path) -> dict[str, Any]:
    state: dict[str, Any] = torch.load(checkpoint, map_location="cpu", weights_only=True)
    averaged: dict[str, Any] = state["averaged"]
    return averaged


def norms(model: nn.Module) -> Iterator[tuple[nn.Module, str, str]]:
    """Yield each convolution of *model* that a batch normalisation follows, with that.

    As the module that holds both, and their paths in *model*.
    """
    for path, module in model.named_modules():
        parts = dict(module.named_children())
        names = list(parts)
        if not isinstance(module, nn.Sequential):
            names = ["conv", "bn"]
        for first, second in pairwise(names):
            one, other = parts.get(first), parts.get(second)
            if isinstance(one, nn.Conv2d) and isinstance(other, nn.BatchNorm2d):
                stem = f"{path}." if path else ""
                yield module, stem + first, stem + second


def fuse(model: nn.Module) -> None:
    """Fold batch normalisations into the convolutions before them, in place."""
    model.eval()
    for holder, first, second in list(norms(model)):
        convolution, norm = model.get_submodule(first), model.get_submodule(second)
        assert isinstance(convolution, nn.Conv2d)
        assert isinstance(norm, nn.BatchNorm2d)
        folded = nn.utils.fuse_conv_bn_eval(convolution, norm)
        setattr(holder, first.rpartition(".")[2], folded)
        setattr(holder, second.rpartition(".")[2], nn.Identity())


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


def write_manifest(folder: Path, manifest: dict[str, Any]) -> Path:
    """Write *manifest* to *folder* and return its path."""
    path = folder / "manifest.json"
    path.write_text(json.dumps(manifest, indent=1, ensure_ascii=False) + "\n", "utf-8")
    return path


def write_network(path: Path, data: bytes) -> dict[str, Any]:
    """Write the ONNX file *data*; return its name and checksum, as the manifest has them."""
    path.write_bytes(data)
    return {"file": path.name, "sha256": hashlib.sha256(data).hexdigest()}
