"""`pisti calibrate`: where things lie on the table."""

from __future__ import annotations

from pathlib import Path
from typing import TYPE_CHECKING

import click

from advisor.cli.common import catalogue, json_option, print_json
from advisor.outputs import check_outputs, write_picture, write_whole

if TYPE_CHECKING:
    from collections.abc import Iterator

    from vision.sources import Frame

#: Frames that are looked at; the one with most cards is taken.
_LOOKS = 5
#: Seconds between them.
_EVERY = 0.5


@click.command(
    epilog="\b\nExamples:\n  pisti calibrate 0\n  pisti calibrate 0 --window\n"
    "  pisti calibrate game.mp4 -o table.json --draw table.png"
)
@click.argument("source", default="0")
@click.option(
    "-o",
    "--output",
    type=click.Path(path_type=Path),
    help="Write the layout there too; pisti watch --layout takes it.",
)
@click.option("--draw", type=click.Path(path_type=Path), help="Draw it there.")
@click.option("--window", is_flag=True, help="Drag the corners in a window before it is kept.")
@json_option
def command(
    source: str, output: Path | None, draw: Path | None, window: bool, as_json: bool
) -> None:
    """Find the table's corners and zones in the picture of SOURCE, and remember them for it.

    Lay the cards as they lie when a deal begins: the centre with its top card turned up, the stock
    beside it. The page has the same, with the live picture.
    """
    from advisor.live.dragging import drag_in_window
    from advisor.live.drawing import Layer, draw_layers
    from advisor.live.proposing import propose
    from advisor.live.reading import fast_reader
    from advisor.store import Store, data_folder
    from vision.quality import check_picture
    from vision.sources import open_source

    check_outputs((output, draw), [source])
    reader = fast_reader()
    with open_source(source, every=_EVERY) as frames:
        looked = [(frame.image, reader.read(frame.image)) for frame in _some(frames)]
    image, sightings = max(looked, key=lambda each: len(each[1]))
    layout = propose(sightings, (image.shape[1], image.shape[0]))
    if window:
        dragged = drag_in_window(image, layout, catalogue().text("calibrate.title"))
        if dragged is None:
            raise click.Abort
        layout = dragged
    store = Store.open(data_folder())
    try:
        if store.notice is not None:
            click.echo(catalogue().error(store.notice), err=True)
        store.set_setting(f"layout:{source}", layout.to_json())
    finally:
        store.close()
    if output is not None:
        write_whole(output, layout.to_text())
    if draw is not None:
        layers: frozenset[Layer] = frozenset(("boxes", "names", "zones"))
        back = catalogue().text("overlay.back")
        drawn = draw_layers(image, layers, sightings, layout, back)
        write_picture(draw, drawn)
    if as_json:
        print_json(layout.to_json())
        return
    click.echo(catalogue().text("calibrate.done", source=source, count=len(sightings)))
    for key in check_picture(image, sightings).advice:
        click.echo(catalogue().text(key))


def _some(frames: Iterator[Frame]) -> Iterator[Frame]:
    for _ in range(_LOOKS):
        frame = next(frames, None)
        if frame is None:
            return
        yield frame
