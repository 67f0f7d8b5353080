from __future__ import annotations

import shutil
from pathlib import Path

import numpy as np

from vision.health import TIMED, check_weights, runtime_versions, speed_word, timed_picture
from vision.weights import Weights


def test_shipped_weights_are_sound_and_a_changed_file_is_found(tmp_path: Path) -> None:
    parts = check_weights(Weights.load())
    assert {"detector", "index", "face"} <= {part.part for part in parts}
    assert all(part.ok for part in parts)
    folder = tmp_path / "weights"
    shutil.copytree(Weights.load().folder, folder)
    (folder / "face.onnx").write_bytes(b"")
    assert [part.part for part in check_weights(Weights.load(folder)) if not part.ok] == ["face"]


def test_versions_name_the_runtime_that_is_always_there() -> None:
    versions = runtime_versions()
    assert versions["onnxruntime"]
    assert set(versions) == {"onnxruntime", "openvino"}


def test_speed_words() -> None:
    assert [speed_word(ms) for ms in (50, 200, 900)] == ["good", "fair", "slow"]


def test_the_timed_picture_is_the_same_every_time() -> None:
    assert timed_picture().shape == (*TIMED, 3)
    assert np.array_equal(timed_picture(), timed_picture())
