from __future__ import annotations

from pathlib import Path

import numpy as np
import pytest

pytest.importorskip("torch")
pytest.importorskip("fontTools")

from models import canvases, letter_crops
from models.canvases import CANVAS, off_quad, render_strangers
from models.crop_cache import ROOMY, CropStore
from models.letter_crops import render_letters

pytestmark = pytest.mark.train


def test_letters_are_rendered_once_and_alike(tmp_path: Path, monkeypatch) -> None:  # type: ignore[no-untyped-def]
    monkeypatch.setattr(letter_crops, "SHARD", 60)
    for name in ("one", "other"):
        render_letters(tmp_path / name, 3, range(1))
    path = tmp_path / "one" / "index-letters3-0000.npz"
    with np.load(path) as one, np.load(tmp_path / "other" / path.name) as other:
        assert one["crops"].shape == (60, ROOMY, ROOMY, 3)
        assert (one["crops"] == other["crops"]).all()
        assert (one["labels"][:, 1] >= 0).all()
        # Courts mostly.
        assert (one["labels"][:, 0] >= 10).mean() > 0.4
    before = path.stat().st_mtime_ns
    render_letters(tmp_path / "one", 3, range(1))
    assert path.stat().st_mtime_ns == before
    assert len(CropStore(tmp_path / "one", "index")) == 60


def test_quads_are_as_far_off_as_the_level_says() -> None:
    rng = np.random.default_rng(1)
    square = np.array([[0, 0], [1, 0], [1, 1], [0, 1]])

    def off(level: float) -> float:
        return float(np.mean([np.abs(off_quad(rng, level) - square).mean() for _ in range(200)]))

    assert off(0.0) == 0.0
    assert 0.01 < off(0.3) < off(1.0) < off(1.7) < 0.25


def test_cards_of_other_games_are_taught_as_no_card(tmp_path: Path, monkeypatch) -> None:  # type: ignore[no-untyped-def]
    monkeypatch.setattr(canvases, "SHARD", 6)
    render_strangers(tmp_path, 3, range(1))
    store = CropStore(tmp_path, "blank")
    crops, labels = store.draw(np.random.default_rng(1), 12)
    assert len(store) == 6
    assert all(crop.shape == (*CANVAS, 3) for crop in crops)
    assert (labels == (13, -1)).all()
