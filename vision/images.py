"""Picture files to arrays: any kind, depth and orientation to H × W × 3 BGR uint8."""

from __future__ import annotations

import stat
from collections.abc import Callable
from pathlib import Path
from typing import Any, Final

import cv2
import numpy as np
from numpy.typing import NDArray

from vision.errors import ImageError
from vision.headers import image_kind, read_header
from vision.quiet import hush

#: Files over this size are refused unread.
MAX_BYTES: Final = 200_000_000
#: So are pictures of more pixels, 12000 × 9000 being what telephones take: reading one of them
#: takes a gigabyte in all. Where values are of several bytes, it is so many pixels fewer.
MAX_PIXELS: Final = 110_000_000

#: Highest values, and what is white in pictures of them; resampled ones run somewhat over it.
_RANGES: Final = ((16.0, 1.0), (2 * 255.0, 255.0), (2 * 65535.0, 65535.0))
#: Pixels that are converted at a time.
_BAND: Final = 1 << 16


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

    Any depth is read. What stands for white in a TIFF of floats or of 32 bits no file says;
    `as_bgr8` tells how it is found.

    Raises:
        ImageError: *data* is empty, broken, huge or no picture. How large the picture is, its
            header says: a small file can ask for gigabytes.
    """
    if not data:
        raise ImageError("image.empty", path=name)
    kind = image_kind(data)
    if kind is None:
        raise ImageError("image.kind", path=name)
    header = read_header(data, kind)
    if header is None:
        raise ImageError("image.broken", path=name, kind=kind)
    most = MAX_PIXELS // max(1, header.depth)
    if header.width * header.height > most:
        raise ImageError(
            "image.pixels",
            path=name,
            width=header.width,
            height=header.height,
            limit=most // 1_000_000,
        )
    hush()
    # Unchanged, OpenCV does not turn by EXIF; but alpha and grey of 32 bits it gives only so.
    unchanged = _has_alpha(data, kind) or header.depth > 2
    flags = cv2.IMREAD_UNCHANGED if unchanged else cv2.IMREAD_COLOR | cv2.IMREAD_ANYDEPTH
    try:
        image: NDArray[Any] | None = cv2.imdecode(np.frombuffer(data, np.uint8), flags)
    except cv2.error:
        image = None
    if image is None or image.size == 0:
        raise ImageError("image.broken", path=name, kind=kind)
    return _over_white(image) if _has_alpha(data, kind) else as_bgr8(image)


def as_bgr8(image: NDArray[Any]) -> NDArray[np.uint8]:
    """Return *image* (grey, BGR or BGRA, of any integers or floats) as BGR uint8.

    White is the highest value of uint8 and uint16. In arrays of other types it is the first of 1
    (of floats alone), 255 and 65535 that fits the highest value there, else that value; floats up
    to 16 count as bright spots of a picture in 0 to 1. What is not a number is black.

    Raises:
        ImageError: the array is not a picture.
    """
    if image.ndim == 2:
        image = image[..., None]
    is_picture = image.ndim == 3 and image.shape[2] in (1, 3, 4) and 0 not in image.shape
    if not is_picture or image.dtype.kind not in "uif":
        raise ImageError("image.array", shape=image.shape, dtype=image.dtype)
    if image.dtype == np.uint16:
        image = _in_bands(image, lambda band: band >> 8)
    elif image.dtype != np.uint8:
        image = _scaled(image)
    if image.shape[2] == 1:
        image = np.repeat(image, 3, axis=2)
    return np.ascontiguousarray(image[..., :3], dtype=np.uint8)


def _scaled(image: NDArray[Any]) -> NDArray[np.uint8]:
    """Return *image*, of which nobody says what is white, as uint8."""
    highest = float(np.max(image, initial=0, where=np.isfinite(image)))
    ranges = _RANGES if image.dtype.kind == "f" else _RANGES[1:]
    white = next((white for most, white in ranges if highest <= most), highest)

    def scale(band: NDArray[Any]) -> NDArray[Any]:
        return np.clip(np.nan_to_num(band.astype(np.float64) * (255 / white)), 0, 255)

    return _in_bands(image, scale)


def _has_alpha(data: bytes, kind: str) -> bool:
    # A palette with transparency is drawn by OpenCV itself; colour types 4 and 6 carry alpha.
    return kind == "PNG" and len(data) > 25 and data[25] in (4, 6)


def _over_white(image: NDArray[Any]) -> NDArray[np.uint8]:
    """Lay *image* over white where it has alpha; what lies under clear pixels is arbitrary."""
    if image.ndim != 3 or image.shape[2] != 4:
        return as_bgr8(image)
    top = np.iinfo(image.dtype).max

    def flat(band: NDArray[Any]) -> NDArray[np.float32]:
        pixels = band.astype(np.float32) / top
        alpha = pixels[..., 3:]
        return np.asarray((pixels[..., :3] * alpha + (1 - alpha)) * 255 + 0.5, np.float32)

    return _in_bands(image, flat)


def _in_bands(
    image: NDArray[Any], convert: Callable[[NDArray[Any]], NDArray[Any]]
) -> NDArray[np.uint8]:
    """Return what *convert* makes of *image*, a few rows at a time: it needs many times as much."""
    rows = max(1, _BAND // image.shape[1])
    bands = (convert(image[at : at + rows]) for at in range(0, len(image), rows))
    first = next(bands)
    done = np.empty((len(image), *first.shape[1:]), np.uint8)
    done[: len(first)] = first
    for at, band in enumerate(bands, start=1):
        done[at * rows : at * rows + len(band)] = band
    return done
