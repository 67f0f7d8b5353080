"""The detector as a torch network: YOLOv8n with a head that also gives quads and visibility."""

from __future__ import annotations

import os
from pathlib import Path
from typing import Any, Final

os.environ.setdefault("YOLO_OFFLINE", "true")
os.environ.setdefault("YOLO_AUTOINSTALL", "false")
os.environ.setdefault("YOLO_CONFIG_DIR", str(Path(".cache/ultralytics").resolve()))

import torch
from torch import Tensor, nn
from ultralytics.nn import modules, tasks
from ultralytics.utils import loss, tal

# Ultralytics is not typed.
Conv: Any = modules.Conv
DWConv: Any = modules.DWConv
dist2bbox: Any = tal.dist2bbox
make_anchors: Any = tal.make_anchors

CLASSES: Final = ("index", "face", "back")
#: Numbers of a quad and the visible fraction, see `vision.quads.quad_from_symmetric`.
QUAD_NUMBERS: Final = 8
_BINS: Final = 16
_STRIDES: Final = (8, 16, 32)
_CHANNELS: Final = (64, 128, 256)


class CardHead(nn.Module):
    """Boxes, class scores, quads and visible fractions on three feature maps."""

    def __init__(self) -> None:
        super().__init__()
        self.box = nn.ModuleList(
            nn.Sequential(Conv(c, 64, 3), Conv(64, 64, 3), nn.Conv2d(64, 4 * _BINS, 1))
            for c in _CHANNELS
        )
        self.score = nn.ModuleList(
            nn.Sequential(
                DWConv(c, c, 3), Conv(c, 64, 1), DWConv(64, 64, 3), Conv(64, 64, 1),
                nn.Conv2d(64, len(CLASSES), 1),
            )
            for c in _CHANNELS
        )  # fmt: skip
        self.quad = nn.ModuleList(
            nn.Sequential(
                Conv(c, 48, 1), Conv(48, 48, 3), DWConv(48, 48, 5),
                nn.Conv2d(48, QUAD_NUMBERS + 1, 1),
            )
            for c in _CHANNELS
        )  # fmt: skip
        for layers, rarity in zip(self.score, (2, 2, 0), strict=True):
            # Few anchors hold a card: start from that, or the first steps only learn it.
            last: Any = list(layers.children())[-1]
            nn.init.constant_(last.bias, -4.6 - rarity)

    def forward(self, maps: list[Tensor]) -> dict[str, Any]:
        """Return raw outputs, each B × channels × anchors, and the maps they lie on."""
        return {
            "boxes": _flat(self.box, maps),
            "scores": _flat(self.score, maps),
            "quads": _flat(self.quad, maps),
            "feats": maps,
        }


def _flat(layers: nn.ModuleList, maps: list[Tensor]) -> Tensor:
    return torch.cat([layer(x).flatten(2) for layer, x in zip(layers, maps, strict=True)], 2)


class CardDetector(nn.Module):
    """YOLOv8n's backbone and neck with a `CardHead`."""

    def __init__(self) -> None:
        super().__init__()
        yolo: Any = tasks.DetectionModel
        body = yolo("yolov8n.yaml", nc=len(CLASSES), verbose=False)
        self.layers = nn.ModuleList(body.model[:-1])
        self.head = CardHead()
        self.saved = sorted({15, 18, 21, *body.save})

    def forward(self, image: Tensor) -> dict[str, Any]:
        """Return the head's raw outputs for *image* (B × 3 × H × W, RGB in 0 to 1)."""
        kept: dict[int, Tensor] = {}
        x: Any = image
        for number, layer in enumerate(self.layers):
            source: Any = layer.f
            if source != -1:
                x = [x if i == -1 else kept[i] for i in source]
            x = layer(x)
            if number in self.saved:
                kept[number] = x
        result: dict[str, Any] = self.head([kept[15], kept[18], kept[21]])
        return result


def start_from(model: CardDetector, checkpoint: Path) -> int:
    """Copy what fits from an Ultralytics YOLOv8n *checkpoint* and return how many tensors did."""
    loaded = torch.load(checkpoint, map_location="cpu", weights_only=False)
    source = (loaded.get("ema") or loaded["model"]).float().state_dict()
    own = model.state_dict()
    fitting = {}
    for name, tensor in source.items():
        _, number, rest = name.split(".", 2)
        target = (
            f"layers.{number}.{rest}" if number != "22" else "head." + rest.replace("cv2", "box")
        )
        if target in own and own[target].shape == tensor.shape:
            fitting[target] = tensor
    model.load_state_dict(fitting, strict=False)
    return len(fitting)


def as_float(part: Any) -> Any:
    """Return a tensor, or a list of them, of the head's outputs in single precision."""
    return [one.float() for one in part] if isinstance(part, list) else part.float()


def decode(raw: dict[str, Any]) -> Tensor:
    """Return raw outputs as `vision.detector.Detector` reads them, B × (4 + classes + 9) × N."""
    anchors, strides = make_anchors(raw["feats"], torch.tensor(_STRIDES), 0.5)
    anchors, strides = anchors.transpose(0, 1)[None], strides.transpose(0, 1)[None]
    batch, _, count = raw["boxes"].shape
    shares = raw["boxes"].view(batch, 4, _BINS, count).softmax(2)
    distances = (shares * torch.arange(_BINS, dtype=torch.float32)[:, None]).sum(2)
    boxes = dist2bbox(distances, anchors, xywh=True, dim=1) * strides
    quads, visible = _decode_quads(raw["quads"], boxes)
    return torch.cat([boxes, raw["scores"].sigmoid(), quads, visible.sigmoid()], 1)


def _decode_quads(raw: Tensor, boxes: Tensor) -> tuple[Tensor, Tensor]:
    """Return B × 8 × anchors in pixels, and the logits of the visible fraction.

    The raw numbers are relative to *boxes* (B × 4 × anchors: centre x, y, width, height in pixels),
    so that the quad's branch need not learn again what the box's branch knows: place and size.
    """
    shape = raw[:, :QUAD_NUMBERS] * (boxes[:, 2:3] + boxes[:, 3:4])
    centre = shape[:, :2] + boxes[:, :2]
    return torch.cat([centre, shape[:, 2:]], 1), raw[:, QUAD_NUMBERS:]


class ExportedDetector(nn.Module):
    """The detector as it is exported: decoded outputs in one tensor."""

    def __init__(self, model: CardDetector) -> None:
        super().__init__()
        self.model = model

    def forward(self, image: Tensor) -> Tensor:
        """Return `decode` of the raw outputs."""
        return decode(self.model(image))


class CardLoss(nn.Module):
    """The loss over boxes, classes, quads and visibility.

    Targets are padded to the same number of things a picture: ``boxes`` B × M × 4 (pixels, left
    top right bottom), ``classes`` B × M × 1, ``quads`` B × M × 8 symmetric numbers in pixels,
    ``visible`` B × M, ``used`` B × M × 1 (bool), and ``ignored`` B × K × 4 boxes within which no
    class is taught as absent.
    """

    def __init__(self) -> None:
        super().__init__()
        self._assign = tal.TaskAlignedAssigner(
            topk=10, num_classes=len(CLASSES), alpha=0.5, beta=6.0, stride=list(_STRIDES)
        )
        self._box_loss = loss.BboxLoss(_BINS)

    def forward(self, raw: dict[str, Any], targets: dict[str, Tensor]) -> dict[str, Tensor]:
        """Return the parts of the loss; their sum is to be minimised."""
        distances = raw["boxes"].permute(0, 2, 1).contiguous()
        scores = raw["scores"].permute(0, 2, 1).contiguous()
        anchors, strides = make_anchors(raw["feats"], torch.tensor(_STRIDES), 0.5)
        batch, count, _ = distances.shape
        bins = torch.arange(_BINS, dtype=torch.float32)
        expected = distances.view(batch, count, 4, _BINS).softmax(3).matmul(bins)
        boxes = dist2bbox(expected, anchors, xywh=False)
        _, target_boxes, target_scores, found, which = self._assign(
            scores.detach().sigmoid(),
            boxes.detach() * strides,
            anchors * strides,
            targets["classes"],
            targets["boxes"],
            targets["used"],
        )
        total = target_scores.sum().clamp(min=1)
        class_loss = nn.functional.binary_cross_entropy_with_logits(
            scores, target_scores, reduction="none"
        )
        taught = found[..., None] | ~_inside_any(anchors * strides, targets["ignored"])[..., None]
        size = torch.tensor(raw["feats"][0].shape[2:]) * _STRIDES[0]
        iou_loss, dfl_loss = self._box_loss(
            distances, boxes, anchors, target_boxes / strides, target_scores, total, found,
            size, strides,
        )  # fmt: skip
        quad_loss, visible_loss = _quad_loss(
            raw["quads"],
            boxes.detach() * strides,
            targets,
            found,
            which,
            target_scores.sum(-1),
            total,
        )
        return {
            "box": 7.5 * iou_loss,
            "class": 0.5 * (class_loss * taught).sum() / total,
            "dfl": 1.5 * dfl_loss,
            "quad": 8.0 * quad_loss,
            "visible": 0.2 * visible_loss,
        }


def _quad_loss(
    raw: Tensor,
    boxes: Tensor,
    targets: dict[str, Tensor],
    found: Tensor,
    which: Tensor,
    weights: Tensor,
    total: Tensor,
) -> tuple[Tensor, Tensor]:
    """Return the quads' mean error in diagonals, and the visibility's cross-entropy."""
    low, high = boxes.permute(0, 2, 1).chunk(2, 1)
    predicted, visible = _decode_quads(raw, torch.cat([(low + high) / 2, high - low], 1))
    predicted = predicted.permute(0, 2, 1)[found]
    picture = torch.arange(len(found))[:, None].expand_as(which)[found]
    wanted = targets["quads"][picture, which[found]]
    scale = (wanted[:, 4:6].norm(dim=1) + wanted[:, 6:8].norm(dim=1)) / 2
    error = (predicted - wanted).abs().mean(1) / scale.clamp(min=4)
    wanted_visible = targets["visible"][picture, which[found]]
    entropy = nn.functional.binary_cross_entropy_with_logits(
        visible[:, 0][found], wanted_visible, reduction="none"
    )
    weight = weights[found]
    return (error * weight).sum() / total, (entropy * weight).sum() / total


def _inside_any(points: Tensor, boxes: Tensor) -> Tensor:
    """Return B × N: whether each of N *points* lies in one of the B × K *boxes*."""
    low = points[None, :, None] >= boxes[:, None, :, :2]
    high = points[None, :, None] <= boxes[:, None, :, 2:]
    return (low & high).all(-1).any(-1)
