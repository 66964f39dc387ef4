"""Progress threads of libraries: switched on where a control variable is told, else unavailable with the reason."""

from ictus.mpi.progress_thread import progress_thread, shows_thread


def test_mpich_has_one_where_it_tells_its_variable() -> None:
    """The variable is set, and a launch that does not say so afterwards is found out."""
    found = progress_thread("mpich", {"MPIR_CVAR_ASYNC_PROGRESS": "0"})
    assert found.available
    assert found.environment == {"MPIR_CVAR_ASYNC_PROGRESS": "1"}
    assert shows_thread(found, {"MPIR_CVAR_ASYNC_PROGRESS": "1"})
    assert shows_thread(found, {"MPIR_CVAR_ASYNC_PROGRESS": "true"})
    assert not shows_thread(found, {"MPIR_CVAR_ASYNC_PROGRESS": "0"})
    assert not shows_thread(found, {})


def test_intel_mpi_tells_it_by_another_name() -> None:
    """It is switched on by I_MPI_..., and tells a variable of the library that it stems from."""
    found = progress_thread("intelmpi", {"MPIR_CVAR_ASYNC_PROGRESS": "0", "MPIR_CVAR_OTHER": "0"})
    assert found.environment == {"I_MPI_ASYNC_PROGRESS": "1"}
    assert shows_thread(found, {"MPIR_CVAR_ASYNC_PROGRESS": "1", "MPIR_CVAR_OTHER": "0"})
    assert not shows_thread(found, {"MPIR_CVAR_ASYNC_PROGRESS": "0", "MPIR_CVAR_OTHER": "0"})
    assert "control variables" in progress_thread("intelmpi", {"MPIR_CVAR_OTHER": "0"}).reason


def test_what_cannot_be_had_says_why() -> None:
    """A library without such a variable, one that names another transport's thread, one that tells nothing."""
    assert "none of the library's 1 control variables" in progress_thread("mpich", {"MPIR_CVAR_OTHER": "0"}).reason
    openmpi = progress_thread("openmpi", {"btl_tcp_progress_thread": "0", "mpi_yield_when_idle": "0"})
    assert not openmpi.available
    assert not openmpi.environment
    assert openmpi.reason.endswith("; of btl_tcp_progress_thread none does")
    assert "lists no control variables" in progress_thread("openmpi", {}).reason
