"""The mean of two sets of weights: ``python -m models.mean OLD NEW OUT --part index --part face``.

Of networks of which one came from the other by more training, the mean of their kernels is often
better on pictures unlike those that were learned from than either (Wortsman et al., "Robust
fine-tuning of zero-shot models", 2022).
"""

from __future__ import annotations

from collections.abc import Sequence
from pathlib import Path
from typing import Any

import click
import numpy as np
import onnx
from onnx import numpy_helper

from models.export import write_manifest, write_network
from vision.weights import Weights


def mean_weights(
    old: Weights, new: Weights, out: Path, parts: Sequence[str], share: float = 0.5
) -> Path:
    """Write the weights *new* to the folder *out*, the mean with *old* of those in *parts*.

    Args:
        old: weights that *new* came from by more training.
        new: these; everything but the networks in *parts* is taken over as it is here.
        out: folder to write to.
        parts: names of networks, as in the manifest.
        share: of *new* in the mean, 0 to 1.

    Returns:
        The manifest's path.

    Raises:
        ValueError: there is no such part, or its two networks are not of the same shape.
        WeightsError: weights are missing or damaged.
    """
    entries = new.manifest.items()
    networks = [part for part, entry in entries if isinstance(entry, dict) and "file" in entry]
    if unknown := sorted({*parts} - {*networks}):
        raise ValueError(f"there are no networks {', '.join(unknown)}")
    out.mkdir(parents=True, exist_ok=True)
    manifest: dict[str, Any] = dict(new.manifest)
    for part in networks:
        entry, data = new.manifest[part], new.read(part)
        if part in parts:
            data = mean_network(old.read(part), data, share)
        manifest[part] = entry | write_network(out / str(entry["file"]), data)
    return write_manifest(out, manifest)


def mean_network(old: bytes, new: bytes, share: float = 0.5) -> bytes:
    """Return the ONNX file *new* with the mean of its kernels and those of *old*."""
    network = onnx.load_from_string(new)
    before = {one.name: one for one in onnx.load_from_string(old).graph.initializer}
    for one in network.graph.initializer:
        kernel = numpy_helper.to_array(one)
        if kernel.dtype.kind != "f":
            continue
        other = numpy_helper.to_array(before[one.name]) if one.name in before else np.empty(0)
        if other.shape != kernel.shape:
            raise ValueError(f"the networks differ: {one.name} is in one of them alone")
        mean = share * kernel.astype(np.float64) + (1 - share) * other
        one.CopyFrom(numpy_helper.from_array(mean.astype(kernel.dtype), one.name))
    written: bytes = network.SerializeToString()
    return written


@click.command()
@click.argument("old", type=click.Path(exists=True, file_okay=False, path_type=Path))
@click.argument("new", type=click.Path(exists=True, file_okay=False, path_type=Path))
@click.argument("out", type=click.Path(file_okay=False, path_type=Path))
@click.option("--part", "parts", multiple=True, required=True, help="A network; repeatable.")
@click.option("--share", default=0.5, show_default=True, help="Share of NEW in the mean.")
def main(old: Path, new: Path, out: Path, parts: tuple[str, ...], share: float) -> None:
    """Write the weights NEW to OUT, the mean with OLD of those networks that are named."""
    click.echo(mean_weights(Weights.load(old), Weights.load(new), out, parts, share))


if __name__ == "__main__":
    main()
