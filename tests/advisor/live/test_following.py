"""The live picture is followed: what is read stays where it lay, what is shown goes along."""

from dataclasses import replace
from types import SimpleNamespace

import cv2
import numpy as np
import pytest

from advisor.api.desk import Desk
from advisor.api.hub import Hub
from advisor.live.camera import Picture
from advisor.live.reading import TableReader
from advisor.live.station import Station
from advisor.store import Store
from tests.vision.table.test_turns import CUT, MIDDLE, woven
from tests.vision.table.test_view import SIZE, Reader
from vision.layout import Layout, around
from vision.table import STILL, Move, PileZone

SLIPPED = Move.about(MIDDLE, 7, 1.12).then(Move(90, 30))
#: Where the card lies, and the radius of the pile's place.
AT, RADIUS = (320.0, 188.0), 60.0


class Camera:
    """Shows 24 pictures, and *resized* the last four."""

    name = "scripted"

    def __init__(self, resized=1.0):
        self.resized = resized

    def pictures(self, every):
        cloth = woven()
        cv2.rectangle(cloth, (400, 260), (440, 316), (255, 255, 255), -1)
        for n in range(24):
            move = SLIPPED if n >= 8 else STILL
            image = cv2.warpAffine(cloth, CUT.then(move).matrix, SIZE, flags=cv2.INTER_NEAREST)
            if n >= 20 and self.resized != 1:
                image = cv2.resize(image, None, fx=self.resized, fy=self.resized)
            yield Picture(image, 2.1 * n, n + 1)


def watched(camera):
    """What was read of *camera*: the reader, all that was shown, and all readings."""
    shown, readings = [], []

    def taken(one):
        shown.append(one)
        readings.append(reader.newest)

    def zone(size):
        by = size[0] / SIZE[0]
        return PileZone((AT[0] * by, AT[1] * by), RADIUS * by)

    reader = TableReader(camera, Reader, taken, zone)
    reader._thread.join(60)
    assert reader.problem is None
    return reader, shown, readings


def middle_of(sightings):
    (one,) = sightings
    return tuple((one.box[:2] + one.box[2:]) / 2)


def test_what_is_read_stays_in_place_and_what_is_shown_goes_along():
    reader, shown, readings = watched(Camera())
    assert reader.move.apart(SLIPPED, SIZE) < 6
    late = [n for n, one in enumerate(shown) if one.time > 25]
    assert middle_of(shown[0].sightings) == pytest.approx(AT, abs=2)
    assert len(late) > 5
    for n in late:
        assert middle_of(shown[n].sightings) == pytest.approx(AT, abs=4)
        assert middle_of(readings[n].sightings) == pytest.approx(SLIPPED.place(AT), abs=4)


def test_a_camera_that_changes_its_resolution_is_followed_on():
    reader, shown, _ = watched(Camera(resized=1.5))
    assert reader.size == (960, 540)
    assert reader.move.apart(SLIPPED.scaled(1.5), reader.size) < 9
    assert middle_of(shown[-1].sightings) == pytest.approx((480, 282), abs=6)


@pytest.fixture
def station(tmp_path):
    """One whose picture has moved as a test says, by `_reading.move`."""
    desk = Desk(Store.open(tmp_path), Hub())
    made = Station(desk)
    made._reading = SimpleNamespace(size=SIZE, move=STILL)
    yield made
    made.close()
    desk.store.close()


def test_a_zone_that_is_drawn_after_a_slip_is_shown_as_it_was_drawn(station):
    # Where it is drawn nothing was seen before.
    station._reading.move = Move(-128.0, 0.0)
    drawn = Layout(pile=around((0.9, 0.5), 0.2, 0.2))
    station.use_layout(drawn)
    assert np.array(station.layout.pile) == pytest.approx(np.array(drawn.pile))
    (x, y), radius = station._layout.pile_circle(SIZE)
    assert (x - 128, y, radius) == pytest.approx((576, 180, drawn.pile_circle(SIZE)[1]))


def test_what_is_out_of_sight_is_not_lost_where_another_zone_is_drawn(station):
    first = Layout(pile=around((0.1, 0.5), 0.2, 0.2), seats=((0.05, 0.5), (0.9, 0.5)))
    station.use_layout(first)
    station._reading.move = Move(-128.0, 0.0)
    shown = Layout.from_json(station.layout.to_json())
    assert shown.pile[0] == pytest.approx((0, 0.4))
    assert shown.pile[1] == pytest.approx((0, 0.4))
    station.use_layout(replace(shown, hand=around((0.5, 0.9), 0.4, 0.2)))
    station._reading.move = STILL
    assert station.layout == replace(first, hand=station.layout.hand)
    assert np.array(station.layout.hand) == pytest.approx(np.array(around((0.7, 0.9), 0.4, 0.2)))
