"""The view is followed when the camera is bumped; what moves on the table does not shift it."""

import cv2
import numpy as np
import pytest

from vision.sources import Frame
from vision.table import PileZone, closeups
from vision.table.view import View

from .test_pile import sighting

SIZE = (640, 360)


def table(seed=1):
    """A cloth with things on it, larger than the picture."""
    rng = np.random.default_rng(seed)
    cloth = np.full((SIZE[1] + 200, SIZE[0] + 200, 3), 90, np.uint8)
    for _ in range(30):
        x, y = rng.integers(20, SIZE[0] + 180), rng.integers(20, SIZE[1] + 180)
        colour = tuple(int(v) for v in rng.integers(40, 220, 3))
        cv2.circle(cloth, (int(x), int(y)), int(rng.integers(4, 22)), colour, -1)
    return cloth


def seen(cloth, right=0, down=0, hand=None, light=1.0, noise=0):
    """The picture of the cloth by a camera that shifts it; a dark arm reaches in at *hand*."""
    left, top = 100 - right, 100 - down
    image = cloth[top : top + SIZE[1], left : left + SIZE[0]].copy()
    if hand is not None:
        cv2.rectangle(image, (hand, 0), (hand + 70, 220), (70, 90, 140), -1)
    grain = np.random.default_rng(noise).normal(0, 3, image.shape)
    return np.clip(image * light + grain, 0, 255).astype(np.uint8)


def follow(pictures, step=1.0):
    view = View(SIZE[0])
    changes = [n for n, picture in enumerate(pictures) if view.look(picture, n * step)]
    return view.move.shift, changes


def test_a_bump_is_found_and_told_once():
    cloth = table()
    pictures = [seen(cloth, noise=n) for n in range(4)]
    pictures += [seen(cloth, 44, -31, noise=n) for n in range(4, 20)]
    shift, changes = follow(pictures)
    assert shift == pytest.approx((44, -31), abs=1.5)
    assert changes == [5]


def test_hands_and_light_do_not_shift_the_view():
    cloth = table()
    pictures = [
        seen(cloth, hand=60 * n if n % 3 else None, light=1 - 0.03 * n, noise=n) for n in range(10)
    ]
    assert follow(pictures) == ((0.0, 0.0), [])
    bare = [seen(np.full_like(cloth, 90), hand=60 * n, noise=n) for n in range(8)]
    assert follow(bare) == ((0.0, 0.0), [])


def test_a_chequered_cloth_in_the_dark_does_not_jump():
    rows, columns = np.indices((SIZE[1] + 200, SIZE[0] + 200)) // 24
    cloth = np.where((rows + columns) % 2, 26, 20).astype(np.uint8)[..., None].repeat(3, axis=2)
    pictures = [seen(cloth, hand=20 + 45 * n if n % 4 else None, noise=n) for n in range(14)]
    assert follow(pictures) == ((0.0, 0.0), [])


def test_a_slow_drift_adds_up():
    cloth = table()
    shift, changes = follow([seen(cloth, n, n // 2, noise=n) for n in range(60)])
    assert shift == pytest.approx((59, 29), abs=12)
    assert 3 <= len(changes) <= 12


class Reader:
    """Sees the brightest thing of its part."""

    def read(self, image, *, size=None, least=None, setting=None):
        spots = np.argwhere(image.min(axis=2) > 240)
        if not len(spots):
            return []
        y, x = spots.mean(axis=0)
        return [sighting("7S", float(x), float(y), size=(40, 56))]


def test_what_is_read_after_a_bump_is_told_where_it_was_seen_before():
    cloth = table()
    cv2.rectangle(cloth, (400, 260), (440, 316), (255, 255, 255), -1)
    pictures = [seen(cloth) for _ in range(20)] + [seen(cloth, 70, 40) for _ in range(60)]
    frames = [Frame(picture, n / 10, n) for n, picture in enumerate(pictures)]
    told = [one for one in closeups(frames, PileZone((320.0, 188.0), 60.0), Reader(), SIZE)
            if not isinstance(one, float)]  # fmt: skip
    late = [one for one in told if one.time > 5]
    assert late
    assert all(one.move.shift == pytest.approx((70, 40), abs=1.5) for one in late)
    for one in (told[0], *late):
        box = one.sightings[0].box
        assert (box[:2] + box[2:]) / 2 == pytest.approx((320, 188), abs=2.5)


def test_a_camera_that_went_where_it_is_not_found_is_lost_after_a_while():
    there, elsewhere = table(), table(seed=2)
    pictures = [seen(there, noise=n) for n in range(40)]
    pictures += [seen(elsewhere, noise=n) for n in range(40, 220)]
    frames = [Frame(picture, n / 10, n) for n, picture in enumerate(pictures)]
    told = [one for one in closeups(frames, PileZone((320.0, 188.0), 60.0), Reader(), SIZE)
            if not isinstance(one, float)]  # fmt: skip
    lost = [one for one in told if one.lost is not None]
    assert lost
    assert all(one.time > 15 for one in lost)
    assert [one.lost for one in lost] == [pytest.approx(3.6, abs=0.41)] * len(lost)
    back = [Frame(picture, n / 10, n) for n, picture in enumerate(pictures[:40] * 4)]
    stayed = list(closeups(back, PileZone((320.0, 188.0), 60.0), Reader(), SIZE))
    assert all(isinstance(one, float) or one.lost is None for one in stayed)


@pytest.mark.parametrize("size", [(1, 1), (1920, 2), (2, 1920), (240, 24), (23, 240), (97, 61)])
def test_a_picture_of_any_size_is_taken_in(size):
    view = View(size[0])
    rng = np.random.default_rng(0)
    for n in range(6):
        picture = rng.integers(0, 255, (size[1], size[0], 3), np.uint8)
        view.look(picture, float(n))
    assert view.surely >= 0
