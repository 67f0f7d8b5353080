from __future__ import annotations

import pickle
import subprocess
import sys
from collections.abc import Callable
from pathlib import Path
from typing import Any

import pytest

from advisor.messages import Catalogue
from vision.sources import SourceError, open_source
from vision.sources.devices import DeviceSource
from vision.sources.files import FileSource
from vision.sources.folders import FolderSource
from vision.sources.opening import public_name

Write = Callable[..., Path]


@pytest.mark.parametrize(
    ("text", "address"),
    [
        ("0", 0),
        (" 12 ", 12),
        ("700", 700),
        ("rtsp://camera/1", "rtsp://camera/1"),
        ("HTTP://camera:80/video?x=1", "HTTP://camera:80/video?x=1"),
    ],
)
def test_cameras_and_streams(camera: Any, text: str, address: object) -> None:
    asked = []

    def capture(address: int | str) -> Any:
        asked.append(address)
        return camera(address)

    with open_source(text, capture=capture) as source:
        assert isinstance(source, DeviceSource)
        assert source.is_live
    assert asked == [address]


def test_files_and_folders(
    tmp_path: Path, write_clip: Write, monkeypatch: pytest.MonkeyPatch
) -> None:
    clip = write_clip("0", 2, container_format="mp4")
    monkeypatch.chdir(tmp_path)
    for text in (str(clip), clip, "./0", clip.as_uri()):
        with open_source(text) as source:
            assert isinstance(source, FileSource)
    (tmp_path / "1.jpg").write_bytes(b"broken")
    with pytest.raises(SourceError, match="No picture in the folder"):
        open_source(str(tmp_path))


def test_options_arrive(tmp_path: Path, write_image: Write, grey: Callable[..., Any]) -> None:
    for number in range(4):
        write_image(f"{number}.png", grey(number))
    with open_source(str(tmp_path), every=1.0, largest=32, rate=2.0) as source:
        assert isinstance(source, FolderSource)
        assert source.size == (32, 24)
        assert [frame.time for frame in source] == [0.0, 1.0]


@pytest.mark.parametrize(
    ("text", "problem"),
    [
        ("", "source.none"),
        ("  ", "source.none"),
        ("12345", "source.missing"),  # no camera has such a number
        ("-1", "source.missing"),
        ("no/such/file.mp4", "source.missing"),
        ("a\0b", "source.missing"),
        ("gopher://camera/1", "source.scheme"),
        ("file:///no/such/file.mp4", "source.missing"),
        ("/dev/null", "source.special"),
        ("x" * 5000, "source.denied"),
    ],
)
def test_what_cannot_be_opened(text: str, problem: str) -> None:
    with pytest.raises(SourceError) as caught:
        open_source(text)
    assert caught.value.key == problem


def test_public_names_keep_secrets() -> None:
    assert public_name("rtsp://me:p@ss@host:554/a%20b?token=1") == "rtsp://host:554/a b"
    assert public_name("http://host/a@b") == "http://host/a@b"


def test_errors_in_words() -> None:
    error = SourceError("source.truncated", path="a.mp4", time=1.0, duration=2.0)
    assert Catalogue("en").error(error) == str(error) == "a.mp4 breaks off at 1.0 s of 2.0 s."
    assert str(pickle.loads(pickle.dumps(error))) == str(error)


def test_naming_a_source_loads_no_decoder() -> None:
    code = "import sys, vision.sources; sys.exit(bool({'av', 'cv2', 'numpy'} & set(sys.modules)))"
    subprocess.run([sys.executable, "-c", code], check=True)
