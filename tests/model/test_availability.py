"""Which operations a library has."""

import pytest

from ictus.model.availability import Availability, check_available, may_lack
from ictus.model.errors import UsageError
from ictus.model.registries import Registries


def test_only_what_is_newer_than_the_required_mpi_may_be_missing() -> None:
    """Nonblocking collectives are in MPI 3.0, persistent ones in 4.0; `empty` is no call of MPI."""
    asked = ("bcast", "ibcast", "MPI_Bcast_init", "alltoallw", "empty", "barrier_init")
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
