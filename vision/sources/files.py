"""Video files, through FFmpeg: true time stamps, upright, as much as can be decoded."""

from __future__ import annotations

import os
from collections.abc import Iterator
from pathlib import Path
from typing import Final, TypeAlias

import av
import numpy as np
from av.codec.context import CodecContext
from av.container import InputContainer
from av.stream import Disposition
from av.video.reformatter import VideoReformatter
from av.video.stream import VideoStream
from numpy.typing import NDArray

from vision.sources.clock import TOLERANCE, Clock, Thinning
from vision.sources.display import Turn, shown_size, turn_of, turned
from vision.sources.errors import SourceError
from vision.sources.frames import Frame, Recording, Timing
from vision.sources.scaling import check_largest, fitted, scaled_size

#: Threads that decode one file. Each holds a few undecoded and decoded pictures.
THREADS: Final = min(4, os.cpu_count() or 1)

# How far before the wanted time to start decoding, in seconds: indexes of files name decoding
# times, which run a little ahead, and some kinds of file land late.
_SEEK_BEFORE: Final = (0.5, 10.0)
# Formats whose header states the duration; in others it is a guess from what is there.
_STATED_DURATION: Final = ("mp4", "matroska")
# FFmpeg shows a text as a film of a terminal; no recording of a game looks like that.
_NOT_VIDEO: Final = frozenset({"tty", "bin", "xbin", "adf", "idf"})
_DEFAULT_RATE: Final = 25.0

# A decoded picture and its time in seconds.
_Picture: TypeAlias = tuple[av.VideoFrame, float]


class FileSource(Recording):
    """The frames of one video file, decoded one at a time.

    A file that is damaged or cut short gives everything that can be decoded, then ends; `problem`
    says what was wrong. Sound is passed over.

    Args:
        path: the file.
        every: least distance of two frames, in seconds; those between are decoded, not converted.
        largest: no side of an image is longer than this, in pixels.

    Raises:
        SourceError: the file is missing, cannot be opened, or holds no video.
    """

    timing = Timing.STAMPS

    def __init__(
        self, path: Path | str, *, every: float | None = None, largest: int | None = None
    ) -> None:
        self.name = str(path)
        self._thinning = Thinning(every)
        check_largest(largest)
        _check_file(Path(path))
        self._reformatter = VideoReformatter()
        self._problem: SourceError | None = None
        self._pictures: Iterator[_Picture] = iter(())
        self._waiting: _Picture | None = None
        # Where times were made up, only a reader from the beginning on comes to the same ones.
        self._can_jump = True
        self._open()
        # The first picture tells whether there is any, and which way up it is.
        first = next(self._pictures, None)
        if first is None:
            self.close()
            raise SourceError("source.no_picture", path=self.name)
        self._turn: Turn = turn_of(first[0])
        width, height = shown_size(first[0], self._turn, self._stream.sample_aspect_ratio)
        self._size: tuple[int, int] = scaled_size(width, height, largest)
        self._waiting = first

    @property
    def size(self) -> tuple[int, int]:
        """(width, height) of every image: upright, with square pixels."""
        return self._size

    @property
    def duration(self) -> float | None:
        """Seconds that the file says it lasts; None when it does not say."""
        return self._duration

    @property
    def problem(self) -> SourceError | None:
        """Damage or an early end met so far."""
        return self._problem

    def seek(self, time: float, number: int = 0) -> None:
        """Go on with the first frame at or after *time* (seconds), which is called *number*."""
        if self._closed:
            return
        if not self._jump(time):
            self._container.close()
            self._open()
        self._thinning.restart(time)
        while (picture := self._next_picture()) is not None and picture[1] < time - TOLERANCE:
            pass
        self._waiting = picture
        self._number = number

    def skip_until(self, time: float) -> None:
        """Hand over nothing before *time*, in seconds; what is passed over counts as frames."""
        self._thinning.hold_until(time)

    def close(self) -> None:
        """Close the file; the iteration ends."""
        self._closed = True
        self._waiting = None
        self._pictures = iter(())
        self._container.close()

    def __next__(self) -> Frame:
        while (picture := self._next_picture()) is not None:
            number = self._number
            self._number += 1
            if self._thinning.wants(picture[1]):
                return Frame(self._converted(picture[0]), picture[1], number)
        raise StopIteration

    def _open(self) -> None:
        """Open the container at its beginning.

        Raises:
            SourceError: it holds no video that can be decoded.
        """
        self._closed = False
        self._container = _open_container(self.name)
        try:
            self._stream = _video_stream(self._container, self.name)
        except BaseException:
            self._container.close()
            raise
        context = self._stream.codec_context
        context.thread_type = "AUTO"
        context.thread_count = THREADS
        self._duration = _duration(self._container, self._stream)
        self._origin = (self._container.start_time or 0) / av.time_base
        self._step = 1 / float(self._stream.average_rate or _DEFAULT_RATE)
        self._number = 0
        self._waiting = None
        self._start_over()

    def _start_over(self) -> None:
        self._clock = Clock(self._step)
        self._pictures = self._decoded()

    def _jump(self, time: float) -> bool:
        """Wind the container to shortly before *time*; return False where that cannot be done."""
        base = self._stream.time_base
        self._can_jump = self._can_jump and not self._clock.patched
        if not self._can_jump or base is None:
            return False
        for before in _SEEK_BEFORE:
            if time <= before:
                return False
            try:
                target = round((time - before + self._origin) / base)
                self._container.seek(target, stream=self._stream)
            except av.FFmpegError:
                return False
            self._start_over()
            self._waiting = next(self._pictures, None)
            if self._waiting is not None and self._waiting[1] <= time and not self._clock.patched:
                return True
        return False

    def _next_picture(self) -> _Picture | None:
        picture, self._waiting = self._waiting, None
        return picture or next(self._pictures, None)

    def _decoded(self) -> Iterator[_Picture]:
        """Yield every frame that can be decoded from here on, with its time in seconds."""
        base = float(self._stream.time_base or 0)
        for packet in self._packets():
            try:
                frames = self._stream.codec_context.decode(packet)
            except av.FFmpegError:
                self._note_damage()
                continue
            for frame in frames:
                if frame.is_corrupt:
                    self._note_damage()
                stamp = frame.pts if frame.pts is not None else frame.dts
                time = self._clock.time(None if stamp is None else stamp * base - self._origin)
                yield frame, time
        self._note_early_end()

    def _packets(self) -> Iterator[av.Packet[VideoStream] | None]:
        """Yield the packets of the video, then None, which makes the decoder give all it holds."""
        packets = self._container.demux(self._stream)
        partial: av.Packet[VideoStream] | None = None
        while True:
            try:
                packet = next(packets, None)
            except av.FFmpegError:
                self._note_damage()
                packet = None
            last = packet is None or packet.size == 0
            # A partial packet at the very end would cost the frames that wait in the decoder.
            if partial is not None and not last:
                yield partial
            if packet is None or last:
                break
            partial = packet if packet.is_corrupt else None
            if partial is None:
                yield packet
            else:
                self._note_damage()
        yield None

    def _note_damage(self) -> None:
        if self._problem is None:
            self._problem = SourceError("source.damaged", path=self.name, time=self._clock.last)

    def _note_early_end(self) -> None:
        time = self._clock.last + self._step
        stated = any(kind in self._container.format.name for kind in _STATED_DURATION)
        duration = self._duration
        if stated and duration is not None and duration - time > max(1.0, 0.02 * duration):
            self._problem = SourceError(
                "source.truncated", path=self.name, time=time, duration=duration
            )

    def _converted(self, frame: av.VideoFrame) -> NDArray[np.uint8]:
        """Return *frame* upright in the source's size; a frame of another shape is fitted in."""
        width, height = shown_size(frame, self._turn, self._stream.sample_aspect_ratio)
        scale = min(self._size[0] / width, self._size[1] / height)
        size = self._size
        if abs(width * scale - size[0]) > 1 or abs(height * scale - size[1]) > 1:
            size = max(1, round(width * scale)), max(1, round(height * scale))
        stored = size[::-1] if self._turn.sideways else size
        plain = self._reformatter.reformat(
            frame, width=stored[0], height=stored[1], format="bgr24", interpolation="AREA"
        )
        return fitted(turned(np.asarray(plain.to_ndarray(), np.uint8), self._turn), self._size)


def _check_file(path: Path) -> None:
    name = str(path)
    try:
        if not path.exists():
            raise SourceError("source.missing", path=name)
        if not path.is_file():
            raise SourceError("source.special", path=name)
        with path.open("rb") as file:
            if not file.read(1):
                raise SourceError("source.empty", path=name)
    except OSError as error:
        reason = error.strerror or "input error"
        raise SourceError("source.denied", path=name, reason=reason) from None


def _open_container(path: str) -> InputContainer:
    try:
        # Said in full, FFmpeg takes no part of the name for a protocol and follows no links out.
        container = av.open(
            f"file:{path}", metadata_errors="replace", options={"protocol_whitelist": "file"}
        )
    except OSError as error:
        reason = error.strerror or "input error"
        raise SourceError("source.denied", path=path, reason=reason) from None
    except (av.FFmpegError, ValueError):
        raise SourceError("source.not_video", path=path) from None
    if container.format.name in _NOT_VIDEO:
        container.close()
        raise SourceError("source.not_video", path=path)
    return container


def _video_stream(container: InputContainer, path: str) -> VideoStream:
    """Return the largest video stream; the cover picture of a song is none."""
    streams = [
        stream
        for stream in container.streams.video
        if not stream.disposition & Disposition.attached_pic
    ]
    if not streams:
        raise SourceError("source.no_video", path=path)
    decodable = [stream for stream in streams if _can_decode(stream)]
    if not decodable:
        raise SourceError("source.codec", path=path)
    return max(decodable, key=lambda stream: stream.width * stream.height)


def _can_decode(stream: VideoStream) -> bool:
    # A stream whose coding has no decoder here has no context.
    return isinstance(stream.codec_context, CodecContext)


def _duration(container: InputContainer, stream: VideoStream) -> float | None:
    if stream.duration is not None and stream.time_base is not None and stream.duration > 0:
        return float(stream.duration * stream.time_base)
    if container.duration is not None and container.duration > 0:
        return container.duration / av.time_base
    return None
