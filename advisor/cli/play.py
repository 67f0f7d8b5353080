"""`pisti play`: a game against the computer in the terminal."""

from __future__ import annotations

from collections.abc import Callable
from dataclasses import replace
from itertools import zip_longest
from pathlib import Path
from random import Random, SystemRandom
from typing import Final

import click

from advisor.advice import Limit
from advisor.advisor import Advisor
from advisor.cli.advise import format_choice
from advisor.cli.common import catalogue, check_input, complain, patience
from advisor.cli.seats import names_option
from advisor.cli.usage import WrongUsage
from advisor.memory import OpponentMemory
from advisor.names import parse_names
from advisor.outputs import check_outputs, write_whole
from advisor.review import review
from advisor.sheet import score_sheet, seat_name
from engine import Card, Deal, Match, PistiError, RuleSet, View
from engine.record import recorded, write_text

#: Who can be played against: the advisor, or a rule of thumb.
OPPONENTS: Final = ("advisor", "random", "greedy", "hunter", "counting", "tips")
#: Worlds for a play of the computer, for a hint and for each play of the review.
_WORLDS: Final = 400
#: What costs less is not worth a line.
_NOTABLE: Final = 0.5


@click.command(
    epilog="\b\nExamples:\n  pisti play\n  pisti play --against counting --deals 1\n"
    "  pisti play --rules modern --seed 7 -o game.pisti"
)
@click.option(
    "--against",
    type=click.Choice(OPPONENTS),
    default="advisor",
    show_default=True,
    help="Who plays the other seats.",
)
@click.option(
    "--rules", "rule_line", default="classic players=2", show_default=True, help="Rule set."
)
@click.option("--deals", type=click.IntRange(1), help="Deals to play (default: the whole match).")
@click.option("--seed", type=int, help="For the same cards again (default: other ones each time).")
@names_option
@click.option("-o", "--output", type=click.Path(path_type=Path), help="Write the record there.")
def command(
    against: str,
    rule_line: str,
    deals: int | None,
    seed: int | None,
    names: str | None,
    output: Path | None,
) -> None:
    """Play against the computer in the terminal.

    Type a card or its number; h gives a hint, ? says what can be typed, q ends the game. After
    each deal its sheet is shown, and what your plays cost.
    """
    rules = RuleSet.parse(rule_line)
    if rules.bluff:
        raise WrongUsage(catalogue().text("game.bluff"))
    check_input()
    check_outputs([output])
    seed = SystemRandom().randrange(1 << 32) if seed is None else seed
    table = _Table(rules, against, seed, parse_names(names, rules.players))
    with patience():
        Advisor.warm_up()
    say = catalogue().text
    click.echo(say("game.welcome"))
    if deals is None:
        click.echo(say("game.match", target=rules.target))
    try:
        while table.match.winner is None and (deals is None or len(table.match.deals) < deals):
            table.play_deal()
    except (click.Abort, KeyboardInterrupt):
        # While the computer thinks nobody asks for a card, and Ctrl-C comes as it is.
        click.echo()
    if output:
        record = replace(recorded(table.match), names=table.names)
        write_whole(output, write_text(record))
        complain(say("score.written", files=output))


class _Table:
    """A match of one person, at seat 0, against the computer."""

    def __init__(
        self, rules: RuleSet, against: str, seed: int, names: tuple[str, ...] = ()
    ) -> None:
        self.names = names
        self._shown = _shown(names, rules.players)
        self.match = Match(rules)
        self._advisor = Advisor(catalogue().language)
        self._memory = OpponentMemory()
        self._computer = _computer(against, Random(seed))
        self._seed = seed

    def play_deal(self) -> None:
        """Play one deal, show its sheet and review it."""
        say = catalogue().text
        totals = self.match.totals
        rules = self.match.rules
        deal = Deal.shuffled(rules, self.match.next_dealer, self._seed + len(self.match.deals))
        self.match.start(deal)
        dealer = seat_name(deal.dealer, self._shown, catalogue())
        click.echo("")
        click.echo(say("sheet.deal", number=len(self.match.deals), dealer=dealer))
        while not deal.is_over:
            seat = deal.turn
            view = self.match.view(seat)
            card = self._ask(deal, view) if seat == 0 else self._computer(view)
            self.match.play(card)
            played = deal.history[-1]
            key = (
                "game.pisti" if played.bonus else "game.capture" if played.captured else "game.lay"
            )
            name = seat_name(seat, self._shown, catalogue())
            values = {"name": name, "card": played.card.symbol}
            click.echo(say(key, count=played.captured, points=played.bonus, **values))
        self._memory.remember(deal, 0)
        click.echo("")
        click.echo(score_sheet(self.match, self._shown, catalogue()))
        self._review(deal, totals)

    def _ask(self, deal: Deal, view: View) -> Card:
        """Show the table and the hand, and return the card that is typed."""
        say = catalogue().text
        click.echo("")
        click.echo(_table_now(deal))
        hand = view.hand
        cards = "  ".join(f"{at}: {card.symbol}" for at, card in enumerate(hand, 1))
        click.echo(say("game.hand", cards=cards))
        while True:
            answer = click.prompt(say("game.prompt"), prompt_suffix=" > ").strip()
            if answer.lower() == "q":
                raise click.Abort
            if answer.lower() in ("?", "help"):
                click.echo(say("game.help"))
            elif answer.lower() == "h":
                limit = Limit(samples=_WORLDS)
                click.echo(format_choice(self._advisor.advise(view, limit, self._memory)))
            elif answer.isdecimal() and 1 <= int(answer) <= len(hand):
                return hand[int(answer) - 1]
            else:
                try:
                    card = Card.parse(answer)
                except PistiError:
                    click.echo(say("game.not_card", words=answer, count=len(hand)))
                    continue
                if card in hand:
                    return card
                click.echo(say("game.not_held", card=card.symbol, count=len(hand)))

    def _review(self, deal: Deal, totals: tuple[int, ...]) -> None:
        say = catalogue().text
        limit = Limit(samples=_WORLDS)
        costs = list(review(deal, 0, self._advisor, limit, totals))
        lost = sum(cost.points for cost in costs)
        if lost < _NOTABLE:
            click.echo(say("game.review_good"))
            return
        click.echo(say("game.review", points=float(lost)))
        for number, cost in enumerate(costs, 1):
            if cost.points >= _NOTABLE:
                values = {"played": cost.played.symbol, "best": cost.best.symbol}
                line = say("game.cost", number=number, points=cost.points, **values)
                click.echo(f"  {line} {cost.why[0]}")


def _table_now(deal: Deal) -> str:
    """Return what lies on the table and what is still to be dealt, in a sentence or two."""
    say = catalogue().text
    if deal.top is None:
        said = say("game.table_empty", stock=deal.stock_size)
    else:
        said = say("game.table", count=len(deal.pile), top=deal.top.symbol, stock=deal.stock_size)
    bottom = deal.setup.bottom
    if bottom is None or not deal.stock_size:
        return said
    last = say("game.bottom", bottom=bottom.symbol)
    return f"{said} {last}"


def _shown(names: tuple[str, ...], players: int) -> list[str]:
    """Return what each seat is called: its name where it has one."""
    say = catalogue().text
    others = [say("game.computer", number=seat) for seat in range(1, players)]
    usual = [say("game.you"), *(others if len(others) > 1 else [say("game.one_computer")])]
    return [given or other for given, other in zip_longest(names, usual, fillvalue="")]


def _computer(name: str, rng: Random) -> Callable[[View], Card]:
    """Return how the computer called *name* chooses a card from a view."""
    if name == "advisor":
        advisor = Advisor()

        def advised(view: View) -> Card:
            best = advisor.advise(view, Limit(samples=_WORLDS)).best
            assert best is not None
            return best

        return advised

    def by_thumb(view: View) -> Card:
        # Only who plays against it waits for the compiler to load.
        from advisor.policies.choose import choose

        return choose(name, view, rng)

    return by_thumb
