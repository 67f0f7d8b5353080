from __future__ import annotations

import numpy as np
import pytest

pytestmark = pytest.mark.train
torch = pytest.importorskip("torch")
pytest.importorskip("ultralytics")
pytest.importorskip("onnx")

from models.detector_net import CardDetector, ExportedDetector  # noqa: E402
from models.export import fuse, to_onnx  # noqa: E402
from models.name_net import FACE, INDEX, ExportedNamer, NameNet  # noqa: E402
from vision.runtimes import OnnxNetwork  # noqa: E402


def randomised(model):  # type: ignore[no-untyped-def]
    """Give batch norms statistics that differ from their defaults, so that fusing is tested."""
    torch.manual_seed(3)
    for module in model.modules():
        if isinstance(module, torch.nn.BatchNorm2d):
            module.running_mean.normal_(0, 0.1)
            module.running_var.uniform_(0.5, 1.5)
    return model.eval()


@pytest.mark.filterwarnings("ignore")
@pytest.mark.parametrize("kind", [INDEX, FACE])
def test_an_exported_namer_gives_torch_answers(kind) -> None:  # type: ignore[no-untyped-def]
    model = randomised(NameNet(kind))
    crops = torch.rand(5, 3, *kind.size) - 0.5
    with torch.no_grad():
        wanted = [part.numpy() for part in ExportedNamer(model, 1.3, 0.8)(crops)]
    fuse(model)
    data = to_onnx(ExportedNamer(model, 1.3, 0.8), crops[:2], ["rank", "suit"], {0: "crops"})
    found = OnnxNetwork(data, 1).run(crops.numpy())
    for one, other in zip(found, wanted, strict=True):
        assert one == pytest.approx(other, abs=1e-4)
        assert one.sum(1) == pytest.approx(np.ones(5), abs=1e-4)


@pytest.mark.filterwarnings("ignore")
def test_an_exported_detector_gives_torch_answers_at_any_size() -> None:
    model = randomised(CardDetector())
    image = torch.rand(1, 3, 96, 160)
    with torch.no_grad():
        wanted = ExportedDetector(model)(image).numpy()
    fuse(model)
    free = {2: "height", 3: "width"}
    data = to_onnx(ExportedDetector(model), torch.zeros(1, 3, 64, 96), ["predictions"], free)
    (found,) = OnnxNetwork(data, 1).run(image.numpy())
    assert found.shape == wanted.shape == (1, 16, 20 * 12 + 10 * 6 + 5 * 3)
    assert found == pytest.approx(wanted, rel=1e-3, abs=2e-3)
