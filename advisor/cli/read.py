"""`pisti read`: the cards in photos."""

from __future__ import annotations

import sys
from collections.abc import Iterator
from pathlib import Path
from typing import TYPE_CHECKING, Any, Final

import click

from advisor.cli.common import catalogue, complain, json_option, print_json
from engine import PistiError
from vision.errors import VisionError
from vision.sightings import Sighting

if TYPE_CHECKING:
    from vision.reader import Letters

_PICTURES: Final = (".jpg", ".jpeg", ".png", ".webp", ".bmp", ".tif", ".tiff", ".gif")


@click.command(
    epilog="\b\nExamples:\n  pisti read table.jpg\n  pisti read --json photos/*.jpg\n"
    "  pisti read photos --draw drawn"
)
@click.argument("images", metavar="IMAGE...", nargs=-1, required=True)
@click.option("--fast", is_flag=True, help="Read as the live reader does: quicker, less sure.")
@click.option(
    "--letters",
    type=click.Choice(("english", "german", "french")),
    default="english",
    help="The courts' letters: J Q K, B D K or V D R (default: english).",
)
@click.option(
    "--draw",
    metavar="OUT",
    type=click.Path(path_type=Path),
    help="Write the pictures with the cards marked: a file, or a folder for several.",
)
@json_option
def command(
    images: tuple[str, ...], fast: bool, letters: Letters, draw: Path | None, as_json: bool
) -> None:
    """Say which cards lie in photos.

    An IMAGE is a picture, a folder of pictures, or a pattern such as 'photos/*.jpg'. One that
    cannot be read gets one sentence, and the others are read all the same.
    """
    from vision.images import read_image
    from vision.reader import CardReader

    reader = CardReader("fast" if fast else "accurate", letters=letters)
    results: list[dict[str, Any]] = []
    failed = False
    many = len(images) > 1 or Path(images[0]).is_dir() or "*" in images[0]
    for path in _pictures(images):
        try:
            picture = read_image(path)
            sightings = reader.read(picture)
            if draw:
                _draw(draw / f"{path.stem}.png" if many else draw, picture, sightings)
        except PistiError as error:
            complain(catalogue().error(error))
            failed = True
            continue
        results.append({"image": str(path), "cards": [one.as_json() for one in sightings]})
        if not as_json:
            click.echo(_line(path, sightings))
    if as_json:
        print_json(results)
    sys.exit(1 if failed else 0)


def _pictures(images: tuple[str, ...]) -> Iterator[Path]:
    """Yield the files that *images* name; a name that fits no file is yielded for its error."""
    for image in images:
        path = Path(image)
        if path.is_dir():
            found = [file for file in path.iterdir() if file.suffix.lower() in _PICTURES]
        elif path.exists() or not set(image) & set("*?["):
            found = [path]
        else:
            found = list(Path(path.anchor).glob(str(path.relative_to(path.anchor))))
        if not found:
            complain(catalogue().text("read.none", image=image))
        yield from sorted(found)


def _line(path: Path, sightings: list[Sighting]) -> str:
    cards = "  ".join(f"{one.card.symbol} {one.confidence:.0%}" for one in sightings)
    return f"{path}: " + (cards or catalogue().text("read.no_cards"))


def _draw(out: Path, picture: Any, sightings: list[Sighting]) -> None:
    import cv2

    from vision.overlay import draw_sightings

    out.parent.mkdir(parents=True, exist_ok=True)
    suffix = out.suffix if out.suffix.lower() in _PICTURES else ".png"
    done, data = cv2.imencode(suffix, draw_sightings(picture, sightings))
    if not done:
        raise VisionError("image.write", path=out)
    out.write_bytes(data.tobytes())
