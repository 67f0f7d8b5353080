"""Two readings of one frame made one, and parts of a recording looked at again."""

import numpy as np
import pytest

from engine import Card
from vision.sources import Frame
from vision.sources.frames import Recording, Timing
from vision.table import PileZone, look_again
from vision.table.fusing import fuse

from .test_pile import sighting


def name(one, card):
    return float(one.probabilities[Card.parse(card).index])


def test_what_both_scales_show_is_the_mean_of_the_two():
    first = [sighting("6H", 100, 100, sure=0.9)]
    second = [sighting("6D", 103, 101, sure=0.6)]
    (one,) = fuse(first, second)
    assert name(one, "6H") == pytest.approx(0.45)
    assert name(one, "6D") == pytest.approx(0.3)
    # Place and side are those of the surer one.
    assert np.array_equal(one.box, first[0].box)


def test_what_only_one_scale_tells_apart_stays():
    # Two cards that were taken for one long card at the other scale.
    both = sighting("7H", 110, 110, size=(80, 140))
    top, below = sighting("6H", 120, 125), sighting("7H", 95, 80, size=(60, 50))
    fused = fuse([both], [top, below])
    assert [str(one.card) for one in fused] == ["7H", "6H", "7H"]
    back = sighting("??", 120, 125, face_up=False)
    assert len(fuse([back], [top])) == 2
    assert fuse([], [top]) == [top]
    assert fuse([top], []) == [top]


class Film(Recording):
    """Ten seconds at ten frames a second; a card moves between 4.0 and 5.0 s."""

    timing = Timing.RATE
    name = "film"

    def __init__(self):
        self._at = 0

    @property
    def size(self):
        return (320, 240)

    @property
    def problem(self):
        return None

    def close(self):
        pass

    def seek(self, time, number=0):
        self._at = round(time * 10)

    def skip_until(self, time):
        self._at = max(self._at, round(time * 10))

    def __next__(self):
        if self._at >= 100:
            raise StopIteration
        t = self._at / 10
        image = np.full((240, 320, 3), 90, np.uint8)
        shift = round(40 * min(max(t - 4.0, 0.0), 1.0))
        image[80 + shift : 160 + shift, 120:180] = 240
        self._at += 1
        return Frame(image, t, self._at - 1)


class Reader:
    """Notes at which size and how it was called, and sees one card at each."""

    def __init__(self):
        self.sizes = []
        self.settings = set()

    def read(self, image, *, size=None, least=None, setting=None):
        assert image.shape[0] == image.shape[1]
        assert least is not None
        self.sizes.append(size)
        self.settings.add(setting)
        return [sighting("7H" if size < 500 else "6H", 60 + size / 10, 60, sure=0.8)]


def test_a_second_look_reads_every_moving_frame_at_two_scales_accurately():
    reader = Reader()
    seen = list(look_again(Film(), PileZone((150, 120), 50.0), reader, [(1.0, 2.0), (3.6, 5.4)]))
    times = [one.time for one in seen]
    assert times == sorted(times)
    assert all(1.0 <= t <= 2.0 or 3.6 <= t <= 5.4 for t in times)
    # At rest now and then, while the card moves each frame.
    assert len([t for t in times if t <= 2.0]) <= 4
    assert {4.1, 4.2, 4.3, 4.4, 4.5, 4.6, 4.7, 4.8, 4.9, 5.0} <= {round(t, 1) for t in times}
    assert reader.sizes.count(416) == reader.sizes.count(640) == len(seen)
    assert reader.settings == {"accurate"}
    for one in seen:
        assert {str(card.card) for card in one.sightings} == {"7H", "6H"}
