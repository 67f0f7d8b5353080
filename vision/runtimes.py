"""Running a network: ONNX Runtime always, OpenVINO where it is installed and faster.

Detectors in ``.pt`` files run through torch and Ultralytics, which the ``train`` extra brings.
"""

from __future__ import annotations

import importlib
import importlib.util
import io
import pickle
import time
from typing import Any, Final, Protocol

import numpy as np
import onnxruntime  # type: ignore[import-untyped]
from numpy.typing import NDArray

from vision.errors import WeightsError
from vision.extras import install_command

RUNTIMES: Final = ("auto", "onnx", "openvino")


class Network(Protocol):
    """A loaded network with one input."""

    runtime: str

    def run(self, batch: NDArray[np.float32]) -> list[NDArray[np.float32]]:
        """Return the outputs for *batch* (N × 3 × H × W), in the order the file states."""


class OnnxNetwork:
    """A network run by ONNX Runtime on *threads* threads."""

    runtime = "onnx"

    def __init__(self, model: bytes, threads: int) -> None:
        options = onnxruntime.SessionOptions()
        options.intra_op_num_threads = threads
        options.inter_op_num_threads = 1
        # Threads that wait busily take time from everything else that runs beside.
        options.add_session_config_entry("session.intra_op.allow_spinning", "0")
        # Only errors: hints about shapes are of no use to a player.
        options.log_severity_level = 3
        self._session = onnxruntime.InferenceSession(
            model, options, providers=["CPUExecutionProvider"]
        )
        self._input = self._session.get_inputs()[0].name

    def run(self, batch: NDArray[np.float32]) -> list[NDArray[np.float32]]:
        """Return the outputs for *batch*."""
        return [np.asarray(array) for array in self._session.run(None, {self._input: batch})]


class OpenVinoNetwork:
    """A network run by OpenVINO on *threads* threads.

    Raises:
        WeightsError: OpenVINO is not installed.
    """

    runtime = "openvino"

    def __init__(self, model: bytes, threads: int) -> None:
        if not openvino_installed():
            raise WeightsError("weights.openvino", command=install_command("openvino"))
        core: Any = importlib.import_module("openvino").Core()
        settings = {"INFERENCE_NUM_THREADS": threads, "PERFORMANCE_HINT": "LATENCY"}
        self._compiled = core.compile_model(core.read_model(model, b""), "CPU", settings)

    def run(self, batch: NDArray[np.float32]) -> list[NDArray[np.float32]]:
        """Return the outputs for *batch*."""
        result = self._compiled([batch])
        return [np.array(result[output]) for output in self._compiled.outputs]


class TorchNetwork:
    """A detector in a ``.pt`` file: one of Ultralytics' YOLO, or a checkpoint of ``pisti train``.

    Such files can hold any program: only those whose sha256 is in the manifest get here.

    Raises:
        WeightsError: the ``train`` extra is not installed, or the file holds no such detector.
    """

    runtime = "torch"

    def __init__(self, model: bytes, threads: int) -> None:
        if importlib.util.find_spec("ultralytics") is None:
            raise WeightsError("weights.torch", command=install_command("train"))
        net: Any = importlib.import_module("models.detector_net")
        self._torch: Any = importlib.import_module("torch")
        self._torch.set_num_threads(threads)
        try:
            held = self._torch.load(io.BytesIO(model), map_location="cpu", weights_only=False)
            if "averaged" in held:
                detector = net.CardDetector()
                detector.load_state_dict(held["averaged"])
                self._model = net.ExportedDetector(detector).eval()
            else:
                self._model = (held.get("ema") or held["model"]).float().eval()
        except (pickle.UnpicklingError, RuntimeError, KeyError, TypeError, EOFError):
            raise WeightsError("weights.not_detector") from None

    def run(self, batch: NDArray[np.float32]) -> list[NDArray[np.float32]]:
        """Return the outputs for *batch*."""
        with self._torch.inference_mode():
            answer = self._model(self._torch.from_numpy(batch))
        first = answer if hasattr(answer, "numpy") else answer[0]
        return [np.asarray(first.numpy(), np.float32)]


def openvino_installed() -> bool:
    """Return whether the optional runtime is there."""
    return importlib.util.find_spec("openvino") is not None


def open_network(
    model: bytes,
    runtime: str,
    threads: int,
    sample: tuple[int, int] | None = None,
    suffix: str = ".onnx",
) -> Network:
    """Return *model* (the bytes of an ONNX or a ``.pt`` file), ready to run.

    Args:
        model: the file's bytes.
        runtime: one of `RUNTIMES`; ``auto`` takes OpenVINO where it is installed and faster.
        threads: how many threads one run may use.
        sample: (height, width) of a usual input, on which ``auto`` times the two runtimes; without
            it ``auto`` is ONNX Runtime.
        suffix: of the file; what is in a ``.pt`` file runs through torch whatever *runtime* says.

    Raises:
        WeightsError: an unknown runtime, or one that is not installed.
    """
    if runtime not in RUNTIMES:
        raise WeightsError("weights.runtime", name=runtime, known=", ".join(RUNTIMES))
    if suffix == ".pt":
        return TorchNetwork(model, threads)
    if runtime == "openvino":
        return OpenVinoNetwork(model, threads)
    network = OnnxNetwork(model, threads)
    if runtime == "onnx" or sample is None or not openvino_installed():
        return network
    other = OpenVinoNetwork(model, threads)
    batch = np.zeros((1, 3, *sample), np.float32)
    faster = seconds_per_run(other, batch) < 0.9 * seconds_per_run(network, batch)
    return other if faster else network


def seconds_per_run(network: Network, batch: NDArray[np.float32], runs: int = 3) -> float:
    """Return the shortest of *runs* timed runs, after one to warm up, in seconds."""
    network.run(batch)
    times = []
    for _ in range(runs):
        start = time.perf_counter()
        network.run(batch)
        times.append(time.perf_counter() - start)
    return min(times)
