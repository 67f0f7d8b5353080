"""Files that commands write: checked before the work is done, and written whole or not at all.

A name that was given by mistake must never cost a recording, nor a full disk a record that was
good. So every output passes `check_outputs` first, and is then written beside its place and moved
there when it is complete.
"""

from __future__ import annotations

import errno
import os
import secrets
import stat
from collections.abc import Iterable, Iterator
from contextlib import contextmanager, suppress
from pathlib import Path
from typing import TYPE_CHECKING, Final

from advisor.errors import OutputError
from vision.sources.folders import SUFFIXES
from vision.sources.opening import path_of

if TYPE_CHECKING:
    import numpy as np
    from numpy.typing import NDArray

_Identity = tuple[int, int]
#: How a picture is written whose name does not say.
_PICTURE: Final = ".png"


def check_outputs(outputs: Iterable[Path | None], inputs: Iterable[str | Path] = ()) -> None:
    """Raise unless every output can be written and is none of the inputs.

    Args:
        outputs: the files to be written; None for one that is not wanted.
        inputs: what is read: files, folders of pictures, cameras and streams.

    Raises:
        OutputError: an output is an input under any name, is named twice, is a folder, lies in no
            folder, or cannot be written.
    """
    wanted = [path for path in outputs if path is not None]
    if not wanted:
        return
    read, folders = _identities(inputs)
    names: set[str] = set()
    for path in wanted:
        named = _status(path)
        if named is not None and (named.st_dev, named.st_ino) in read:
            raise OutputError("output.input", path=path)
        parent = _status(path.parent)
        is_picture = path.suffix.lower() in SUFFIXES
        if is_picture and parent is not None and (parent.st_dev, parent.st_ino) in folders:
            raise OutputError("output.input_folder", path=path)
        place = os.path.normcase(path.resolve())
        if place in names and (named is None or stat.S_ISREG(named.st_mode)):
            raise OutputError("output.twice", path=path)
        names.add(place)
        _check_place(path, named)


def make_folder(folder: Path) -> None:
    """Make *folder* where there is none.

    Raises:
        OutputError: there is a file of this name, or it cannot be made.
    """
    try:
        folder.mkdir(parents=True, exist_ok=True)
    except (FileExistsError, NotADirectoryError):
        raise OutputError("output.not_folder", path=folder) from None
    except OSError as error:
        raise failed(folder, error) from error


@contextmanager
def writing(path: Path) -> Iterator[Path]:
    """Yield a name to write to beside *path*, and move the file there when it is complete.

    Where the block fails, what lay at *path* stays as it was. What is no file, such as
    ``/dev/stdout``, is written to itself.

    Raises:
        OutputError: the system refuses.
    """
    try:
        place = path.resolve()
        if place.exists() and not place.is_file():
            yield place
            return
        part = _part(place)
        try:
            yield part
            _settle(part, place)
        finally:
            with suppress(OSError):
                part.unlink(missing_ok=True)
    except OSError as error:
        raise failed(path, error) from error


def write_whole(path: Path, content: str | bytes) -> None:
    """Write *content* (text as UTF-8) to the file at *path*, whole or not at all.

    Raises:
        OutputError: the system refuses.
    """
    data = content.encode("utf-8", "replace") if isinstance(content, str) else content
    with writing(path) as part, part.open("wb") as file:
        file.write(data)


def write_picture(path: Path, image: NDArray[np.uint8]) -> None:
    """Write *image* (H × W × 3 BGR) to *path*, in the form that the name's ending says, else PNG.

    Raises:
        OutputError: the system refuses.
    """
    import cv2

    suffix = path.suffix.lower()
    done, data = cv2.imencode(suffix if suffix in SUFFIXES else _PICTURE, image)
    if not done:
        raise OutputError("output.picture", path=path)
    write_whole(path, data.tobytes())


def failed(path: Path, error: Exception) -> OutputError:
    """Return the error that says why the system did not let *path* be written."""
    number = getattr(error, "errno", None) or 0
    reason = os.strerror(number) if number in errno.errorcode else str(error)
    return OutputError("output.failed", path=path, reason=reason)


def _identities(inputs: Iterable[str | Path]) -> tuple[set[_Identity], set[_Identity]]:
    """Return what tells the files that are read, and the folders of pictures, from all others."""
    files: set[_Identity] = set()
    folders: set[_Identity] = set()
    for given in inputs:
        path = given if isinstance(given, Path) else path_of(given)
        found = None if path is None else _status(path)
        if path is None or found is None:
            continue
        files.add((found.st_dev, found.st_ino))
        if stat.S_ISDIR(found.st_mode):
            folders.add((found.st_dev, found.st_ino))
            with suppress(OSError):
                pictures = [each for each in path.iterdir() if each.suffix.lower() in SUFFIXES]
                files |= {(s.st_dev, s.st_ino) for each in pictures if (s := _status(each))}
    return files, folders


def _status(path: Path) -> os.stat_result | None:
    try:
        return path.stat()
    except (OSError, ValueError):
        return None


def _check_place(path: Path, found: os.stat_result | None) -> None:
    """Raise unless a file can be written at *path*, of which *found* tells."""
    if found is not None and stat.S_ISDIR(found.st_mode):
        raise OutputError("output.folder", path=path)
    if found is not None and not stat.S_ISREG(found.st_mode):
        return
    try:
        place = path.resolve()
        if not place.parent.is_dir():
            raise OutputError("output.no_folder", path=place.parent)
        if found is not None and not os.access(place, os.W_OK):
            raise PermissionError(errno.EACCES, "")
        # Whether a file can be made there is known only when one was.
        probe = _part(place)
        probe.open("xb").close()
        probe.unlink()
        # A name that is too long shows in the same way.
        if found is None:
            place.open("xb").close()
            place.unlink()
    except FileNotFoundError as error:
        # The folder is there, and yet nothing can be made in it.
        raise failed(path, PermissionError(errno.EACCES, "")) from error
    except (OSError, ValueError) as error:
        raise failed(path, error) from error


def _part(place: Path) -> Path:
    """Return the name under which the file at *place* is written first."""
    return place.with_name(f".{secrets.token_hex(6)}.part")


def _settle(part: Path, place: Path) -> None:
    """Make sure of the file at *part*, and move it to *place* with the old file's permissions."""
    with part.open("r+b") as file:
        os.fsync(file.fileno())
    with suppress(OSError):
        part.chmod(stat.S_IMODE(place.stat().st_mode))
    part.replace(place)
