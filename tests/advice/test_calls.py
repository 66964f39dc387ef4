"""Which calls of a made-up profile matter, as which cases, and why others are left aside."""

from typing import Any

import pytest
from tests.advice.made_up import profile

from ictus.advice.calls import CallPlace, CostlyCalls, costly_calls
from ictus.guidelines.catalogue import catalogue
from ictus.model.registries import Registries
from ictus.programs.profile.analysis import AwaitedRank

REGISTRIES = Registries.load()
RULED = {rule.left.name for rule in catalogue(REGISTRIES) if not rule.left.arguments}


def found(
    *rows: dict[str, Any],
    least: float = 0.01,
    mpi_share: float | None = 0.5,
    waiting_share: float | None = None,
) -> CostlyCalls:
    """What matters of a program with these kinds of calls."""
    return costly_calls(profile(*rows, mpi_share=mpi_share, waiting_share=waiting_share), RULED, REGISTRIES, least)


def test_a_case_has_the_programs_own_sizes_processes_datatype_and_operator() -> None:
    """As the row has them, in the words of Ictus."""
    (call,) = found({"largest_bytes": 24, "size_class": 24, "n_ranks": 3, "datatype": "MPI_INT", "op": "MPI_MAX"}).calls
    assert call.place == CallPlace("allreduce", 3, "int", "max")
    assert call.place.name == "allreduce-n3-int-max"
    assert (call.size_bytes, call.calls, call.share, call.sites) == (24, 400, 0.1, ("solver.c:12",))


@pytest.mark.parametrize(
    ("operation", "size"),
    [
        *((one, 4 * 1000) for one in ("Allgather", "Gather", "Scatter", "Alltoall", "Reduce_scatter_block")),
        *((one, 4 * 1000) for one in ("Iallgather", "Alltoall_init", "Gatherv")),
        *((one, 1000) for one in ("Bcast", "Reduce", "Allreduce", "Scan", "Reduce_scatter", "Ialltoallv", "Ibcast")),
    ],
)
def test_a_size_is_the_total_volume(operation: str, size: int) -> None:
    """A profile has one block of an operation of blocks (of 4 processes), the message of others, and the sum over all
    blocks where each has a size of its own on one process.
    """
    (call,) = found({"operation": operation, "largest_bytes": 1000, "size_class": 1000}).calls
    assert (call.place.operation, call.size_bytes) == (operation.lower(), size)


def test_call_sites_and_roots_of_one_case_are_added_before_they_are_compared() -> None:
    """Two lines of 0.6 % are one case of 1.2 %; the largest size of the class counts; the dearest line comes first."""
    rows = [{"site": f"a.c:{line}", "share": 0.006, "time_s": float(line), "largest_bytes": 2048 + 8 * line,
             "size_class": 2048} for line in (1, 2)]  # fmt: skip
    (call,) = found(*rows).calls
    assert (call.share, call.calls, call.sites) == (pytest.approx(0.012), 800, ("a.c:2", "a.c:1"))
    assert call.size_bytes == 2064
    assert found(*rows, least=0.013).calls == ()


def test_other_classes_of_size_and_other_communicators_are_other_cases() -> None:
    """Dearest first; one place has all sizes of its operation."""
    costly = found({"share": 0.1}, {"size_class": 8, "largest_bytes": 8, "share": 0.3}, {"n_ranks": 2, "share": 0.2})
    assert [(one.place.n, one.size_bytes) for one in costly.calls] == [(4, 8), (2, 65536), (4, 65536)]
    assert [one.n for one in costly.places] == [4, 2]
    assert [one.size_bytes for one in costly.of(costly.places[0])] == [8, 65536]


ASIDE: dict[str, dict[str, Any]] = {
    "it ends other calls": {"operation": "Waitall", "n_ranks": 0},
    "it is not a collective": {"operation": "Sendrecv"},
    "no guideline says": {"operation": "Scatterv"},
    "it is between two groups": {"n_remote": 2},
    "one process alone": {"n_ranks": 1},
    "it moves nothing": {"largest_bytes": 0},
    "its datatype MPI_FLOAT_INT is none that": {"datatype": "MPI_FLOAT_INT", "op": "MPI_MAXLOC"},
    "its operator MPI_MAXLOC is none that Ictus reduces double": {"op": "MPI_MAXLOC"},
    "its operator of its own is none": {"op": ""},
}


@pytest.mark.parametrize("reason", ASIDE)
def test_what_nothing_can_be_advised_for_is_left_aside_with_its_reason(reason: str) -> None:
    """And only where it costs enough to be missed."""
    costly = found(ASIDE[reason])
    assert costly.calls == ()
    (one,) = costly.aside
    assert one.reason.startswith(reason)
    assert one.share == pytest.approx(0.1)
    assert found({**ASIDE[reason], "share": 0.009}).aside == ()


def test_what_is_moved_and_not_reduced_may_be_of_any_datatype() -> None:
    """Bytes stand for a struct; of the types of Fortran those of C; a barrier has none."""
    rows = [{"operation": "Bcast", "datatype": "struct"}, {"operation": "Reduce", "datatype": "MPI_DOUBLE_PRECISION"},
            {"operation": "Barrier", "datatype": "", "op": "", "largest_bytes": 0, "size_class": 0}]  # fmt: skip
    places = {one.operation: (one.datatype, one.operator) for one in found(*rows).places}
    assert places == {"bcast": ("byte", ""), "reduce": ("double", "sum"), "barrier": ("byte", "")}


def test_a_program_without_time_has_no_calls_that_matter() -> None:
    """Its shares are unknown."""
    costly = found({"share": None}, mpi_share=None)
    assert (costly.calls, costly.mpi_share) == ((), None)


def test_what_is_proven_to_be_waiting_does_not_matter() -> None:
    """3 % of the time, 2.6 of them waiting at least: 0.4 % is too little to mend; the dearest call is the one with the
    most to mend.
    """
    assert found({"share": 0.03, "waiting_low_share": 0.026}, waiting_share=0.027).calls == ()
    costly = found({"share": 0.3, "waiting_low_share": 0.28}, {"share": 0.1, "n_ranks": 2})
    assert [(one.place.n, one.waiting) for one in costly.calls] == [(2, 0.0), (4, 0.28)]
    assert [one.n for one in costly.places] == [2, 4]
    costly = found({"share": 0.3}, waiting_share=0.2)  # rank 1 has three quarters of what is waited for
    assert costly.most_awaited == AwaitedRank(1, pytest.approx(0.15))


def test_waiting_is_no_reason_to_tell_what_is_left_aside() -> None:
    """A call of which nothing else is left is not told; else it has both."""
    gatherv = {"operation": "Scatterv", "share": 0.3, "waiting_low_share": 0.295}
    assert found(gatherv).aside == ()
    (one,) = found({**gatherv, "waiting_low_share": 0.1}).aside
    assert (one.share, one.waiting) == (0.3, 0.1)
