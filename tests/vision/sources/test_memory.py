"""Pictures that are no longer needed go back to the system at once."""

import subprocess
import sys

import pytest

from vision.sources.memory import give_pictures_back

#: Whether a picture is mapped by itself although one as large was freed before. Prints how many
#: pieces of memory are mapped more while it is there.
_MAPPED = """
import ctypes, sys
import numpy as np
from vision.sources.memory import give_pictures_back
names = "arena ordblks smblks hblks hblkhd usmblks fsmblks uordblks fordblks keepcost".split()
class Info(ctypes.Structure):
    _fields_ = [(name, ctypes.c_size_t) for name in names]
libc = ctypes.CDLL(None)
libc.mallinfo2.restype = Info
if sys.argv[1] == "back":
    assert give_pictures_back()
for _ in range(3):
    np.empty(2_000_000, np.uint8)
before = libc.mallinfo2().hblks
picture = np.empty(1_500_000, np.uint8)
print(libc.mallinfo2().hblks - before)
"""


@pytest.mark.parametrize(("how", "mapped"), [("back", 1), ("as it is", 0)])
def test_a_picture_is_mapped_by_itself(how, mapped):
    if sys.platform.startswith("linux"):
        words = [sys.executable, "-c", _MAPPED, how]
        told = subprocess.run(words, capture_output=True, text=True, check=True).stdout
        assert int(told) == mapped
    else:
        assert not give_pictures_back()
