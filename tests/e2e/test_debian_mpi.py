"""Debian's MPICH and Open MPI, beside the wheels: found under names of their own, proved, measured and compared."""

import json
from pathlib import Path

import pytest
from tests.command_line import succeed

from ictus.mpi.discover import discover

from .running import QUICK

pytestmark = [pytest.mark.mpi, pytest.mark.e2e, pytest.mark.engine("debian-mpi")]
LABELS = ("mpich-debian", "openmpi-debian")


def test_they_are_found_behind_the_wheels() -> None:
    """A bare name still means the wheel."""
    found = {one.label: one for one in discover()}
    assert list(found)[:2] == ["mpich", "openmpi"]
    assert {found[label].origin for label in LABELS} == {"debian"}
    assert {found[label].wrapper.name for label in LABELS} == {"mpicxx.mpich", "mpicxx.openmpi"}


def test_the_doctor_proves_both() -> None:
    """Each compiles, launches two ranks as one job, and says its version."""
    rows = {row["label"]: row for row in json.loads(succeed("doctor", "--json").out)["rows"]}
    for label in LABELS:
        assert (rows[label]["works"], rows[label]["n_ranks"]) == (True, 2), rows[label]


def test_they_are_measured_and_compared_in_one_campaign(tmp_path: Path) -> None:
    """Every launch counts, names its library's own version, and the comparison has every case."""
    folder = tmp_path / "camp"
    libraries = [word for label in LABELS for word in ("-m", label)]
    words = ("--op", "bcast,allreduce", "--sizes", "8,1Ki", "-n", "2", "--launches", "3", "--nrep", "50")
    succeed("run", *libraries, *words, *QUICK, "-o", folder)
    rows = json.loads(succeed("show", folder, "--json").out)["rows"]
    assert {row["mpi"] for row in rows} == set(LABELS)
    compared = json.loads(succeed("compare", folder, *LABELS, "--json").out)["rows"]
    assert len(compared) == 4
    heads = [json.loads(path.read_text()) for path in folder.glob("launches/*/launch.json")]
    versions = {head["launcher"]["library"]["label"]: head["mpi"]["library_version"] for head in heads}
    assert versions["mpich-debian"].startswith("MPICH Version")
    assert versions["openmpi-debian"].startswith("Open MPI v4")
