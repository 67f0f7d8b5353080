"""`pisti watch`: the live table."""

from __future__ import annotations

import secrets
import webbrowser
from pathlib import Path
from threading import Thread
from typing import TYPE_CHECKING, Any

import click

from advisor.cli.common import catalogue
from advisor.cli.seats import dealer_option, names_option, seat_given
from advisor.headcount import fields_named, rule_fields
from advisor.names import parse_names
from engine import RuleSet

if TYPE_CHECKING:
    from advisor.api.serve import Server
    from advisor.session import Created


@click.command(
    epilog="\b\nExamples:\n  pisti watch --open\n"
    "  pisti watch 0 --rules modern --names Ayşe,Can --me 0\n"
    "  pisti watch game.mp4 --players 2 --window\n  pisti watch --host 0.0.0.0 --port 0"
)
@click.argument("source", required=False)
@click.option("--rules", "rule_line", help="Rule set (default: the one of the settings).")
@click.option("--players", type=int, help="Number of players.")
@names_option
@dealer_option
@click.option(
    "--me",
    metavar="PLAYER",
    help="Who gets the hints: a name from --names, or a seat counted from 0 (default: 0).",
)
@click.option(
    "--layout",
    "layout_file",
    type=click.Path(path_type=Path),
    help="Where things lie on the table, from pisti calibrate.",
)
@click.option("--host", default="127.0.0.1", show_default=True, help="Address to listen on.")
@click.option(
    "--port",
    type=click.IntRange(0, 65535),
    default=8765,
    show_default=True,
    help="Port; 0 takes a free one.",
)
@click.option("--open", "open_page", is_flag=True, help="Open the page in the browser.")
@click.option("--window", is_flag=True, help="Show it in a window of its own too.")
def command(
    source: str | None,
    rule_line: str | None,
    players: int | None,
    names: str | None,
    dealer: str | None,
    me: str | None,
    layout_file: Path | None,
    host: str,
    port: int,
    open_page: bool,
    window: bool,
) -> None:
    """Watch a game live: hints, counts and the score on a page.

    SOURCE is a camera's number, a file, a folder of pictures or a stream; without one, the page
    asks. Where the game is described here, it begins at once. The page is served on this machine
    only, unless --host says otherwise; then its address holds a token for the players.
    """
    from advisor.api.app import create_app
    from advisor.api.desk import Desk
    from advisor.api.hub import Hub
    from advisor.api.security import is_loopback
    from advisor.api.serve import Server, address_of, listen
    from advisor.live.show import Evening, check_screen, show
    from advisor.live.station import Station
    from advisor.store import ServerLock, Store, data_folder
    from vision.layout import Layout

    if window:
        check_screen()
    layout = None if layout_file is None else Layout.load(layout_file)
    token = None if is_loopback(host) else secrets.token_urlsafe(16)
    folder = data_folder()
    with listen(host, port) as listening, ServerLock(folder):
        store = Store.open(folder)
        if store.notice is not None:
            click.echo(catalogue().error(store.notice), err=True)
        desk = Desk(store, Hub())
        station = Station(desk)
        try:
            described = (rule_line, players, names, dealer, me) != (None,) * 5
            game = None
            if described or (source is not None and window):
                named = fields_named(names)
                if rule_line:
                    fields = named | rule_fields(rule_line, players)
                else:
                    # What is said here goes before the settings.
                    said = {} if players is None else {"players": players}
                    fields = RuleSet.split(desk.settings.rules) | named | said
                game = desk.create(_created(fields, names, dealer, me)).id
            if source is not None:
                # What was asked for here is not let go because nobody looks yet.
                station.open(source, game=game, keep=True)
            if layout is not None:
                station.use_layout(layout)
            app = create_app(desk, station, folder=folder, host=host, token=token)

            def ending() -> None:
                station.end_videos()
                desk.hub.close()

            server = Server(app, ending)
            address = _in_language(address_of(listening, host, token)) + _view(game, source)
            click.echo(catalogue().text("watch.address", address=address))
            if token:
                click.echo(catalogue().text("watch.shared"))
            if open_page:
                webbrowser.open(address)
            if window:
                evening = Evening(desk, station, app.state.adviser)
                _beside(server, listening, lambda running: show(evening, running))
            else:
                server.serve_until_stopped([listening])
        except KeyboardInterrupt:
            # Ctrl-C is how it ends, also before the server hears it.
            return
        finally:
            station.close()
            store.close()


def _in_language(address: str) -> str:
    """Return *address* with the language that was asked for with ``--language``, if any was."""
    language = click.get_current_context().find_root().params.get("language")
    if language is None:
        return address
    return f"{address}{'&' if '?' in address else '?'}language={language}"


def _view(game: str | None, source: str | None) -> str:
    """Return the view of the page that what was asked for leads to."""
    if game is not None:
        return f"#/game/{game}"
    return "" if source is None else "#/watch"


def _created(
    fields: dict[str, Any], names: str | None, dealer: str | None, me: str | None
) -> Created:
    from advisor.api.desk import new_game_date
    from advisor.session import Created

    rules = RuleSet.of(**fields)
    given = parse_names(names, rules.players)

    def seat(option: str, words: str | None, usual: int) -> int:
        if words is None:
            return usual
        return seat_given(option, words, given, rules.players, catalogue())

    first, advised = seat("--dealer", dealer, rules.players - 1), seat("--me", me, 0)
    return Created(rules, given, first, advised, date=new_game_date())


def _beside(server: Server, listening: Any, run: Any) -> None:
    """Serve in a thread, because a window wants the main one, until either ends."""
    serving = Thread(target=server.serve_until_stopped, args=([listening],), name="server")
    serving.start()
    try:
        run(serving.is_alive)
    except KeyboardInterrupt:
        # Ctrl-C ends the window, and the window the server.
        return
    finally:
        server.stop()
        serving.join()
