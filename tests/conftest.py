"""Settings of all tests."""

from __future__ import annotations

import os

import pytest


@pytest.hookimpl(trylast=True)
def pytest_sessionfinish(session: pytest.Session) -> None:
    """Fail a run that skipped a test, where PISTI_NO_SKIPS asks for all of them (CI does)."""
    reporter = session.config.pluginmanager.get_plugin("terminalreporter")
    if os.environ.get("PISTI_NO_SKIPS") and reporter and reporter.stats.get("skipped"):
        reporter.write_line("Tests were skipped, and PISTI_NO_SKIPS is set.", red=True)
        session.exitstatus = pytest.ExitCode.TESTS_FAILED
