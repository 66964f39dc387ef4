"""Lines of logs: which say that a launch did not end well, and which only have such a word in them."""

import pytest
from tests.interchange.generated_logs import FAILURES, HARMLESS as NOISE

from ictus.interchange.failure_words import says_all_is_well, says_failure

FAILED = (
    *FAILURES,
    "Error: No such file or directory",
    "Error 0x1f in progress engine",
    "error: 0 bytes received, 64 expected",
    "rank 0 failed",
    "task 0: Killed",
    "node 0 aborted",
    "0 errors before the Segmentation fault",
    "srun: error: node1: tasks 0-1: Exited with exit code 1",
    "Primary job terminated normally, but 1 process returned a non-zero exit code.",
    "MPI_ERRORS_ARE_FATAL (processes in this communicator will now abort)",
    "slurmstepd: error: *** JOB 7 ON node1 CANCELLED AT 2026-03-04T10:11:12 DUE TO PREEMPTION ***",
    "time limit of 600 s exceeded",
    "^C[mpiexec@node1] Sending Ctrl-C to processes as requested",
    "=>> PBS: job killed: walltime 3605 exceeded limit 3600",
    "[warn] Fatal: the progress thread is gone",
    "node1: Test NCCL failure common.cu:958 'unhandled system error'",
    "[mpi_rank_0][error_sighandler] Caught error: Segmentation fault (signal 11)",
    "return code 137",
    "3 errors",
    "10 errors",
    "failed: 2",
)
HARMLESS = (
    *NOISE,
    "MPI_ERRORS_RETURN",
    "error handler is MPI_ERRORS_RETURN",
    "0 errors",
    "Finished with 0 errors.",
    "no errors found",
    "without any error",
    "error: 0",
    "errors = 0, warnings = 3",
    "Errors: none",
    "Error checking enabled",
    "error-checking: on",
    "ECC error correction: on",
    "failed: 0",
    "failed: 0 of 12",
    "12 passed, 0 failed",
    "No failed nodes",
    "Job time limit: 01:00:00",
    "timeout set to 600",
    "stderr goes to /scratch/error.log",
    "orte_abort_print_stack = 0",
    "Linux node1 5.14.0 #1 SMP PREEMPT_DYNAMIC x86_64",
    "job exited with code 0",
    "ExitCode 0:0",
    "program terminated normally",
    "NCCL INFO NET/Plugin: plugin failed to load, the internal one is used",
)


@pytest.mark.parametrize("line", FAILED)
def test_real_failures_are_found(line: str) -> None:
    """Also beside harmless words, and of rank 0: its number is no count."""
    assert says_failure(line)


@pytest.mark.parametrize("line", HARMLESS)
def test_words_of_failure_in_harmless_lines_say_nothing(line: str) -> None:
    """A launch whose log has such a line ended well."""
    assert not says_failure(line)


def test_a_count_of_nothing_is_no_row() -> None:
    """`0 errors` has a number and a word, as a damaged row has; a row has two numbers."""
    assert says_all_is_well("0 errors")
    assert says_all_is_well("error: 0")
    assert not any(map(says_all_is_well, ("0 0.92", "8 0 errors", "Error checking enabled, level 3", "")))
