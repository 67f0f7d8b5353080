"""The `pisti` command: one module a command, made from the shared parts in `advisor.cli.common`."""

from advisor.cli.main import main

__all__ = ["main"]
