from __future__ import annotations

import numpy as np
import pytest

pytestmark = pytest.mark.train
torch = pytest.importorskip("torch")
pytest.importorskip("ultralytics")
onnx = pytest.importorskip("onnx")

from models.continued import take_exported  # noqa: E402
from models.corner_net import CornerNet  # noqa: E402
from models.detector_net import CardDetector, ExportedDetector  # noqa: E402
from models.export import fuse, to_onnx  # noqa: E402
from models.name_net import FACE, INDEX, ExportedNamer, NameNet  # noqa: E402
from vision.runtimes import OnnxNetwork  # noqa: E402
from vision.weights import Weights  # noqa: E402

#: Each network as it is trained, as it is exported, and the shape of one input.
NETWORKS = {
    "index": (lambda: NameNet(INDEX), ExportedNamer, (3, 64, 64)),
    "face": (lambda: NameNet(FACE), ExportedNamer, (3, 96, 64)),
    "corners": (CornerNet, lambda model: model, (3, 80, 56)),
    "detector": (CardDetector, ExportedDetector, (3, 96, 128)),
}


def temperatures(exported: bytes) -> list[float]:
    """What the logits are divided by in an exported namer: ranks, then suits."""
    graph = onnx.load_from_string(exported).graph
    made = {node.output[0]: node for node in graph.node}
    return [
        float(onnx.numpy_helper.to_array(made[node.input[1]].attribute[0].t))
        for node in graph.node
        if node.op_type == "Div"
    ]


@pytest.mark.parametrize("part", list(NETWORKS))
def test_training_goes_on_from_the_shipped_weights_with_their_answers(part: str) -> None:
    make, wrap, shape = NETWORKS[part]
    exported = Weights.load().read(part)
    torch.manual_seed(5)
    model = make()
    model.train()
    take_exported(model, exported, torch.rand(6, *shape) - 0.5)
    assert model.training
    network = wrap(model.eval())
    if part in ("index", "face"):
        network = ExportedNamer(model, *temperatures(exported))
    batch = torch.rand(1, *shape) - (0.0 if part == "detector" else 0.5)
    with torch.no_grad():
        answers = network(batch)
    found = [answers] if torch.is_tensor(answers) else list(answers)
    wanted = OnnxNetwork(exported, 1).run(batch.numpy())
    assert len(found) == len(wanted)
    for one, other in zip(found, wanted, strict=True):
        # Pixels of boxes count in hundreds.
        assert one.numpy() == pytest.approx(other, rel=1e-4, abs=2e-4)


def test_in_training_what_is_taken_up_sees_normalised_maps() -> None:
    """The statistics are those of the sample, so that a step in training changes little."""
    torch.manual_seed(6)
    model = NameNet(FACE)
    sample = torch.rand(64, 3, *FACE.size) - 0.5
    take_exported(model, Weights.load().read("face"), sample)
    with torch.no_grad():
        still = model.eval().features(sample)
        moving = model.train().features(sample)
    assert float((still - moving).abs().mean()) < 0.05 * float(still.abs().mean())


@pytest.mark.filterwarnings("ignore")
def test_weights_of_another_network_are_refused() -> None:
    with pytest.raises(ValueError, match="another network"):
        take_exported(NameNet(INDEX), Weights.load().read("face"), torch.zeros(1, 3, 64, 64))
    with pytest.raises(ValueError, match="not an ONNX file"):
        take_exported(CornerNet(), b"weights", torch.zeros(1, 3, 80, 56))
    model = CornerNet()
    fuse(model)
    sample = torch.zeros(2, 3, 80, 56)
    data = to_onnx(model, sample, ["offsets"], {0: "crops"})
    again = CornerNet()
    take_exported(again, data, sample)
    assert np.isfinite(again.eval()(sample).detach().numpy()).all()
