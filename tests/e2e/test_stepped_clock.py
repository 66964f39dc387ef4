"""The time of day is set while a launch runs: MPI_Wtime may follow it, and no number of that launch is shown.

A library that is preloaded shows rank 1 another time of day from its 200th call on (native/tests/programs).
"""

import re
from pathlib import Path

import pytest
from tests.command_line import run_ictus
from tests.native.launching import LIBRARIES
from tests.native.programs import compiled
from tests.native.trees import installation

from ictus.mpi.build import build_core
from ictus.store.campaign import load
from ictus.store.journal import read_journal

from .running import QUICK

pytestmark = [pytest.mark.mpi, pytest.mark.e2e, pytest.mark.beside]

SETS_ASIDE = {"mpich": True, "openmpi": False}
"""Whether MPI_Wtime is the time of day in this library; Open MPI reads a monotonic clock."""


@pytest.fixture(scope="module", params=[LIBRARIES[0], pytest.param(LIBRARIES[1], marks=pytest.mark.long)])
def label(request: pytest.FixtureRequest) -> str:
    """A library whose core is built."""
    build_core(installation(request.param))
    return str(request.param)


def stepped(label: str, place: Path, step_s: int, clock: str, *more: str) -> tuple[Path, list[str]]:
    """A campaign of two launches, in whose first the step comes; its folder, and why launches failed."""
    shim = compiled(label, "stepped_time", place, "-shared", "-fPIC")
    once = place / "once"
    once.touch()
    folder = place / "campaign"
    words = ("-m", label, "--op", "alltoall", "--sizes", "64", "--nrep", "400", "--launches", "2", *QUICK, *more,
             "--clock", clock, "--timeout", "600s", "--retries", "1", "--env", f"LD_PRELOAD={shim}",
             "--env", f"ICTUS_STEP_ONCE={once}", "--env", f"ICTUS_STEP_S={step_s}")  # fmt: skip
    ended = run_ictus("run", "-o", folder, *words)
    assert ended.code == 0, ended.err
    assert not once.exists()
    assert load(folder).complete
    entries = read_journal(folder / "journal.jsonl").entries
    return folder, [entry.model_dump()["reason"] for entry in entries if entry.event == "failed"]


@pytest.mark.parametrize(
    ("step_s", "start"), [(-3600, "window"), pytest.param(3600, "barrier", marks=pytest.mark.long)]
)
def test_a_step_sets_the_launch_aside_where_mpi_wtime_follows(
    label: str, tmp_path: Path, step_s: int, start: str
) -> None:
    """With the step in the reason; set back by an hour, a window would otherwise be waited for until the time limit."""
    folder, reasons = stepped(label, tmp_path, step_s, "wtime", "--procsync", start)
    assert len(reasons) == SETS_ASIDE[label]
    for reason in reasons:
        assert re.match(r"rank 1 on \S+: the time of day was set ", reason), reason
        assert "--clock tsc or monotonic" in reason
    assert len(list((folder / "aside").glob("*"))) == SETS_ASIDE[label]


def test_a_step_changes_nothing_where_the_clock_counts(label: str, tmp_path: Path) -> None:
    """The processor's counter goes on as it did: both launches are kept."""
    _, reasons = stepped(label, tmp_path, -3600, "tsc")
    assert reasons == []
