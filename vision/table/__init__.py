"""The table: where the pile lies, what moves, what each frame shows of it."""

from vision.table.bottom import find_bottom
from vision.table.closeups import Closeup, ReadsParts, closeups, look_again
from vision.table.gate import Gate, Region
from vision.table.move import STILL, Move
from vision.table.pile import PileZone, find_pile
from vision.table.seats import count_players, find_hands
from vision.table.survey import Survey, survey
from vision.table.view import View
from vision.table.watcher import PileWatcher, clearness

__all__ = [
    "STILL",
    "Closeup",
    "Gate",
    "Move",
    "PileWatcher",
    "PileZone",
    "ReadsParts",
    "Region",
    "Survey",
    "View",
    "clearness",
    "closeups",
    "count_players",
    "find_bottom",
    "find_hands",
    "find_pile",
    "look_again",
    "survey",
]
