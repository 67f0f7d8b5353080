from __future__ import annotations

import hashlib
import json
from pathlib import Path

import numpy as np
import pytest

from vision.reader import CardReader
from vision.weights import Weights

pytest.importorskip("ultralytics")

from models.train import PARTS, train

pytestmark = pytest.mark.train


# torch warns of its exporter's age.
@pytest.mark.filterwarnings("ignore")
def test_training_goes_from_rendering_to_weights_and_goes_on_where_it_was(tmp_path: Path) -> None:
    weights, runs = tmp_path / "weights", tmp_path / "runs"
    said: list[str] = []

    def run(steps: int) -> None:
        train(
            scenes=5,
            shards=0,
            recipes=("table",),
            steps=steps,
            workers=1,
            data=tmp_path / "data",
            runs=runs,
            weights=weights,
            judged=2,
            pretrained=False,
            say=said.append,
        )

    run(1)
    loaded = Weights.load(weights)
    assert set(PARTS) < set(loaded.manifest)
    assert set(loaded.manifest["letters"]) == {"german", "french"}
    assert loaded.manifest["reading"]["index_weight"] > 0
    for part in PARTS:
        data = loaded.read(part)
        assert hashlib.sha256(data).hexdigest() == loaded.manifest[part]["sha256"]
    assert isinstance(CardReader("fast", weights).read(np.full((96, 128, 3), 90, np.uint8)), list)
    rendered = sorted(path.stat().st_mtime_ns for path in tmp_path.glob("data/**/*.jpg"))
    first = (weights / "detector.onnx").read_bytes()
    run(2)
    assert sorted(p.stat().st_mtime_ns for p in tmp_path.glob("data/**/*.jpg")) == rendered
    assert (weights / "detector.onnx").read_bytes() != first
    for name in PARTS:
        assert (runs / f"{name}.pt").exists()
    assert len(said) == 2 * (2 + len(PARTS))

    _run_checkpoint(weights, runs)


@pytest.mark.filterwarnings("ignore")
def test_training_goes_on_from_exported_weights(tmp_path: Path) -> None:
    """Without a checkpoint; what is not trained is taken over as it is."""
    shipped = Weights.load()
    weights = tmp_path / "weights"
    train(
        ("face", "detector"),
        scenes=4,
        shards=0,
        recipes=("table", "swept"),
        steps=1,
        workers=1,
        data=tmp_path / "data",
        runs=tmp_path / "runs",
        weights=weights,
        judged=2,
        begin=shipped.folder,
        say=lambda _: None,
    )
    loaded = Weights.load(weights)
    for part in PARTS:
        changed = loaded.read(part) != shipped.read(part)
        assert changed == (part in ("face", "detector"))
        assert loaded.manifest[part].keys() == shipped.manifest[part].keys()
    # One gentle step from where the weights were.
    batch = np.random.default_rng(1).random((1, 3, 96, 128)).astype(np.float32)
    before, after = (
        CardReader("fast", folder)._detector._network.run(batch)[0]
        for folder in (shipped.folder, weights)
    )
    assert np.abs(before - after).mean() < 0.02 * np.abs(before).mean()


def _run_checkpoint(weights: Path, runs: Path) -> None:
    """A detector's checkpoint runs through torch as its ONNX file does through ONNX Runtime."""
    image = np.random.default_rng(0).integers(0, 255, (128, 160, 3)).astype(np.uint8)
    plain = CardReader("fast", weights)
    manifest = json.loads((weights / "manifest.json").read_text("utf-8"))
    data = (runs / "detector.pt").read_bytes()
    (weights / "detector.pt").write_bytes(data)
    manifest["detector"] |= {"file": "detector.pt", "sha256": hashlib.sha256(data).hexdigest()}
    (weights / "manifest.json").write_text(json.dumps(manifest), "utf-8")
    torch = CardReader("fast", weights)
    assert torch.runtime == "torch"
    batch = np.random.default_rng(1).random((1, 3, 96, 128)).astype(np.float32)
    one, other = (reader._detector._network.run(batch)[0] for reader in (plain, torch))
    assert one.shape == other.shape
    assert np.abs(one - other).max() < 1e-2 * max(1.0, np.abs(one).max())
    assert isinstance(torch.read(image), list)
