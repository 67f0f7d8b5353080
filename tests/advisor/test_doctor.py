"""`pisti doctor`."""

import json

import cv2
import numpy as np
import pytest
from click.testing import CliRunner

from advisor.cli.main import group
from advisor.messages import LANGUAGES


@pytest.fixture(autouse=True)
def quick(monkeypatch):
    """Timing itself is not under test."""
    monkeypatch.setattr("vision.health.milliseconds", lambda setting, runs=5: 80.0)


@pytest.fixture
def folder(tmp_path):
    """Two blurred, dark pictures, played as if a camera sent them."""
    for name in ("a.png", "b.png"):
        image = np.full((120, 160, 3), 20, np.uint8)
        (tmp_path / name).write_bytes(cv2.imencode(".png", image)[1].tobytes())
    return tmp_path


def pisti(*words):
    return CliRunner().invoke(group, [str(word) for word in words])


def test_doctor_tells_of_runtime_weights_and_speed():
    result = pisti("doctor", "--json")
    assert result.exit_code == 0, result.output
    report = json.loads(result.stdout)
    assert report["ready"]
    assert report["runtimes"]["onnxruntime"]
    assert all(len(part["sha256"]) == 64 for part in report["weights"])
    assert report["speed"] == {"fast_ms": 80.0, "accurate_ms": 80.0, "expect": "good"}
    assert report["camera"] is None


def test_doctor_judges_the_picture_of_a_source(folder):
    report = json.loads(pisti("doctor", "--json", "--camera", folder).stdout)
    camera = report["camera"]
    assert camera["opens"]
    assert camera["size"] == [160, 120]
    assert camera["light"] == "low"
    assert len(camera["advice"]) >= 2


def test_a_source_that_does_not_open_is_one_sentence_and_exit_code_1(tmp_path):
    result = pisti("doctor", "--camera", tmp_path / "missing.mp4")
    assert result.exit_code == 1
    assert "missing.mp4" in result.stdout.splitlines()[-1]


@pytest.mark.parametrize("language", LANGUAGES)
def test_doctor_speaks_every_language(language):
    result = pisti("--language", language, "doctor")
    assert result.exit_code == 0
    assert len(result.stdout.splitlines()) == 6
