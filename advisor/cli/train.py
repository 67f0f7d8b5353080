"""`pisti train` and `pisti render`: from rendered pictures to weights (the `train` extra)."""

from __future__ import annotations

from pathlib import Path

import click

from advisor.cli.common import needs_checkout

_PARTS = ("face", "index", "corners", "detector")


@click.command(
    epilog="\b\nExamples:\n  pisti train\n  pisti train index --steps 3000\n"
    "  pisti train --weights models/weights\n"
    "  pisti train face --from models/weights --recipe far --recipe swept --weights new"
)
@click.argument("parts", nargs=-1, type=click.Choice(_PARTS))
@click.option("--scenes", default=8000, show_default=True, help="Scenes to render of each recipe.")
@click.option("--recipe", multiple=True, default=("mix",), help="Recipe of scenes; repeatable.")
@click.option(
    "--shards", default=4, show_default=True, help="Shards of 2,000 single cards besides."
)
@click.option("--steps", default=4000, show_default=True, help="Steps of each network.")
@click.option("--seed", default=1, show_default=True, help="Of the data and of their order.")
@click.option("--workers", default=2, show_default=True, help="Processes for the detector.")
@click.option("--weights", type=click.Path(path_type=Path), help="Folder to export to.")
@click.option(
    "--from",
    "begin",
    type=click.Path(exists=True, file_okay=False, path_type=Path),
    help="Folder of exported weights to train on from.",
)
@click.option("--rate", type=float, help="Share of the usual learning rates (1; 0.3 with --from).")
@click.option(
    "--data",
    type=click.Path(path_type=Path),
    default=Path(".cache/training"),
    show_default=True,
    help="Folder of the rendered data.",
)
@click.option(
    "--runs",
    type=click.Path(path_type=Path),
    default=Path("runs"),
    show_default=True,
    help="Folder of checkpoints and logs.",
)
def command(
    parts: tuple[str, ...],
    scenes: int,
    recipe: tuple[str, ...],
    shards: int,
    steps: int,
    seed: int,
    workers: int,
    weights: Path | None,
    begin: Path | None,
    rate: float | None,
    data: Path,
    runs: Path,
) -> None:
    """Render training data, train the reader's networks, and export them.

    What was done before is kept, so that the same command goes on where a stopped one was. Needs a
    checkout and the train extra.
    """
    try:
        from models.train import train
    except ImportError as error:
        raise needs_checkout(error) from error
    train(
        parts or _PARTS,
        scenes=scenes,
        recipes=recipe,
        shards=shards,
        steps=steps,
        seed=seed,
        workers=workers,
        weights=weights,
        begin=begin,
        rate=rate,
        data=data,
        runs=runs,
        say=click.echo,
    )
