"""One server for each data folder: two would tell one game in two ways."""

from __future__ import annotations

import errno
import sys
from pathlib import Path
from typing import IO, Final, Self

from advisor.errors import StoreError

FILE: Final = "server.lock"
#: What the system says where somebody else holds the lock; all else means that it has no locks.
_HELD: Final = (errno.EACCES, errno.EAGAIN, errno.EDEADLK)


class ServerLock:
    """Holds a data folder for one server; the system lets go of it however the program ends.

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
        try:
            _hold(self._file)
        except OSError as error:
            self.close()
            if error.errno in _HELD:
                raise StoreError("store.taken", path=folder) from error

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
        """Lock the first byte of *file*, or raise OSError at once."""
        file.seek(0)
        msvcrt.locking(file.fileno(), msvcrt.LK_NBLCK, 1)

else:
    import fcntl

    def _hold(file: IO[bytes]) -> None:
        """Lock *file*, or raise OSError at once."""
        fcntl.flock(file, fcntl.LOCK_EX | fcntl.LOCK_NB)
