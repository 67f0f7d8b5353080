"""Rendering in tests: with what the code draws alone."""

from __future__ import annotations

from collections.abc import Iterator
from pathlib import Path

import pytest

from datasets import fonts, library, stamps, textures

_CACHED = (
    library.library,
    library.decks_for,
    fonts.fonts,
    fonts.letters,
    textures._stored,
    textures._views,
    stamps.stamps,
)


def forget() -> None:
    """Drop what the modules keep of the cache."""
    for cached in _CACHED:
        cached.cache_clear()


@pytest.fixture(scope="session", autouse=True)
def empty_cache(tmp_path_factory: pytest.TempPathFactory) -> Iterator[Path]:
    """Render with what the code draws alone, whatever this machine has fetched."""
    folder = tmp_path_factory.mktemp("cache")
    patch = pytest.MonkeyPatch()
    patch.setenv("PISTI_CACHE", str(folder))
    forget()
    yield folder
    patch.undo()
    forget()
