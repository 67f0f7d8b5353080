"""What the system says when it refuses, in words of the catalogue.

The system speaks its own language, and like a programmer; a player reads one sentence.
"""

from __future__ import annotations

import errno
import os
from typing import Final

#: The words for each number of `errno`; those that this system does not have are left out.
_KEYS: Final = {
    getattr(errno, name): key
    for name, key in {
        "EACCES": "system.denied",
        "EPERM": "system.denied",
        "EADDRINUSE": "system.taken",
        "EADDRNOTAVAIL": "system.no_address",
        "EAGAIN": "system.again",
        "EBADF": "system.no_input",
        "EBUSY": "system.again",
        "ECONNREFUSED": "system.refused",
        "EDQUOT": "system.full",
        "EIO": "system.broken",
        "EISDIR": "system.folder",
        "ELOOP": "system.loop",
        "EMFILE": "system.open_files",
        "ENAMETOOLONG": "system.long",
        "ENFILE": "system.open_files",
        "ENOENT": "system.missing",
        "ENOMEM": "system.memory",
        "ENOSPC": "system.full",
        "ENOTDIR": "system.not_folder",
        "EROFS": "system.readonly",
        "ETIMEDOUT": "system.timeout",
        "ETXTBSY": "system.taken",
    }.items()
    if hasattr(errno, name)
}
_BY_TEXT: Final = {os.strerror(number): key for number, key in _KEYS.items()}


def key_of(error: OSError) -> str | None:
    """Return the key of the words for *error*; None where there are none."""
    return _KEYS.get(error.errno or 0)


def key_for(text: object) -> str | None:
    """Return the key of the words for what the system says as *text*; None for all other text."""
    return _BY_TEXT.get(text) if isinstance(text, str) else None
