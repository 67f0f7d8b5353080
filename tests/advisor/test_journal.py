"""The journal of a reading: what was read once is there again, whatever stopped the reading."""

from dataclasses import replace

import numpy as np
import pytest

from advisor.errors import StoreError
from advisor.journal import Journal, journal_path
from engine import Card
from vision.sightings import Sighting
from vision.table import STILL, Closeup, Move, PileZone, Survey

FOUND = Survey(PileZone((320.5, 200.25), 90.0), Card.parse("QH"))


def closeup(t):
    names = np.zeros(52, np.float32)
    names[[3, 40]] = 0.75, 0.2
    box = np.array([10, 20, 60.04, 90], np.float32)
    quad = np.array([[10, 20], [60, 20], [60, 90], [10, 90]], np.float32)
    sighting = Sighting(quad, True, names, 0.95, 0.8, box, True)
    return Closeup(t, (sighting,), 0.25, pull=(0.125, -0.5 * t), lost=0.5 if t > 0.2 else None)


def filled(path, count):
    journal = Journal(path)
    journal.begin(FOUND)
    for number in range(count):
        journal.add(closeup(number / 10))
    return journal


def test_what_was_read_reads_back_the_same(tmp_path):
    path = tmp_path / "readings" / "a.jsonl"
    first = filled(path, 5)
    first.end()
    first.close()
    again = Journal(path)
    assert again.complete
    assert again.survey == FOUND
    assert again.reached == pytest.approx(0.4)
    for one, other in zip(first.closeups, again.closeups, strict=True):
        assert (one.time, one.motion) == (other.time, other.motion)
        assert (one.move, one.pull, one.lost) == (other.move, other.pull, other.lost)
        (a,), (b,) = one.sightings, other.sightings
        assert np.array_equal(a.probabilities, b.probabilities)
        assert np.array_equal(a.quad, b.quad)
        assert (a.visible, a.whole, a.face_up) == (b.visible, b.whole, b.face_up)
    again.close()


@pytest.mark.parametrize("cut", [1, 40, 90])
def test_a_line_that_was_cut_off_is_dropped_and_written_again(tmp_path, cut):
    path = tmp_path / "a.jsonl"
    filled(path, 4).close()
    path.write_bytes(path.read_bytes()[:-cut])
    again = Journal(path)
    assert not again.complete
    assert len(again.closeups) == 3
    again.add(closeup(0.3))
    again.close()
    whole = Journal(path)
    assert len(whole.closeups) == 4
    whole.close()


def test_another_file_in_its_place_is_begun_anew(tmp_path):
    path = tmp_path / "a.jsonl"
    path.write_bytes(b'{"format": "something else"}\n{"t": 1}\n')
    journal = Journal(path)
    assert journal.survey is None
    assert journal.closeups == []
    journal.close()
    assert path.read_bytes() == b""


def test_a_disk_that_cannot_be_written_costs_the_journal_alone(tmp_path):
    (tmp_path / "readings").write_text("a file where the folder should be")
    journal = filled(tmp_path / "readings" / "a.jsonl", 2)
    assert len(journal.closeups) == 2


def test_each_recording_has_its_own_journal(tmp_path, monkeypatch):
    monkeypatch.setenv("PISTI_DATA", str(tmp_path / "data"))
    video = tmp_path / "game.mp4"
    video.write_bytes(b"one")
    first = journal_path(str(video), weights="a")
    assert first is not None
    assert first.parent == tmp_path / "data" / "readings"
    assert journal_path(str(video), weights="a") == first
    assert journal_path(str(video), weights="b") != first
    assert journal_path(str(video), weights="a", layout="x") != first
    video.write_bytes(b"another")
    assert journal_path(str(video), weights="a") != first
    assert journal_path(str(tmp_path), weights="a") is not None
    assert journal_path("0", weights="a") is None


def test_a_second_look_takes_the_place_of_the_first_and_reads_back(tmp_path):
    path = tmp_path / "a.jsonl"
    first = filled(path, 5)
    first.end()
    again = replace(closeup(0.2), motion=0.75)
    first.add_again(again)
    first.add_again(closeup(0.25))
    first.note_looked([(0.1, 0.3)])
    first.close()
    whole = Journal(path)
    assert whole.complete
    assert whole.looked == first.looked == [(0.1, 0.3)]
    for journal in (first, whole):
        assert [one.time for one in journal.closeups] == [0.0, 0.1, 0.2, 0.25, 0.3, 0.4]
        assert [one.motion for one in journal.closeups][2] == 0.75
        assert journal.reached == pytest.approx(0.4)
    whole.close()


def test_how_the_picture_has_moved_is_kept(tmp_path):
    path = tmp_path / "a.jsonl"
    shifted, turned = Move(40.25, -12.0), Move(12.0, -31.5, 1.11111, 0.12346)
    first = filled(path, 3)
    first.add(replace(closeup(0.3), move=shifted))
    first.add(replace(closeup(0.4), move=turned))
    first.close()
    again = Journal(path)
    assert [one.move for one in again.closeups] == [STILL] * 3 + [Move(40.2, -12.0), turned]
    assert again.move_at(0.25) == STILL
    assert again.move_at(0.3) == again.move_at(0.35) == Move(40.2, -12.0)
    assert again.move_at(9) == turned
    assert Journal(None).move_at(1.0) == STILL
    again.close()


def test_what_two_wrote_at_the_same_time_is_taken_up_to_where_they_meet(tmp_path):
    path = tmp_path / "a.jsonl"
    filled(path, 4).close()
    whole = path.read_bytes()
    second = b"".join(whole.splitlines(keepends=True)[2:])
    path.write_bytes(whole + second + b'{"end":true}\n')
    again = Journal(path)
    assert [one.time for one in again.closeups] == [0.0, 0.1, 0.2, 0.3]
    assert again.reached == pytest.approx(0.3)
    assert not again.complete
    again.close()
    assert path.read_bytes() == whole


def test_a_recording_is_read_by_one_at_a_time(tmp_path):
    path = tmp_path / "a.jsonl"
    first = filled(path, 2)
    with pytest.raises(StoreError) as caught:
        Journal(path)
    assert caught.value.key == "store.reading"
    first.add(closeup(0.2))
    first.close()
    again = Journal(path)
    assert len(again.closeups) == 3
    again.close()
