"""Picture files to arrays: any kind, depth and orientation to H × W × 3 BGR uint8."""

from __future__ import annotations

import stat
from pathlib import Path
from typing import Any, Final

import cv2
import numpy as np
from numpy.typing import NDArray

from vision.errors import ImageError

#: Files over this size, and pictures over this many pixels, are refused unread.
MAX_BYTES: Final = 200_000_000
MAX_PIXELS: Final = 120_000_000

_SIGNATURES: Final = (
    (b"\xff\xd8\xff", "JPEG"),
    (b"\x89PNG\r\n\x1a\n", "PNG"),
    (b"GIF87a", "GIF"),
    (b"GIF89a", "GIF"),
    (b"BM", "BMP"),
    (b"II*\x00", "TIFF"),
    (b"MM\x00*", "TIFF"),
)
_FRAME_MARKERS: Final = frozenset(range(0xC0, 0xD0)) - {0xC4, 0xC8, 0xCC}


def read_image(path: Path | str) -> NDArray[np.uint8]:
    """Return the picture in file *path* as H × W × 3 BGR uint8, turned upright by its EXIF data.

    Raises:
        ImageError: no such file, an empty, broken or huge one, or what is no picture.
    """
    path = Path(path)
    try:
        status = path.stat()
        if stat.S_ISDIR(status.st_mode):
            raise ImageError("image.folder", path=str(path))
        if not stat.S_ISREG(status.st_mode):
            # A pipe may keep one waiting for ever, a device has no end.
            raise ImageError("image.special", path=str(path))
        if status.st_size > MAX_BYTES:
            raise ImageError(
                "image.huge",
                path=str(path),
                size=f"{status.st_size // 1_000_000} MB",
                limit=f"{MAX_BYTES // 1_000_000} MB",
            )
        with path.open("rb") as file:
            # What lies in /proc tells no size.
            data = file.read(MAX_BYTES)
    except FileNotFoundError:
        raise ImageError("image.missing", path=str(path)) from None
    except OSError as error:
        reason = error.strerror or "input error"
        raise ImageError("image.unreadable", path=str(path), reason=reason) from None
    return decode_image(data, str(path))


def decode_image(data: bytes, name: str = "The data") -> NDArray[np.uint8]:
    """Return the picture in *data*; *name* is what errors call it.

    Raises:
        ImageError: *data* is empty, broken, huge or no picture.
    """
    if not data:
        raise ImageError("image.empty", path=name)
    kind = image_kind(data)
    if kind is None:
        raise ImageError("image.kind", path=name)
    size = picture_size(data, kind)
    if size is not None and size[0] * size[1] > MAX_PIXELS:
        raise ImageError(
            "image.huge",
            path=name,
            size=f"{size[0]} × {size[1]} pixels",
            limit=f"{MAX_PIXELS // 1_000_000} megapixels",
        )
    buffer = np.frombuffer(data, np.uint8)
    try:
        # Colour and any depth; OpenCV turns by EXIF unless alpha is asked for, see below.
        image: NDArray[Any] | None = cv2.imdecode(buffer, cv2.IMREAD_COLOR | cv2.IMREAD_ANYDEPTH)
        if image is not None and _has_alpha(data, kind):
            image = _over_white(cv2.imdecode(buffer, cv2.IMREAD_UNCHANGED), image)
    except cv2.error:
        image = None
    if image is None or image.size == 0:
        raise ImageError("image.broken", path=name, kind=kind)
    return as_bgr8(np.asarray(image))


def as_bgr8(image: NDArray[Any]) -> NDArray[np.uint8]:
    """Return *image* (grey, BGR or BGRA of uint8 or uint16, or of float in 0 to 1) as BGR uint8.

    Raises:
        ImageError: the array is not a picture.
    """
    if image.ndim == 2:
        image = image[..., None]
    if image.ndim != 3 or image.shape[2] not in (1, 3, 4) or 0 in image.shape:
        raise ImageError("image.array", shape=image.shape, dtype=image.dtype)
    if image.dtype == np.uint16:
        image = (image >> 8).astype(np.uint8)
    elif np.issubdtype(image.dtype, np.floating):
        image = np.clip(np.nan_to_num(image) * 255, 0, 255).astype(np.uint8)
    elif image.dtype != np.uint8:
        raise ImageError("image.array", shape=image.shape, dtype=image.dtype)
    if image.shape[2] == 1:
        image = np.repeat(image, 3, axis=2)
    return np.ascontiguousarray(image[..., :3], dtype=np.uint8)


def image_kind(data: bytes) -> str | None:
    """Return the kind of picture that *data* begins like, or None."""
    if data[:4] == b"RIFF" and data[8:12] == b"WEBP":
        return "WebP"
    for signature, kind in _SIGNATURES:
        if data.startswith(signature):
            return kind
    return None


def picture_size(data: bytes, kind: str) -> tuple[int, int] | None:
    """Return (width, height) as the header of *data* states it, None where it does not tell.

    It is read before decoding, so that a small file cannot ask for gigabytes of pixels.
    """
    if kind == "PNG" and len(data) >= 24:
        return int.from_bytes(data[16:20], "big"), int.from_bytes(data[20:24], "big")
    if kind == "GIF" and len(data) >= 10:
        return int.from_bytes(data[6:8], "little"), int.from_bytes(data[8:10], "little")
    if kind == "BMP" and len(data) >= 26:
        width, height = (int.from_bytes(data[i : i + 4], "little", signed=True) for i in (18, 22))
        return abs(width), abs(height)
    if kind == "JPEG":
        return _jpeg_size(data)
    return None


def _jpeg_size(data: bytes) -> tuple[int, int] | None:
    at = 2
    while at + 9 < len(data) and data[at] == 0xFF:
        if data[at + 1] in _FRAME_MARKERS:
            height, width = (int.from_bytes(data[at + i : at + i + 2], "big") for i in (5, 7))
            return width, height
        at += 2 + int.from_bytes(data[at + 2 : at + 4], "big")
    return None


def _has_alpha(data: bytes, kind: str) -> bool:
    # A palette with transparency is drawn by OpenCV itself; colour types 4 and 6 carry alpha.
    return kind == "PNG" and len(data) > 25 and data[25] in (4, 6)


def _over_white(with_alpha: NDArray[Any] | None, plain: NDArray[Any]) -> NDArray[Any]:
    """Lay a picture with alpha over white; what lies under clear pixels is arbitrary."""
    if with_alpha is None or with_alpha.ndim != 3 or with_alpha.shape[2] != 4:
        return plain
    top = 65535.0 if with_alpha.dtype == np.uint16 else 255.0
    pixels = np.asarray(with_alpha, np.float32) / top
    alpha = pixels[..., 3:]
    flat = pixels[..., :3] * alpha + (1 - alpha)
    return np.asarray(flat * 255 + 0.5, np.uint8)
