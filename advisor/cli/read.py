"""`pisti read`: the cards in photos."""

from __future__ import annotations

import re
import sys
from collections.abc import Iterable, Iterator, Sequence
from fnmatch import fnmatch
from pathlib import Path
from typing import TYPE_CHECKING, Any, Final

import click

from advisor.cli.common import catalogue, complain, json_option, libraries_silenced, print_json
from advisor.outputs import check_outputs, make_folder, write_picture
from engine import PistiError
from vision.sightings import Sighting

if TYPE_CHECKING:
    from vision.reader import Letters

_PATTERN: Final = "*?["
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

    An IMAGE is a picture, a folder of pictures, or a pattern such as 'photos/*.jpg', where '**'
    stands for folders of any depth. One that cannot be read gets one sentence, and the others are
    read all the same.
    """
    from vision.images import read_image
    from vision.overlay import draw_sightings
    from vision.reader import CardReader

    paths: list[Path] = []
    failed = False
    for image in images:
        try:
            found = sorted(_pictures(image))
        except OSError as error:
            complain(catalogue().system(error))
            failed = True
            continue
        if not found:
            complain(catalogue().text("read.none", image=image or "''"))
            failed = True
        paths += found
    many = len(images) > 1 or paths != [Path(images[0])]
    words = catalogue()
    back = words.text("overlay.back")
    drawn = _drawn(draw, paths, images, many=many)
    reader = CardReader("fast" if fast else "accurate", letters=letters)
    results: list[dict[str, Any]] = []
    for path in paths:
        try:
            with libraries_silenced():
                picture = read_image(path)
            sightings = reader.read(picture)
            if drawn:
                write_picture(drawn[path], draw_sightings(picture, sightings, back, words.percent))
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


def _pictures(image: str) -> Iterable[Path]:
    """Return the files that *image* names; a name that fits no file is returned for its error.

    Raises:
        OSError: the system refuses to say, as with a name that is too long.
    """
    path = Path(image)
    if not image:
        return ()
    if path.is_dir():
        return filter(_is_picture, path.iterdir())
    if path.exists() or not set(image) & set(_PATTERN):
        return (path,)
    return filter(_is_picture, _matches(path))


def _matches(pattern: Path) -> Iterator[Path]:
    """Yield what fits *pattern*, in which ``**`` stands for folders of any depth.

    pathlib wants ``**`` alone between two strokes and finds folders alone at the end of a pattern;
    people write ``**.jpg`` and ``**``.
    """
    anchor = Path(pattern.anchor)
    parts = []
    for part in pattern.relative_to(anchor).parts:
        rest = re.sub(r"\*+", "*", part)
        if part.startswith("**"):
            parts.append("**")
            if rest == "*":
                continue
        parts.append(rest)
    if parts[-1] == "**":
        parts.append("*")
    # As in a shell, what is hidden is meant only where a part of the pattern begins with a dot.
    dotted = [part for part in parts if part.startswith(".")]
    for path in anchor.glob("/".join(parts)):
        hidden = [part for part in path.parts if part.startswith(".")]
        if all(any(fnmatch(part, wanted) for wanted in dotted) for part in hidden):
            yield path


def _is_picture(path: Path) -> bool:
    return path.suffix.lower() in _PICTURES and path.is_file()


def _line(path: Path, sightings: list[Sighting]) -> str:
    words = catalogue()
    back = words.text("overlay.back")
    cards = "  ".join(
        f"{one.card.symbol if one.face_up else back} {words.percent(one.confidence)}"
        for one in sightings
    )
    return f"{path}: " + (cards or words.text("read.no_cards"))


def _drawn(
    draw: Path | None, paths: Sequence[Path], images: Sequence[str], *, many: bool
) -> dict[Path, Path]:
    """Return where each picture is drawn; empty where none is.

    Raises:
        OutputError: one cannot be written, or would lie on another or on what is read.
    """
    if draw is None or not paths:
        return {}
    if many:
        make_folder(draw)
    drawn = {path: draw / f"{path.stem}.png" if many else draw for path in paths}
    check_outputs(drawn.values(), [*images, *paths])
    return drawn
