from __future__ import annotations

import hashlib
import io
import re
import tarfile
from pathlib import Path

import pytest
from click.testing import CliRunner

from datasets import assets
from datasets.__main__ import main
from datasets.assets import Asset, AssetError, fetch, has_asset, manifest


def test_the_manifest_pins_and_licenses_everything() -> None:
    listed = manifest()
    assert len({asset.name for asset in listed}) == len(listed) > 20
    for asset in listed:
        assert asset.registry in {"pypi", "npm", "debian"}
        assert re.fullmatch(r"[0-9a-f]{64}", asset.sha256)
        assert asset.version
        assert asset.licence
        assert asset.holds


def test_the_list_names_every_licence() -> None:
    output = CliRunner().invoke(main, ["list"]).output
    for asset in manifest():
        assert asset.name in output
        assert asset.licence in output


def archive() -> bytes:
    buffer = io.BytesIO()
    with tarfile.open(fileobj=buffer, mode="w:gz") as tar:
        info = tarfile.TarInfo("package/card.svg")
        info.size = 5
        tar.addfile(info, io.BytesIO(b"<svg>"))
    return buffer.getvalue()


def served(monkeypatch: pytest.MonkeyPatch, data: bytes) -> None:
    def client(_command: list[str], folder: Path) -> None:
        (folder / "package.tgz").write_bytes(data)

    monkeypatch.setattr(assets, "_run", client)


def test_an_asset_is_checked_and_unpacked(monkeypatch: pytest.MonkeyPatch) -> None:
    data = archive()
    served(monkeypatch, data)
    good = Asset("toy", "npm", "toy", "1.0", hashlib.sha256(data).hexdigest(), "CC0-1.0", "a card")
    assert list(fetch((good,))) == [good]
    assert has_asset("toy")
    assert (assets.asset_dir("toy") / "package/card.svg").read_text() == "<svg>"
    assert list(fetch((good,))) == []


def test_a_wrong_checksum_is_refused(monkeypatch: pytest.MonkeyPatch) -> None:
    served(monkeypatch, archive())
    bad = Asset("forged", "npm", "toy", "1.0", "0" * 64, "CC0-1.0", "a card")
    with pytest.raises(AssetError, match="sha256"):
        list(fetch((bad,)))
    assert not has_asset("forged")
