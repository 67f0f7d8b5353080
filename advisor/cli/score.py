"""`pisti score`: recordings to score sheets."""

from __future__ import annotations

import signal
import sys
from collections.abc import Callable, Iterator, Sequence
from contextlib import contextmanager
from dataclasses import dataclass
from importlib import import_module
from pathlib import Path
from types import FrameType
from typing import TYPE_CHECKING, Any, Final

import click

from advisor.cli.common import (
    catalogue,
    complain,
    json_option,
    print_json,
    progress_bar,
    sentence_of,
)
from advisor.cli.usage import WrongUsage
from advisor.errors import AdviceError
from advisor.headcount import possible_rules, with_seats
from advisor.messages import LANGUAGES, Catalogue
from advisor.names import parse_names, plain_name
from advisor.outputs import check_outputs, make_folder, write_whole
from advisor.sheet import clock, score_sheet
from engine import RuleSet
from engine.record import write_text
from vision.extras import install_command
from vision.sources.opening import path_of, public_name, shown_name

if TYPE_CHECKING:
    from vision.layout import Layout

#: What each kind of output is called where a folder is named.
_ENDINGS: Final = {"output": ".pisti", "annotate": ".mp4", "report": ".html"}
#: How the number of players is known, where nobody said it.
_COUNTED: Final = {
    "recording": "score.players_from_recording",
    "rules": "score.players_from_rules",
}


@dataclass(frozen=True)
class Wishes:
    """What is wanted of a recording; plain values, so that they can be sent to other machines.

    Attributes:
        rules: the rule set's line.
        others: the same for other numbers of players, where the recording is to tell how many play.
        dealer: the first dealer.
        names: the players' names.
        layout: where things lie on the table, where that is said.
        language: of the outputs.
        output, annotate, report: where to write them.
        folders: whether these name folders.
        debug: whether an error is raised, to be seen with its traceback, instead of told.
    """

    rules: str
    others: tuple[str, ...]
    dealer: int | None
    names: tuple[str, ...]
    layout: Layout | None
    language: str
    output: Path | None
    annotate: Path | None
    report: Path | None
    folders: bool
    debug: bool

    def path(self, kind: str, source: str) -> Path | None:
        """Return where the output *kind* of *source* goes; None where it is not wanted."""
        wanted: Path | None = getattr(self, kind)
        if wanted is None or not self.folders:
            return wanted
        name = path_of(source) or Path(plain_name(source).replace("/", "_"))
        return wanted / (name.stem + _ENDINGS[kind])

    def check(self, sources: Sequence[str], layout: Path | None) -> None:
        """Raise OutputError unless all that is wanted of *sources* can be written.

        Args:
            sources: the recordings.
            layout: the file of the layout; it is not to be written to either.
        """
        wanted = [path for kind in _ENDINGS if (path := getattr(self, kind)) is not None]
        if self.folders:
            for folder in wanted:
                make_folder(folder)
        files = [self.path(kind, source) for kind in _ENDINGS for source in sources]
        check_outputs(files, [*sources, *([layout] if layout else [])])


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
@click.option("--dealer", type=int, help="Seat of the first dealer (default: the last).")
@click.option("--names", default="", help="The players' names by seat, separated by commas.")
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
    dealer: int | None,
    names: str,
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
    if dealer is not None and not 0 <= dealer < most:
        raise WrongUsage(words.text("score.dealer", players=most))
    known = parse_names(names, most)
    rules, *others = with_seats((rules, *others), dealer, known)
    many = len(sources) > 1
    if many and any(path and path.suffix for path in (output, annotate, report)):
        raise WrongUsage(words.text("score.one_output"))
    if any(map(_is_live, sources)) and (annotate or cluster):
        raise WrongUsage(words.text("score.only_recordings"))
    wishes = Wishes(
        rules=str(rules),
        others=tuple(map(str, others)),
        dealer=dealer,
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
        kept = bool(left) and not _is_live(left[0])
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
            with progress_bar(1000, source) as bar:

                def progress(at: float, of: float | None, bar: Any = bar) -> None:
                    if of:
                        bar.update(int(1000 * min(1.0, at / of)) - bar.pos)

                if not _is_live(source):
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
                told = _nothing(sentence_of(error, Catalogue(wishes.language)))
            yield told


def _is_live(source: str) -> bool:
    """Whether *source* is a camera or a stream."""
    return path_of(source) is None


@contextmanager
def until_ctrl_c(source: str, language: str) -> Iterator[Callable[[], bool]]:
    """Yield what tells whether the first Ctrl-C has ended *source*; the next one stops at once."""
    from advisor.scorer import GIVE_UP

    words = Catalogue(language)
    said = asked = False

    def ask(number: int, frame: FrameType | None) -> None:
        nonlocal asked
        if not said:
            # The source has not answered: there is nothing to end.
            signal.default_int_handler(number, frame)
        asked = True
        signal.signal(signal.SIGINT, signal.default_int_handler)

    def ending() -> bool:
        nonlocal said
        if not said:
            # It is said once there is something to end: the source has answered.
            said = True
            complain(words.text("score.live", source=public_name(source), seconds=round(GIVE_UP)))
        return asked

    before = signal.signal(signal.SIGINT, ask)
    try:
        yield ending
    finally:
        signal.signal(signal.SIGINT, before)


def score_one(
    source: str,
    wishes: Wishes,
    reader: Any = None,
    progress: Callable[[float, float | None], None] = lambda _at, _of: None,
    ending: Callable[[], bool] = lambda: False,
) -> dict[str, Any]:
    """Score one recording, write what is wanted of it, and return what is to be told.

    Returns:
        ``result`` (record, score and review, None where there is none), ``sheet`` (text),
        ``problems`` (sentences), and ``written`` (which files were written, in a sentence).
    """
    from advisor.scorer import score_recording
    from vision.reader import CardReader

    words = Catalogue(wishes.language)
    problems: list[str] = []
    try:
        scored = score_recording(
            source,
            RuleSet.parse(wishes.rules),
            reader or CardReader("fast", threads=1),
            others=[RuleSet.parse(line) for line in wishes.others],
            dealer=wishes.dealer,
            names=wishes.names,
            layout=wishes.layout,
            progress=progress,
            ending=ending,
        )
        if scored.problem is not None:
            problems.append(words.error(scored.problem))
        if path := wishes.path("output", source):
            write_whole(path, write_text(scored.record))
        if path := wishes.path("report", source):
            from advisor.report import write_report

            write_report(scored, path, words)
        if path := wishes.path("annotate", source):
            from advisor.annotate import annotate

            annotate(scored, path, words)
    except Exception as error:
        # Whatever is wrong with one recording, the others are still to be read.
        if wishes.debug:
            raise
        return _nothing(*problems, sentence_of(error, words))
    lines = [score_sheet(scored.match, scored.record.names, words)]
    if not any(deal.plays for deal in scored.record.deals):
        lines.append(words.text("score.no_plays"))
    for doubt in scored.review:
        lines.append(
            words.text(
                "score.check",
                time=clock(doubt.t, words),
                card=doubt.read.symbol,
                others=" ".join(card.symbol for card in doubt.alternatives),
            )
        )
    if scored.lost is not None:
        lines.append(words.text("score.view_lost", time=clock(scored.lost, words)))
    if key := _COUNTED.get(scored.told_players):
        lines.append(words.text(key, players=scored.record.rules.players))
    paths = [path for kind in _ENDINGS if (path := wishes.path(kind, source)) is not None]
    files = ", ".join(map(str, paths))
    return {
        "result": scored.to_json(),
        "sheet": "\n".join(lines),
        "problems": problems,
        "written": words.text("score.written", files=files) if files else "",
    }


def _nothing(*problems: str) -> dict[str, Any]:
    """Return what is told of a recording of which only *problems* can be told."""
    return {"result": None, "sheet": "", "problems": list(problems), "written": ""}
