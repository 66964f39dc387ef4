"""What tests of several folders need, and the order in which they run."""

import functools
import gc
import os
import platform
import random
import re
import signal
from collections.abc import Iterator, Sequence
from pathlib import Path
from typing import Any

import pytest
from tests.command_line import Ictus, run_ictus
from tests.engines import ENGINES, chosen
from tests.made_once import decode_tables_once
from tests.native.trees import settled
from tests.surroundings import enter
from tests.undrawn import undrawn
from xdist.scheduler.loadscope import LoadScopeScheduling

from ictus.launch import segments
from ictus.launch.namespaces.probe import probe

enter(os.environ)
gc.disable()  # while tests are collected: ten thousand of them stay, and each search for garbage would go through all
for number, usual in (
    (signal.SIGINT, signal.default_int_handler),
    *((one, signal.SIG_DFL) for one in (signal.SIGHUP, signal.SIGQUIT, signal.SIGTERM)),
):  # begun in the background or by nohup: what we start would not hear them
    if signal.getsignal(number) == signal.SIG_IGN:
        signal.signal(number, usual)
os.fsync = lambda _descriptor: None  # syncs are asked for, not waited for: no test takes the power away
decode_tables_once()


_SEGMENTS = pytest.StashKey[set[str]]()
"""Those that were there before."""


def _segments() -> list[str]:
    """Shared memory of MPI libraries on this machine."""
    folder = Path(segments.FOLDER)
    return (
        sorted(one.name for one in folder.iterdir() if one.name.startswith(segments.NAMES)) if folder.exists() else []
    )


def left_segments(before: set[str]) -> list[str]:
    """Of launches since then, which no process has any more."""
    held = {
        name for name, _, _ in segments.held(int(one.name) for one in Path("/proc").iterdir() if one.name.isdigit())
    }
    return [name for name in _segments() if name not in before | held]


def pytest_addoption(parser: pytest.Parser) -> None:
    """`--engine NAME`: the tests of these engines instead of those that need none (tests/engines.py)."""
    parser.addoption("--engine", action="append", default=[], metavar="NAME", help="run the tests of this engine; all")


def pytest_configure(config: pytest.Config) -> None:
    """An engine that is asked for and missing is an error, never a skip."""
    try:
        complaints = [one.complaint for one in chosen(config.getoption("engine")) if one.complaint]
    except ValueError as error:
        raise pytest.UsageError(str(error)) from error
    if complaints:
        raise pytest.UsageError("\n".join(complaints))
    config.stash[_SEGMENTS] = set(_segments())


def _engines(item: pytest.Item) -> tuple[str, ...]:
    """Those that a test needs; it runs with the first."""
    mark = item.get_closest_marker("engine")
    return tuple(mark.args) if mark else ()


HOSTS = "hosts_can_be_made"
"""The fixture of tests that make hosts of namespaces, which not every kernel allows."""
_no_hosts = functools.cache(probe)
X86 = platform.machine() == "x86_64"


def _left_out(item: pytest.Item, engines: Sequence[str]) -> bool:
    needed = _engines(item)[:1]
    if needed:
        return needed[0] not in engines
    return (
        bool(engines)
        or (item.get_closest_marker("x86") is not None and not X86)
        or (HOSTS in getattr(item, "fixturenames", ()) and _no_hosts() is not None)
    )


def pytest_terminal_summary(terminalreporter: pytest.TerminalReporter, config: pytest.Config) -> None:
    """What was left out for want of the kernel's leave or the processor is said, with the reason; and what stays in
    memory of ranks that ended without MPI_Finalize, other programs' too.
    """
    left = left_segments(config.stash[_SEGMENTS])
    if left:
        terminalreporter.write_line(f"left in {segments.FOLDER}, segments of ended ranks: {len(left)}", yellow=True)
    if not X86:
        terminalreporter.write_line("left out: tests that read machine code of x86-64", yellow=True)
    if _no_hosts() is not None:
        terminalreporter.write_line(f"left out: tests that make hosts of namespaces: {_no_hosts()}", yellow=True)


_NEEDS_RANKS = re.compile(r"(?<!not )\bmpi\b")
_OF_THE_FILE = re.compile(r"^pytestmark = (?:\[[^]]*\]|[^\n]*)", re.MULTILINE)


@functools.cache
def _names_the_mark(path: Path) -> bool:
    return "mark.mpi" in path.read_text("utf-8")


def _is_beside(path: Path) -> bool:
    """Whether each of its tests has the mark."""
    found = _OF_THE_FILE.search(path.read_text("utf-8"))
    return found is not None and "mark.beside" in found[0]


def pytest_ignore_collect(collection_path: Path, config: pytest.Config) -> bool | None:
    """A run of tests with ranks alone imports no file without: four of five files, which would take longest; nor one
    whose tests all run beside others, where it leaves them out.
    """
    marks = config.getoption("markexpr")
    if collection_path.suffix == ".py" and _NEEDS_RANKS.search(marks):
        left_out = "not beside" in marks and _is_beside(collection_path)
        return True if left_out or not _names_the_mark(collection_path) else None
    return None


def pytest_itemcollected(item: pytest.Item) -> None:
    """All cases of a test with the mark `few(n)` but the first n are long; a parameter has the number of its case."""
    mark = item.get_closest_marker("few")
    if mark and max(item.callspec.indices.values()) >= mark.args[0]:  # type: ignore[attr-defined]
        item.add_marker("long")


def pytest_collection_finish() -> None:
    """What was collected stays to the end: it is garbage of no test."""
    gc.freeze()
    gc.enable()


def _turn(item: pytest.Item) -> int:
    if item.get_closest_marker("mpi"):
        return 3
    if item.path.name == "test_plain.py":
        return 1
    return {"launch": -1, "cli": 0}.get(item.path.parent.name, 2)


def pytest_collection_modifyitems(config: pytest.Config, items: list[pytest.Item]) -> None:
    """Tests of engines that were not asked for are left out. First those that mostly wait for processes, as compiling
    fills the time; then commands, which need nothing built; then the core without MPI, the longest file, so that the
    other worker has the rest beside it; at last real ranks: so `make test` compiles beside the first, and nothing runs
    beside the last.
    """
    hidden = {str(item.path) for item in items if item.get_closest_marker("mpi") and not _names_the_mark(item.path)}
    if hidden:
        raise pytest.UsageError(f"these files must name the mark of their tests, mark.mpi: {', '.join(hidden)}")
    engines = [one.name for one in chosen(config.getoption("engine"))]
    out = [item for item in items if _left_out(item, engines)]
    config.hook.pytest_deselected(items=out)
    left = set(out)
    items[:] = [item for item in items if item not in left]
    seed = os.environ.get("ICTUS_SHUFFLED")
    if seed is not None:
        items[:] = _shuffled(items, seed)
    items.sort(key=_turn)


_NATIVE = re.compile(r"tests/native/test_plain\.py::(?:\w+(_under_the_sanitizers))?.*\[((?:unit|sim)-\w+)")


class _Groups(LoadScopeScheduling):
    """A worker runs a file of tests at a time; of the native claims, those of one program, which share its run."""

    def _split_scope(self, nodeid: str) -> str:
        native = _NATIVE.match(nodeid)
        return f"{native[2]}{native[1]}" if native else nodeid.partition("::")[0]


@pytest.hookimpl(optionalhook=True)  # with -p no:xdist nobody asks
def pytest_xdist_make_scheduler(config: pytest.Config, log: Any) -> LoadScopeScheduling | None:
    """Of `--dist=loadscope`."""
    return _Groups(config, log) if config.getvalue("dist") == "loadscope" else None


def _shuffled(items: list[pytest.Item], seed: str) -> list[pytest.Item]:
    """Files in another order, and in each its tests: none may need what another one left."""
    by_file: dict[Path, list[pytest.Item]] = {}
    for item in items:
        by_file.setdefault(item.path, []).append(item)
    files, draw = list(by_file.values()), random.Random(seed)
    for order in (files, *files):
        draw.shuffle(order)
    return [item for tests in files for item in tests]


_seen: tuple[str, ...] = ()
"""The engines that the environment shows now."""


@pytest.hookimpl(tryfirst=True)
def pytest_runtest_setup(item: pytest.Item) -> None:
    """Each test sees its engines and no other, and fails where one is missing; ranks are started on a machine on which
    nobody compiles for these tests any more.
    """
    global _seen  # noqa: PLW0603 (the environment is one for the whole process)
    if _seen != _engines(item):
        _seen = _engines(item)
        enter(os.environ, _seen)
    complaints = [ENGINES[name].complaint for name in _engines(item) if ENGINES[name].complaint]
    if complaints:
        pytest.fail("\n".join(complaints), pytrace=False)
    if item.get_closest_marker("mpi"):
        settled()


def _processor_s() -> float:
    return sum(os.times()[:4])


@pytest.hookimpl(wrapper=True)
def pytest_runtest_call(item: pytest.Item) -> Iterator[None]:
    """In `make test` a test whose processes take more processor time than there is for one fails, unless it is long.
    Ranks spin while they wait, so there is twice as much for them.
    """
    begun = _processor_s()
    result = yield
    most = float(os.environ.get("TESTS_PROCESSOR_S", "inf")) * (2 if item.get_closest_marker("mpi") else 1)
    used = _processor_s() - begun
    item.user_properties.append(("processor_s", round(used, 1)))
    if used > most and not item.get_closest_marker("long"):
        pytest.fail(
            f"took {used:.0f} s of processor time, more than {most:g}: mark it long, or make it quicker", pytrace=False
        )
    return result


WITHOUT_FIGURES = ("cli", "comparison", "engine", "claims")
"""Rooms whose tests read words of pages."""


@pytest.fixture(autouse=True)
def _no_figures(request: pytest.FixtureRequest, monkeypatch: pytest.MonkeyPatch) -> Iterator[None]:
    """In these rooms pages are made as ever, but figures are drawn in tests with the mark `figures` alone: they take
    longer than most of what a command does.
    """
    if request.path.parent.name not in WITHOUT_FIGURES or request.node.get_closest_marker("figures"):
        yield
    else:
        with undrawn(monkeypatch):
            yield


@pytest.fixture
def hosts_can_be_made() -> None:
    """The test makes hosts of namespaces: where the kernel does not let it, it is left out, and that is said."""


@pytest.fixture
def ictus(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> Ictus:
    """The command line in an empty folder, 100 columns wide."""
    monkeypatch.chdir(tmp_path)
    monkeypatch.setenv("COLUMNS", "100")
    monkeypatch.delenv("FORCE_COLOR", raising=False)
    return run_ictus
