"""What stands for reading a recording in tests: fast, slow, failing, dying."""

from __future__ import annotations

import os
import time
from multiprocessing.connection import Connection
from typing import Any

from advisor.api.stills import Still
from vision.sources import SourceError

RESULT: dict[str, Any] = {
    "record": {
        "format": "pisti-record/1",
        "rules": {"preset": "modern"},
        "names": ["Ayşe", "Mehmet"],
        "deals": [
            {
                "dealer": 1,
                "centre": ["??", "??", "??", "7S"],
                "centre_up": 1,
                "bottom": None,
                "plays": [
                    {"card": "7H", "t": 1.5, "confidence": 0.99},
                    {"card": "4C", "t": 3.0, "confidence": 0.5},
                ],
            }
        ],
    },
    "score": {"format": "pisti-score/1", "deals": [], "totals": [0, 0], "winner": None},
    "review": [{"deal": 0, "play": 1, "t": 3.0, "read": "4C", "alternatives": ["4S"]}],
}


def work(sending: Connection, source: str, *_: object) -> None:
    """Do what the file's name says."""
    if "slow" in source:
        for step in range(600):
            sending.send(("progress", step / 600))
            time.sleep(0.1)
    if "broken" in source:
        sending.send(("failed", SourceError("source.empty", path="broken")))
        return
    if "dying" in source:
        os._exit(3)
    sending.send(("progress", 0.5))
    sending.send(("stills", [Still(3.0, b"the table", b"the pile")]))
    sending.send(("done", RESULT))
