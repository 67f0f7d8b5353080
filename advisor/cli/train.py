"""`pisti train` and `pisti render`: from rendered pictures to weights (the `train` extra)."""

from __future__ import annotations

from pathlib import Path

import click

_PARTS = ("face", "index", "corners", "detector")


@click.command(
    epilog="\b\nExamples:\n  pisti train\n  pisti train index --steps 3000\n"
    "  pisti train --weights models/weights"
)
@click.argument("parts", nargs=-1, type=click.Choice(_PARTS))
@click.option("--scenes", default=8000, show_default=True, help="Scenes to render.")
@click.option(
    "--shards", default=4, show_default=True, help="Shards of 2,000 single cards besides."
)
@click.option("--steps", default=4000, show_default=True, help="Steps of each network.")
@click.option("--seed", default=1, show_default=True, help="Of the data and of their order.")
@click.option("--workers", default=2, show_default=True, help="Processes for the detector.")
@click.option("--weights", type=click.Path(path_type=Path), help="Folder to export to.")
def command(
    parts: tuple[str, ...],
    scenes: int,
    shards: int,
    steps: int,
    seed: int,
    workers: int,
    weights: Path | None,
) -> None:
    """Render training data, train the reader's networks, and export them.

    What was done before is kept, so that the same command goes on where a stopped one was. Needs a
    checkout and the train extra.
    """
    try:
        from models.train import train
    except ImportError as error:
        raise click.ClickException(
            f"Training needs a checkout and pip install 'pisti[train]' ({error.name} is missing)."
        ) from error
    train(
        parts or _PARTS,
        scenes=scenes,
        shards=shards,
        steps=steps,
        seed=seed,
        workers=workers,
        weights=weights,
        say=click.echo,
    )
