"""Layouts on real ranks: messages of each are validated element by element, gaps included, in calls of every kind."""

from pathlib import Path

import pytest
from tests.launch_document import launch_document
from tests.native.launching import LIBRARIES, start
from tests.native.trees import mpi_tree

from ictus.model.call import elements_of
from ictus.model.registries import Registries

pytestmark = [pytest.mark.mpi, pytest.mark.beside]
REGISTRIES = Registries.load()
LAYOUTS = tuple(member.name for member in REGISTRIES.family("layout").members if member.name != "basic")
DESCRIBED = ("flattened(wrf,by=struct)", "normalised(lammps_full)", "normalised(subarray)", "flattened(nas_mg_x)")
OPERATIONS = ("pingpong", "pingpong_as_packed", "bcast", "allgather", "ialltoallv", "neighbor_alltoall", "put")
CASE = "nrep=2 procsync=barrier warmup=1"


@pytest.mark.parametrize("label", LIBRARIES)
def test_every_layout_is_sent_and_received_as_it_says(label: str, tmp_path: Path) -> None:
    """Two units in a block, in one launch; the units of Python are those of the core, which refuses other sizes."""
    lines = []
    for layout in (*LAYOUTS, *DESCRIBED):
        unit = 4 * elements_of(REGISTRIES.check("layout", layout))
        for op in OPERATIONS:
            size = 2 * unit * (1 if REGISTRIES.operation(op).volume == "message" else 4)
            lines.append(f"case id={len(lines)} op={op} size={size} datatype=float layout={layout} {CASE}")
    head = f"launch ranks=2 clocksync=none output={tmp_path}\n"
    (tmp_path / "plan.txt").write_text(head + "\n".join(lines))
    bench = mpi_tree(label).folder / "ictus-bench"
    ended = start(label, 2, bench, "--plan", tmp_path / "plan.txt", folder=tmp_path)
    assert ended.exit_code == 0, ended.error
    cases = launch_document(tmp_path)["cases"]
    assert len(cases) == len(lines)
    assert all(one["validated"] for one in cases)


@pytest.mark.parametrize("layout", ["milc_zdown", "lammps_full", "wrf", "normalised(specfem_cm)", "struct"])
def test_a_wrong_byte_of_a_layout_is_seen(layout: str, tmp_path: Path) -> None:
    """Behind a library that flips a byte of what one rank receives: exit code 3."""
    spoiler = {
        "LD_PRELOAD": str(mpi_tree("mpich").folder / "libictus-flip.so"),
        "ICTUS_FLIP_OPERATION": "MPI_Bcast",
        "ICTUS_FLIP_RANK": "1",
        "ICTUS_FLIP_MODE": "flip",
    }
    size = 2 * 8 * elements_of(REGISTRIES.check("layout", layout))  # double
    words = ("--op", "bcast", "--sizes", size, "--layout", layout, "--nrep", 2, "--procsync", "barrier")
    bench = mpi_tree("mpich").folder / "ictus-bench"
    ended = start("mpich", 2, bench, *words, "--clocksync", "none", folder=tmp_path, environment=spoiler)
    assert ended.exit_code == 3
    assert "rank 1, element" in ended.error
