"""Real launches that hang in MPI_Finalize, when all their results are written: they are ended, and count.

A library that is preloaded makes rank 1 wait there, or stops it (native/tests/programs/misbehaving.c).
"""

import json
from pathlib import Path
from typing import Any

import pytest
from tests.command_line import run_ictus
from tests.native.launching import LIBRARIES
from tests.native.programs import compiled
from tests.native.trees import installation

from ictus.engine.attempt import FINALIZE_OR_LAUNCHER
from ictus.engine.event import Event, WarningNote
from ictus.engine.study import StudyLaunch, prepare_study, run_study
from ictus.engine.study_options import StudyOptions
from ictus.launch import process
from ictus.mpi.build import build_core
from ictus.store.campaign import load

from .running import QUICK, all_gone, events

pytestmark = [pytest.mark.mpi, pytest.mark.beside, pytest.mark.e2e]
WAITS, STOPPED = "wait after", "hang after"
"""Rank 1 hears how it is ended, and says where it is; or it does not."""
PLACES = ("MPI_Finalize", FINALIZE_OR_LAUNCHER)
"""What is told; the second where the launcher ended before it passed on what the rank said."""


def variables(label: str, place: Path, *faults: str) -> dict[str, str]:
    """Those of ranks that misbehave so, one launch after another."""
    (place / "faults.txt").write_text("".join(f"{fault}\n" for fault in faults))
    shim = compiled(label, "misbehaving", place, "-shared", "-fPIC")
    return {"LD_PRELOAD": str(shim), "ICTUS_FAULTS": str(place / "faults.txt")}


@pytest.fixture(autouse=True)
def looked_at_often(monkeypatch: pytest.MonkeyPatch) -> None:
    """A launch is looked at each second: a hang is ended after at most two."""
    monkeypatch.setattr(process, "RENEWED_S", 1.0)


@pytest.mark.few(1)
@pytest.mark.parametrize("label", LIBRARIES)
def test_launches_that_hang_in_mpi_finalize_count_and_are_told(label: str, tmp_path: Path) -> None:
    """Three launches, of which two hang: three medians, no launch again, no process left."""
    build_core(installation(label))
    folder = tmp_path / "campaign"
    words = ("--op", "bcast", "--sizes", "64", "--nrep", "50", "--launches", "3", "--retries", "0", *QUICK)
    given = [f"{name}={value}" for name, value in variables(label, tmp_path, WAITS, "none before", STOPPED).items()]
    done = run_ictus("run", "-o", folder, "-m", label, *words, *(word for one in given for word in ("--env", one)))
    assert done.code == 0, done.err
    assert "failed" not in events(folder)
    places = [one.hung_in for one in load(folder).launches]
    assert [place in PLACES for place in places] == [True, False, True]
    assert all_gone(folder)
    shown = json.loads(run_ictus("show", folder, "--json").out)
    assert [row["n_launches"] for row in shown["rows"]] == [3]
    assert sum(one["launches"] for one in shown["hung_launches"]) == 2
    assert any(f"of 3 launches of {label} did not end" in warning for warning in shown["warnings"])
    verified = run_ictus("verify", folder)
    assert verified.code == 0, verified.out + verified.err


@pytest.mark.few(1)
@pytest.mark.parametrize("label", LIBRARIES)
def test_a_study_that_hangs_in_mpi_finalize_keeps_its_document(label: str, tmp_path: Path) -> None:
    """Its document is whole, and the call says how the launch ended."""
    told = list[Event]()
    backend = prepare_study(StudyOptions(mpi=label, environment=variables(label, tmp_path, WAITS)), told.append)
    asked = StudyLaunch(backend, ("clocks", "rtt"), 2, {}, "round trips")
    (answer,) = run_study([asked], told.append, tmp_path / "study")
    assert answer["format"] == 2
    entries: list[Any] = [json.loads(line) for line in (tmp_path / "study/journal.jsonl").read_text().splitlines()]
    (place,) = (one["hung_in"] for one in entries if one["event"] == "accepted")
    assert place in PLACES
    assert [one.text for one in told if isinstance(one, WarningNote) and f"(in {place})" in one.text]
