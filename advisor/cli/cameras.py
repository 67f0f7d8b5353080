"""`pisti cameras`: the cameras of this machine."""

from __future__ import annotations

import click

from advisor.cli.common import catalogue, json_option, print_json


@click.command(epilog="\b\nExamples:\n  pisti cameras\n  pisti cameras --json")
@json_option
def command(as_json: bool) -> None:
    """List the cameras of this machine; their numbers are sources for all commands."""
    from advisor.live.cameras import list_cameras

    cameras = list_cameras()
    if as_json:
        print_json([camera.to_json() for camera in cameras])
    elif not cameras:
        click.echo(catalogue().text("cameras.none"))
    else:
        for camera in cameras:
            click.echo(f"{camera.number}  {camera.name}")
