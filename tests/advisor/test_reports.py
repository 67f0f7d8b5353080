"""The page and the annotated video of a scored recording."""

import base64
import re
from dataclasses import replace
from pathlib import Path

import av
import cv2
import numpy as np
import pytest

from advisor.annotate import annotate
from advisor.errors import OutputError
from advisor.messages import LANGUAGES, Catalogue
from advisor.moments import moments
from advisor.report import write_report
from advisor.scorer import Scored
from advisor.sheet import clock
from engine import Card
from engine.record import read_record, replay
from vision.decoder import Doubt
from vision.table import PileZone

SAMPLE = Path(__file__).parents[2] / "advisor" / "samples" / "sample.pisti"


def scored(source):
    record = replace(
        read_record(SAMPLE.read_text(encoding="utf-8")).record,
        names=("Ayşe <b>", "Can"),
        source=str(source),
    )
    doubt = Doubt(15.6, 0, 2, Card.parse("7C"), (Card.parse("7S"), Card.parse("9C")))
    return Scored(
        str(source), record, replay(record), (doubt,), None, PileZone((80, 45), 20), (161, 90)
    )


@pytest.fixture(scope="module")
def video(tmp_path_factory):
    path = tmp_path_factory.mktemp("video") / "game.mp4"
    with av.open(str(path), "w") as container:
        stream = container.add_stream("mpeg4", rate=2)
        stream.width, stream.height, stream.pix_fmt = 162, 90, "yuv420p"
        for number in range(60):
            image = np.full((90, 162, 3), 40 + 3 * number, np.uint8)
            container.mux(stream.encode(av.VideoFrame.from_ndarray(image, format="bgr24")))
        container.mux(stream.encode())
    return path


def test_moments_add_up_to_the_score():
    one = scored("game.mp4")
    told = list(moments(one.record))
    assert len(told) == 48
    assert told[-1].totals == one.match.totals
    assert told[-1].jacks == 4
    assert sum(moment.bonus for moment in told) == 10


@pytest.mark.parametrize("language", LANGUAGES)
def test_the_page_holds_sheet_plays_and_doubts_and_needs_nothing_else(tmp_path, language, video):
    out = tmp_path / "game.html"
    write_report(scored(video), out, Catalogue(language))
    page = out.read_text(encoding="utf-8")
    assert f'<html lang="{language}">' in page
    assert page.count("<circle") == 48
    assert page.count('<li class="') == 48
    assert page.count('class="doubt"') == 1
    assert "Ayşe &lt;b&gt;" in page
    assert page.count("data:image/jpeg") == 8
    assert not re.search(r'(?:src|href)="(?!data:|#)', page)
    assert 'name="viewport"' in page
    pictures = re.findall(r'src="data:image/jpeg;base64,([^"]*)"', page)
    assert len(pictures) == len(set(pictures))
    # What is to be checked is shown large, beside what was read; the list of plays leads there.
    (check,) = re.findall(r'<li id="check-1-3">.*?</li>', page)
    (shown,) = re.findall(r'src="data:image/jpeg;base64,([^"]*)"', check)
    image = cv2.imdecode(np.frombuffer(base64.b64decode(shown), np.uint8), cv2.IMREAD_COLOR)
    assert image.shape[1] == 400
    assert "7♣" in check
    assert "9♣" in check
    assert page.count('href="#check-1-3"') == 1
    assert "9♣" in page


def test_the_page_says_when_the_view_was_lost(tmp_path):
    out = tmp_path / "game.html"
    write_report(replace(scored("gone.mp4"), lost=83.0), out, Catalogue("en"))
    assert "at about 1:23" in out.read_text(encoding="utf-8")


def test_a_page_without_its_recording_has_no_pictures(tmp_path):
    out = tmp_path / "game.html"
    write_report(scored(tmp_path / "gone.mp4"), out, Catalogue("en"))
    assert "data:image" not in out.read_text(encoding="utf-8")
    with pytest.raises(OutputError):
        write_report(scored("gone.mp4"), tmp_path / "no" / "folder.html", Catalogue("en"))


def test_the_annotated_video_is_the_recording_with_marks(tmp_path, video):
    out = tmp_path / "marked.mp4"
    annotate(scored(video), out, Catalogue("tr"))
    with av.open(str(out)) as container:
        stream = container.streams.video[0]
        assert stream.codec_context.name == "h264"
        frames = [
            (float(frame.time), frame.to_ndarray(format="bgr24"))
            for frame in container.decode(stream)
        ]
    assert len(frames) == 60
    assert frames[-1][0] == pytest.approx(29.5, abs=0.1)
    assert frames[0][1].shape == (90, 160, 3)
    # The strip at the bottom is darker than the picture, and the played cards are bright on it.
    last = frames[-1][1]
    assert last[-3:, 150:].mean() < last[40, 5:15].mean()
    assert [path.name for path in tmp_path.iterdir()] == ["marked.mp4"]


def test_clock():
    english = Catalogue("en")
    assert clock(67.31, english) == "1:07.3"
    assert clock(59.97, english) == "1:00.0"
    assert clock(-1, english) == "0:00.0"
    assert clock(67.31, Catalogue("tr")) == "1:07,3"
