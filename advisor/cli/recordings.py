"""One recording scored, and what is wanted of it written."""

from __future__ import annotations

from collections.abc import Callable, Iterator, Sequence
from dataclasses import dataclass
from pathlib import Path
from typing import TYPE_CHECKING, Any, Final

from advisor.cli.common import sentence_of
from advisor.messages import Catalogue
from advisor.names import plain_name
from advisor.outputs import check_outputs, make_folder, write_whole
from advisor.sheet import clock, score_sheet
from engine import RuleSet
from engine.record import write_text
from vision.sources.opening import path_of

if TYPE_CHECKING:
    from advisor.scorer import Scored
    from vision.layout import Layout

#: What each kind of output is called where a folder is named.
_ENDINGS: Final = {"output": ".pisti", "annotate": ".mp4", "report": ".html"}


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
        return nothing(*problems, sentence_of(error, words))
    if not any(deal.plays for deal in scored.record.deals):
        problems.append(words.text("score.no_plays"))
    paths = [path for kind in _ENDINGS if (path := wishes.path(kind, source)) is not None]
    files = ", ".join(map(str, paths))
    return {
        "result": scored.to_json(),
        "sheet": "\n".join(_lines(scored, words)),
        "problems": problems,
        "written": words.text("score.written", files=files) if files else "",
    }


def nothing(*problems: str) -> dict[str, Any]:
    """Return what is told of a recording of which only *problems* can be told."""
    return {"result": None, "sheet": "", "problems": list(problems), "written": ""}


def _lines(scored: Scored, words: Catalogue) -> Iterator[str]:
    """Yield the score sheet, the plays to check, and what else is to be said."""
    # Imported here: what it needs is heavy, and only who scores waits for it.
    from advisor.remarks import remarks

    yield score_sheet(scored.match, scored.record.names, words)
    yield ""
    for doubt in scored.review:
        yield words.text(
            "score.check",
            time=clock(doubt.t, words),
            card=doubt.read.symbol,
            others=" ".join(card.symbol for card in doubt.alternatives),
        )
    yield from remarks(scored, words)
