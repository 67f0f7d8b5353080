"""``python -m datasets``: fetches artwork, renders training data, draws contact sheets."""

from __future__ import annotations

from pathlib import Path
from typing import Any

import click
import cv2

from datasets.assets import AssetError, cache_dir, fetch, has_asset, manifest
from datasets.scenes import RECIPES, STRESS

_RECIPES = click.Choice(["mix", *RECIPES, *STRESS])


@click.group(
    epilog="\b\nExamples:\n  pisti render fetch\n  pisti render sheet out.png --recipe far\n"
    "  pisti render render data --recipe mix --seed 1 --count 5000\n"
    "  pisti render game recordings level1-1"
)
def main() -> None:
    """Artwork, scenes and crops for training the card reader."""


@main.command("fetch")
@click.option("--only", multiple=True, metavar="NAME", help="Fetch this asset only; repeatable.")
@click.option("--drawn", default=130, show_default=True, help="How many decks to draw by code.")
def fetch_command(only: tuple[str, ...], drawn: int) -> None:
    """Download the assets and make decks, fonts and textures of them."""
    from datasets.build import build_all

    unknown = set(only) - {asset.name for asset in manifest()}
    if unknown:
        raise click.UsageError(f"The manifest has no asset {sorted(unknown)[0]!r}.")
    wanted = tuple(asset for asset in manifest() if not only or asset.name in only)
    missing = [asset for asset in wanted if not has_asset(asset.name)]
    try:
        with click.progressbar(length=len(missing), label="Downloading") as bar:
            for _ in fetch(tuple(missing)):
                bar.update(1)
    except AssetError as error:
        raise click.ClickException(str(error)) from error
    for name in build_all(drawn):
        click.echo(f"made {name}")
    click.echo(f"The cache is {cache_dir()}.")


@main.command("list")
def list_command() -> None:
    """Show every asset with its version and licence, and whether it is in the cache."""
    for asset in manifest():
        mark = "*" if has_asset(asset.name) else " "
        origin = f"{asset.registry} {asset.package} {asset.version}"
        click.echo(f"{mark} {asset.name}: {origin}\n    {asset.licence}\n    {asset.holds}")
    click.echo("* in the cache")


@main.command("render")
@click.argument("folder", type=click.Path(file_okay=False, path_type=Path))
@click.option("--recipe", type=_RECIPES, default="mix", show_default=True)
@click.option("--seed", default=0, show_default=True)
@click.option("--count", default=1000, show_default=True)
@click.option("--workers", default=1, show_default=True, help="Processes to render with.")
def render_command(folder: Path, recipe: str, seed: int, count: int, workers: int) -> None:
    """Write scenes and labels.jsonl to FOLDER; goes on where a stopped run was."""
    from datasets.render import render

    try:
        steps = render(folder, recipe, seed, count, workers)
        already, _ = next(steps)
        with click.progressbar(length=count, label="Rendering", show_pos=True) as bar:
            bar.update(already)
            for _ in steps:
                bar.update(1)
    except ValueError as error:
        raise click.ClickException(str(error)) from error


@main.command("game")
@click.argument("folder", type=click.Path(file_okay=False, path_type=Path))
@click.argument("names", metavar="NAME...", nargs=-1)
@click.option("--level", type=click.IntRange(1, 5), help="The benchmark's games of this level.")
def game_command(folder: Path, names: tuple[str, ...], level: int | None) -> None:
    """Record whole games to FOLDER: a video and its truth each; what is there already is kept.

    NAME is one of the benchmark's games (level1-1 to level5-4), slip-1 or slip-2, in which the
    camera slips, or sample, the one that ships.
    """
    from datasets.games import GAMES, SAMPLE, SLIPPING, render_game

    known = {game.name: game for game in (*GAMES, *SLIPPING, SAMPLE)}
    unknown = [name for name in names if name not in known]
    if unknown:
        raise click.UsageError(f"There is no game {unknown[0]!r}; known: {', '.join(known)}.")
    wanted = [known[name] for name in names]
    wanted += [game for game in GAMES if game.level == level]
    for game in wanted:
        preset = "slow" if game is SAMPLE else "veryfast"
        with click.progressbar(length=1000, label=game.name) as bar:

            def progress(done: int, of: int, bar: Any = bar) -> None:
                bar.update(1000 * done // of - bar.pos)

            try:
                render_game(game, folder, preset=preset, progress=progress)
            except FileNotFoundError as error:
                raise click.ClickException(
                    f"{game.name} needs the deck {game.deck}: run 'pisti render fetch' first."
                ) from error


@main.command("sheet")
@click.argument("out", type=click.Path(dir_okay=False, path_type=Path))
@click.option(
    "--kind",
    type=click.Choice(["scenes", "index", "face", "decks"]),
    default="scenes",
    show_default=True,
)
@click.option("--recipe", type=_RECIPES, default="mix", show_default=True)
@click.option("--seed", default=0, show_default=True)
@click.option("--count", default=24, show_default=True)
def sheet_command(out: Path, kind: str, recipe: str, seed: int, count: int) -> None:
    """Draw a contact sheet with labels to OUT (a PNG file)."""
    from datasets.sheet import crop_sheet, deck_sheet, scene_sheet

    if kind == "scenes":
        sheet = scene_sheet(recipe, seed, count)
    elif kind == "decks":
        sheet = deck_sheet()
    else:
        sheet = crop_sheet(kind, seed, count)
    if not cv2.imwrite(str(out), sheet):
        raise click.ClickException(f"{out} could not be written")


if __name__ == "__main__":
    main()
