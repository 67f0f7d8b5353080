"""The mean of two sets of weights."""

from __future__ import annotations

import shutil
from pathlib import Path

import numpy as np
import pytest

pytest.importorskip("ultralytics")
onnx = pytest.importorskip("onnx")

from models.mean import mean_network, mean_weights  # noqa: E402
from vision.weights import Weights  # noqa: E402

pytestmark = pytest.mark.train

SHIPPED = Path(__file__).parents[2] / "models" / "weights"


def network(*values: float, name: str = "kernel") -> bytes:
    kernel = onnx.numpy_helper.from_array(np.array(values, np.float32), name)
    x, y = (
        onnx.helper.make_tensor_value_info(n, onnx.TensorProto.FLOAT, [len(values)]) for n in "xy"
    )
    node = onnx.helper.make_node("Mul", ["x", name], ["y"])
    graph = onnx.helper.make_graph([node], "graph", [x], [y], [kernel])
    return bytes(onnx.helper.make_model(graph).SerializeToString())


def kernel_of(data: bytes) -> list[float]:
    (kernel,) = onnx.load_from_string(data).graph.initializer
    return list(onnx.numpy_helper.to_array(kernel))


@pytest.mark.parametrize(("share", "mean"), [(0.0, [1, 2]), (0.5, [2, 0]), (0.75, [2.5, -1])])
def test_kernels_come_to_lie_between(share: float, mean: list[float]) -> None:
    assert kernel_of(mean_network(network(1, 2), network(3, -2), share)) == mean


@pytest.mark.parametrize("other", [network(1, 2, 3), network(1, 2, name="another")])
def test_networks_that_differ_are_refused(other: bytes) -> None:
    with pytest.raises(ValueError, match="differ"):
        mean_network(other, network(1, 2))


def test_what_is_not_named_is_taken_over_and_all_of_it_is_sound(tmp_path: Path) -> None:
    old, new = Weights.load(SHIPPED), tmp_path / "new"
    shutil.copytree(SHIPPED, new)
    mean_weights(old, Weights.load(new), tmp_path / "out", ["corners"])
    written = Weights.load(tmp_path / "out")
    assert written.manifest.keys() == old.manifest.keys()
    for part in ("detector", "index", "face"):
        assert written.read(part) == old.read(part)
    assert written.has("corners")
    with pytest.raises(ValueError, match="no networks indexx"):
        mean_weights(old, written, tmp_path / "none", ["index", "indexx"])
    assert not (tmp_path / "none").exists()
    written.read("corners")
