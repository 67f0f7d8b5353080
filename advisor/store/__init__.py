"""The store: games, their events and the settings in one SQLite file."""

from advisor.errors import StoreError
from advisor.store.folder import data_folder
from advisor.store.keeper import Keeper
from advisor.store.lock import ServerLock
from advisor.store.players import PlayerTotals, player_totals
from advisor.store.store import FILE, Kept, Store, summary_of

__all__ = [
    "FILE",
    "Keeper",
    "Kept",
    "PlayerTotals",
    "ServerLock",
    "Store",
    "StoreError",
    "data_folder",
    "player_totals",
    "summary_of",
]
