from __future__ import annotations

from collections.abc import Callable
from pathlib import Path
from typing import Any

import cv2
import numpy as np
import pytest

from vision.sources import SourceError, Timing
from vision.sources.exif import time_taken
from vision.sources.folders import FolderSource

Write = Callable[..., Path]
Grey = Callable[..., Any]


def test_natural_order_at_a_rate(tmp_path: Path, write_image: Write, grey: Grey) -> None:
    for number in (10, 9, 1, 2):
        write_image(f"Shot{number}.PNG" if number == 9 else f"shot{number}.png", grey(number))
    (tmp_path / "notes.txt").write_text("none of them")
    (tmp_path / ".hidden.png").write_bytes(b"")
    (tmp_path / "more.png").mkdir()
    with FolderSource(tmp_path, rate=4.0) as source:
        frames = list(source)
        assert (source.size, source.timing, source.is_live) == ((64, 48), Timing.RATE, False)
        assert source.duration == 0.75
        assert source.problem is None
    assert [frame.time for frame in frames] == [0.0, 0.25, 0.5, 0.75]
    assert [frame.number for frame in frames] == [0, 1, 2, 3]
    for frame, number in zip(frames, (1, 2, 9, 10), strict=True):
        assert np.array_equal(frame.image, grey(number))


def test_times_taken(tmp_path: Path, write_image: Write, grey: Grey) -> None:
    write_image("1.jpg", grey(1), "2026:11:30 20:00:00")
    write_image("2.jpg", grey(2), "2026:11:30 20:00:01.5", order=">")
    write_image("3.jpg", grey(3), "2026:12:01 20:00:00")
    with FolderSource(tmp_path) as source:
        assert source.timing is Timing.EXIF
        assert [frame.time for frame in source] == pytest.approx([0.0, 1.5, 86400.0])


def test_pictures_of_one_second_are_spread(tmp_path: Path, write_image: Write, grey: Grey) -> None:
    for number, second in enumerate((7, 7, 8, 8, 8, 8, 9, 9)):
        write_image(f"{number}.jpg", grey(number), f"2026:11:30 20:00:0{second}")
    with FolderSource(tmp_path) as source:
        times = [frame.time for frame in source]
    assert times == pytest.approx([0.0, 0.5, 1.0, 1.25, 1.5, 1.75, 2.0, 2.5])


@pytest.mark.parametrize("second", [None, "2026:11:30 19:59:59", "????:??:?? 00:00:00"])
def test_rate_where_times_are_of_no_use(
    tmp_path: Path, write_image: Write, grey: Grey, second: str | None
) -> None:
    write_image("1.jpg", grey(1), "2026:11:30 20:00:00")
    write_image("2.jpg", grey(2), second)
    with FolderSource(tmp_path, rate=2.0) as source:
        assert source.timing is Timing.RATE
        assert [frame.time for frame in source] == [0.0, 0.5]


def test_upright(tmp_path: Path, write_image: Write, grey: Grey) -> None:
    write_image("1.jpg", grey(1), "2026:11:30 20:00:00", orientation=6)  # turned clockwise
    with FolderSource(tmp_path) as source:
        assert source.size == (48, 64)
        assert next(source).image[3, -4].min() > 200


@pytest.mark.parametrize("cut", [0, 30, 80])
def test_exif_that_breaks_off(tmp_path: Path, write_image: Write, grey: Grey, cut: int) -> None:
    path = write_image("1.jpg", grey(1), "2026:11:30 20:00:00.5")
    assert time_taken(path) is not None
    path.write_bytes(path.read_bytes()[:cut])
    assert time_taken(path) is None
    assert time_taken(tmp_path / "gone.jpg") is None


def test_broken_pictures_are_passed_over(tmp_path: Path, write_image: Write, grey: Grey) -> None:
    for number in range(6):
        write_image(f"{number}.png", grey(number))
    (tmp_path / "0.png").write_bytes(b"")
    (tmp_path / "3.png").write_bytes(b"\x89PNG\r\n\x1a\n and no more")
    with FolderSource(tmp_path) as source:
        assert [frame.number for frame in source] == [1, 2, 4, 5]
        assert str(source.problem) == (
            f"2 of 6 pictures in {tmp_path} cannot be read. {tmp_path / '0.png'} is empty."
        )


def test_pictures_that_are_taken_away_are_gone(
    tmp_path: Path, write_image: Write, grey: Grey
) -> None:
    folder = tmp_path / "game"
    folder.mkdir()
    for number in range(6):
        write_image(f"game/{number}.png", grey(number))
    with FolderSource(folder) as source:
        frames = [next(source), next(source)]
        folder.rename(tmp_path / "elsewhere")
        frames += source
        problem = source.problem
    assert [frame.number for frame in frames] == [0, 1]
    assert problem is not None
    gone = folder / "2.png"
    assert str(problem) == f"4 of 6 pictures in {folder} cannot be read. There is no file {gone}."


def test_next_to_a_broken_picture_another_is_taken(
    tmp_path: Path, write_image: Write, grey: Grey
) -> None:
    for number in range(6):
        write_image(f"{number}.png", grey(number))
    (tmp_path / "2.png").write_bytes(b"broken")
    with FolderSource(tmp_path, rate=1.0, every=2.0) as source:
        assert [frame.number for frame in source] == [0, 3, 5]


def test_other_sizes_are_fitted_in(tmp_path: Path, write_image: Write, grey: Grey) -> None:
    write_image("1.png", grey(1))
    write_image("2.png", grey(2, (30, 90)))
    with FolderSource(tmp_path, largest=32) as source:
        assert source.size == (32, 24)
        images = [frame.image for frame in source]
    assert [image.shape for image in images] == [(24, 32, 3)] * 2
    assert images[1][:, :11].max() == 0 < images[1][12, 16].min()


def test_seek(tmp_path: Path, write_image: Write, grey: Grey) -> None:
    for number in range(8):
        write_image(f"{number}.png", grey(number))
    with FolderSource(tmp_path, rate=3.0) as source:
        frames = list(source)
        for start in (5, 0, 7):
            source.seek(round(frames[start].time, 3), frames[start].number)
            again = list(source)
            assert [(f.time, f.number) for f in again] == [
                (f.time, f.number) for f in frames[start:]
            ]
        source.seek(1.1, 100)
        assert [frame.number for frame in source] == [100, 101, 102, 103]
        source.seek(50.0)
        assert list(source) == []
        source.seek(0.0)
        source.skip_until(2.0)
        assert [frame.number for frame in source] == [6, 7]
        source.close()
        source.seek(0.0)
        assert list(source) == []


def test_folders_without_pictures(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    with pytest.raises(SourceError) as caught:
        FolderSource(tmp_path)
    assert caught.value.key == "source.no_images"
    (tmp_path / "1.jpg").write_bytes(b"")
    with pytest.raises(SourceError, match=r"can be read\. .*1\.jpg is empty") as caught:
        FolderSource(tmp_path)
    assert caught.value.key == "source.no_image"

    def refuse(self: Path) -> None:
        raise PermissionError(13, "Permission denied", str(self))

    monkeypatch.setattr(Path, "iterdir", refuse)
    with pytest.raises(SourceError, match="Permission denied"):
        FolderSource(tmp_path)


def test_rate_is_checked(tmp_path: Path, write_image: Write, grey: Grey) -> None:
    write_image("1.png", grey(1))
    with pytest.raises(ValueError, match="rate"):
        FolderSource(tmp_path, rate=0.0)


def test_grey_pictures_become_colour(tmp_path: Path) -> None:
    cv2.imwrite(str(tmp_path / "1.png"), np.full((5, 7), 9, np.uint8))
    with FolderSource(tmp_path) as source:
        assert next(source).image.shape == (5, 7, 3)
