from __future__ import annotations

import os
import struct
import zlib
from pathlib import Path

import cv2
import numpy as np
import pytest

from vision.errors import ImageError
from vision.images import as_bgr8, decode_image, read_image


def encoded(image: np.ndarray, suffix: str) -> bytes:
    done, data = cv2.imencode(suffix, image)
    assert done
    return bytes(data)


def gradient(dtype: type = np.uint8, channels: int = 3) -> np.ndarray:
    top = np.iinfo(dtype).max
    ramp = np.linspace(0, top, 40).astype(dtype)
    return np.repeat(np.tile(ramp, (30, 1))[..., None], channels, axis=2)


@pytest.mark.parametrize("suffix", [".png", ".jpg", ".bmp", ".tiff", ".webp"])
def test_every_kind_is_read_as_bgr(suffix: str, tmp_path: Path) -> None:
    path = tmp_path / f"picture{suffix}"
    path.write_bytes(encoded(gradient(), suffix))
    image = read_image(path)
    assert image.shape == (30, 40, 3)
    assert image.dtype == np.uint8
    assert np.abs(image.astype(int) - gradient()).max() < 12


def test_grey_and_sixteen_bit_keep_their_brightness() -> None:
    grey = decode_image(encoded(gradient(channels=1), ".png"))
    deep = decode_image(encoded(gradient(np.uint16), ".png"))
    assert np.abs(grey.astype(int) - gradient()).max() <= 1
    assert np.abs(deep.astype(int) - gradient()).max() <= 1


@pytest.mark.parametrize("dtype", [np.uint8, np.uint16])
def test_alpha_is_laid_over_white(dtype: type) -> None:
    top = np.iinfo(dtype).max
    picture = np.zeros((8, 8, 4), dtype)
    picture[:, :4, 3] = top
    image = decode_image(encoded(picture, ".png"))
    assert image[:, :4].max() == 0
    assert image[:, 4:].min() == 255


def test_exif_rotation_is_applied() -> None:
    data = encoded(gradient(), ".jpg")
    tiff = b"II*\x00\x08\x00\x00\x00" + struct.pack("<HHHIHHI", 1, 0x0112, 3, 1, 6, 0, 0)
    exif = b"\xff\xe1" + struct.pack(">H", len(tiff) + 8) + b"Exif\x00\x00" + tiff
    turned = decode_image(data[:2] + exif + data[2:])
    assert turned.shape == (40, 30, 3)
    assert turned[0].mean() < 30 < 220 < turned[-1].mean()


def test_a_picture_that_would_need_gigabytes_is_refused_by_its_header() -> None:
    def chunk(kind: bytes, data: bytes) -> bytes:
        body = kind + data
        return struct.pack(">I", len(data)) + body + struct.pack(">I", zlib.crc32(body))

    header = struct.pack(">IIBBBBB", 60_000, 60_000, 8, 2, 0, 0, 0)
    bomb = b"\x89PNG\r\n\x1a\n" + chunk(b"IHDR", header) + chunk(b"IDAT", zlib.compress(b"\0"))
    with pytest.raises(ImageError, match="60000 × 60000") as caught:
        decode_image(bomb)
    assert caught.value.key == "image.huge"


@pytest.mark.parametrize(
    ("data", "key"),
    [
        (b"", "image.empty"),
        (b"%PDF-1.7 not a picture", "image.kind"),
        (b"\xff\xd8\xff\xe0 cut short", "image.broken"),
    ],
)
def test_what_is_no_picture_gets_one_sentence(data: bytes, key: str, tmp_path: Path) -> None:
    path = tmp_path / "file.jpg"
    path.write_bytes(data)
    with pytest.raises(ImageError) as caught:
        read_image(path)
    assert caught.value.key == key
    assert str(path) in str(caught.value)
    assert "\n" not in str(caught.value)


def test_missing_files_and_folders_are_named(tmp_path: Path) -> None:
    with pytest.raises(ImageError, match="no file"):
        read_image(tmp_path / "nothing.jpg")
    with pytest.raises(ImageError, match="is a folder"):
        read_image(tmp_path)


def test_a_file_is_read_up_to_the_limit(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr("vision.images.MAX_BYTES", 2_000_000)
    big = tmp_path / "big.jpg"
    big.write_bytes(bytes(3_000_000))
    with pytest.raises(ImageError, match="is 3 MB") as caught:
        read_image(big)
    assert caught.value.key == "image.huge"


@pytest.mark.skipif(not hasattr(os, "mkfifo"), reason="this system has no such files")
def test_pipes_and_devices_are_refused_unopened(tmp_path: Path) -> None:
    os.mkfifo(tmp_path / "pipe.jpg")  # opening one waits for somebody who writes
    for path in (tmp_path / "pipe.jpg", Path("/dev/zero")):
        with pytest.raises(ImageError, match="neither a file nor a folder"):
            read_image(path)


@pytest.mark.parametrize("shape", [(4, 4, 2), (4,), (0, 4, 3)])
def test_arrays_of_other_shapes_are_refused(shape: tuple[int, ...]) -> None:
    with pytest.raises(ImageError, match="H × W × 3"):
        as_bgr8(np.zeros(shape, np.uint8))
