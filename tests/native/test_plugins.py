"""Operations of plug-ins on real ranks: those that are right are validated as the collective that they stand for, and
those that are wrong are told as such, in plain words.
"""

import re
import subprocess
import textwrap
from functools import cache
from pathlib import Path

import pytest
from tests.native.launching import EITHER, LIBRARIES, Ended, on_ranks, start
from tests.native.programs import IN_FORTRAN
from tests.native.trees import ROOT, installation

from ictus.engine.attempt import first_error
from ictus.model.errors import UsageError
from ictus.model.plugin import Plugin
from ictus.mpi.build import build_core
from ictus.mpi.inquiry import operations_of
from ictus.mpi.operation_library import operation_library

pytestmark = [pytest.mark.mpi, pytest.mark.beside]

HERE = Path(__file__).parent / "plugins"
EXAMPLES = ROOT / "examples" / "plugins"
QUICK = ("--nrep", 3, "--warmup", 1, "--procsync", "barrier", "--clocksync", "none")

CALLS = ("allgather", "allreduce", "alltoall", "barrier", "bcast", "exscan", "gather", "reduce", "reduce_scatter_block",
         "scan", "scatter")  # fmt: skip
"""All that a plug-in can stand for."""


def library(label: str, source: Path) -> Path:
    """The source compiled for a library, as `ictus run --plugin` does it."""
    return operation_library(installation(label), Plugin(str(source)), lambda _: None)


@cache
def core(label: str) -> Path:
    """ictus-bench of the product."""
    return build_core(installation(label)).program


def measured(label: str, n: int, source: Path, operations: str, folder: Path, *words: object) -> Ended:
    """A launch of the operations of a plug-in."""
    plugin = ("--plugin", library(label, source))
    return start(label, n, core(label), *plugin, "--op", operations, *QUICK, *words, folder=folder)


@pytest.mark.parametrize(("label", "n"), on_ranks(1, 2, 5))
def test_right_operations_are_validated_as_what_they_stand_for(label: str, n: int, tmp_path: Path) -> None:
    """Every collective that a plug-in can stand for, in derived datatypes and with every root. The operator commutes:
    MPICH's own MPI_Reduce_scatter_block is wrong for others in such datatypes.
    """
    names = ",".join(f"my_{one}" for one in CALLS)
    ended = measured(label, n, HERE / "every_collective.c", names, tmp_path, "--size", "0,16,960", "--layout",
                     "basic,vector(2,3)", "--operator", "user(sum)", "--root", "0,rotating")  # fmt: skip
    assert ended.exit_code == 0, ended.error
    assert all(f"my_{one} " in ended.output for one in CALLS)


@pytest.mark.parametrize(("label", "n"), on_ranks(1, 2, 7))
def test_the_examples_are_right(label: str, n: int, tmp_path: Path) -> None:
    """In segments that do not divide the message, for an operator that does not commute, in memory of MPI_Alloc_mem."""
    for source, operations in (
        ("pipelined_bcast.c", "my_bcast,my_bcast(segment=100)"),
        ("doubling_allreduce.cpp", "my_allreduce,my_allreduce_mem"),
    ):
        ended = measured(label, n, EXAMPLES / source, operations, tmp_path, "--size", "16,9600", "--root", "rotating",
                         "--layout", "basic,vector(2,3)", "--operator", "user(affine)")  # fmt: skip
        assert ended.exit_code == 0, ended.error


def test_the_program_of_the_page_is_right(tmp_path: Path) -> None:
    """docs/how-to/own-operation.md, from which alone a reader writes one."""
    page = (ROOT / "docs" / "how-to" / "own-operation.md").read_text("utf-8")
    (text,) = re.findall(r"^    #include.*?^    }\n\n(?=Nothing)", page, re.MULTILINE | re.DOTALL)
    source = tmp_path / "mine.c"
    source.write_text(textwrap.dedent(text), "utf-8")
    ended = measured("openmpi", 2, source, "my_allreduce", tmp_path, "--size", "80")
    assert ended.exit_code == 0, ended.error


@pytest.mark.parametrize(("label", "n"), on_ranks(1, 2, 5))
def test_calls_in_place_are_validated_as_those_of_the_collective(label: str, n: int, tmp_path: Path) -> None:
    """With every root; also where the buffers are in memory of the plug-in."""
    names = ",".join(f"my_{one}" for one in CALLS if one not in ("barrier", "bcast"))
    for source, operations in (
        (HERE / "every_collective.c", names),
        (EXAMPLES / "doubling_allreduce.cpp", "my_allreduce,my_allreduce_mem"),
    ):
        ended = measured(label, n, source, operations, tmp_path, "--size", "0,16,960", "--in-place", "on", "--root",
                         "0,rotating")  # fmt: skip
        assert ended.exit_code == 0, ended.error


def test_what_is_wrong_in_place_alone_is_told(tmp_path: Path) -> None:
    """A call that leaves out what it is told to take from its result; and one that never takes it."""
    right = measured("mpich", 2, HERE / "wrong.c", "forgets_place", tmp_path, "--size", "80")
    assert right.exit_code == 0, right.error
    wrong = measured("mpich", 2, HERE / "wrong.c", "forgets_place", tmp_path, "--size", "80", "--in-place", "on")
    assert wrong.exit_code != 0
    assert "wrong result of forgets_place of plug-in libwrong.so" in wrong.error
    never = measured("mpich", 2, HERE / "wrong.c", "right", tmp_path, "--size", "80", "--in-place", "on")
    assert never.exit_code == 0, never.error
    assert "right cannot be called in place: it is measured out of place" in never.output + never.error


@pytest.mark.parametrize("label", LIBRARIES)
def test_fortran_is_refused_where_the_library_has_no_wrapper_for_it(label: str) -> None:
    """The wheels have none."""
    with pytest.raises(UsageError, match="there is no Fortran wrapper"):
        library(label, EXAMPLES / "ring_allgather.f90")


@pytest.mark.engine("fortran", "debian-mpi")
@pytest.mark.parametrize("label", IN_FORTRAN)
def test_the_fortran_example_is_right(label: str, tmp_path: Path) -> None:
    """Compiled as a plug-in."""
    ended = measured(label, 5, EXAMPLES / "ring_allgather.f90", "my_allgather", tmp_path, "--size", "8,960")
    assert ended.exit_code == 0, ended.error


WRONG = {
    "computes_wrongly": "wrong result of computes_wrongly of plug-in libwrong.so with 80 bytes of MPI_DOUBLE (case 0): "
    "rank 1, element 0 of the receive buffer: expected ",
    "forgets_later": "(case 0) in a second call: rank 0, element 0 of the receive buffer: expected ",
    "forgets_later(calls=4)": "(case 0) after it was measured: rank 0, element 0 of the receive buffer: expected ",
    "sequence(right,leaves_request)": "rank 0 leaves a request incomplete of MPI_Isend, in leaves_request",
    "repeated(leaves_request)": "rank 0 leaves a request incomplete of MPI_Isend, in leaves_request",
    "frees_comm": "rank 0 frees the communicator that it was given",
    "exits": "exits of plug-in libwrong.so ended its process instead of returning",
    "hangs": "hangs of plug-in libwrong.so had not returned when the launch was ended",
    "writes_to_send": "element 0 of the send buffer, which a call must not change: expected ",
    "writes_behind": "guard byte 0 after the receive buffer: expected 195, found 194",
    "leaves_request": "wrong behaviour of leaves_request of plug-in libwrong.so with 80 bytes of MPI_DOUBLE (case 0): "
    "rank 0 leaves a request incomplete of MPI_Isend",
    "leaves_message": "rank 1 leaves a message of rank 0 with tag 7 that nobody receives",
    "keeps_request": "rank 0 leaves a request that destroy does not free, of MPI_Recv_init",
    "crashes": "crashes of plug-in libwrong.so crashed (SIGSEGV, an invalid address)",
    "aborts": "aborts of plug-in libwrong.so crashed (SIGABRT)",
    "overflows": "overflows of plug-in libwrong.so crashed (SIGSEGV, an invalid address)",
    "fails": "fails of plug-in libwrong.so failed: ",
}
"""What is said of each operation of wrong.c."""


@pytest.mark.parametrize("label", EITHER)
@pytest.mark.parametrize("operation", WRONG)
def test_wrong_operations_are_told_as_such(label: str, operation: str, tmp_path: Path) -> None:
    """In the rank's error file, which `ictus run` shows, and on standard error."""
    ended = measured(label, 2, HERE / "wrong.c", operation, tmp_path, "--size", "80", "--output", ".")
    assert ended.exit_code not in (0, None)
    error = first_error(tmp_path)
    assert error is not None, ended.error
    assert WRONG[operation] in error.message
    assert WRONG[operation] in ended.error


@pytest.mark.parametrize("label", EITHER)
def test_a_barrier_that_waits_for_nobody_is_told(label: str, tmp_path: Path) -> None:
    """It passes only where nobody leaves while the late rank waits: on busy cores, and not five times."""
    told = "wrong result of leaves_early of plug-in libwrong.so with 0 bytes"
    launches = (measured(label, 3, HERE / "wrong.c", "leaves_early", tmp_path) for _ in range(5))
    assert any(told in ended.error and "the return of rank" in ended.error for ended in launches)


@pytest.mark.parametrize("label", LIBRARIES)
def test_operations_that_complete_their_requests_in_every_way_are_right(label: str, tmp_path: Path) -> None:
    """By wait and test, one, any, some and all: none of them is taken for a leak."""
    ended = measured(label, 2, HERE / "wrong.c", "right,completes_all", tmp_path, "--size", "80")
    assert ended.exit_code == 0, ended.error


FUNCTIONS = ".create = create, .call = call, .destroy = destroy"
DECLARED_WRONGLY = {
    f'.name = "Mine", .stands_for = "bcast", {FUNCTIONS}': "operation 'Mine': a name is lower-case letters, digits and",
    f'.name = "bcast", .stands_for = "bcast", {FUNCTIONS}': "'bcast' has the name of an operation of Ictus; rename it",
    f'.name = "mine", .stands_for = "alltoallv", {FUNCTIONS}': "'mine' stands for 'alltoallv'; it can stand for allg",
    '.name = "mine", .stands_for = "bcast", .call = call': "operation 'mine' needs create, call and destroy;",
    f'.name = "mine", .stands_for = "bcast", {FUNCTIONS}, .allocate = malloc': "has only some of allocate, release,",
    f'.name = "mine", .stands_for = "bcast", {FUNCTIONS}, .parameters = wrong': "'k': its default 9 is not between its",
    ".name = NULL": "has no operations for version 2",
}
SOURCE = """
#include <ictus/operation.h>
#include <stdlib.h>
static int create(const ictus_operation_site* site, void** state) { (void)site, (void)state; return 0; }
static int call(void* state, const void* send, void* receive) { (void)state, (void)send, (void)receive; return 0; }
static int destroy(void* state) { (void)state; return 0; }
static const ictus_operation_parameter wrong[] = {{"k", "", 9, 1, 8}, {NULL, NULL, 0, 0, 0}};
void* all[] = {create, call, destroy, (void*)wrong};
static const ictus_operation operations[] = {{OPERATION}, {.name = NULL}};
const ictus_operation* ictus_operations(int version) { (void)version; return operations; }
"""


@pytest.mark.parametrize("declaration", DECLARED_WRONGLY)
def test_wrong_declarations_are_refused_with_what_is_allowed(declaration: str, tmp_path: Path) -> None:
    """Before anything is launched."""
    source = tmp_path / "mine.c"
    source.write_text(SOURCE.replace("OPERATION", declaration), "utf-8")
    with pytest.raises(UsageError) as refused:
        operations_of(installation("mpich"), core("mpich"), library("mpich", source))
    assert DECLARED_WRONGLY[declaration] in str(refused.value)
    assert "libmine.so" in str(refused.value)


def test_no_plugins_are_refused(tmp_path: Path) -> None:
    """A text, a library without the function, and one that is linked to another MPI."""
    text = tmp_path / "text.so"
    text.write_text("no library", "utf-8")
    empty = tmp_path / "empty.so"
    (tmp_path / "empty.c").write_text("int nothing;", "utf-8")
    subprocess.run(("cc", "-shared", "-fPIC", tmp_path / "empty.c", "-o", empty), check=True)
    foreign = library("openmpi", HERE / "wrong.c")
    for path, reason in ((text, "cannot be loaded"), (empty, "exports no function 'ictus_operations'"),
                         (foreign, "is linked to ")):  # fmt: skip
        with pytest.raises(UsageError, match=reason):
            operations_of(installation("mpich"), core("mpich"), path)
