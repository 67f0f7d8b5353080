"""Compiling to machine code once, and keeping it on disk.

Numba keeps machine code beside the source, or in the folder that NUMBA_CACHE_DIR names, or in the
user's cache folder. It looks at the changes of one file only; here the code kept carries a
fingerprint of every file it was made from, so that a change in any of them compiles it again.
"""

from __future__ import annotations

import hashlib
import inspect
import sys
from collections.abc import Callable, Iterable
from pathlib import Path
from types import FunctionType
from typing import Any, TypeVar, cast

import numba

Function = TypeVar("Function", bound=Callable[..., Any])

_HERE = Path(__file__).parent
_ENGINE = ("bonus.py", "cards.py", "rules.py", "scoring.py")
_PARTS = (*sorted(_HERE.glob("*.py")), *(_HERE.parent / name for name in _ENGINE))


def inlined(function: Function) -> Function:
    """Compile *function* as a part of the functions that call it."""
    return cast(Function, numba.njit(nogil=True)(function))


def compiled(function: Function, parts: Iterable[Function] = (), **names: object) -> Function:
    """Compile *function*, with *names* as globals of its own, and keep the code on disk.

    A change in this package or in the files of *parts* compiles it again; a change in further
    files that *parts* use does not. The code is kept in memory only where no folder can be
    written, or where one of *parts* was not imported from a file or closes over variables.

    Args:
        function: what to compile.
        parts: the functions from elsewhere that it calls by those names.
        names: what the function finds under these names, instead of its module's globals.
    """
    fingerprint = _fingerprint(parts)
    own = FunctionType(function.__code__, {**function.__globals__, **names}, function.__name__)
    own.__module__ = function.__module__
    own.__doc__ = function.__doc__
    # Numba names the file after the function, so every combination has a file of its own.
    own.__qualname__ = f"{function.__qualname__}_{fingerprint}"
    if fingerprint:
        try:
            return cast(Function, numba.njit(nogil=True, cache=True)(own))
        except RuntimeError:
            # "cannot cache function: no locator available": no folder can be written.
            pass
    return cast(Function, numba.njit(nogil=True)(own))


def _fingerprint(parts: Iterable[Callable[..., Any]]) -> str:
    """Return a text that changes with the sources, "" where they cannot be told."""
    digest = hashlib.sha256()
    files = list(_PARTS)
    for part in parts:
        plain = getattr(part, "py_func", part)
        source = inspect.getsourcefile(plain)
        if plain.__closure__ or source is None or not Path(source).is_file():
            return ""
        if plain.__module__ not in sys.modules:
            # Code read back from disk looks its parts' modules up by name.
            return ""
        digest.update(f"{plain.__module__}.{plain.__qualname__}\0".encode())
        files.append(Path(source))
    for file in files:
        digest.update(file.read_bytes())
    return digest.hexdigest()[:16]
