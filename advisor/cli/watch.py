"""`pisti watch`: the live table."""

from __future__ import annotations

import secrets
import webbrowser

import click

from advisor.cli.common import catalogue


@click.command(
    epilog="\b\nExamples:\n  pisti watch --open\n  pisti watch --port 0\n"
    "  pisti watch --host 0.0.0.0"
)
@click.option("--host", default="127.0.0.1", show_default=True, help="Address to listen on.")
@click.option("--port", default=8765, show_default=True, help="Port; 0 takes a free one.")
@click.option("--open", "open_page", is_flag=True, help="Open the page in the browser.")
def command(host: str, port: int, open_page: bool) -> None:
    """Watch a game live: hints, counts and the score on a page.

    The page is served on this machine only, unless --host says otherwise; then its address holds
    a token that nobody else should get.
    """
    from advisor.api.app import create_app
    from advisor.api.desk import Desk
    from advisor.api.hub import Hub
    from advisor.api.security import is_loopback
    from advisor.api.serve import Server, address_of, listen
    from advisor.live.station import Station
    from advisor.store import Store, data_folder

    token = None if is_loopback(host) else secrets.token_urlsafe(16)
    with listen(host, port) as listening:
        folder = data_folder()
        store = Store.open(folder)
        if store.notice is not None:
            click.echo(catalogue().error(store.notice), err=True)
        desk = Desk(store, Hub())
        station = Station(desk)
        app = create_app(desk, station, folder=folder, host=host, token=token)

        def ending() -> None:
            station.end_videos()
            desk.hub.close()

        address = address_of(listening, host, token)
        click.echo(catalogue().text("watch.address", address=address))
        if token:
            click.echo(catalogue().text("watch.shared"))
        if open_page:
            webbrowser.open(address)
        try:
            Server(app, ending).serve_until_stopped([listening])
        finally:
            store.close()
