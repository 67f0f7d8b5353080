"""Packages that are not always there: how they are installed."""

from __future__ import annotations

import os
from typing import Final

#: The extra of those who work on the sources: what it is for is not part of what is installed.
_OF_THE_SOURCES: Final = "train"


def install_command(extra: str) -> str:
    """Return the command that brings the extra called *extra*, as this system's shell writes it.

    It works in the folder of the sources, in the set-up that the README describes.
    """
    pip, quote = (r".venv\Scripts\pip", '"') if os.name == "nt" else (".venv/bin/pip", "'")
    how = "--editable " if extra == _OF_THE_SOURCES else ""
    return f"{pip} install {how}{quote}.[{extra}]{quote}"
