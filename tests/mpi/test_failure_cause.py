"""What a library and its launcher print when a launch fails: the cause is quoted, whatever they print behind it.

The text of Open MPI 5 and the line of MPICH's launcher are what the wheels print, shortened. MPICH's stack of errors,
and the text of Open MPI 4.1, which Debian has, are written after the form that they are known to have; that its
launcher loses messages of ranks was seen.
"""

from pathlib import Path

import pytest

from ictus.mpi.failure_cause import cause_sentence, excerpt_of, quoted_cause, quoted_output

RULE = "-" * 74
NO_PML = f"""{RULE}
No components were able to be opened in the pml framework.

This typically means that either no components of this type were
installed, or none of the installed components can be loaded.
Sometimes this means that shared libraries required by these
components are unable to be found/loaded.

  Host:      node
  Framework: pml
{RULE}
"""
OPENMPI_5 = f"""{NO_PML}{RULE}
prterun has exited due to process rank 0 with PID 0 on node node calling
"abort". This may have caused other processes in the application to be
terminated by signals sent by prterun (as reported here).
{RULE}
"""
OPENMPI_4 = f"""{NO_PML}[node:10793] PML ucx cannot be selected
[node:10794] PML ucx cannot be selected
[node:10788] 1 more process has sent help message help-mca-base.txt / find-available:none found
[node:10788] Set MCA parameter "orte_base_help_aggregate" to 0 to see all help / error messages
"""
LOST = "[node:1] [[15991,0],0] ORTE_ERROR_LOG: Out of resource in file ../../../orte/util/show_help.c at line 501\n"
IN_INIT_4 = f"""{RULE}
It looks like MPI_INIT failed for some reason; your parallel process is
likely to abort.

  mca_pml_base_open() failed
  --> Returned "Not found" (-13) instead of "Success" (0)
{RULE}
"""
WARNED = f"""{RULE}
WARNING: No preset parameters were found for the device that Open MPI
detected.
{RULE}
{OPENMPI_4}"""
MPICH_5 = """Abort(403818639) on node 0 (rank 0 in comm 0): Fatal error in internal_Init: Other MPI error, error stack:
internal_Init(70)........: MPI_Init(argc=0x7ffd, argv=0x7ffd) failed
open_fabric(2667)........: OFI fi_getinfo() failed (ofi_init.c:2667:open_fabric:No data available)

===================================================================================
=   BAD TERMINATION OF ONE OF YOUR APPLICATION PROCESSES
=   PID 1 RUNNING AT node
=   EXIT CODE: 15
=   CLEANING UP REMAINING PROCESSES
=   YOU CAN IGNORE THE BELOW CLEANUP MESSAGES
===================================================================================
YOUR APPLICATION TERMINATED WITH THE EXIT STRING: Terminated (signal 15)
"""
IN_INIT = """*** An error occurred in MPI_Init
*** on a NULL communicator
*** MPI_ERRORS_ARE_FATAL (processes in this communicator will now abort,
***    and MPI will try to terminate your MPI job as well)
[node:30750] Local abort before MPI_INIT completed completed successfully, but am not able to aggregate error messages
[node:30747] PMIX ERROR: PMIX_ERR_UNREACH in file ptl_base_connection_hdlr.c at line 103
"""
HYDRA = "[proxy:0@node] HYDU_create_process (launch.c:73): execvp error on file /core (Permission denied)\n"


@pytest.mark.parametrize(
    ("printed", "first", "last"),
    [
        (OPENMPI_5, "No components were able to be opened in the pml framework.", "  Framework: pml"),
        (OPENMPI_4, "No components were able to be opened in the pml framework.", "  Framework: pml"),
        (LOST + OPENMPI_4, "No components were able to be opened in the pml framework.", "  Framework: pml"),
        (
            LOST + LOST + IN_INIT_4,
            "It looks like MPI_INIT failed for some reason; your parallel process is",
            '  --> Returned "Not found" (-13) instead of "Success" (0)',
        ),
        (WARNED, "No components were able to be opened in the pml framework.", "  Framework: pml"),
        (MPICH_5, MPICH_5.splitlines()[0], MPICH_5.splitlines()[2]),
        (IN_INIT, "*** An error occurred in MPI_Init", "*** An error occurred in MPI_Init"),
        (HYDRA, HYDRA.strip(), HYDRA.strip()),
    ],
)
def test_the_cause_is_taken_and_what_stands_below_it_is_not(printed: str, first: str, last: str) -> None:
    """Neither the launcher's box nor its hints, one of which has the word `error`, nor a warning before the cause."""
    found = excerpt_of(printed)
    assert found is not None
    assert (found.says_why, found.lines[0], found.lines[-1]) == (True, first, last)


def test_what_follows_every_failure_is_quoted_where_there_is_nothing_else() -> None:
    """After SIGKILL of a rank only the launcher knows of it."""
    text = f"{RULE}\nprterun noticed that process rank 1 with PID 7 on node n exited on signal 9 (Killed).\n{RULE}\n"
    found = excerpt_of(text)
    assert found is not None
    assert found.lines == ("prterun noticed that process rank 1 with PID 7 on node n exited on signal 9 (Killed).",)


def test_a_text_without_a_cause_is_quoted_from_its_end() -> None:
    """The words say so."""
    assert quoted_output("".join(f"line {number}\n" for number in range(20))).startswith(
        "; its output ends with:\n    line 12\n"
    )
    assert quoted_output("\n") == " and printed nothing"


def test_bytes_that_are_no_text_are_not_shown(tmp_path: Path) -> None:
    """PRRTE 3 prints a byte or two beyond its buffer behind a block."""
    (tmp_path / "stderr.txt").write_bytes(OPENMPI_5.encode() + b"\x90\x07" + IN_INIT.encode() + b"\xb0")
    quoted = quoted_cause(tmp_path)
    assert quoted.startswith("; stderr.txt says:\n    No components were able")
    assert quoted.isascii()
    assert all(one.isprintable() or one == "\n" for one in quoted)


def test_the_stream_that_says_why_is_quoted_and_one_line_is_its_first_paragraph(tmp_path: Path) -> None:
    """A program may warn on one stream while its library explains on the other."""
    (tmp_path / "stderr.txt").write_text("pinned to core 3\n")
    (tmp_path / "stdout.txt").write_text(OPENMPI_4)
    assert quoted_cause(tmp_path).startswith("; stdout.txt says:\n    No components")
    assert cause_sentence(tmp_path) == "No components were able to be opened in the pml framework"


@pytest.mark.parametrize(
    "said",
    [
        "ssh: connect to host n2 port 22: Connection refused",
        "ssh: connect to host n2 port 22: Connection timed out",
        "ssh: connect to host n2 port 22: No route to host",
        "ssh: connect to host n2 port 22: Network is unreachable",
        "ssh: Could not resolve hostname n2: Name or service not known",
        "Host key verification failed.",
        "root@n2: Permission denied (publickey).",
    ],
)
def test_what_ssh_says_is_the_cause_and_not_that_a_daemon_did_not_report(tmp_path: Path, said: str) -> None:
    """The launcher guesses at firewalls and paths then."""
    (tmp_path / "stderr.txt").write_text(f"{said}\r\n")
    guess = "A daemon failed to report back after being spawned. This could\nbe due to several factors"
    (tmp_path / "stdout.txt").write_text(f"{RULE}\n{guess}\n{RULE}\n")
    assert cause_sentence(tmp_path) == said.rstrip(".")


@pytest.mark.parametrize(
    ("printed", "sentence"),
    [
        (LOST + IN_INIT_4, 'mca_pml_base_open() failed --> Returned "Not found" (-13) instead of "Success" (0)'),
        (LOST, f"nothing printed says why, at last: {LOST.strip()}"),
        ("", ""),
    ],
)
def test_one_line_has_the_cause_and_no_more_than_is_known(tmp_path: Path, printed: str, sentence: str) -> None:
    """Not that it failed for some reason; and what the launcher of Open MPI 4.1 lost is not made up."""
    (tmp_path / "stderr.txt").write_text(printed)
    assert cause_sentence(tmp_path) == sentence
