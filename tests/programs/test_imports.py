"""What is said of functions that a program imports from MPI and that are not counted."""

from dataclasses import replace

from tests.advice.made_up import profile

from ictus.programs.profile.imports import all_imports, imports_sentence, parse_imports, unseen_calls
from ictus.programs.profile.tables import profile_sentence

LINES = "/opt/app\tMPI_Comm_rank MPI_Comm_split\n/opt/libx.so\tMPI_Wtime\n"


def test_functions_that_reach_no_other_process_are_told_apart() -> None:
    """By the standard; forms with large counts as the plain ones, and a name that the standard lacks might."""
    local = "MPI_Comm_get_name MPI_Comm_rank MPI_Get_count_c MPI_Type_size MPI_Type_vector_c MPI_Wtime"
    others = "MPIX_Allreduce MPI_Comm_dup MPI_File_write_all_c MPI_Psend_init MPI_Win_create PMPI_Barrier"
    (one,) = parse_imports(f"app\t{local} {others}\n")
    assert (" ".join(one.local), " ".join(one.functions)) == (local, others)
    assert parse_imports("") == ()
    assert parse_imports("a file whose name\nbreaks\tMPI_Comm_dup\n") == parse_imports("breaks\tMPI_Comm_dup\n")


def test_processes_that_load_different_objects_are_put_together() -> None:
    """Each object once, with all that any process found of it."""
    own, other = parse_imports(LINES), parse_imports("/opt/app\tMPI_Comm_dup\n/opt/liby.so\tMPI_File_open\n")
    found = {one.file: (one.functions, one.local) for one in all_imports((own, own, other))}
    assert found == {
        "/opt/app": (("MPI_Comm_dup", "MPI_Comm_split"), ("MPI_Comm_rank",)),
        "/opt/libx.so": ((), ("MPI_Wtime",)),
        "/opt/liby.so": (("MPI_File_open",), ()),
    }


def test_few_functions_are_named_and_many_of_a_kind_counted() -> None:
    """A module for Python imports all of MPI: its files are one kind."""
    assert imports_sentence(parse_imports(LINES)) == "Not counted, though imported: MPI_Comm_split (app)."
    assert imports_sentence(parse_imports("x\tMPI_Wtime")) == ""
    files = " ".join(f"MPI_File_read_{i:02}" for i in range(20))
    assert imports_sentence(parse_imports(f"/a/MPI.so\tMPI_Comm_dup {files} MPI_Win_create")) == (
        "Not counted, though imported: MPI_Comm_dup, MPI_File_* (20), MPI_Win_create (MPI.so); --json names all."
    )


def test_a_program_that_called_mpi_init_is_never_said_to_make_no_calls() -> None:
    """It may call what is not counted, which is named, or find functions by their names."""
    empty = replace(profile({}), mpi_share=None)
    empty = replace(empty, calls=empty.calls.clear())
    assert profile_sentence(empty) == (
        "Nothing is known of the program's calls: 4 processes called MPI_Init and, in 2.5 s, none of the functions "
        "that are counted (A Library 1.0)."
    )
    assert "MPI_Comm_split (app)" in unseen_calls(parse_imports(LINES))
    assert "dlsym" in unseen_calls(parse_imports("x\tMPI_Wtime"))
