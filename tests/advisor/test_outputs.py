"""Outputs are checked before the work is done, and written whole or not at all."""

import os
import sys
from collections.abc import Iterator
from contextlib import contextmanager
from pathlib import Path

import pytest
from click.testing import CliRunner, Result

from advisor.cli.main import group
from advisor.errors import OutputError
from advisor.outputs import check_outputs, make_folder, write_whole, writing

SAMPLE = Path(__file__).parents[2] / "advisor" / "samples" / "sample.mp4"


def pisti(*words: object) -> Result:
    return CliRunner().invoke(group, ["--language", "en", *map(str, words)])


@pytest.fixture
def video(tmp_path: Path) -> Path:
    """What is to be read; nothing of it may be touched."""
    path = tmp_path / "game.mp4"
    path.write_bytes(SAMPLE.read_bytes())
    return path


@contextmanager
def untouched(path: Path) -> Iterator[None]:
    before = path.read_bytes()
    yield
    assert path.read_bytes() == before


def key_of(outputs: list[Path | None], inputs: list[str | Path]) -> str | None:
    try:
        check_outputs(outputs, inputs)
    except OutputError as error:
        return error.key
    return None


# What is read is never written.


def test_an_input_under_any_name_is_refused(
    tmp_path: Path, video: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    (tmp_path / "soft.mp4").symlink_to(video)
    os.link(video, tmp_path / "hard.mp4")
    (tmp_path / "folder").mkdir()
    monkeypatch.chdir(tmp_path)
    for name in ("game.mp4", "soft.mp4", "hard.mp4", "folder/../game.mp4", str(video)):
        for given in (video, str(video), f"  {video} ", video.as_uri(), "game.mp4"):
            assert key_of([Path(name)], [given]) == "output.input", (name, given)
    assert key_of([Path("other.mp4")], [video, "0", "rtsp://camera/1", "nothing"]) is None
    assert not (tmp_path / "other.mp4").exists()


def test_pictures_of_a_folder_that_is_read_are_safe(tmp_path: Path) -> None:
    folder = tmp_path / "pictures"
    folder.mkdir()
    (folder / "1.png").write_bytes(b"x")
    (folder / "old.pisti").write_text("x", encoding="utf-8")
    assert key_of([folder / "1.png"], [folder]) == "output.input"
    assert key_of([folder / "2.png"], [folder]) == "output.input_folder"
    assert key_of([folder], [folder]) == "output.input"
    assert key_of([folder / "old.pisti"], [folder]) is None


@pytest.mark.parametrize("option", ["-o", "--annotate", "--report"])
def test_score_refuses_to_write_to_its_recording(video: Path, option: str) -> None:
    with untouched(video):
        result = pisti("score", video, option, video)
    assert result.exit_code == 1
    assert result.stderr == f"{video} is being read; name another file to write to.\n"


def test_score_refuses_its_layout_and_outputs_that_meet(tmp_path: Path, video: Path) -> None:
    layout = tmp_path / "table.json"
    layout.write_text("{}", encoding="utf-8")
    with untouched(layout):
        assert "is being read" in pisti(
            "score", video, "--layout", layout, "-o", layout
        ).stderr  # fmt: skip
    out = tmp_path / "out"
    assert "Two files would" in pisti("score", video, "-o", out, "--report", out).stderr
    (tmp_path / "b").mkdir()
    other = tmp_path / "b" / "game.mp4"
    other.write_bytes(b"")
    assert "Two files would be written" in pisti("score", video, other, "-o", out).stderr
    taken = tmp_path / "taken"
    taken.write_bytes(b"kept")
    with untouched(taken):
        assert "is a file; name a folder" in pisti("score", video, other, "-o", taken).stderr


def test_read_and_calibrate_refuse_to_write_to_their_picture(tmp_path: Path) -> None:
    picture = tmp_path / "table.png"
    picture.write_bytes(b"no picture, but never to be lost")
    twin = tmp_path / "twin"
    twin.mkdir()
    (twin / "table.jpg").write_bytes(b"x")
    with untouched(picture):
        assert "is being read" in pisti("read", picture, "--draw", picture).stderr
        assert "is being read" in pisti("read", tmp_path, "--draw", tmp_path).stderr
        both = pisti("read", picture, twin / "table.jpg", "--draw", tmp_path / "drawn")
        assert "Two files would be written" in both.stderr
        for option in ("-o", "--draw"):
            assert "is being read" in pisti("calibrate", picture, option, picture).stderr


# Before the work.


def test_a_place_that_cannot_be_written_is_found_before_the_work(
    tmp_path: Path, video: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    def never(*_: object, **__: object) -> None:
        raise AssertionError("the work was begun")

    monkeypatch.setattr("advisor.scorer.score_recording", never)
    file = tmp_path / "file"
    file.write_bytes(b"x")
    places = [
        (tmp_path / "none" / "game.pisti", f"There is no folder {tmp_path / 'none'} to write to."),
        (tmp_path, f"{tmp_path} is a folder; name a file to write to."),
        (file / "game.pisti", f"There is no folder {file} to write to."),
        (tmp_path / ("x" * 300), "cannot be written: the name is too long."),
    ]
    if sys.platform == "linux":
        places.append((Path("/proc/game.pisti"), "/proc/game.pisti cannot be written: "))
    for place, sentence in places:
        result = pisti("score", video, "-o", place)
        assert result.exit_code == 1
        assert sentence in result.stderr
        assert len(result.stderr.splitlines()) == 1
        assert pisti("play", "-o", place).exit_code == 1
        assert sentence in pisti("arena", "random", "greedy", "--plot", place).stderr


def test_a_check_leaves_nothing_behind(tmp_path: Path) -> None:
    check_outputs([tmp_path / "new.pisti"])
    assert list(tmp_path.iterdir()) == []


# Whole or not at all.


def test_what_fails_leaves_the_old_file_whole(tmp_path: Path) -> None:
    path = tmp_path / "game.pisti"
    write_whole(path, "first")

    def half(error: Exception) -> None:
        with writing(path) as part:
            part.write_bytes(b"half")
            raise error

    with pytest.raises(RuntimeError):
        half(RuntimeError())
    with pytest.raises(OutputError) as refused:
        half(OSError(28, "No space left on device"))
    assert refused.value.key == "output.failed"
    assert path.read_text(encoding="utf-8") == "first"
    assert [each.name for each in tmp_path.iterdir()] == ["game.pisti"]


def test_links_and_permissions_are_kept(tmp_path: Path) -> None:
    path, link = tmp_path / "game.pisti", tmp_path / "link"
    path.write_bytes(b"old")
    path.chmod(0o640)
    link.symlink_to(path)
    write_whole(link, "new \udcff")
    assert link.is_symlink()
    assert path.read_text(encoding="utf-8") == "new ?"
    assert path.stat().st_mode & 0o777 == 0o640
    gone = tmp_path / "gone"
    gone.symlink_to(tmp_path / "nowhere.txt")
    check_outputs([gone])
    write_whole(gone, "there")
    assert (tmp_path / "nowhere.txt").read_text(encoding="utf-8") == "there"


@pytest.mark.skipif(sys.platform != "linux", reason="devices have other names there")
def test_what_is_no_file_is_written_to_itself() -> None:
    check_outputs([Path("/dev/null"), Path("/dev/null")])
    write_whole(Path("/dev/null"), "nothing")
    with pytest.raises(OutputError, match="cannot be written: No space left"):
        write_whole(Path("/dev/full"), "nothing")


def test_folders_are_made_once(tmp_path: Path) -> None:
    make_folder(tmp_path / "a" / "b")
    make_folder(tmp_path / "a" / "b")
    (tmp_path / "file").write_bytes(b"")
    for taken in (tmp_path / "file", tmp_path / "file" / "b"):
        with pytest.raises(OutputError) as refused:
            make_folder(taken)
        assert refused.value.key == "output.not_folder"
