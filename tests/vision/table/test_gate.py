"""A frame is read only when something changed."""

import numpy as np

from vision.table import Gate, Region

WHOLE = Region(0, 0, 640, 360)


def read(pictures, region=WHOLE, **options):
    """Return the numbers of the pictures, 0.1 s apart, that are wanted, and the motion at each."""
    gate = Gate(region, 640, confirm=(), **options)
    wanted, motion = [], []
    for number, picture in enumerate(pictures):
        if gate.wants(picture, number * 0.1):
            wanted.append(number)
        motion.append(gate.motion)
    return wanted, motion


def blank():
    return np.full((360, 640, 3), 90, np.uint8)


def with_card(x, y):
    image = blank()
    image[y : y + 80, x : x + 60] = 240
    return image


def test_a_still_table_is_read_once_in_a_while():
    assert read([blank()] * 31, rest=1.0)[0] == [0, 10, 20, 30]


def test_noise_is_no_change():
    rng = np.random.default_rng(1)
    noisy = [
        np.clip(blank() + rng.normal(0, 6, (360, 640, 3)), 0, 255).astype(np.uint8)
        for _ in range(8)
    ]
    assert len(read(noisy, rest=10)[0]) == 1


def test_a_card_that_appears_is_read_at_once():
    pictures = [blank()] * 3 + [with_card(300, 150)] * 3
    wanted, motion = read(pictures, rest=10)
    assert wanted == [0, 3]
    assert motion[3] > 0
    assert motion[4] == 0
    # Elsewhere it changes nothing.
    assert read(pictures, Region(20, 20, 100, 100), rest=10) == ([0], [0] * 6)
    near = Region.around((330, 190), 40, (640, 360))
    assert read(pictures, near, rest=10)[1][3] > 0.5


def test_a_card_that_slides_slowly_is_read_again():
    pictures = [with_card(300 + 4 * n, 150) for n in range(12)]
    assert len(read(pictures, rest=10)[0]) >= 4
