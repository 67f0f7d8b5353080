"""Files that one program at a time may use; the system lets go of them however it ends."""

from __future__ import annotations

import errno
import sys
from pathlib import Path
from typing import IO, Final, Self

from advisor.errors import StoreError

FILE: Final = "server.lock"
#: What the system says where somebody else holds the lock; all else means that it has no locks.
_HELD: Final = (errno.EACCES, errno.EAGAIN, errno.EDEADLK)
#: The byte that Windows locks. Nobody else can read a byte that is locked there, so it lies far
#: behind all that is written.
_BYTE: Final = 1 << 30


def lock(file: IO[bytes]) -> bool:
    """Hold *file* until it is closed; return False where another program holds it.

    Where the system has no locks, nobody holds it.
    """
    try:
        _hold(file)
    except OSError as error:
        return error.errno not in _HELD
    return True


class ServerLock:
    """Holds a data folder for one server: two would tell one game in two ways.

    Args:
        folder: the data folder.

    Raises:
        StoreError: another server holds it.
    """

    def __init__(self, folder: Path) -> None:
        self._file: IO[bytes] | None = None
        try:
            folder.mkdir(parents=True, exist_ok=True)
            self._file = (folder / FILE).open("a+b")
        except OSError:
            # Where nothing can be written, nothing can be spoiled.
            return
        if not lock(self._file):
            self.close()
            raise StoreError("store.taken", path=folder)

    def close(self) -> None:
        """Let others have the folder."""
        if self._file is not None:
            self._file.close()
            self._file = None

    def __enter__(self) -> Self:
        return self

    def __exit__(self, *_: object) -> None:
        self.close()


if sys.platform == "win32":
    import msvcrt

    def _hold(file: IO[bytes]) -> None:
        """Lock one byte of *file*, or raise OSError at once."""
        file.seek(_BYTE)
        msvcrt.locking(file.fileno(), msvcrt.LK_NBLCK, 1)

else:
    import fcntl

    def _hold(file: IO[bytes]) -> None:
        """Lock *file*, or raise OSError at once."""
        fcntl.flock(file, fcntl.LOCK_EX | fcntl.LOCK_NB)
