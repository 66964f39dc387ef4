"""What tests of several folders need, and the order in which they run."""

import functools
import os
import random
import re
import signal
from pathlib import Path

import pytest
import typer.main
from tests.command_line import Ictus, run_ictus
from tests.native.trees import CACHE, settled

from ictus.launch.namespaces.probe import probe

os.environ["ICTUS_CACHE"] = str(CACHE)
os.environ["ICTUS_STATE"] = str(CACHE / "state")
if signal.getsignal(signal.SIGINT) == signal.SIG_IGN:  # begun in the background: what we start would not hear Ctrl-C
    signal.signal(signal.SIGINT, signal.default_int_handler)
typer.main.get_command = functools.cache(typer.main.get_command)  # hundreds of command lines, one tree of commands
os.fsync = lambda _descriptor: None  # syncs are asked for, not waited for: no test takes the power away


_NEEDS_RANKS = re.compile(r"(?<!not )\bmpi\b")


@functools.cache
def _names_the_mark(path: Path) -> bool:
    return "mark.mpi" in path.read_text("utf-8")


def pytest_ignore_collect(collection_path: Path, config: pytest.Config) -> bool | None:
    """A run of tests with ranks alone imports no file without: four of five files, which would take longest."""
    if collection_path.suffix == ".py" and _NEEDS_RANKS.search(config.getoption("markexpr")):
        return None if _names_the_mark(collection_path) else True
    return None


def _turn(item: pytest.Item) -> int:
    if item.get_closest_marker("mpi"):
        return 4
    if item.get_closest_marker("simgrid"):
        return 3
    if item.path.name == "test_plain.py":
        return 1
    return 0 if item.path.parent.name == "cli" else 2


def pytest_collection_modifyitems(items: list[pytest.Item]) -> None:
    """First commands, which need nothing built; then the core without MPI, the longest file, so that the other worker
    has the rest beside it; simulated ranks, and at last real ones: so `make test` compiles beside the first, and
    nothing runs beside the last.
    """
    hidden = {str(item.path) for item in items if item.get_closest_marker("mpi") and not _names_the_mark(item.path)}
    if hidden:
        raise pytest.UsageError(f"these files must name the mark of their tests, mark.mpi: {', '.join(hidden)}")
    seed = os.environ.get("ICTUS_SHUFFLED")
    if seed is not None:
        items[:] = _shuffled(items, seed)
    items.sort(key=_turn)


def _shuffled(items: list[pytest.Item], seed: str) -> list[pytest.Item]:
    """Files in another order, and in each its tests: none may need what another one left."""
    by_file: dict[Path, list[pytest.Item]] = {}
    for item in items:
        by_file.setdefault(item.path, []).append(item)
    files, draw = list(by_file.values()), random.Random(seed)
    for order in (files, *files):
        draw.shuffle(order)
    return [item for tests in files for item in tests]


@pytest.hookimpl(tryfirst=True)
def pytest_runtest_setup(item: pytest.Item) -> None:
    """Ranks are started on a machine on which nobody compiles for these tests any more."""
    if item.get_closest_marker("mpi"):
        settled()


@pytest.fixture(scope="session")
def hosts_can_be_made() -> None:
    """Skip, with the kernel's reason, where this machine cannot make hosts of namespaces."""
    reason = probe()
    if reason is not None:
        pytest.skip(f"no hosts of namespaces: {reason}")


@pytest.fixture
def ictus(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> Ictus:
    """The command line in an empty folder, 100 columns wide."""
    monkeypatch.chdir(tmp_path)
    monkeypatch.setenv("COLUMNS", "100")
    monkeypatch.delenv("FORCE_COLOR", raising=False)
    return run_ictus
