from __future__ import annotations

import numpy as np
import pytest

from datasets import codec, optics
from datasets.optics import Harshness, photograph


def picture() -> np.ndarray:
    """Dark bars on light paper, 120 x 160."""
    image = np.full((120, 160, 3), 225, np.uint8)
    image[:, ::16] = 30
    image[:, 1::16] = 30
    return image


def sharpness(image: np.ndarray) -> float:
    return float(np.abs(np.diff(image[..., 1].astype(int), axis=1)).mean())


def test_photographs_keep_shape_and_type() -> None:
    for seed in range(40):
        out = photograph(picture(), np.random.default_rng(seed), reach=2.0)
        assert out.shape == (120, 160, 3)
        assert out.dtype == np.uint8


def test_harsh_pictures_are_worse_than_mild_ones() -> None:
    def mean(harsh: float) -> float:
        bad = Harshness(harsh, harsh, 0.0)
        rngs = [np.random.default_rng(seed) for seed in range(30)]
        return float(
            np.mean([sharpness(photograph(picture(), r, reach=4, harsh=bad)) for r in rngs])
        )

    assert mean(1.0) < 0.8 * mean(0.0)


def test_dim_pictures_are_dark_and_washed_ones_pale() -> None:
    def seen(always: str) -> list[np.ndarray]:
        bad = Harshness(0.2, 0.2, 0.2, always)
        return [
            photograph(picture(), np.random.default_rng(seed), reach=1, harsh=bad)
            for seed in range(20)
        ]

    plain, dim, washed = seen(""), seen("dim"), seen("wash")
    assert np.mean([i.mean() for i in dim]) < 0.6 * np.mean([i.mean() for i in plain])
    assert np.mean([i.std() for i in washed]) < 0.95 * np.mean([i.std() for i in plain])


def test_noise_has_the_promised_strength() -> None:
    grey = np.full((200, 200, 3), 128, np.uint8)
    stds = [optics.noise(grey, np.random.default_rng(n), 0.0).std() for n in range(20)]
    assert min(stds) > 0.3
    assert max(stds) < 4


@pytest.mark.train
def test_video_keeps_the_picture_and_is_repeatable() -> None:
    pytest.importorskip("av")
    image = picture()[:119, :157]
    fine, again, coarse = codec.video(image, 18), codec.video(image, 18), codec.video(image, 42)
    assert fine.shape == image.shape
    assert fine.tobytes() == again.tobytes()

    def error(seen: np.ndarray) -> float:
        return float(np.abs(seen.astype(int) - image).mean())

    assert error(fine) < 8
    assert error(fine) < error(coarse)
