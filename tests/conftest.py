"""What tests of several folders need, and the order in which they run."""

import os
import signal

import pytest
from tests.native.trees import CACHE, settled

from ictus.launch.namespaces.probe import probe

os.environ["ICTUS_CACHE"] = str(CACHE)
if signal.getsignal(signal.SIGINT) == signal.SIG_IGN:  # begun in the background: what we start would not hear Ctrl-C
    signal.signal(signal.SIGINT, signal.default_int_handler)


def _needs_ranks(item: pytest.Item) -> bool:
    return any(item.get_closest_marker(name) for name in ("mpi", "simgrid"))


def pytest_collection_modifyitems(items: list[pytest.Item]) -> None:
    """First what needs nothing built, then the core without MPI, then what starts ranks: so `make test` compiles
    beside the first, and nothing runs beside the last.
    """
    items.sort(key=lambda item: 2 if _needs_ranks(item) else item.path.name == "test_plain.py")


@pytest.hookimpl(tryfirst=True)
def pytest_runtest_setup(item: pytest.Item) -> None:
    """Ranks are started on a machine on which nobody compiles for these tests any more."""
    if _needs_ranks(item):
        settled()


@pytest.fixture(scope="session")
def hosts_can_be_made() -> None:
    """Skip, with the kernel's reason, where this machine cannot make hosts of namespaces."""
    reason = probe()
    if reason is not None:
        pytest.skip(f"no hosts of namespaces: {reason}")
