"""Which operations a library has."""

import pytest

from ictus.model.availability import Availability, check_available, may_lack, named, shared
from ictus.model.errors import UsageError
from ictus.model.plan import Plan
from ictus.model.registries import Registries


def test_only_what_is_newer_than_the_required_mpi_may_be_missing() -> None:
    """Nonblocking collectives are in MPI 3.0, persistent ones in 4.0; `empty` is not a call of MPI."""
    asked = Plan(operations="bcast,ibcast,MPI_Bcast_init,alltoallw,empty,barrier_init").operations
    assert may_lack(asked, Registries.load()) == ("bcast_init", "barrier_init")


def test_what_a_library_lacks_is_named_with_the_reason() -> None:
    """The message has operation, library, and why."""
    libraries = {
        "a": (Availability("bcast_init", available=True, large_counts=False, reason=""),),
        "b": (Availability("bcast_init", available=False, large_counts=False, reason="it is new in MPI 4.0"),),
    }
    check_available(("bcast_init",), {"a": libraries["a"]})
    with pytest.raises(UsageError, match=r"operation 'bcast_init': library 'b' lacks it: it is new in MPI 4\.0"):
        check_available(("bcast_init",), libraries)


def test_all_are_the_calls_of_mpi_and_what_is_made_of_them() -> None:
    """All forms, point-to-point and one-sided; no mock-ups, nothing that does nothing; each once."""
    every = [one.name for one in named(Plan(operations="scan,all,gather_as_reduce").operations, Registries.load())]
    assert (every[0], every[-1]) == ("scan", "gather_as_reduce")
    assert {"bcast", "ialltoallw", "neighbor_allgather_init", "sparse_alltoall", "pingpong", "put"} < set(every)
    assert not {"empty", "gather_as_allgather"} & set(every)
    assert len(set(every)) == len(every)


def test_of_all_what_a_library_lacks_is_left_out_and_said() -> None:
    """The first library that lacks it is named; what was asked for by name is not left out in silence."""
    lacking = tuple(
        Availability(name, available=False, large_counts=False, reason="it is new in MPI 4.0")
        for name in ("bcast_init", "scan_init")
    )
    found, notes = shared(
        Plan(operations="all,scan_init").operations, {"a": (), "b": lacking, "c": lacking}, Registries.load()
    )
    names = [one.name for one in found]
    assert "bcast_init" not in names
    assert "scan_init" in names
    assert notes == ("bcast_init is left out: library 'b' lacks it: it is new in MPI 4.0",)
