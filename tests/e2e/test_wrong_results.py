"""A campaign with a library that computes something wrong ends without a latency, and says where it is wrong."""

import re
from pathlib import Path

import pytest
from tests.command_line import run_ictus
from tests.native.launching import LIBRARIES
from tests.native.trees import mpi_tree

pytestmark = [pytest.mark.mpi, pytest.mark.beside, pytest.mark.e2e]

QUICK = ("--launches", "1", "--nrep", "5", "--clocksync", "none", "--procsync", "barrier", "--contention-retries", "0",
         "--retries", "0", "--no-page-faults")  # fmt: skip

MESSAGES_OF_PINGPONG = "1"
"""Their tag (native/src/workload/operation/pingpong.hpp): those by which Ictus synchronises have another."""


@pytest.mark.few(4)
@pytest.mark.parametrize("label", LIBRARIES)
@pytest.mark.parametrize(
    ("operation", "spoiled", "found_at"),
    [
        ("bcast", {"OPERATION": "MPI_Bcast"}, (1, "element 0 of the receive buffer")),
        ("iallreduce", {"OPERATION": "MPI_Iallreduce", "MODE": "truncate"}, (1, "element 7 of the receive buffer")),
        ("bcast_init", {"OPERATION": "MPI_Bcast_init", "MODE": "skip"}, (1, "element 0 of the receive buffer")),
        (
            "pingpong",
            {"OPERATION": "MPI_Recv", "TAG": MESSAGES_OF_PINGPONG, "BYTE": "9"},
            (1, "element 1 of the receive buffer"),
        ),
        ("put", {"OPERATION": "MPI_Put", "BYTE": "63"}, (0, "element 7 of the receive buffer")),  # where rank 1 puts it
        (
            "repeated(scan,3)",
            {"OPERATION": "MPI_Scan", "CALL": "2"},
            (1, "call 2 of 3, scan: element 0 of the receive buffer"),
        ),
    ],
)
def test_a_wrong_result_is_no_latency(
    operation: str, spoiled: dict[str, str], found_at: tuple[int, str], label: str, tmp_path: Path
) -> None:
    """Exit code 3; the operation, the rank, the element, what it should be and what it is; no sample is kept."""
    flip = {"LD_PRELOAD": str(mpi_tree(label).folder / "libictus-flip.so"), "ICTUS_FLIP_RANK": "1"}
    flip |= {f"ICTUS_FLIP_{name}": value for name, value in spoiled.items()}
    words = ("-m", label, "--op", operation, "--sizes", "64", "--datatype", "double", *QUICK)
    variables = [word for name, value in flip.items() for word in ("--env", f"{name}={value}")]
    done = run_ictus("run", *words, *variables, "-o", tmp_path / "campaign")
    assert done.code == 3, done.out + done.err
    said = " ".join((done.out + done.err).split())
    name = {"put": "MPI_Put", "pingpong": "MPI_Send"}.get(operation, spoiled["OPERATION"])
    name = "repeated" if operation.startswith("repeated") else name
    found = re.search(rf"wrong result of {name} with 64 bytes of MPI_DOUBLE \(case 0\): rank (\d+), (.*)", said)
    assert found, said
    rank, where = found_at
    assert int(found[1]) == rank
    assert re.match(re.escape(where) + r": expected \S+, found \S+", found[2]), found[2]
    assert not list((tmp_path / "campaign").rglob("samples.npy"))
