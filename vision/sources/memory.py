"""Pictures that are no longer needed go back to the system at once."""

from __future__ import annotations

import ctypes
import sys
from functools import cache
from typing import Final

#: glibc's M_MMAP_THRESHOLD (malloc.h), and the bytes from which memory is mapped by itself.
_THRESHOLD: Final = -3
_PICTURE: Final = 1 << 20


@cache
def give_pictures_back() -> bool:
    """Let memory of a megabyte or more be mapped by itself; return whether that can be set here.

    glibc raises its threshold above the size of a picture when the first is freed. From then on
    pictures share the heap with the small things that are kept of each, which lie between them and
    hold the heap together: reading a recording of 146 seconds took 680 MB, growing with its length,
    instead of 335. Other systems' allocators need nothing.
    """
    if not sys.platform.startswith("linux"):
        return False
    mallopt = getattr(ctypes.CDLL(None), "mallopt", None)
    return mallopt is not None and bool(mallopt(_THRESHOLD, _PICTURE))
