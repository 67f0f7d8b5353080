"""A frame is read only when something changed."""

import numpy as np

from vision.sources import Frame
from vision.table import glimpses


class CountingReader:
    """Reads nothing, and remembers what it was given."""

    def __init__(self):
        self.read_at = []

    def read(self, image):
        self.read_at.append(int(image[0, 0, 0]))
        return []


def frames(pictures, step=0.1):
    # The corner pixel numbers the frame, too small to count as a change.
    for number, picture in enumerate(pictures):
        image = picture.copy()
        image[0, 0] = number
        yield Frame(image=image, time=number * step, number=number)


def blank():
    return np.full((360, 640, 3), 90, np.uint8)


def with_card(x, y):
    image = blank()
    image[y : y + 80, x : x + 60] = 240
    return image


def test_a_still_table_is_read_once_in_a_while():
    reader = CountingReader()
    seen = list(glimpses(frames([blank()] * 31), reader, rest=1.0))
    assert len(seen) == 31
    assert reader.read_at == [0, 10, 20, 30]


def test_noise_is_no_change():
    reader = CountingReader()
    rng = np.random.default_rng(1)
    noisy = [
        np.clip(blank() + rng.normal(0, 6, (360, 640, 3)), 0, 255).astype(np.uint8)
        for _ in range(8)
    ]
    list(glimpses(frames(noisy), reader, rest=10))
    assert len(reader.read_at) == 1


def test_a_card_that_appears_is_read_at_once():
    reader = CountingReader()
    pictures = [blank()] * 3 + [with_card(300, 150)] * 3
    seen = list(glimpses(frames(pictures), reader, rest=10))
    assert reader.read_at == [0, 3]
    assert seen[3].movement_near(330, 190, 40) > 0.5
    assert seen[3].movement_near(60, 60, 40) == 0
    assert seen[4].movement_near(330, 190, 40) == 0


def test_a_card_that_slides_slowly_is_read_again():
    reader = CountingReader()
    pictures = [with_card(300 + 4 * n, 150) for n in range(12)]
    list(glimpses(frames(pictures), reader, rest=10))
    assert len(reader.read_at) >= 4
