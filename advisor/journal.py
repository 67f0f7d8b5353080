"""What was read of a recording, kept on disk as it is read.

A reading takes minutes, and what was read does not depend on rules or names. So every close-up is
written down at once: a run that was stopped goes on where it was, and a recording that is scored
again, with other rules say, is not read again.
"""

from __future__ import annotations

import hashlib
import json
import os
from bisect import bisect_left, bisect_right
from collections.abc import Sequence
from contextlib import suppress
from pathlib import Path
from typing import IO, Any, Final

import numpy as np

from advisor.errors import StoreError
from advisor.store.folder import data_folder
from advisor.store.lock import lock
from engine import Card
from vision.sightings import Sighting
from vision.sources.folders import SUFFIXES
from vision.sources.opening import path_of
from vision.table import STILL, Closeup, Move, PileZone, Survey

#: To be raised when the form of a journal or the way of reading changes.
_FORMAT: Final = "pisti-reading/3"
#: So many journals are kept; the oldest go.
_KEPT: Final = 40
#: Probabilities below this are left out.
_LEAST: Final = 0.002


def journal_path(source: str, *, weights: str, layout: str = "") -> Path | None:
    """Return where the reading of *source* is kept; None for what is no file or folder.

    Args:
        source: the recording.
        weights: what tells the weights apart that read it.
        layout: what tells the layout apart, where one was given.
    """
    path = path_of(source)
    try:
        if path is None:
            return None
        found = path.stat()
        if path.is_dir():
            pictures = [file for file in path.iterdir() if file.suffix.lower() in SUFFIXES]
            stats = [(file.name, file.stat()) for file in sorted(pictures)]
            what: Any = [(name, each.st_size, each.st_mtime_ns) for name, each in stats]
        else:
            what = [found.st_size, found.st_mtime_ns]
    except OSError:
        return None
    text = json.dumps([_FORMAT, str(path.resolve()), what, weights, layout])
    name = hashlib.sha256(text.encode()).hexdigest()[:24]
    return data_folder() / "readings" / f"{name}.jsonl"


class Journal:
    """The journal of one reading, for one reader at a time.

    Args:
        path: its file; None keeps nothing on disk.

    Attributes:
        survey: what the first look found, None where that is still to be done.
        closeups: what was read so far.
        reached: seconds up to which the recording was read.
        complete: whether it was read to its end.
        looked: the parts that were looked at again, begin and end in seconds.

    Raises:
        StoreError: this recording is being read already.
    """

    def __init__(self, path: Path | None) -> None:
        self.survey: Survey | None = None
        self.closeups: list[Closeup] = []
        self.reached = -1.0
        self.complete = False
        self.looked: list[tuple[float, float]] = []
        self._file: IO[bytes] | None = None
        if path is not None:
            self._open(path)

    def move_at(self, time: float) -> Move:
        """Return how the picture had moved at *time*, in seconds."""
        at = bisect_right(self.closeups, time, key=lambda one: one.time)
        return self.closeups[at - 1].move if at else STILL

    def begin(self, survey: Survey) -> None:
        """Note what the first look found."""
        self.survey = survey
        zone = None if survey.zone is None else [*survey.zone.centre, survey.zone.radius]
        bottom = None if survey.bottom is None else str(survey.bottom)
        self._write({"format": _FORMAT, "zone": zone, "bottom": bottom})

    def add(self, closeup: Closeup) -> None:
        """Note one more close-up, as it will be read back."""
        written = _written(closeup)
        self.closeups.append(_closeup(written))
        self.reached = closeup.time
        self._write(written)

    def add_again(self, closeup: Closeup) -> None:
        """Note a close-up of a second look; it takes the place of the one at its time."""
        written = _written(closeup)
        self._insert(_closeup(written))
        self._write({"again": written})

    def note_looked(self, spans: Sequence[tuple[float, float]]) -> None:
        """Note that these parts were looked at again to their ends."""
        self.looked += spans
        self._write({"looked": [list(span) for span in spans]})

    def end(self) -> None:
        """Note that the recording was read to its end."""
        self.complete = True
        self._write({"end": True})

    def close(self) -> None:
        """Close the file."""
        if self._file is not None:
            self._file.close()
            self._file = None

    def _open(self, path: Path) -> None:
        """Read what is there, drop a line that was cut off, and go on behind it.

        A disk that cannot be written costs the journal, not the reading.
        """
        try:
            path.parent.mkdir(parents=True, exist_ok=True)
            self._file = path.open("a+b")
            if not lock(self._file):
                self.close()
                raise StoreError("store.reading")
            self._file.seek(0)
            whole = 0
            for line in self._file:
                if not line.endswith(b"\n") or not self._take(line):
                    break
                whole += len(line)
            self._file.truncate(whole)
            self._file.seek(0, os.SEEK_END)
        except OSError:
            self.close()
        # What others use or have taken away meanwhile is no matter.
        with suppress(OSError):
            _drop_old(path.parent)

    def _take(self, line: bytes) -> bool:
        try:
            data = json.loads(line)
            if self.survey is None:
                if data["format"] != _FORMAT:
                    return False
                zone = data["zone"] and PileZone(
                    (data["zone"][0], data["zone"][1]), data["zone"][2]
                )
                bottom = data["bottom"] and Card.parse(data["bottom"])
                self.survey = Survey(zone or None, bottom or None)
            elif "end" in data:
                self.complete = True
            elif "again" in data:
                self._insert(_closeup(data["again"]))
            elif "looked" in data:
                self.looked += [(float(begin), float(end)) for begin, end in data["looked"]]
            else:
                closeup = _closeup(data)
                if not closeup.time > self.reached:
                    # Two wrote here at the same time: what comes now was read from elsewhere.
                    return False
                self.closeups.append(closeup)
                self.reached = closeup.time
        except (ValueError, KeyError, TypeError, IndexError):
            return False
        return True

    def _insert(self, closeup: Closeup) -> None:
        at = bisect_left(self.closeups, closeup.time, key=lambda one: one.time)
        same = at < len(self.closeups) and self.closeups[at].time == closeup.time
        self.closeups[at : at + same] = [closeup]

    def _write(self, data: dict[str, Any]) -> None:
        if self._file is not None:
            try:
                self._file.write(json.dumps(data, separators=(",", ":")).encode() + b"\n")
                self._file.flush()
            except OSError:
                self.close()


def _written(closeup: Closeup) -> dict[str, Any]:
    written: dict[str, Any] = {
        "t": round(closeup.time, 4),
        "m": round(closeup.motion, 3),
        "s": [_packed(one) for one in closeup.sightings],
    }
    move = closeup.move
    if move != STILL:
        written["v"] = [round(way, 1) for way in move.shift]
        if (move.along, move.across) != (1.0, 0.0):
            written["v"] += [round(part, 5) for part in (move.along, move.across)]
    if any(closeup.pull):
        written["p"] = [round(way, 4) for way in closeup.pull]
    if closeup.lost is not None:
        written["lost"] = round(closeup.lost, 4)
    return written


def _packed(one: Sighting) -> list[Any]:
    likely = np.flatnonzero(one.probabilities > _LEAST)
    return [
        np.round(one.quad.ravel().astype(float), 1).tolist(),
        np.round(one.box.astype(float), 1).tolist(),
        int(one.face_up),
        round(one.certainty, 3),
        round(one.visible, 3),
        int(one.whole),
        {str(card): round(float(one.probabilities[card]), 4) for card in likely},
    ]


def _closeup(data: dict[str, Any]) -> Closeup:
    sightings = tuple(map(_sighting, data["s"]))
    move = Move(*(float(part) for part in data.get("v", ())))
    lost = float(data["lost"]) if "lost" in data else None
    return Closeup(float(data["t"]), sightings, float(data["m"]), move, _way(data.get("p")), lost)


def _way(given: Sequence[float] | None) -> tuple[float, float]:
    right, down = given or (0.0, 0.0)
    return float(right), float(down)


def _sighting(packed: Sequence[Any]) -> Sighting:
    quad, box, face_up, certainty, visible, whole, likely = packed
    probabilities = np.zeros(52, np.float32)
    for card, probability in likely.items():
        probabilities[int(card)] = probability
    return Sighting(
        quad=np.array(quad, np.float32).reshape(4, 2),
        face_up=bool(face_up),
        probabilities=probabilities,
        certainty=float(certainty),
        visible=float(visible),
        box=np.array(box, np.float32).reshape(4),
        whole=bool(whole),
    )


def _drop_old(folder: Path) -> None:
    journals = sorted(folder.glob("*.jsonl"), key=lambda file: file.stat().st_mtime, reverse=True)
    for old in journals[_KEPT:]:
        old.unlink(missing_ok=True)
