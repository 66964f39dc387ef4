"""One Slurm for all tests of the session."""

import os
import sys
from collections.abc import Iterator
from pathlib import Path

import pytest
from tests.cluster.slurm import Slurm, running_slurm
from tests.native.trees import installation

from ictus.mpi.build import build_core


@pytest.fixture(scope="session")
def slurm() -> Iterator[Slurm]:
    """A Slurm with two idle nodes."""
    assert os.geteuid() == 0, "a Slurm of one's own needs root"
    build_core(installation("mpich"))  # a job of a minute cannot, on a machine that is busy
    with running_slurm() as running:
        yield running


@pytest.fixture(scope="session")
def pmix_slurm() -> Iterator[Slurm]:
    """Another one, with the plug-in pmix, which needs a library that comes with Debian's Open MPI."""
    assert os.geteuid() == 0, "a Slurm of one's own needs root"
    with running_slurm(pmix=True) as running:
        yield running


ICTUS = str(Path(sys.executable).parent / "ictus")
"""The program, as jobs call it."""
