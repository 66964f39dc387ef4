"""What makes a long run of tests go on where it was interrupted: with `-p tests.passed_before` each test that passes is
added to the file that TESTS_PASSED names, and those that are there are left out.
"""

import contextlib
import json
import os
from collections import Counter
from pathlib import Path

import pytest

JOURNAL = "TESTS_PASSED"


def read(journal: Path) -> dict[str, float]:
    """Each test that passed, and its seconds; a line that was being written when the run ended is none."""
    passed = {}
    for line in journal.read_text("utf-8").splitlines() if journal.exists() else ():
        with contextlib.suppress(ValueError):
            name, seconds = json.loads(line)
            passed[name] = seconds
    return passed


def add(journal: Path, name: str, seconds: float) -> None:
    """One that passed; whatever the line before it is, it begins a line."""
    with journal.open("a", encoding="utf-8") as file:
        file.write(f"\n{json.dumps((name, round(seconds, 2)))}")


class PassedBefore:
    """The plugin, which the process that distributes tests has, and each that runs them."""

    def __init__(self, config: pytest.Config, journal: Path) -> None:
        self.config = config
        self.journal = journal
        self.seconds: Counter[str] = Counter()
        self.failed: set[str] = set()

    def pytest_collection_modifyitems(self, items: list[pytest.Item]) -> None:
        """Leave out what is in the journal."""
        before = read(self.journal)
        self.config.hook.pytest_deselected(items=[item for item in items if item.nodeid in before])
        items[:] = [item for item in items if item.nodeid not in before]

    def pytest_runtest_logreport(self, report: pytest.TestReport) -> None:
        """A test has passed when what was set up for it is taken down too. What failed is said at once: a run that is
        killed comes to no summary.
        """
        self.seconds[report.nodeid] += report.duration
        distributes = "PYTEST_XDIST_WORKER" not in os.environ
        if not report.passed:
            self.failed.add(report.nodeid)
        elif report.when == "teardown" and report.nodeid not in self.failed and distributes:
            add(self.journal, report.nodeid, self.seconds[report.nodeid])
        if report.failed and distributes:
            self.config.get_terminal_writer().line(f"\nfailed: {report.nodeid}", flush=True)


def pytest_configure(config: pytest.Config) -> None:
    """Of the command line that names this file."""
    config.pluginmanager.register(PassedBefore(config, Path(os.environ[JOURNAL])), "passed before")
