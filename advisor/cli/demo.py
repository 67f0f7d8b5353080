"""`pisti demo`: the whole job on what is bundled."""

from __future__ import annotations

from importlib import resources

import click

from advisor.cli.common import catalogue, json_option, print_json
from advisor.messages import Catalogue
from advisor.sheet import score_sheet, seat_name
from engine import Captured, Deal, Event, Pisti
from engine.record import read_record, score_to_json
from engine.record.replay import start


@click.command(
    epilog="\b\nExamples:\n  pisti demo\n  pisti --language tr demo\n  pisti demo --json"
)
@json_option
def command(as_json: bool) -> None:
    """Replay the bundled record play by play and print the score sheet."""
    text = resources.files("advisor").joinpath("samples/demo.pisti").read_text(encoding="utf-8")
    reading = read_record(text)
    if as_json:
        print_json(score_to_json(reading.match, reading.problems))
        return
    words, record = catalogue(), reading.record
    click.echo(words.text("demo.intro"))
    for deal_record in record.deals:
        deal = start(record.rules, deal_record)
        for number, play in enumerate(deal_record.plays, 1):
            name = seat_name(deal.turn, record.names, words)
            events = deal.play(play.card, play.claim)
            line = _sentence(number, name, play.card.symbol, events, words)
            click.echo(f"{line:<48} {_state(deal, words)}")
    click.echo()
    click.echo(score_sheet(reading.match, record.names, words))


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
