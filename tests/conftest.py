"""What tests of several folders need."""

import pytest

from ictus.launch.namespaces.probe import probe


@pytest.fixture(scope="session")
def hosts_can_be_made() -> None:
    """Skip, with the kernel's reason, where this machine cannot make hosts of namespaces."""
    reason = probe()
    if reason is not None:
        pytest.skip(f"no hosts of namespaces: {reason}")
