"""`pisti render`: the commands of the renderer, which is used from a checkout."""

from __future__ import annotations

import click

from advisor.cli.common import needs_checkout

try:
    from datasets.__main__ import main as command
except ImportError as missing:
    _MISSING = missing

    @click.command(context_settings={"ignore_unknown_options": True})
    @click.argument("words", nargs=-1)
    def command(words: tuple[str, ...]) -> None:  # noqa: ARG001
        """Render training data (needs a checkout and the train extra)."""
        raise needs_checkout(_MISSING)
