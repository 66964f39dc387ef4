"""Starting native programs with the product's own launcher code."""

import os
from dataclasses import dataclass
from pathlib import Path

import pytest
from tests.native.trees import installation

from ictus.model.job import Job
from ictus.mpi.command import launch
from ictus.mpi.machine import usable_cores

LIBRARIES = ("mpich", "openmpi")
EITHER = (LIBRARIES[0], pytest.param(LIBRARIES[1], marks=pytest.mark.long))
"""For what is ours and knows of no library: `make test` tries one, `make test-long` both."""
VALIDATED = (*LIBRARIES, pytest.param("intelmpi", marks=pytest.mark.engine("intel-mpi")))
"""Of which operations and mock-ups are validated."""
RANKS = (1, 2, 3, 5, 6, 7, 8)

WORKERS = int(os.environ.get("PYTEST_XDIST_WORKER_COUNT", "1"))

HANGS_S = 300
"""Sixty times what the longest launch takes on quiet cores, 8 ranks on two of them; a dozen others on the cores made it
take forty times as long.
"""


def on_ranks(*numbers: int) -> list[object]:
    """Parameters `label`, `n`: each library with so many ranks; in `make test` the first with up to three, and with
    eight; the second with two and three.
    """
    short = {LIBRARIES[0]: (1, 2, 3, 8), LIBRARIES[1]: (2, 3)}
    return [
        pytest.param(label, n, marks=() if n in short[label] else pytest.mark.long)
        for label in LIBRARIES
        for n in numbers
    ]


@dataclass(frozen=True)
class Ended:
    """What a launch left behind."""

    exit_code: int | None
    output: str
    error: str


def start(
    label: str,
    n_ranks: int,
    *program: object,
    folder: Path,
    environment: dict[str, str] | None = None,
    timeout_s: float = HANGS_S,
    launcher: str = "mpiexec",
) -> Ended:
    """Launch `program` with `n_ranks` ranks of an embedded library; more ranks than cores set its yielding options.
    Where other workers start ranks too, each has its share of the cores.
    """
    job = Job(
        n_ranks=n_ranks,
        program=tuple(str(word) for word in program),
        folder=folder,
        timeout_s=timeout_s,
        environment=environment or {},
        n_cores=max(1, len(usable_cores().ids) // WORKERS),
    )
    outcome = launch(installation(label), job, launcher)
    return Ended(outcome.exit_code, (folder / "stdout.txt").read_text(), (folder / "stderr.txt").read_text())
