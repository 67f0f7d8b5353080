"""`pisti read` and `pisti score` on pictures and videos made here."""

import json
import os
from pathlib import Path

import av
import cv2
import numpy as np
import pytest
from click.testing import CliRunner

from advisor.cli.main import group
from advisor.scorer import score_recording, who_plays
from advisor.store import data_folder
from datasets.scenes import render_scene
from tests.rendered import empty_cache

__all__ = ["empty_cache"]


@pytest.fixture(scope="module")
def scene(empty_cache):
    """A rendered picture with one card, from what the code draws alone."""
    return render_scene("single", 5, 8)


@pytest.fixture
def picture(scene, tmp_path):
    path = tmp_path / "tavla üstü.png"
    path.write_bytes(cv2.imencode(".png", scene.image)[1].tobytes())
    return path


def pisti(*words):
    return CliRunner().invoke(group, [str(word) for word in words])


def test_read_gives_one_entry_a_picture_with_cards_as_promised(picture):
    result = pisti("read", "--fast", "--json", picture)
    assert result.exit_code == 0
    (entry,) = json.loads(result.stdout)
    assert entry["image"] == str(picture)
    assert [card["card"] for card in entry["cards"]] == ["3D"]
    for card in entry["cards"]:
        assert set(card) == {"card", "face", "confidence", "quad", "box"}
        assert card["face"] in ("up", "down")
        assert np.array(card["quad"]).shape == (4, 2)
        assert len(card["box"]) == 4


def test_a_picture_that_cannot_be_read_does_not_stop_the_others(picture, tmp_path):
    broken = tmp_path / "broken.jpg"
    broken.write_bytes(b"\xff\xd8\xff\xe0 no picture")
    result = pisti("read", "--fast", "--json", broken, picture, tmp_path / "missing.png")
    assert result.exit_code == 1
    assert [entry["image"] for entry in json.loads(result.stdout)] == [str(picture)]
    assert len(result.stderr.splitlines()) == 2
    assert "Traceback" not in result.output


def test_libraries_say_nothing_beside_the_sentences(tmp_path, monkeypatch, capfd):
    monkeypatch.setattr("vision.reader.CardReader", lambda *_, **_options: None)
    good = {
        kind: bytes(cv2.imencode(kind, np.eye(99, dtype=np.uint8) * 255)[1])
        for kind in (".png", ".jpg")
    }
    # OpenCV, libpng and libjpeg complain of these, each in its own way.
    (tmp_path / "1.png").write_bytes(good[".png"][:40])
    (tmp_path / "2.png").write_bytes(good[".png"].replace(b"IDAT", b"IDAT\1", 1))
    (tmp_path / "3.jpg").write_bytes(good[".jpg"][:20] + b"abc" + good[".jpg"][20:-400])
    result = pisti("read", tmp_path)
    assert result.stderr.splitlines() == [
        f"{tmp_path / name} is a broken {kind} picture."
        for name, kind in (("1.png", "PNG"), ("2.png", "PNG"), ("3.jpg", "JPEG"))
    ]
    assert capfd.readouterr() == ("", "")
    os.write(2, b"heard again")
    assert capfd.readouterr().err == "heard again"


@pytest.mark.parametrize("name", ["a" * 300 + ".jpg", "a" * 300 + "*.jpg", "none*.jpg"])
def test_a_name_that_names_nothing_does_not_stop_the_others(name, picture):
    result = pisti("read", "--fast", "--json", name, picture)
    assert result.exit_code == 1
    assert [entry["image"] for entry in json.loads(result.stdout)] == [str(picture)]
    assert len(result.stderr.splitlines()) == 1
    assert name in result.stderr


def test_read_takes_folders_and_patterns_and_draws(picture, tmp_path):
    drawn = tmp_path / "drawn"
    assert pisti("read", "--fast", tmp_path, "--draw", drawn).exit_code == 0
    assert (
        cv2.imdecode(
            np.frombuffer((drawn / "tavla üstü.png").read_bytes(), np.uint8), cv2.IMREAD_COLOR
        ).shape
        == cv2.imdecode(np.frombuffer(picture.read_bytes(), np.uint8), 1).shape
    )
    assert str(picture) in pisti("read", "--fast", tmp_path / "*.png").stdout
    nothing = pisti("read", "--fast", tmp_path / "*.jpg")
    assert "matches no picture" in nothing.stderr


@pytest.mark.parametrize(
    ("pattern", "names"),
    [
        ("**", ["a.png", "inner/b.jpg", "inner/deep/ab.png"]),
        ("***", ["a.png", "inner/b.jpg", "inner/deep/ab.png"]),
        ("**.png", ["a.png", "inner/deep/ab.png"]),
        ("**/*.png", ["a.png", "inner/deep/ab.png"]),
        ("inner/**b.*", ["inner/b.jpg", "inner/deep/ab.png"]),
        ("inner/**/**", ["inner/b.jpg", "inner/deep/ab.png"]),
        ("a**.png", ["a.png"]),
        ("*", ["a.png"]),
        (".*/*", [".hidden/c.png"]),
        ("x**y.png", []),
        ("", []),
    ],
)
def test_patterns_mean_pictures_at_the_depth_that_people_mean(
    pattern, names, tmp_path, monkeypatch
):
    for name in ("a.png", "inner/b.jpg", "inner/deep/ab.png", "folder.png/notes.txt"):
        (tmp_path / name).parent.mkdir(parents=True, exist_ok=True)
        (tmp_path / name).write_bytes(b"broken")
    (tmp_path / ".hidden").mkdir()
    (tmp_path / ".hidden" / "c.png").write_bytes(b"broken")
    monkeypatch.chdir(tmp_path)
    monkeypatch.setattr("vision.reader.CardReader", lambda *_, **_options: None)
    result = pisti("read", pattern)
    said = result.stderr.splitlines()
    if names:
        assert [Path(line.partition(" is ")[0]).as_posix() for line in said] == names
    else:
        assert said == [f"{pattern or chr(39) * 2} matches no picture."]


def video(path, images):
    with av.open(str(path), "w") as container:
        stream = container.add_stream("mpeg4", rate=5)
        stream.width, stream.height, stream.pix_fmt = 640, 360, "yuv420p"
        for image in images:
            frame = av.VideoFrame.from_ndarray(cv2.resize(image, (640, 360)), format="bgr24")
            container.mux(stream.encode(frame))
        container.mux(stream.encode())


def test_score_answers_with_record_score_and_review(scene, tmp_path):
    video(tmp_path / "game.mp4", [scene.image] * 8)
    record = tmp_path / "game.pisti"
    words = ("--players", 2, "--names", "Ayşe,Can", "-o", record, "--json")
    result = pisti("--language", "en", "score", tmp_path / "game.mp4", *words)
    # One card that lies there all the time is no play.
    assert result.exit_code == 1
    nothing, written = result.stderr.splitlines()
    assert nothing.startswith(f"{tmp_path / 'game.mp4'}: No play was seen; ")
    assert written == f"Written: {record}"
    answer = json.loads(result.stdout)
    assert set(answer) == {
        "record",
        "score",
        "review",
        "players_from",
        "dealer_from",
        "view_lost",
    }
    assert (answer["players_from"], answer["dealer_from"]) == ("given", "assumed")
    assert answer["record"]["names"] == ["Ayşe", "Can"]
    assert answer["record"]["rules"] == {"preset": "classic", "players": 2}
    assert len(answer["score"]["deals"]) == len(answer["record"]["deals"])
    assert pisti("replay", record).exit_code == 0


def test_score_says_where_the_recording_does_not_show_how_many_play(scene, tmp_path):
    video(tmp_path / "game.mp4", [scene.image] * 8)
    words = ("--rules", "modern", "--names", "Ayşe,,Can")
    answer = json.loads(pisti("score", tmp_path / "game.mp4", *words, "--json").stdout)
    # Modern rules are for two unless told otherwise, but a third one has a name.
    assert answer["players_from"] == "rules"
    assert answer["record"]["rules"]["players"] == 3
    assert answer["record"]["names"] == ["Ayşe", "", "Can"]
    shown = pisti("score", tmp_path / "game.mp4", *words).stdout
    assert "Players: 3, from the rules; the recording does not show how many play." in shown


def test_score_says_what_is_wrong_in_one_sentence(tmp_path, monkeypatch):
    monkeypatch.setenv("PISTI_DATA", str(tmp_path / "data"))
    junk = tmp_path / "junk.mp4"
    junk.write_bytes(b"no video" * 100)
    result = pisti("score", junk)
    assert result.exit_code == 1
    assert len(result.stderr.splitlines()) == 1
    # Nothing was read, so nothing is kept: only so many readings are.
    assert not list(data_folder().glob("readings/*"))
    video(tmp_path / "bare.mp4", [np.full((360, 640, 3), 90, np.uint8)] * 4)
    bare = pisti("score", tmp_path / "bare.mp4")
    assert bare.exit_code == 1
    assert "No card shows in the recording;" in bare.stderr
    assert pisti("score", "--players", 9, junk).exit_code == 1
    assert pisti("score", "--dealer", 7, junk).exit_code == 2


def test_score_says_where_no_play_was_seen(scene, tmp_path):
    video(tmp_path / "game.mp4", [scene.image])
    shown = pisti("--language", "en", "score", "--players", 2, tmp_path / "game.mp4")
    assert shown.exit_code == 1
    assert "No play was seen" in shown.stderr
    assert "Rules: classic players=2" in shown.stdout


def test_a_wrong_layout_is_not_blamed_on_the_recording(scene, tmp_path):
    video(tmp_path / "game.mp4", [scene.image] * 4)
    layout = tmp_path / "table.json"
    layout.write_text('{"zones": {"pile": [[0, 0], [0, 0], [0, 0], [0, 0]]}}', encoding="utf-8")
    result = pisti("--language", "en", "score", "--layout", layout, tmp_path / "game.mp4")
    assert result.exit_code == 1
    (said,) = result.stderr.splitlines()
    assert said.startswith(f"The layout {layout} cannot be taken: pile ")
    assert "game.mp4" not in said


@pytest.mark.parametrize(
    ("zone", "fixed"), [("hand", False), ("pile", True)], ids=["no pile", "pile"]
)
def test_the_piles_place_stands_only_where_the_layout_says_it(
    scene, tmp_path, monkeypatch, zone, fixed
):
    video(tmp_path / "game.mp4", [scene.image] * 4)
    layout = tmp_path / "table.json"
    layout.write_text(
        json.dumps({"zones": {zone: [[0, 0], [1, 0], [1, 1], [0, 1]]}}), encoding="utf-8"
    )
    told = []

    def who(*given, fixed):
        told.append(fixed)
        return who_plays(*given, fixed=fixed)

    monkeypatch.setattr("advisor.scorer.who_plays", who)
    pisti("score", "--layout", layout, tmp_path / "game.mp4")
    assert told == [fixed]


def broken_at(monkeypatch, name, error):
    """Let scoring the recording called *name* end with *error*."""

    def score(source, *args, **options):
        if Path(source).name == name:
            raise error
        return score_recording(source, *args, **options)

    monkeypatch.setattr("advisor.scorer.score_recording", score)


@pytest.mark.parametrize("order", [("bad.mp4", "game.mp4"), ("game.mp4", "bad.mp4")])
def test_a_fault_at_one_recording_does_not_take_the_others(scene, tmp_path, monkeypatch, order):
    video(tmp_path / "game.mp4", [scene.image] * 8)
    broken_at(monkeypatch, "bad.mp4", ValueError("an odd\nvalue"))
    sources = [tmp_path / name for name in order]
    result = pisti("score", "--json", "--players", 2, "-o", tmp_path / "out", *sources)
    assert result.exit_code == 1
    written = f"Written: {tmp_path / 'out' / 'game.pisti'}"
    assert written in result.stderr.splitlines()
    (said,) = (line for line in result.stderr.splitlines() if "bad.mp4" in line)
    assert said.startswith(f"{tmp_path / 'bad.mp4'}: ")
    assert "ValueError: an odd value" in said
    assert len(json.loads(result.stdout)) == 1
    assert [path.name for path in (tmp_path / "out").iterdir()] == ["game.pisti"]
    seen = pisti("--debug", "score", *sources)
    assert isinstance(seen.exception, ValueError)


def test_what_was_scored_before_ctrl_c_is_told(scene, tmp_path, monkeypatch):
    video(tmp_path / "game.mp4", [scene.image] * 8)
    broken_at(monkeypatch, "next.mp4", KeyboardInterrupt())
    words = ("--json", "--players", 2, tmp_path / "game.mp4", tmp_path / "next.mp4")
    result = pisti("score", *words)
    assert result.exit_code == 1
    assert "run the same command again" in result.stderr
    assert len(json.loads(result.stdout)) == 1
