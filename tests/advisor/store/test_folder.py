"""Where each system keeps programs' data."""

from pathlib import Path

import pytest

from advisor.store import data_folder

HOME = Path("/home/ayse")


@pytest.mark.parametrize(
    ("platform", "variables", "folder"),
    [
        ("linux", {}, HOME / ".local/share/pisti"),
        ("linux", {"XDG_DATA_HOME": "/data"}, Path("/data/pisti")),
        ("darwin", {}, HOME / "Library/Application Support/pisti"),
        ("win32", {}, HOME / "AppData/Local/pisti"),
        ("win32", {"LOCALAPPDATA": "/local"}, Path("/local/pisti")),
        ("win32", {"PISTI_DATA": "/mine"}, Path("/mine")),
    ],
)
def test_the_data_folder(
    monkeypatch: pytest.MonkeyPatch, platform: str, variables: dict[str, str], folder: Path
) -> None:
    monkeypatch.setattr("sys.platform", platform)
    monkeypatch.setattr(Path, "home", classmethod(lambda _cls: HOME))
    for name in ("XDG_DATA_HOME", "LOCALAPPDATA", "PISTI_DATA"):
        monkeypatch.delenv(name, raising=False)
    for name, value in variables.items():
        monkeypatch.setenv(name, value)
    assert data_folder() == folder
