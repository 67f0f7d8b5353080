"""`pisti demo`: the whole job on the recording that is bundled."""

from __future__ import annotations

from collections.abc import Callable
from dataclasses import replace
from importlib import resources
from pathlib import Path
from typing import Final

import click

from advisor.cli.common import catalogue, complain, json_option, print_json
from advisor.cli.progress import Progress
from advisor.messages import Catalogue
from advisor.sheet import score_sheet, seat_name
from engine import Captured, Card, Deal, Event, Pisti, PistiError
from engine.record import Record, read_record, score_to_json
from engine.record.replay import start

#: The seat that gets hints: its cards are noted in the sample's record.
_ADVISED: Final = 0
_NAMES: Final = ("Ayşe", "Mehmet")


@click.command(
    epilog="\b\nExamples:\n  pisti demo\n  pisti --language tr demo\n  pisti demo --json\n"
    "  pisti demo --open"
)
@click.option("--open", "open_page", is_flag=True, help="Then open the live page in the browser.")
@json_option
def command(open_page: bool, as_json: bool) -> None:
    """Read the bundled recording: plays as they are seen, hints, and the score sheet."""
    folder = resources.files("advisor").joinpath("samples")
    truth = read_record(folder.joinpath("sample.pisti").read_text(encoding="utf-8")).record
    with resources.as_file(folder.joinpath("sample.mp4")) as video:
        _read(video, truth, as_json)
    if open_page:
        from advisor.cli.watch import command as watch

        click.get_current_context().invoke(watch, open_page=True)


def _read(video: Path, truth: Record, as_json: bool) -> None:
    from advisor.follower import Follower
    from advisor.scorer import score_recording
    from vision.reader import CardReader
    from vision.table import Closeup, Survey

    words = catalogue()
    teller = _Teller(truth, words, quiet=as_json)
    followers: list[Follower] = []
    taken = 0

    def told(seen: list[Closeup], found: Survey) -> None:
        nonlocal taken
        if not followers:
            followers.append(Follower(truth.rules, found))
        for closeup in seen[taken:]:
            followers[0].take(closeup)
        taken = len(seen)
        teller.tell(*followers[0].settled())

    teller.say(words.text("demo.reading", name=video.name))
    with Progress() as line:

        def progress(at: float, of: float | None) -> None:
            if of:
                line.at(at / of)

        teller.print = line.print
        scored = score_recording(
            str(video), truth.rules, CardReader("fast", threads=1), names=_NAMES,
            progress=progress, told=told,
        )  # fmt: skip
    teller.print = click.echo
    if as_json:
        print_json(score_to_json(scored.match))
        return
    deals = scored.record.deals
    if deals:
        up = deals[0].centre[len(deals[0].centre) - deals[0].centre_up :]
        teller.tell(up, tuple(play.card for play in deals[0].plays))
    if scored.problem is not None:
        complain(words.error(scored.problem))
    click.echo()
    click.echo(score_sheet(scored.match, _NAMES, words))


class _Teller:
    """Prints plays as they are settled, each once, with a hint before those of one seat."""

    def __init__(self, truth: Record, words: Catalogue, *, quiet: bool) -> None:
        self._truth, self._words, self._quiet = truth, words, quiet
        self.print: Callable[[str], None] = click.echo
        self._told: list[Card] = []
        self._hinted = 0

    def say(self, line: str) -> None:
        """Print *line*, unless quiet."""
        if not self._quiet:
            self.print(line)

    def tell(self, turned_up: tuple[Card, ...], plays: tuple[Card, ...]) -> None:
        """Tell the *plays* that were not told yet; one told otherwise is corrected."""
        for number, (before, now) in enumerate(zip(self._told, plays, strict=False), 1):
            if before is not now:
                self.say(self._words.text("demo.changed", number=number, card=now.symbol))
                self._told[number - 1] = now
        if self._quiet or len(plays) <= len(self._told):
            return
        written = self._truth.deals[0]
        hidden = len(written.centre) - len(turned_up)
        centre = (*written.centre[:hidden], *turned_up)
        deal = start(
            self._truth.rules,
            replace(written, centre=centre, centre_up=len(turned_up), hands=self._hands()),
        )
        for number, card in enumerate(plays, 1):
            new = number > len(self._told)
            if new and deal.turn == _ADVISED and number > self._hinted:
                self._hinted = number
                self._hint(deal)
            name = seat_name(deal.turn, _NAMES, self._words)
            try:
                events = deal.play(card)
            except PistiError:
                return
            if new:
                self._told.append(card)
                line = _sentence(number, name, card.symbol, events, self._words)
                self.say(f"{line:<48} {_state(deal, self._words)}")

    def _hint(self, deal: Deal) -> None:
        from advisor import Advisor, Limit

        try:
            advice = Advisor(self._words.language).advise(deal.view(_ADVISED), Limit(time=0.05))
        except (PistiError, ValueError):
            return
        if advice.best is not None:
            name = seat_name(_ADVISED, _NAMES, self._words)
            why = advice.why[0] if advice.why else ""
            text = self._words.text("demo.hint", name=name, card=advice.best.symbol, why=why)
            self.say(f"    {text}")

    def _hands(self) -> tuple[tuple[Card, ...], ...]:
        """The cards that the advised seat was dealt: those it plays, four at a time."""
        deal = self._truth.deals[0]
        first = (deal.dealer + 1) % self._truth.rules.players
        seats = self._truth.rules.players
        mine = [
            play.card
            for number, play in enumerate(deal.plays)
            if (first + number) % seats == _ADVISED
        ]
        return tuple(tuple(mine) if seat == _ADVISED else () for seat in range(seats))


def _sentence(
    number: int, name: str, card: str, events: tuple[Event, ...], words: Catalogue
) -> str:
    for event in events:
        if isinstance(event, Pisti):
            return words.text(
                "demo.pisti", number=number, name=name, card=card, points=event.points
            )
    for event in events:
        if isinstance(event, Captured):
            count = len(event.cards)
            return words.text("demo.capture", number=number, name=name, card=card, count=count)
    return words.text("demo.play", number=number, name=name, card=card)


def _state(deal: Deal, words: Catalogue) -> str:
    up = deal.setup.centre[len(deal.setup.centre) - deal.setup.centre_up :]
    jacks = sum(card.is_jack for card in (*up, *(played.card for played in deal.history)))
    return words.text("demo.state", pile=len(deal.pile), jacks=jacks)
