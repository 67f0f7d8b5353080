"""Where things lie on the table as the camera sees it, in coordinates that outlive a resolution.

Coordinates run from 0 to 1: x from the left edge of the picture to the right, y from its top to its
bottom; what a camera that moved has lost from sight lies outside. A layout in sight is written as
JSON (`pisti-layout/1`) and reads back to an equal one.
"""

from __future__ import annotations

import json
from collections.abc import Callable, Mapping
from dataclasses import dataclass, fields, replace
from pathlib import Path
from reprlib import repr as short
from typing import Any, Final

import numpy as np
from numpy.typing import NDArray

from vision.errors import LayoutError
from vision.table.move import STILL, Move

FORMAT: Final = "pisti-layout/1"
#: A layout file holds a few dozen numbers; a longer one is something else.
_MOST_BYTES: Final = 100_000
_MOST_SEATS: Final = 6
#: A zone that is less than this share of the picture is none: no card can be read in it.
_LEAST_AREA: Final = 1e-4

Point = tuple[float, float]
Quad = tuple[Point, Point, Point, Point]


@dataclass(frozen=True, slots=True)
class Layout:
    """The corners of the table, its zones, and where the players sit; equal by value.

    Attributes:
        corners: the corners of the table, clockwise; None when not known.
        pile: the zone in which cards are played.
        stock: the zone of the stock, with the bottom card under it.
        hand: the zone in which the advised player shows a hand to the camera.
        seats: the middle of each player's side, by seat; empty when not known.
    """

    corners: Quad | None = None
    pile: Quad | None = None
    stock: Quad | None = None
    hand: Quad | None = None
    seats: tuple[Point, ...] = ()

    @classmethod
    def from_json(cls, data: object) -> Layout:
        """Return the layout written as *data*, the object of its JSON form.

        Raises:
            LayoutError: *data* is not one; the sentence names the part that is wrong.
        """
        if not isinstance(data, Mapping) or data.get("format", FORMAT) != FORMAT:
            raise LayoutError("layout.format", expected=FORMAT)
        zones = {} if data.get("zones") is None else data["zones"]
        if not isinstance(zones, Mapping):
            raise LayoutError("layout.zones", known=", ".join(_ZONES))
        unknown = sorted({*data} - {"format", "corners", "zones", "seats"} | {*zones} - {*_ZONES})
        if unknown:
            raise LayoutError("layout.unknown", name=unknown[0])
        written = {"corners": data.get("corners"), **{name: zones.get(name) for name in _ZONES}}
        quads = {name: _quad(name, points) for name, points in written.items()}
        seats = _seats(data.get("seats"))
        return cls(**quads, seats=seats)

    @classmethod
    def load(cls, path: Path) -> Layout:
        """Return the layout in the file at *path*.

        Raises:
            OSError: the file cannot be read.
            LayoutError: it holds no layout, or one with a zone in which nothing can lie; the
                sentence names the file and the part that is wrong.
        """
        with path.open("rb") as file:
            written = file.read(_MOST_BYTES + 1)
        try:
            data = json.loads(written.decode("utf-8-sig")) if len(written) <= _MOST_BYTES else None
        except (ValueError, RecursionError):
            data = None
        try:
            layout = cls.from_json(data)
            layout.check_room()
        except LayoutError as error:
            raise LayoutError("layout.file", path=path, reason=error) from None
        return layout

    def to_json(self) -> dict[str, Any]:
        """Return the object of the layout's JSON form."""
        return {
            "format": FORMAT,
            "corners": _written(self.corners),
            "zones": {name: _written(getattr(self, name)) for name in _ZONES},
            "seats": [list(point) for point in self.seats],
        }

    def to_text(self) -> str:
        """Return the text of a file that `load` reads."""
        return json.dumps(self.to_json(), indent=1) + "\n"

    def check_room(self, shown: Layout | None = None) -> None:
        """Refuse quads that have next to no area, so that nothing can lie in them.

        Those that are as in *shown* are let by: a camera that moved has lost them from sight.

        Raises:
            LayoutError: there is one.
        """
        for name in self._flat():
            if shown is None or getattr(self, name) != getattr(shown, name):
                raise LayoutError("layout.flat", name=name)

    def with_room(self) -> Layout:
        """Return the layout without the quads in which nothing can lie."""
        nothing: dict[str, Any] = dict.fromkeys(self._flat())
        return replace(self, **nothing)

    def _flat(self) -> list[str]:
        known = {name: getattr(self, name) for name in ("corners", *_ZONES)}
        return [name for name, quad in known.items() if quad and _area(quad) < _LEAST_AREA]

    def pixels(self, name: str, size: tuple[int, int]) -> NDArray[np.float32] | None:
        """Return (4, 2) float32 pixels of the quad *name* in a picture of *size* (width, height).

        None when that quad is not known.
        """
        quad = getattr(self, name)
        if quad is None:
            return None
        return np.asarray(np.array(quad, np.float32) * np.array(size, np.float32), np.float32)

    def pile_circle(self, size: tuple[int, int]) -> tuple[tuple[float, float], float] | None:
        """Return the middle (x, y) and radius, in pixels, of a circle around the pile's zone.

        The circle has the zone's mean reach: it neither takes in what lies beside a long zone nor
        loses its corners.
        """
        quad = self.pixels("pile", size)
        if quad is None:
            return None
        middle = quad.mean(axis=0)
        reach = float(np.linalg.norm(quad - middle, axis=1).mean())
        return (float(middle[0]), float(middle[1])), reach

    def moved(self, move: Move, size: tuple[int, int]) -> Layout:
        """Return where all is seen after the *move* of pictures of *size*."""
        width, height = size

        def seen(point: Point) -> Point:
            x, y = move.place((point[0] * width, point[1] * height))
            return x / width, y / height

        return self if move == STILL else self._with(seen)

    def in_sight(self) -> Layout:
        """Return what is seen of it: cut at the picture's edges."""
        return self._with(lambda point: (_within(point[0]), _within(point[1])))

    def _with(self, placed: Callable[[Point], Point]) -> Layout:
        """Return the layout with each point where *placed* says."""
        changed: dict[str, Any] = {}
        for field in fields(self):
            points = getattr(self, field.name)
            changed[field.name] = points and tuple(map(placed, points))
        return Layout(**changed)

    def holds(self, name: str, point: Point) -> bool:
        """Whether *point* (relative) lies in the quad *name*; False when that is not known."""
        quad = getattr(self, name)
        if quad is None:
            return False
        x, y = point
        turns = [
            (bx - ax) * (y - ay) - (by - ay) * (x - ax)
            for (ax, ay), (bx, by) in zip(quad, (*quad[1:], quad[0]), strict=True)
        ]
        return bool(min(turns) >= 0 or max(turns) <= 0)


_ZONES: Final = ("pile", "stock", "hand")


def around(middle: Point, width: float, height: float) -> Quad:
    """Return the upright quad of *width* and *height* around *middle*, cut at the picture's edge.

    All are relative to the picture.
    """
    (x, y), across, along = middle, width / 2, height / 2
    left, right = max(0.0, x - across), min(1.0, x + across)
    top, bottom = max(0.0, y - along), min(1.0, y + along)
    return (left, top), (right, top), (right, bottom), (left, bottom)


def _within(value: float) -> float:
    return min(1.0, max(0.0, value))


def _area(quad: Quad) -> float:
    """Return the area of *quad*, as a share of the picture; of one that crosses itself, less."""
    sides = zip(quad, (*quad[1:], quad[0]), strict=True)
    return abs(sum(ax * by - bx * ay for (ax, ay), (bx, by) in sides)) / 2


def _quad(name: str, written: object) -> Quad | None:
    if written is None:
        return None
    points = _points(name, written)
    if points is None or len(points) != 4:
        raise LayoutError("layout.points", name=name, count=4)
    return points[0], points[1], points[2], points[3]


def _seats(written: object) -> tuple[Point, ...]:
    if written is None:
        return ()
    points = _points("seats", written)
    if points is None or len(points) > _MOST_SEATS:
        raise LayoutError("layout.seats", count=_MOST_SEATS)
    return points


def _points(name: str, written: object) -> tuple[Point, ...] | None:
    """Return the points of the part *name*; None where *written* is no list."""
    if not isinstance(written, list | tuple):
        return None
    points = []
    for point in written:
        is_pair = isinstance(point, list | tuple) and len(point) == 2
        if not is_pair or not all(map(_is_share, point)):
            raise LayoutError("layout.point", name=name, value=short(point))
        points.append((float(point[0]), float(point[1])))
    return tuple(points)


def _is_share(value: object) -> bool:
    if isinstance(value, bool) or not isinstance(value, int | float):
        return False
    return 0 <= value <= 1


def _written(quad: Quad | None) -> list[list[float]] | None:
    return None if quad is None else [list(point) for point in quad]
