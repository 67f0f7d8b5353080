"""`pisti evaluate`: how well the reader reads labelled photos."""

from __future__ import annotations

from pathlib import Path
from typing import TYPE_CHECKING, Any

import click

from advisor.cli.common import json_option, print_json
from advisor.cli.progress import Progress
from advisor.outputs import make_folder

if TYPE_CHECKING:
    from vision.reader import Letters


@click.command(
    epilog="\b\nExamples:\n  pisti evaluate photos\n  pisti evaluate photos --fast --out report"
)
@click.argument("folder", type=click.Path(path_type=Path))
@click.option("--fast", is_flag=True, help="Judge the live setting.")
@click.option(
    "--letters",
    type=click.Choice(("english", "german", "french")),
    default="english",
    help="The courts' letters: J Q K, B D K or V D R (default: english).",
)
@click.option("--weights", type=click.Path(path_type=Path), help="Other weights.")
@click.option("--only", multiple=True, metavar="GROUP", help="Judge this group only; repeatable.")
@click.option("--workers", default=1, show_default=True, help="Processes.")
@click.option("--out", type=click.Path(path_type=Path), help="Folder for a report and the misses.")
@json_option
def command(
    folder: Path,
    fast: bool,
    letters: Letters,
    weights: Path | None,
    only: tuple[str, ...],
    workers: int,
    out: Path | None,
    as_json: bool,
) -> None:
    """Judge the reader on the photos in FOLDER, which holds a labels.jsonl."""
    from models.evaluate import evaluate

    if out is not None:
        make_folder(out)
    with Progress() as line:

        def progress(done: int, total: int) -> None:
            line.at(done / max(total, 1))

        report = evaluate(
            folder,
            setting="fast" if fast else "accurate",
            letters=letters,
            weights=weights,
            only=only,
            workers=workers,
            out=out,
            progress=progress,
        )
    if as_json:
        print_json(report)
    else:
        click.echo(_table(report))


def _table(report: dict[str, Any]) -> str:
    lines = [f"{'group':<16} {'photos':>7} {'cards':>6} {'F1':>7} {'ranks':>7} {'perfect':>8}"]
    for name, codes in report["codes"].items():
        recall = report["ranks"][name]["recall"]
        lines.append(
            f"{name:<16} {codes['photos']:>7} {codes['cards']:>6} {codes['f1']:>7.4f}"
            f" {recall:>7.4f} {codes['perfect']:>8.3f}"
        )
    lines.append(f"calibration error {report['calibration_error']}, {report['ms_per_photo']} ms")
    return "\n".join(lines)
