"""`pisti score`: recordings to score sheets."""

from __future__ import annotations

import sys
from collections.abc import Iterator, Sequence
from importlib import import_module
from pathlib import Path
from typing import TYPE_CHECKING, Any

import click

from advisor.cli.common import catalogue, complain, json_option, print_json, sentence_of
from advisor.cli.ending import is_live, until_ctrl_c
from advisor.cli.progress import Progress
from advisor.cli.recordings import Wishes, nothing, score_one
from advisor.cli.seats import dealer_option, names_option, seat_given
from advisor.cli.usage import WrongUsage
from advisor.errors import AdviceError
from advisor.headcount import possible_rules, with_seats
from advisor.messages import LANGUAGES, Catalogue
from advisor.names import parse_names
from vision.extras import install_command
from vision.sources.opening import shown_name

if TYPE_CHECKING:
    from vision.layout import Layout


@click.command(
    epilog="\b\nExamples:\n  pisti score game.mp4\n"
    "  pisti score game.mp4 -o game.pisti --names Ayşe,Can --report game.html\n"
    "  pisti score --rules modern --players 2 --annotate out.mp4 game.mp4\n"
    "  pisti score --json a.mp4 b.mp4"
)
@click.argument("sources", metavar="SOURCE...", nargs=-1, required=True)
@click.option("-o", "--output", type=click.Path(path_type=Path), help="Write the record there.")
@click.option(
    "--annotate", type=click.Path(path_type=Path), help="Write the video with what was read there."
)
@click.option(
    "--report", type=click.Path(path_type=Path), help="Write a page with sheet and pictures there."
)
@click.option("--rules", "rule_line", default="classic", help="Rule set (default: classic).")
@click.option("--players", type=int, help="Number of players (default: as the recording shows).")
@dealer_option
@names_option
@click.option(
    "--layout",
    "layout_file",
    type=click.Path(path_type=Path),
    help="Where things lie on the table, as 'pisti calibrate' or the page writes it.",
)
@click.option("--language", type=click.Choice(LANGUAGES), help="Language of sheet and outputs.")
@click.option(
    "--cluster",
    metavar="ADDRESS",
    help="Spread the recordings over a Dask cluster; 'local' starts one here.",
)
@json_option
def command(
    sources: tuple[str, ...],
    output: Path | None,
    annotate: Path | None,
    report: Path | None,
    rule_line: str,
    players: int | None,
    dealer: str | None,
    names: str | None,
    layout_file: Path | None,
    language: str | None,
    cluster: str | None,
    as_json: bool,
) -> None:
    """Read recorded games and print their score sheets.

    A SOURCE is a video file, a folder of pictures, a camera or a stream. Plays to check are listed
    after the sheet. A run that was stopped goes on where it was; a camera or a stream is read until
    Ctrl-C. With several recordings, -o, --annotate and --report name folders.
    """
    words = Catalogue(language) if language else catalogue()
    rules, *others = possible_rules(rule_line, players)
    most = max(one.players for one in (rules, *others))
    known = parse_names(names, most)
    dealt = None if dealer is None else seat_given("--dealer", dealer, known, most, words)
    rules, *others = with_seats((rules, *others), dealt, known)
    many = len(sources) > 1
    if many and any(path and path.suffix for path in (output, annotate, report)):
        raise WrongUsage(words.text("score.one_output"))
    if any(map(is_live, sources)) and (annotate or cluster):
        raise WrongUsage(words.text("score.only_recordings"))
    wishes = Wishes(
        rules=str(rules),
        others=tuple(map(str, others)),
        dealer=dealt,
        names=known,
        layout=None if layout_file is None else _loaded(layout_file),
        language=words.language,
        output=output,
        annotate=annotate,
        report=report,
        folders=many,
        debug=click.get_current_context().find_root().params.get("debug", False),
    )
    wishes.check(sources, layout_file)
    results: list[dict[str, Any]] = []
    failed = False
    left = list(sources)
    try:
        for told in _all(sources, wishes, cluster):
            source = left.pop(0)
            shown = shown_name(source)
            for sentence in told["problems"]:
                complain(f"{shown}: {sentence}")
                failed = True
            if told["result"] is None:
                continue
            if as_json:
                results.append(told["result"])
            else:
                if many:
                    click.echo(shown)
                click.echo(told["sheet"])
            if told["written"]:
                # Standard output holds the sheet or the JSON form alone.
                complain(told["written"])
    except KeyboardInterrupt:
        kept = bool(left) and not is_live(left[0])
        complain(words.text("score.stopped" if kept else "cli.stopped"))
        failed = True
    if as_json and results:
        print_json(results if many else results[0])
    sys.exit(1 if failed else 0)


def _loaded(file: Path) -> Layout:
    # Imported here: `pisti score --help` does not wait for it.
    from vision.layout import Layout

    return Layout.load(file)


def _all(sources: Sequence[str], wishes: Wishes, cluster: str | None) -> Iterator[dict[str, Any]]:
    """Yield what `score_one` tells of each source, one after the other or from a cluster."""
    if cluster is None:
        from vision.reader import CardReader

        reader = CardReader("fast", threads=1)
        for source in sources:
            with Progress(shown_name(source)) as line:

                def progress(at: float, of: float | None, line: Progress = line) -> None:
                    if of:
                        line.at(at / of)
                    else:
                        line.since(at)

                if not is_live(source):
                    told = score_one(source, wishes, reader, progress)
                else:
                    with until_ctrl_c(source, wishes.language) as ending:
                        told = score_one(source, wishes, reader, progress, ending)
            yield told
        return
    try:
        dask: Any = import_module("distributed")
    except ImportError as error:
        raise AdviceError("cluster.dask", command=install_command("cluster")) from error
    with dask.Client(None if cluster == "local" else cluster) as client:
        for future in client.map(score_one, sources, [wishes] * len(sources)):
            try:
                told = future.result()
            except Exception as error:
                # A machine that was lost has taken one recording with it, not the others.
                if wishes.debug:
                    raise
                told = nothing(sentence_of(error, Catalogue(wishes.language)))
            yield told
