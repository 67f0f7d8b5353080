"""The frames of a recorded game: the table at rest, hands over it, light, shake and noise."""

from __future__ import annotations

from collections.abc import Iterator
from dataclasses import astuple, dataclass
from typing import Final

import cv2
import numpy as np
from numpy.typing import NDArray

from datasets.canvas import Shadow, Window, filled
from datasets.games.levels import Game, Manner
from datasets.games.plan import Plan, State, Track
from datasets.games.sprites import HAND_BOX, Layer, over, window_around
from datasets.games.stage import Stage

Image = NDArray[np.uint8]
Points = NDArray[np.float32]

#: Share of a frame's time in which the sensor takes light, and in how many steps it is drawn.
_SHUTTER: Final = 0.6
_STEPS: Final = 6
#: Movement below so many pixels a step is drawn in one.
_SHARP: Final = 1.2
_NOISES: Final = 4


@dataclass(frozen=True)
class Shake:
    """The camera's offset after somebody bumped into it: pixels, and how fast it settles."""

    at: float
    x: float
    y: float

    def offset(self, t: float) -> tuple[float, float]:
        """Where the picture is at *t*: it swings and settles a little beside where it was."""
        since = t - self.at
        if since < 0:
            return 0.0, 0.0
        swing = 1.0 + 1.5 * np.exp(-since / 0.25) * np.cos(18 * since)
        return float(self.x * swing), float(self.y * swing)


@dataclass(frozen=True)
class Pose:
    """How the camera sees against how it was set up: degrees, times, and shares of the width."""

    turn: float = 0.0
    zoom: float = 1.0
    right: float = 0.0
    down: float = 0.0

    def towards(self, other: Pose, share: float) -> Pose:
        """The pose that lies *share* of the way to *other*."""
        pairs = zip(astuple(self), astuple(other), strict=True)
        return Pose(*(float(a + (b - a) * share) for a, b in pairs))

    def matrix(self, drawn: tuple[int, int], size: tuple[int, int]) -> NDArray[np.float64]:
        """From a picture of *drawn* to one of *size*, middle to middle: 2 x 3."""
        middle = drawn[0] / 2, drawn[1] / 2
        matrix = cv2.getRotationMatrix2D(middle, self.turn, self.zoom)
        matrix[0, 2] += size[0] / 2 - middle[0] + self.right * size[0]
        matrix[1, 2] += size[1] / 2 - middle[1] + self.down * size[0]
        return np.asarray(matrix, np.float64)


#: Seconds in which the camera slips, and how far at most: degrees, times, shares of the width.
_SLIPPING: Final = 0.6
_SLIP: Final = Pose(turn=8.0, zoom=1.15, right=0.11, down=0.08)


class Film:
    """Draws the frames of a plan.

    Args:
        game: the game.
        stage: its table.
        plan: who moves what.
        rng: source of chance.
    """

    def __init__(self, game: Game, stage: Stage, plan: Plan, rng: np.random.Generator) -> None:
        manner = game.manner
        self._stage, self._plan, self._manner = stage, plan, manner
        self._fps = game.fps
        self._whole = game.drawn
        self._size = game.size
        scale = game.size[1] / 720
        self._light = _light(game.drawn, manner, rng)
        self._glare = _glare(game.drawn, stage, manner, rng) if manner.glare else None
        self._noise = [_noise(game.size, manner.noise, rng) for _ in range(_NOISES)]
        self._rng = rng
        self._shakes = [
            Shake(float(rng.uniform(12, max(13.0, plan.duration))),
                  *(float(v) * scale for v in rng.uniform(-7, 7, 2)))
            for _ in range(rng.poisson(manner.bumps))
        ]  # fmt: skip
        self._levels = _wander(round(plan.duration * game.fps) + 2, manner.flicker, game.fps, rng)
        self._poses = _poses(manner.slips, plan.duration, rng)
        self._state: State | None = None
        self._table: Image = stage.bare
        self._still: tuple[State, tuple[float, float], Pose, Image] | None = None
        self._coarse = 4

    @property
    def count(self) -> int:
        """Number of frames."""
        return round(self._plan.duration * self._fps)

    def frames(self) -> Iterator[Image]:
        """Yield every frame, H x W x 3 BGR."""
        for number in range(self.count):
            yield self._frame(number)

    def _frame(self, number: int) -> Image:
        t = number / self._fps
        state = self._at(t)
        offset = (
            sum(shake.offset(t)[0] for shake in self._shakes),
            sum(shake.offset(t)[1] for shake in self._shakes),
        )
        pose = self._pose(t)
        tracks = [
            track
            for track in self._plan.tracks
            if track.keys[0].t <= t and t - _SHUTTER / self._fps <= track.keys[-1].t
        ]
        # What moves ends where the next state begins: in one frame both would be seen.
        tracks = [track for track in tracks if t < track.keys[-1].t]
        if not tracks and self._still and self._still[:3] == (state, offset, pose):
            image = self._still[3]
        else:
            image = self._table
            if tracks:
                image = self._with_tracks(image.copy(), tracks, t)
            image = self._seen(image, offset, pose)
            if not tracks:
                self._still = (state, offset, pose, image)
        bright = self._levels[number]
        image = np.asarray(cv2.convertScaleAbs(image, alpha=bright), np.uint8)
        grain = self._noise[int(self._rng.integers(_NOISES))]
        dy, dx = (int(v) for v in self._rng.integers(0, 64, 2))
        part = grain[dy : dy + self._size[1], dx : dx + self._size[0]]
        return np.asarray(cv2.add(image, np.ascontiguousarray(part), dtype=cv2.CV_8U), np.uint8)

    def _pose(self, t: float) -> Pose:
        pose = Pose()
        for at, slipped in self._poses:
            share = float(np.clip((t - at) / _SLIPPING, 0, 1))
            pose = pose.towards(slipped, share * share * (3 - 2 * share))
        return pose

    def _at(self, t: float) -> State:
        """The state at *t*; the table is drawn anew where cards were taken away."""
        state = [state for at, state in self._plan.states if at <= t + 1e-9][-1]
        before = self._state
        if state is before:
            return state
        grown = before is not None and (
            (state.stock, state.bottom, state.heaps, state.shown)
            == (before.stock, before.bottom, before.heaps, before.shown)
            and state.pile[: len(before.pile)] == before.pile
        )
        if grown and before is not None:
            self._table = self._table.copy()
            for level in range(len(before.pile), len(state.pile)):
                self._stage.add(self._table, state.pile[level], level)
        else:
            self._table = self._stage.set_up(state)
        self._state = state
        return state

    def _with_tracks(self, image: Image, tracks: list[Track], t: float) -> Image:
        for track in tracks:
            moved = [self._quads(track, t)]
            apart = np.abs(moved[0][0] - self._quads(track, t - _SHUTTER / self._fps)[0]).max()
            steps = 1 if apart < _SHARP else _STEPS
            moved = [
                self._quads(track, t - _SHUTTER / self._fps * step / steps) for step in range(steps)
            ]
            window = window_around(
                np.concatenate([q for quads in moved for q in quads]), self._whole
            )
            if window is None:
                continue
            self._shade(image, track, t)
            layers = [self._drawn(track, quads, window, t) for quads in moved]
            mean = layers[0] if steps == 1 else _mean(layers)
            image[window.part] = over(image[window.part], mean)
        return image

    def _drawn(self, track: Track, quads: list[Points], window: Window, t: float) -> Image:
        layer = Layer(window)
        carried = [one for one in track.carried if one.start <= t <= one.end]
        for one, quad in zip(carried, quads[1:], strict=False):
            layer.lay(self._stage.sprite(one.card.face), quad)
        if track.seat is not None:
            pose = 0 if carried or len(track.keys) > 2 else 1
            layer.lay(self._stage.hands[track.seat][pose], quads[0])
        return layer.image

    def _quads(self, track: Track, t: float) -> list[Points]:
        """Where the hand (first) and the cards it carries are seen at *t*."""
        x, y, z = track.place(t)
        quads = [self._hand_quad(track, x, y, z + 1.0)]
        for one in track.carried:
            if one.start <= t <= one.end or one.start <= t + _SHUTTER / self._fps <= one.end:
                ax, ay, _ = track.place(one.at)
                quads.append(self._stage.quad(one.card, z, x - ax, y - ay))
        return quads

    def _hand_quad(self, track: Track, x: float, y: float, z: float) -> Points:
        """Where the box of the hand is seen whose fingertips are at (x, y, z)."""
        if track.seat is None:
            return self._stage.camera.project(np.array([[x, y, z]] * 4))
        ways = self._stage.ways[track.seat]
        ahead, right = np.array([-ways[0], -ways[1]]), np.array([-ways[1], ways[0]])
        left_, right_, back, front = HAND_BOX
        corners = [
            np.array([x, y]) + right * across + ahead * along
            for across, along in ((left_, front), (right_, front), (right_, back), (left_, back))
        ]
        # The arm comes down from above the table's edge.
        rise = (z, z, z + 9.0, z + 9.0)
        return self._stage.camera.project(
            np.array([[*corner, up] for corner, up in zip(corners, rise, strict=True)])
        )

    def _shade(self, image: Image, track: Track, t: float) -> None:
        """The shadow of a hand on the table, drawn small."""
        if track.seat is None:
            return
        x, y, z = track.place(t)
        way, sun = self._stage.ways[track.seat], self._stage.sun
        tip = np.array([x + sun[0] * (z + 1.5), y + sun[1] * (z + 1.5)])
        side = np.array([-way[1], way[0]])
        away = np.array(way)
        outline = np.stack(
            [tip + side * 3, tip - side * 3, tip - side * 4 + away * 9,
             tip - side * 3.2 + away * 60, tip + side * 3.2 + away * 60, tip + side * 4 + away * 9]
        )  # fmt: skip
        polygon = self._stage.camera.project(outline)
        _throw(image, polygon, Shadow(0.35, (0, 0), 0.12 * self._stage.card_height), self._coarse)

    def _seen(self, image: Image, offset: tuple[float, float], pose: Pose) -> Image:
        """Light, lens, shake, and where the camera has slipped to."""
        image = np.asarray(cv2.multiply(image, self._light, scale=1 / 160), np.uint8)
        if self._glare is not None:
            image = np.asarray(cv2.add(image, self._glare), np.uint8)
        if self._poses or abs(offset[0]) + abs(offset[1]) > 0.05:
            matrix = pose.matrix(self._whole, self._size)
            matrix[:, 2] += offset
            image = np.asarray(
                cv2.warpAffine(image, matrix, self._size, borderMode=cv2.BORDER_REPLICATE), np.uint8
            )
        return np.asarray(cv2.GaussianBlur(image, (0, 0), self._manner.blur), np.uint8)


def _poses(count: int, duration: float, rng: np.random.Generator) -> list[tuple[float, Pose]]:
    """When the camera slips, spread over the game, and how it sees from then on."""
    poses = []
    for number in range(count):
        at = duration * (number + rng.uniform(0.4, 0.8)) / count
        ways = rng.choice([-1, 1], 4) * rng.uniform(0.5, 1.0, 4)
        zoom = _SLIP.zoom ** float(ways[1])
        turn, right, down = _SLIP.turn * ways[0], _SLIP.right * ways[2], _SLIP.down * ways[3]
        poses.append((float(at), Pose(float(turn), zoom, float(right), float(down))))
    return poses


def _mean(layers: list[Image]) -> Image:
    total = np.zeros(layers[0].shape, np.float32)
    for layer in layers:
        cv2.accumulate(layer, total)
    return np.asarray(cv2.convertScaleAbs(total, alpha=1 / len(layers)), np.uint8)


def _throw(image: Image, polygon: Points, shadow: Shadow, coarse: int) -> None:
    window = window_around(polygon, (image.shape[1], image.shape[0]), 3 * shadow.blur)
    if window is None:
        return
    small = (-(-window.size[0] // coarse), -(-window.size[1] // coarse))
    points = np.asarray((polygon - (window.left, window.top)) / coarse, np.float32)
    mask = cv2.GaussianBlur(filled(points, small), (0, 0), max(0.5, shadow.blur / coarse))
    soft = cv2.resize(mask, window.size, interpolation=cv2.INTER_LINEAR)
    keep = cv2.bitwise_not(cv2.convertScaleAbs(soft, alpha=shadow.strength))
    target = np.ascontiguousarray(image[window.part])
    image[window.part] = cv2.multiply(target, cv2.merge([keep] * 3), scale=1 / 255)


def _light(size: tuple[int, int], manner: Manner, rng: np.random.Generator) -> Image:
    """How bright each place is, 160 for what stays as it is; H x W x 3."""
    y, x = np.mgrid[0 : size[1] : 8, 0 : size[0] : 8].astype(np.float32)
    cx, cy = rng.uniform(0.3, 0.7) * size[0], rng.uniform(0.3, 0.7) * size[1]
    far = np.hypot(x - cx, y - cy) / size[0]
    field = manner.light * (1 - manner.lamp * np.clip(far * 1.4, 0, 1) ** 1.5)
    warm = rng.normal(0, 0.05)
    tint = np.exp([-warm - 0.02, 0.0, warm])
    small = np.stack([field * gain for gain in tint], axis=2) * 160
    full = cv2.resize(small.astype(np.float32), size, interpolation=cv2.INTER_LINEAR)
    return np.asarray(full.clip(0, 255), np.uint8)


def _glare(size: tuple[int, int], stage: Stage, manner: Manner, rng: np.random.Generator) -> Image:
    """A reflection that lies near the pile and covers a part of it; H x W x 3."""
    spot = np.zeros((size[1] // 4, size[0] // 4), np.uint8)
    x, y = stage.camera.project(np.array([[*rng.normal(0, 4.0, 2), 0.0]]))[0] / 4
    axes = (stage.card_height * rng.uniform(0.25, 0.6) / 4, stage.card_height * 0.2 / 4)
    cv2.ellipse(spot, ((float(x), float(y)), (2 * axes[0], 2 * axes[1]), rng.uniform(0, 180)),
                manner.glare, -1)  # fmt: skip
    soft = cv2.GaussianBlur(spot, (0, 0), stage.card_height * 0.12 / 4)
    full = cv2.resize(soft, size, interpolation=cv2.INTER_LINEAR)
    return np.asarray(cv2.merge([full] * 3), np.uint8)


def _noise(size: tuple[int, int], sigma: float, rng: np.random.Generator) -> NDArray[np.int16]:
    """Grain a little larger than the picture, H + 64 x W + 64 x 3."""
    shape = (size[1] + 64, size[0] + 64, 3)
    raw = rng.standard_normal(shape, np.float32)
    soft = cv2.GaussianBlur(raw, (0, 0), 0.6)
    return np.asarray(soft / soft.std() * sigma, np.float32).round().astype(np.int16)


def _wander(count: int, reach: float, fps: int, rng: np.random.Generator) -> NDArray[np.float64]:
    """The brightness of each frame: it wanders, and now and then a lamp or a cloud changes it."""
    knots = max(4, count // (3 * fps))
    slow = np.interp(
        np.linspace(0, 1, count), np.linspace(0, 1, knots), rng.normal(0, reach, knots)
    )
    step = np.zeros(count)
    for _ in range(rng.poisson(30 * reach)):
        step[int(rng.integers(count)) :] += rng.normal(0, 2 * reach)
    return np.asarray(np.clip(1 + slow + step, 0.6, 1.4), np.float64)
