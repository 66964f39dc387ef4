"""One Slurm for all tests of the session, where it can be had."""

import sys
from collections.abc import Iterator
from pathlib import Path

import pytest
from tests.cluster.slurm import Slurm, missing, running_slurm


@pytest.fixture(scope="session")
def slurm(request: pytest.FixtureRequest) -> Iterator[Slurm]:
    """A Slurm with two idle nodes. Where there can be none, tests are skipped with what is missing; long ones fail."""
    reason = missing()
    if reason is not None and request.config.getoption("markexpr") == "long":
        pytest.fail(reason)
    if reason is not None:
        pytest.skip(reason)
    with running_slurm() as running:
        yield running


ICTUS = str(Path(sys.executable).parent / "ictus")
"""The program, as jobs call it."""
