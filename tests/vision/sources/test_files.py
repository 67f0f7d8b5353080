from __future__ import annotations

import random
import sys
from collections.abc import Callable
from contextlib import suppress
from fractions import Fraction
from itertools import pairwise
from pathlib import Path
from typing import Any

import av
import numpy as np
import pytest

from vision.sources import Frame, SourceError, Timing
from vision.sources.files import FileSource

Write = Callable[..., Path]

KINDS = [
    ("a.mp4", "libx264", {"g": "10", "bf": "3"}),
    ("open.mp4", "libx264", {"g": "10", "bf": "3", "x264-params": "open-gop=1"}),
    ("a.mkv", "libx264", {"g": "10", "bf": "2"}),
    ("a.ts", "libx264", {"g": "10", "bf": "2"}),
    ("raw.h264", "libx264", {"g": "10"}),  # no time stamps at all
    ("a.avi", "mpeg4", {"g": "12", "bf": "2"}),  # stamps of decoding only
    ("motion.avi", "mjpeg", {}),
    ("a.webm", "libvpx", {"g": "12", "deadline": "realtime"}),
]


def key(frame: Frame) -> tuple[float, int, bytes]:
    return round(frame.time, 6), frame.number, frame.image.tobytes()


def noise(index: int) -> np.ndarray:
    return np.random.default_rng(index).integers(0, 255, (48, 64, 3), np.uint8)


@pytest.mark.parametrize(("name", "codec", "options"), KINDS)
def test_reads_and_resumes(
    write_clip: Write, name: str, codec: str, options: dict[str, str]
) -> None:
    path = write_clip(name, 45, codec=codec, codec_options=options)
    with FileSource(path) as source:
        frames = list(source)
        assert (source.size, source.timing, source.is_live) == ((64, 48), Timing.STAMPS, False)
        assert source.problem is None
        assert [frame.number for frame in frames] == list(range(45))
        assert {frame.image.shape for frame in frames} == {(48, 64, 3)}
        assert {frame.image.dtype for frame in frames} == {np.dtype(np.uint8)}
        assert [frame.time - frames[0].time for frame in frames] == pytest.approx(
            [index / 25 for index in range(45)], abs=0.001
        )
        for start in (44, 31, 30, 29, 12, 1, 0):
            source.seek(round(frames[start].time, 3), frames[start].number)
            assert list(map(key, source)) == list(map(key, frames[start:]))
        assert source.problem is None


def test_pictures_are_those_written(write_clip: Write, grey: Callable[..., Any]) -> None:
    with FileSource(write_clip("a.mp4", 12)) as source:
        for index, frame in enumerate(source):
            assert np.abs(frame.image.astype(int) - grey(index)).mean() < 6


def test_variable_frame_rate(write_clip: Write) -> None:
    stamps = [0, 33, 100, 101, 500, 1500, 1510]
    for name in ("a.mkv", "a.mp4"):
        path = write_clip(name, 7, stamps=stamps, base=Fraction(1, 1000))
        with FileSource(path) as source:
            times = [frame.time for frame in source]
        assert times == pytest.approx([stamp / 1000 for stamp in stamps], abs=0.0011)


@pytest.mark.parametrize(
    ("turn", "size", "corner"),
    [
        ((0, False, False), (64, 48), "upper left"),
        ((90, False, False), (48, 64), "lower left"),
        ((180, False, False), (64, 48), "lower right"),
        ((270, False, False), (48, 64), "upper right"),
        ((0, True, False), (64, 48), "upper right"),
        ((0, False, True), (64, 48), "lower left"),
    ],
)
def test_rotation(
    write_clip: Write, turn: tuple[float, bool, bool], size: tuple[int, int], corner: str
) -> None:
    """The picture has a white corner at the upper left before it is turned anticlockwise."""
    path = write_clip("a.mp4", 2, setup=lambda stream: stream.set_display_rotation(*turn))
    with FileSource(path) as source:
        image = next(source).image
    assert source.size == size
    assert image.shape == (size[1], size[0], 3)
    corners = {
        "upper left": image[3, 3],
        "upper right": image[3, -4],
        "lower left": image[-4, 3],
        "lower right": image[-4, -4],
    }
    assert max(corners, key=lambda name: corners[name].sum()) == corner


def test_rotated_and_scaled(write_clip: Write) -> None:
    path = write_clip("a.mp4", 2, setup=lambda stream: stream.set_display_rotation(90))
    with FileSource(path, largest=32) as source:
        assert source.size == (24, 32)
        assert next(source).image.shape == (32, 24, 3)


def test_pixels_that_are_not_square(write_clip: Write) -> None:
    def anamorphic(stream: Any) -> None:
        stream.codec_context.sample_aspect_ratio = Fraction(2, 1)

    with FileSource(write_clip("a.mp4", 2, setup=anamorphic)) as source:
        assert source.size == (128, 48)
        assert next(source).image.shape == (48, 128, 3)


@pytest.mark.parametrize("size", [(63, 47), (17, 65), (2, 2)])
def test_odd_sizes(write_clip: Write, size: tuple[int, int]) -> None:
    path = write_clip("a.avi", 3, codec="mjpeg", pixels="yuvj444p", size=size)
    with FileSource(path) as source:
        assert source.size == size
        assert [frame.image.shape for frame in source] == [(size[1], size[0], 3)] * 3


def test_size_that_changes_on_the_way(tmp_path: Path, write_clip: Write) -> None:
    parts = [write_clip(f"{w}.h264", 5, size=(w, h)) for w, h in ((64, 48), (32, 64))]
    joined = tmp_path / "joined.h264"
    joined.write_bytes(b"".join(part.read_bytes() for part in parts))
    with FileSource(joined) as source:
        frames = list(source)
    assert len(frames) == 10
    assert {frame.image.shape for frame in frames} == {(48, 64, 3)}
    # The upright picture is fitted in: black on both sides.
    assert frames[-1].image[:, :10].max() < 20 < frames[-1].image[24, 32].min()


def test_joined_recordings(tmp_path: Path, write_clip: Write) -> None:
    part = write_clip("part.ts", 50, codec_options={"g": "10"}).read_bytes()
    joined = tmp_path / "joined.ts"
    joined.write_bytes(part + part)
    with FileSource(joined) as source:
        frames = list(source)
        assert len(frames) == 100
        assert [frame.time for frame in frames] == pytest.approx(
            [index / 25 for index in range(100)], abs=0.05
        )
        for start in (80, 70, 20, 80):
            source.seek(frames[start].time, frames[start].number)
            assert list(map(key, source)) == list(map(key, frames[start:]))


def test_one_picture(write_clip: Write) -> None:
    with FileSource(write_clip("a.mp4", 1)) as source:
        assert [frame.number for frame in source] == [0]
        assert source.problem is None


def test_sound_is_passed_over(write_clip: Write) -> None:
    with FileSource(write_clip("a.mp4", 10, sound=True)) as source:
        assert len(list(source)) == 10


def test_every(write_clip: Write) -> None:
    with FileSource(write_clip("a.mp4", 30), every=0.2) as source:
        frames = list(source)
        assert [frame.number for frame in frames] == [0, 5, 10, 15, 20, 25]
        source.seek(frames[2].time, frames[2].number)
        assert list(map(key, source)) == list(map(key, frames[2:]))


def test_passed_over_frames_are_not_converted(
    write_clip: Write, monkeypatch: pytest.MonkeyPatch
) -> None:
    converted = []

    def count(self: FileSource, frame: av.VideoFrame) -> np.ndarray:
        converted.append(frame.pts)
        return np.zeros((48, 64, 3), np.uint8)

    monkeypatch.setattr(FileSource, "_converted", count)
    with FileSource(write_clip("a.mp4", 30), every=0.5) as source:
        assert len(list(source)) == len(converted) == 3


def test_largest(write_clip: Write) -> None:
    path = write_clip("a.mp4", 2)
    for largest, size in ((32, (32, 24)), (33, (33, 25)), (64, (64, 48)), (1000, (64, 48))):
        with FileSource(path, largest=largest) as source:
            assert source.size == size
            assert next(source).image.shape == (size[1], size[0], 3)


def test_options_are_checked(write_clip: Write) -> None:
    path = write_clip("a.mp4", 2)
    with pytest.raises(ValueError, match="largest"):
        FileSource(path, largest=0)
    with pytest.raises(ValueError, match="every"):
        FileSource(path, every=-1)


def test_seek_outside(write_clip: Write) -> None:
    with FileSource(write_clip("a.mp4", 10)) as source:
        source.seek(100.0)
        assert list(source) == []
        source.seek(-5.0, 7)
        assert [frame.number for frame in source] == list(range(7, 17))


def test_closed(write_clip: Write) -> None:
    source = FileSource(write_clip("a.mp4", 10))
    next(source)
    source.close()
    source.close()
    source.seek(0.0)
    assert list(source) == []


def test_skip_until(write_clip: Write) -> None:
    with FileSource(write_clip("a.mp4", 10)) as source:
        source.skip_until(0.2)
        assert [frame.number for frame in source] == [5, 6, 7, 8, 9]


@pytest.mark.parametrize(
    ("name", "codec", "share", "least"),
    [
        ("a.mp4", "libx264", 0.5, 25),
        ("a.mp4", "libx264", 0.97, 55),
        ("a.mkv", "libx264", 0.5, 25),
        ("a.ts", "libx264", 0.5, 25),
        ("a.avi", "mpeg4", 0.5, 15),
        ("motion.avi", "mjpeg", 0.5, 20),
    ],
)
def test_cut_short(write_clip: Write, name: str, codec: str, share: float, least: int) -> None:
    options = {"movflags": "faststart"} if name.endswith("mp4") else {}
    path = write_clip(
        name, 60, codec=codec, draw=noise, codec_options={"g": "10"}, container_options=options
    )
    data = path.read_bytes()
    path.write_bytes(data[: int(len(data) * share)])
    with FileSource(path) as source:
        frames = list(source)
        assert least <= len(frames) < 60
        if name in ("a.mp4", "a.mkv", "motion.avi"):
            assert source.problem is not None
            assert source.problem.key == (
                "source.damaged" if share > 0.9 or name == "motion.avi" else "source.truncated"
            )
            assert path.name in str(source.problem)
        source.seek(frames[8].time, 8)
        assert list(map(key, source)) == list(map(key, frames[8:]))


def test_cut_before_the_index(write_clip: Write) -> None:
    path = write_clip("a.mp4", 60, draw=noise)
    data = path.read_bytes()
    path.write_bytes(data[: len(data) // 2])
    with pytest.raises(SourceError) as caught:
        FileSource(path)
    assert caught.value.key == "source.not_video"


def test_damaged_in_the_middle(write_clip: Write) -> None:
    path = write_clip("a.mp4", 60, draw=noise, codec_options={"g": "10"})
    data = bytearray(path.read_bytes())
    middle = len(data) // 2
    data[middle : middle + 4000] = bytes(4000)
    path.write_bytes(data)
    with FileSource(path) as source:
        times = [frame.time for frame in source]
    assert len(times) > 45
    assert times[-1] == pytest.approx(59 / 25)
    assert source.problem is not None
    assert source.problem.key == "source.damaged"


@pytest.mark.parametrize(("name", "codec"), [("a.mp4", "libx264"), ("a.avi", "mpeg4")])
def test_any_damage_ends_well(write_clip: Write, name: str, codec: str) -> None:
    path = write_clip(name, 25, codec=codec, draw=noise, codec_options={"g": "8"})
    data = path.read_bytes()
    dice = random.Random(5)
    for _ in range(25):
        broken = bytearray(data)
        for _ in range(dice.choice([1, 20, 400])):
            broken[dice.randrange(len(broken))] = dice.randrange(256)
        if dice.random() < 0.5:
            del broken[dice.randrange(len(broken)) :]
        path.write_bytes(broken)
        # A file too broken to be opened is refused as one; nothing else may be raised.
        with suppress(SourceError), FileSource(path) as source:
            times = [frame.time for frame in source]
            assert all(earlier < later for earlier, later in pairwise(times))


def test_nothing_that_can_be_decoded(write_clip: Write) -> None:
    path = write_clip("a.mp4", 10, draw=noise)
    data = bytearray(path.read_bytes())
    start, end = data.index(b"mdat") + 4, data.index(b"moov") - 4
    data[start:end] = bytes(end - start)
    path.write_bytes(data)
    with pytest.raises(SourceError) as caught:
        FileSource(path)
    assert caught.value.key == "source.no_picture"


def test_coding_that_nobody_knows(write_clip: Write) -> None:
    path = write_clip("a.mp4", 5)
    path.write_bytes(path.read_bytes().replace(b"avc1", b"zzz9").replace(b"avcC", b"zzzC"))
    with pytest.raises(SourceError) as caught:
        FileSource(path)
    assert caught.value.key == "source.codec"


def test_only_sound(tmp_path: Path, write_clip: Write) -> None:
    song = tmp_path / "song.m4a"
    with (
        av.open(str(song), "w") as container,
        av.open(str(write_clip("a.mp4", 9, sound=True))) as clip,
    ):
        stream = container.add_stream_from_template(clip.streams.audio[0])
        for packet in clip.demux(audio=0):
            if packet.dts is not None:
                packet.stream = stream
                container.mux(packet)
    with pytest.raises(SourceError) as caught:
        FileSource(song)
    assert caught.value.key == "source.no_video"


@pytest.mark.parametrize(
    ("name", "content", "problem"),
    [
        ("empty.mp4", b"", "source.empty"),
        ("zeros.mp4", bytes(5000), "source.not_video"),
        ("notes.txt", b"Five of hearts.\n" * 50, "source.not_video"),
        ("fake.mp4", b"\x00\x00\x00\x18ftypmp42", "source.not_video"),
    ],
)
def test_no_videos(tmp_path: Path, name: str, content: bytes, problem: str) -> None:
    path = tmp_path / name
    path.write_bytes(content)
    with pytest.raises(SourceError) as caught:
        FileSource(path)
    assert caught.value.key == problem
    assert name in str(caught.value)


def test_no_files(tmp_path: Path) -> None:
    for path, problem in (
        (tmp_path / "gone.mp4", "source.missing"),
        (tmp_path, "source.special"),
        (tmp_path / ("x" * 300), "source.denied"),
    ):
        with pytest.raises(SourceError) as caught:
            FileSource(path)
        assert caught.value.key == problem


def test_no_permission(write_clip: Write, monkeypatch: pytest.MonkeyPatch) -> None:
    path = write_clip("a.mp4", 2)

    def refuse(self: Path, *args: object) -> None:
        raise PermissionError(13, "Permission denied", str(self))

    monkeypatch.setattr(Path, "open", refuse)
    with pytest.raises(SourceError, match="Permission denied") as caught:
        FileSource(path)
    assert caught.value.key == "source.denied"


@pytest.mark.parametrize("name", ["a:b.mp4", "kağıt ♠.mp4", "concat:a.mp4", "100%d.mp4"])
def test_names_are_only_names(write_clip: Write, name: str) -> None:
    with FileSource(
        write_clip("a.mp4", 2).rename(write_clip("b.mp4", 1).with_name(name))
    ) as source:
        assert len(list(source)) == 2


def test_memory_is_bounded(write_clip: Write) -> None:
    """Two thousand pictures of 230 kB would be 460 MB, were they kept."""
    resource = pytest.importorskip("resource")
    picture = np.full((240, 320, 3), 90, np.uint8)
    path = write_clip("long.mp4", 2000, codec="mpeg4", size=(320, 240), draw=lambda index: picture)
    before = resource.getrusage(resource.RUSAGE_SELF).ru_maxrss
    with FileSource(path) as source:
        assert sum(1 for _ in source) == 2000
    grown = resource.getrusage(resource.RUSAGE_SELF).ru_maxrss - before  # kB, on a Mac bytes
    assert grown < 150_000 * (1024 if sys.platform == "darwin" else 1)
