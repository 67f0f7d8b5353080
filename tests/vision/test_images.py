from __future__ import annotations

import os
import struct
import tracemalloc
import zlib
from pathlib import Path

import cv2
import numpy as np
import pytest

from vision.errors import ImageError
from vision.headers import image_kind, read_header
from vision.images import as_bgr8, decode_image, read_image
from vision.sources import SourceError
from vision.sources.folders import FolderSource


def encoded(image: np.ndarray, suffix: str) -> bytes:
    done, data = cv2.imencode(suffix, image)
    assert done
    return bytes(data)


def gradient(dtype: type = np.uint8, channels: int = 3) -> np.ndarray:
    top = np.iinfo(dtype).max
    ramp = np.linspace(0, top, 40).astype(dtype)
    return np.repeat(np.tile(ramp, (30, 1))[..., None], channels, axis=2)


def png(width: int, height: int, bits: int = 8) -> bytes:
    """Return the beginning of a picture of this size, with next to nothing in it."""

    def chunk(kind: bytes, data: bytes) -> bytes:
        body = kind + data
        return struct.pack(">I", len(data)) + body + struct.pack(">I", zlib.crc32(body))

    header = struct.pack(">IIBBBBB", width, height, bits, 2, 0, 0, 0)
    return b"\x89PNG\r\n\x1a\n" + chunk(b"IHDR", header) + chunk(b"IDAT", zlib.compress(b"\0"))


def tiff(order: str, w: int = 0, h: int = 0, bits: int = 8, tile: int = 0) -> bytes:
    """Return the first folder of a picture; what is 0 is not said."""
    sizes = [(256, 3, w), (257, 4, h), (322, 3, tile), (323, 3, tile)]
    said = [(tag, kind, value) for tag, kind, value in sizes if value]
    data = (b"II*\0" if order == "<" else b"MM\0*") + struct.pack(order + "IH", 8, len(said) + 1)
    place = 8 + 2 + 12 * (len(said) + 1) + 4
    for tag, kind, value in said:
        data += struct.pack(order + "HHI", tag, kind, 1)
        data += struct.pack(order + ("HH" if kind == 3 else "I"), *[value, 0][: 5 - kind])
    data += struct.pack(order + "HHII", 258, 3, 3, place) + bytes(4)
    return data + struct.pack(order + "HHH", bits, bits, bits)


def webp(kind: bytes, data: bytes) -> bytes:
    return b"RIFF" + bytes(4) + b"WEBP" + kind + bytes(4) + data


def jpeg_frame(width: int, height: int) -> bytes:
    return b"\xff\xc2" + struct.pack(">HBHH", 17, 8, height, width) + bytes(10)


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


@pytest.mark.parametrize("channels", [1, 3, 4])
@pytest.mark.parametrize(
    ("dtype", "white"),
    [
        (np.float32, 1.0),
        (np.float64, 255.0),
        (np.float32, 65535.0),
        (np.float32, 1e9),
        (np.int16, 255),
        (np.int32, 65535),
        (np.int32, 2**31 - 1),
        (np.uint32, 255),
        (np.uint32, 2**32 - 1),
    ],
)
def test_floats_and_deep_integers_keep_their_brightness(
    dtype: type, white: float, channels: int
) -> None:
    shades = gradient() / 255.0 * [1.0, 0.5, 0.25]
    picture = np.dstack([shades, np.ones((30, 40))])[..., :channels]
    image = decode_image(encoded((picture * white).astype(dtype), ".tiff"))
    expected = shades * 255 if channels > 1 else shades[..., :1] * 255
    assert np.abs(image - expected).max() < 2


def test_floats_over_white_and_those_that_are_none_are_read() -> None:
    picture = np.full((4, 4), 0.5, np.float32)
    picture[0] = [1.2, np.nan, np.inf, -np.inf]
    image = as_bgr8(picture)[..., 0]
    assert image[0].tolist() == [255, 0, 255, 0]
    assert image[1:].min() == image[1:].max() == 127
    assert as_bgr8(np.full((4, 4, 3), -1.0)).max() == 0


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


def test_alpha_takes_little_memory_beside_the_picture() -> None:
    data = encoded(np.zeros((2000, 2000, 4), np.uint8), ".png")
    tracemalloc.start()
    try:
        decode_image(data)
        _, peak = tracemalloc.get_traced_memory()
    finally:
        tracemalloc.stop()
    assert peak < 2 * 2000 * 2000 * 4 + 8_000_000


@pytest.mark.parametrize(
    ("data", "told"),
    [
        (png(60_000, 60_000), "60000 × 60000 pixels; .* 110 million"),
        (png(11_000, 10_001), "11000 × 10001 pixels; .* 110 million"),
        (png(9000, 9000, 16), "9000 × 9000 pixels; .* 55 million"),
        (b"GIF89a" + struct.pack("<HH", 60_000, 50_000), "60000 × 50000 "),
        (b"BM" + bytes(12) + struct.pack("<Iii", 40, 60_000, -50_000), "60000 × 50000 "),
        (b"BM" + bytes(12) + struct.pack("<IHH", 12, 60_000, 50_000), "60000 × 50000 "),
        (webp(b"VP8X", bytes(4) + b"\xff\xff\x00\x0f\x27\x00"), "65536 × 10000 "),
        (webp(b"VP8L", b"\x2f" + struct.pack("<I", 11_999 | 9999 << 14)), "12000 × 10000 "),
        (webp(b"VP8 ", bytes(6) + struct.pack("<HH", 12_000, 10_000)), "12000 × 10000 "),
        (tiff("<", w=60_000, h=50_000), "60000 × 50000 "),
        (tiff(">", w=60_000, h=50_000), "60000 × 50000 "),
        (tiff("<", w=6000, h=5000, bits=64), "6000 × 5000 pixels; .* 13 million"),
        (tiff("<", w=60, h=50, tile=20_000), "20000 × 20000 "),
        (b"\xff\xd8\xff\xff\xfe\0\2 \xff\xd0" + jpeg_frame(60_000, 50_000), "60000 × 50000 "),
    ],
)
def test_a_picture_that_would_need_gigabytes_is_refused_by_its_header(
    data: bytes, told: str, tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setattr(cv2, "imdecode", None)
    with pytest.raises(ImageError, match=told) as caught:
        decode_image(data)
    assert caught.value.key == "image.pixels"
    (tmp_path / "1.png").write_bytes(data)
    with pytest.raises(SourceError, match="No picture in the folder"):
        FolderSource(tmp_path)


@pytest.mark.parametrize(
    "data",
    [
        tiff("<", h=50),
        tiff("<", w=60, h=50)[:30],
        png(60, 50)[:20],
        png(60, 50).replace(b"IHDR", b"iHDR"),
        b"\xff\xd8\xff\xe0\x00\x00" + jpeg_frame(60, 50),
        b"RIFF0000WEBPVP8X",
    ],
)
def test_a_header_that_does_not_tell_the_size_is_broken(
    data: bytes, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setattr(cv2, "imdecode", None)
    with pytest.raises(ImageError) as caught:
        decode_image(data)
    assert caught.value.key == "image.broken"


@pytest.mark.parametrize(
    ("suffix", "options"),
    [
        (".png", []),
        (".jpg", []),
        (".jpg", [cv2.IMWRITE_JPEG_PROGRESSIVE, 1]),
        (".bmp", []),
        (".tiff", []),
        (".webp", []),
        (".webp", [cv2.IMWRITE_WEBP_QUALITY, 50]),
    ],
)
def test_headers_tell_the_size(suffix: str, options: list[int]) -> None:
    data = bytes(cv2.imencode(suffix, gradient(), options)[1])
    kind = image_kind(data)
    assert kind is not None
    assert read_header(data, kind) == (40, 30, 1)


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


def test_opencv_says_nothing_beside_the_sentence(capfd: pytest.CaptureFixture[str]) -> None:
    cv2.utils.logging.setLogLevel(cv2.utils.logging.LOG_LEVEL_WARNING)
    with pytest.raises(ImageError):
        decode_image(b"\x89PNG\r\n\x1a\n" + png(8, 8)[8:33])
    assert capfd.readouterr().err == ""


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


@pytest.mark.parametrize(
    ("shape", "dtype"), [((4, 4, 2), "B"), ((4,), "B"), ((0, 4, 3), "B"), ((4, 4), "?")]
)
def test_arrays_that_are_no_pictures_are_refused(shape: tuple[int, ...], dtype: str) -> None:
    with pytest.raises(ImageError, match="H × W × 3"):
        as_bgr8(np.zeros(shape, dtype))
