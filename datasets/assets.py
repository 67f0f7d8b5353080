"""Artwork, textures and fonts from package registries, by pinned version and checksum.

`assets.toml` beside this file lists every package: where it comes from, its licence and what it
holds. `fetch` downloads what is missing with the registry's ordinary client, checks the checksum
and unpacks it into the cache; nothing of it is ever committed.
"""

from __future__ import annotations

import hashlib
import os
import shutil
import subprocess
import sys
import tarfile
import tempfile
import tomllib
import zipfile
from collections.abc import Iterator
from dataclasses import dataclass
from pathlib import Path
from typing import Final

MANIFEST: Final = Path(__file__).with_name("assets.toml")
#: Debian suites other than the machine's own are read from a source list inside the cache.
_SOURCES: Final = "deb [signed-by={keyring}] http://deb.debian.org/debian {suite} main\n"
_KEYRING: Final = "/usr/share/keyrings/debian-archive-keyring.gpg"


class AssetError(RuntimeError):
    """A package could not be fetched, or is not the one that the manifest pins."""


@dataclass(frozen=True)
class Asset:
    """One pinned package; `suite` is set for Debian packages of another release."""

    name: str
    registry: str
    package: str
    version: str
    sha256: str
    licence: str
    holds: str
    suite: str = ""


def cache_dir() -> Path:
    """The cache folder: ``$PISTI_CACHE``, or ``.cache`` of the checkout."""
    given = os.environ.get("PISTI_CACHE")
    return Path(given) if given else Path(__file__).parents[1] / ".cache"


def asset_dir(name: str) -> Path:
    """The folder into which the asset *name* is unpacked (it may not exist)."""
    return cache_dir() / "assets" / name


def has_asset(name: str) -> bool:
    """Whether the asset *name* lies unpacked in the cache."""
    return (asset_dir(name) / ".complete").is_file()


def manifest() -> tuple[Asset, ...]:
    """Every asset that `assets.toml` lists, in its order."""
    with MANIFEST.open("rb") as file:
        return tuple(Asset(name, **entry) for name, entry in tomllib.load(file).items())


def fetch(assets: tuple[Asset, ...]) -> Iterator[Asset]:
    """Bring those of *assets* that are missing into the cache; yields each that was fetched.

    Raises:
        AssetError: a client failed, or a checksum differs.
    """
    missing = [asset for asset in assets if not has_asset(asset.name)]
    root = cache_dir() / "assets"
    root.mkdir(parents=True, exist_ok=True)
    # One call of apt for a whole suite: it reads its package lists anew in each.
    suites = {asset.suite for asset in missing if asset.registry == "debian"}
    batches = [[asset] for asset in missing if asset.registry != "debian"]
    batches += [
        [asset for asset in missing if asset.registry == "debian" and asset.suite == suite]
        for suite in sorted(suites)
    ]
    for batch in batches:
        with tempfile.TemporaryDirectory(dir=root) as name:
            folder = Path(name)
            folder.chmod(0o755)
            _download(batch, folder)
            archives = [path for path in folder.iterdir() if path.is_file()]
            for asset in batch:
                _take(asset, archives)
                yield asset


def _take(asset: Asset, archives: list[Path]) -> None:
    """Find the archive of *asset*, known by its checksum, and unpack it into the cache."""
    for archive in archives:
        if hashlib.sha256(archive.read_bytes()).hexdigest() == asset.sha256:
            break
    else:
        got = ", ".join(sorted(path.name for path in archives)) or "nothing"
        raise AssetError(f"{asset.name}: no download has the sha256 of the manifest; got {got}")
    target = asset_dir(asset.name)
    with tempfile.TemporaryDirectory(dir=target.parent) as name:
        unpacked = Path(name) / "unpacked"
        unpacked.mkdir()
        _unpack(archive, unpacked)
        (unpacked / ".complete").touch()
        shutil.rmtree(target, ignore_errors=True)
        unpacked.rename(target)


def _download(batch: list[Asset], folder: Path) -> None:
    """Download *batch*, one asset or Debian packages of one suite, into *folder*."""
    first = batch[0]
    if first.registry == "pypi":
        spec = f"{first.package}=={first.version}"
        command = [sys.executable, "-m", "pip", "download", "--quiet", "--no-deps", "-d", ".", spec]
    elif first.registry == "npm":
        command = ["npm", "pack", "--silent", f"{first.package}@{first.version}"]
    elif first.registry == "debian":
        options = _apt_options(first.suite) if first.suite else []
        specs = [f"{asset.package}={asset.version}" for asset in batch]
        command = ["apt-get", *options, "download", *specs]
    else:
        raise AssetError(f"{first.name}: no client for the registry {first.registry!r}")
    _run(command, folder)


def _apt_options(suite: str) -> list[str]:
    """Options that make apt read *suite* from the cache, leaving the machine's lists alone."""
    root = (cache_dir() / "apt" / suite).resolve()
    (root / "lists" / "partial").mkdir(parents=True, exist_ok=True)
    sources = root / "sources.list"
    options = {
        "Dir::Etc::sourcelist": sources,
        "Dir::Etc::sourceparts": "-",
        "Dir::State::lists": root / "lists",
        "Dir::Cache::pkgcache": "",
        "Dir::Cache::srcpkgcache": "",
    }
    flags = [part for key, value in options.items() for part in ("-o", f"{key}={value}")]
    if not sources.exists():
        text = _SOURCES.format(keyring=_KEYRING, suite=suite)
        draft = root / "sources.draft"
        draft.write_text(text, encoding="utf-8")
        flags[1] = f"Dir::Etc::sourcelist={draft}"
        _run(["apt-get", *flags, "update"], root)
        draft.rename(sources)
        flags[1] = f"Dir::Etc::sourcelist={sources}"
    return flags


def _run(command: list[str], folder: Path) -> None:
    try:
        subprocess.run(command, cwd=folder, check=True, capture_output=True, text=True)
    except FileNotFoundError:
        raise AssetError(f"{command[0]} is not installed") from None
    except subprocess.CalledProcessError as error:
        said = (error.stderr or error.stdout).strip().splitlines()
        last = said[-1] if said else "no message"
        raise AssetError(f"{' '.join(command[:2])} failed: {last}") from error


def _unpack(archive: Path, target: Path) -> None:
    if archive.suffix == ".deb":
        _run(["dpkg-deb", "-x", str(archive), str(target)], target)
    elif archive.suffix in {".whl", ".zip"}:
        with zipfile.ZipFile(archive) as wheel:
            wheel.extractall(target)
    else:
        with tarfile.open(archive) as tar:
            tar.extractall(target, filter="data")
