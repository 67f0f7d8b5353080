"""The table: where the pile lies, what moves, what each frame shows of it."""

from vision.table.bottom import find_bottom
from vision.table.glimpses import Glimpse, glimpses
from vision.table.pile import PileZone, find_pile
from vision.table.watcher import PileWatcher

__all__ = ["Glimpse", "PileWatcher", "PileZone", "find_bottom", "find_pile", "glimpses"]
