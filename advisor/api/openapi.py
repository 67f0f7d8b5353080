"""The API's description as a file: `python -m advisor.api.openapi` writes docs/openapi.json."""

from __future__ import annotations

import json
import sys
from pathlib import Path
from tempfile import TemporaryDirectory

from advisor.api.app import create_app
from advisor.api.desk import Desk
from advisor.api.hub import Hub
from advisor.live.station import Station
from advisor.store import Store


def description() -> str:
    """Return the OpenAPI document of the API, as the file holds it."""
    store = Store(None)
    desk = Desk(store, Hub())
    station = Station(desk)
    try:
        with TemporaryDirectory() as folder:
            app = create_app(desk, station, folder=Path(folder))
            text = json.dumps(app.openapi(), ensure_ascii=False, indent=1, sort_keys=True)
            app.state.adviser.close()
            app.state.jobs.close()
    finally:
        station.close()
        store.close()
    return text + "\n"


if __name__ == "__main__":
    path = Path(sys.argv[1] if len(sys.argv) > 1 else "docs/openapi.json")
    path.write_text(description(), encoding="utf-8")
