"""What compression does to a picture: JPEG, and H.264 where PyAV is installed."""

from __future__ import annotations

from fractions import Fraction
from importlib.util import find_spec
from typing import Final

import cv2
import numpy as np
from numpy.typing import NDArray

Image = NDArray[np.uint8]

_HAS_AV: Final = find_spec("av") is not None


def compress(image: Image, rng: np.random.Generator, harsh: float) -> Image:
    """*image* (H x W x 3 BGR) as a photo or a video frame keeps it; *harsh* 0 to 1."""
    if rng.random() < 0.3 and _HAS_AV:
        return video(image, int(rng.uniform(19, 25 + 11 * harsh)))
    best = 95 - 55 * harsh
    quality = max(12, int(rng.uniform(best - 20, best + 3)))
    sampling = int(rng.choice([0x411111, 0x221111, 0x211111]))
    options = [cv2.IMWRITE_JPEG_QUALITY, quality, cv2.IMWRITE_JPEG_SAMPLING_FACTOR, sampling]
    _, data = cv2.imencode(".jpg", image, options)
    return np.asarray(cv2.imdecode(data, cv2.IMREAD_COLOR), np.uint8)


def video(image: Image, crf: int) -> Image:
    """*image* as a single H.264 frame of constant rate factor *crf* shows it."""
    import av

    height, width = image.shape[:2]
    odd = (height % 2, width % 2)
    even = cv2.copyMakeBorder(image, 0, odd[0], 0, odd[1], cv2.BORDER_REPLICATE)
    encoder = av.CodecContext.create("libx264", "w")
    assert isinstance(encoder, av.VideoCodecContext)
    encoder.width, encoder.height = even.shape[1], even.shape[0]
    encoder.pix_fmt = "yuv420p"
    encoder.time_base = Fraction(1, 30)
    encoder.thread_count = 1
    encoder.options = {"crf": str(crf), "preset": "superfast", "tune": "zerolatency"}
    planes = np.asarray(cv2.cvtColor(even, cv2.COLOR_BGR2YUV_I420), np.uint8)
    frame = av.VideoFrame.from_ndarray(planes, format="yuv420p")
    frame.pts = 0
    packets = [*encoder.encode(frame), *encoder.encode(None)]
    decoder = av.CodecContext.create("h264", "r")
    assert isinstance(decoder, av.VideoCodecContext)
    decoder.thread_count = 1
    frames = [seen for packet in packets for seen in decoder.decode(packet)]
    frames += decoder.decode(None)
    seen = cv2.cvtColor(frames[0].to_ndarray(format="yuv420p"), cv2.COLOR_YUV2BGR_I420)
    return np.ascontiguousarray(seen[:height, :width], np.uint8)
