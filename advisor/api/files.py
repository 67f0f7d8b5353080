"""Which files of this machine a client may name."""

from __future__ import annotations

import ipaddress
from pathlib import Path

from fastapi import Request

from advisor.errors import ApiError
from vision.sources import SourceError
from vision.sources.opening import SCHEMES


def check_file(request: Request, text: str) -> None:
    """Raise where a client of another machine names a file outside the data folder.

    People at this machine may name any file that they can open anyway; others see nothing of it.

    Raises:
        ApiError: so it is.
        SourceError: no file can have such a name.
    """
    name = text.strip()
    if "\0" in name:
        raise SourceError("source.missing", path=repr(name))
    if name.isdecimal() or name.partition("://")[0].lower() in SCHEMES or _is_here(request):
        return
    folder: Path = request.app.state.folder
    try:
        inside = Path(name).resolve().is_relative_to(folder.resolve())
    except (OSError, ValueError):
        inside = False
    if not inside:
        raise ApiError("api.outside")


def _is_here(request: Request) -> bool:
    """Whether the client sits at this machine."""
    try:
        return request.client is not None and ipaddress.ip_address(request.client.host).is_loopback
    except ValueError:
        return False
