"""libictus-profile.so in front of programs whose calls are known: native/tests/programs/profiled_*.c."""

import subprocess
from pathlib import Path
from typing import Any

import polars as pl
import pytest
from tests.native.launching import EITHER, HANGS_S, LIBRARIES, Ended, start
from tests.native.programs import PROGRAMS, compiled, seen_from_outside
from tests.native.trees import installation, mpi_tree

from ictus.programs.profile.analysis import ProgramProfile, load_profile
from ictus.programs.profile.groups import grouped_rows
from ictus.programs.profile.tables import profile_rows, profile_sentence
from ictus.render.table import records
from ictus.store.launch_files import control_variables

pytestmark = [pytest.mark.mpi, pytest.mark.beside]

KEYS = ("operation", "smallest_bytes", "largest_bytes", "communicator", "ranks", "datatype", "op", "root", "in_place")
Kind = tuple[Any, ...]

WORLD = ("MPI_COMM_WORLD", "0-3")


def known_calls() -> dict[Kind, int]:
    """What profiled_calls.c says, on 4 processes: sizes and numbers of calls by hand."""
    double, char, integer = "MPI_DOUBLE", "MPI_CHAR", "MPI_INT"
    calls: dict[Kind, int] = {
        ("Allreduce", 24, 24, *WORLD, double, "MPI_SUM", None, False): 4 * 7,
        ("Bcast", 40000, 40001, *WORLD, char, "", 0, False): 4 * 2,
        ("Gatherv", 1 * 8, 1 * 8, *WORLD, double, "", 0, True): 1,
        ("Scatter", 4 * 4, 4 * 4, *WORLD, integer, "", 0, True): 1,
        ("Scatter", 2 * 8, 2 * 8, *WORLD, double, "", 0, False): 3,
        ("Reduce_scatter", (1 + 2 + 3 + 4) * 4, 40, *WORLD, "MPI_FLOAT", "MPI_SUM", None, False): 4,
        ("Alltoallv", 1 + 2 + 3 + 4, 10, *WORLD, char, "", None, False): 4,
        ("Barrier", 0, 0, "", "0-3", "", "", None, False): 4,
        ("Irecv", 8 * 4, 32, *WORLD, integer, "", None, False): 4,
        ("Isend", 8 * 4, 32, *WORLD, integer, "", None, False): 4,
        ("Waitall", 0, 0, "", "", "", "", None, False): 4 * 2,
        ("Ibarrier", 0, 0, *WORLD, "", "", None, False): 4,
        ("Wait of Ibarrier", 0, 0, *WORLD, "", "", None, False): 4,
        ("Wait of Ireduce_scatter", (1 + 2 + 3 + 4) * 4, 40, *WORLD, "MPI_FLOAT", "MPI_MIN", None, False): 4,
        # With large counts, where the library has them:
        ("Reduce", 9 * 8, 72, *WORLD, double, "MPI_PROD", 1, False): 4,
        ("Allgather", 5 * 4, 20, *WORLD, integer, "", None, True): 4,
        ("Scatterv", (1 + 2 + 3 + 4) * 4, 40, *WORLD, integer, "", 2, False): 1,
        ("Send", 11, 11, *WORLD, char, "", None, False): 4,
        ("Isendrecv", 3 * 4, 12, *WORLD, integer, "", None, False): 4,
        ("Ireduce_scatter", (1 + 2 + 3 + 4) * 4, 40, *WORLD, "MPI_FLOAT", "MPI_MIN", None, False): 4,
        ("Alltoallw_init", 1 + 2 + 3 + 4 * 8, 38, *WORLD, double, "", None, False): 4,
        ("Get", 2 * 4, 8, "window", "0-3", integer, "", None, False): 4,
        ("Neighbor_alltoallv", (1 + 2) * 4, 12, "", "0-3", integer, "", None, False): 4,
        ("Win_fence", 0, 0, "window", "0-3", "", "", None, False): 4 * 2,
        ("Put", 6 * 8, 48, "window", "0-3", double, "", None, False): 4,
        ("Win_free", 0, 0, "window", "0-3", "", "", None, False): 4,
        ("Neighbor_alltoallv", (3 + 4) * 8, 56, "", "0-3", double, "", None, False): 4,
    }
    for ranks in ("0,2", "1,3"):
        calls["Allreduce", 24, 24, "half", ranks, double, "MPI_MAX", None, True] = 2 * 2
    for size in range(1001, 1006):
        calls[("Bcast", size, size, *WORLD, char, "", 3, False)] = 4
    for rank in (1, 2, 3):
        size = (rank + 1) * 8
        calls[("Gatherv", size, size, *WORLD, double, "", 0, False)] = 1
    for blocks in (10, 11, 12):
        calls[("Bcast", 2 * blocks * 8, 2 * blocks * 8, *WORLD, "vector", "", 0, False)] = 4
    for rank in (0, 1, 3):  # all but the root
        calls[("Scatterv", (rank + 1) * 4, (rank + 1) * 4, *WORLD, integer, "", 2, False)] = 1
    for rank in range(4):
        calls["Barrier", 0, 0, "", str(rank), "", "", None, False] = 2
    return calls


def profiled(label: str, n: int, program: Path, *words: str, folder: Path, behind: str = "", **more: str) -> Ended:
    """Launch `program` with its calls counted in `folder`, and with `more` variables; `behind` is loaded behind the
    library.
    """
    library = mpi_tree(label).folder / "libictus-profile.so"
    environment = {
        "LD_PRELOAD": f"{library}:{behind}" if behind else str(library),
        "ICTUS_PROFILE": str(folder),
        "ICTUS_PROFILE_RANKS": str(n),
        **more,
    }
    return start(label, n, program, *words, folder=program.parent, environment=environment)


def counted(profile: ProgramProfile) -> dict[Kind, int]:
    """The calls of each kind, over all places in the program."""
    calls: dict[Kind, int] = {}
    for row in profile_rows(profile):
        kind = tuple(row[key] for key in KEYS)
        calls[kind] = calls.get(kind, 0) + row["calls"]
    return calls


def line_of(source: str, mark: str) -> str:
    """`file.c:12`, where the comment `site: mark` is."""
    lines = (PROGRAMS / f"{source}.c").read_text().splitlines()
    return f"{source}.c:{1 + next(i for i, line in enumerate(lines) if f'site: {mark}' in line)}"


@pytest.mark.parametrize("label", LIBRARIES)
def test_each_call_counts_once_as_what_it_is_however_the_program_ends(label: str, tmp_path: Path) -> None:
    """Calls, bytes, processes, datatypes, operators, roots and places, exactly; killed and aborted as well."""
    program = compiled(label, "profiled_calls", tmp_path, "-g", "-D_POSIX_C_SOURCE=199309L")
    ended = profiled(label, 4, program, folder=tmp_path / "whole")
    assert ended.exit_code == 0, ended.error
    profile = load_profile(tmp_path / "whole")
    assert counted(profile) == known_calls()
    assert profile.warnings == ()
    assert profile.n_ranks == 4
    (allreduce,) = (row for row in profile_rows(profile) if row["op"] == "MPI_SUM" and row["operation"] == "Allreduce")
    assert allreduce["site"] == line_of("profiled_calls", "allreduce")
    assert line_of("profiled_calls", "large") in {row["site"] for row in profile_rows(profile)}
    assert (allreduce["calls_least"], allreduce["calls_most"], allreduce["processes"]) == (7, 7, 4)
    assert (allreduce["bytes"], allreduce["hosts"]) == (28 * 24, 1)
    assert profile.mpi_share is not None
    assert 0 < allreduce["share"] < profile.mpi_share < 1
    for how in ("killed", "aborted"):
        assert profiled(label, 4, program, how, folder=tmp_path / how).exit_code != 0
        profile = load_profile(tmp_path / how)
        barrier = ("Barrier", 0, 0, *WORLD, "", "", None, False)  # of these not all came back
        assert {kind: calls for kind, calls in counted(profile).items() if kind != barrier} == known_calls()
        assert len(profile.warnings) == 1
        assert profile.warnings[0].startswith("4 of 4 processes did not call MPI_Finalize")


@pytest.mark.parametrize("label", EITHER)
def test_control_variables_are_written_where_a_file_is_asked_for(label: str, tmp_path: Path) -> None:
    """With the values that the ranks' environment gives them, by which a remedy shows that it is in force."""
    name, value, shown = {
        "mpich": ("MPIR_CVAR_BCAST_INTRA_ALGORITHM", "binomial", "1"),
        "openmpi": ("OMPI_MCA_coll_tuned_priority", "77", "77"),
    }[label]
    file = compiled(label, "profiled_calls", tmp_path, "-D_POSIX_C_SOURCE=199309L")
    asked = {"ICTUS_PROFILE_CVARS": str(tmp_path / "cvars.json"), name: value}
    ended = profiled(label, 4, file, folder=tmp_path / "counted", **asked)
    assert ended.exit_code == 0, ended.error
    assert control_variables(tmp_path)[name.removeprefix("OMPI_MCA_")] == shown


@pytest.mark.parametrize("label", LIBRARIES)
def test_calls_of_sessions_count_without_mpi_comm_world(label: str, tmp_path: Path) -> None:
    """Of all sessions, until the last one or MPI_Finalize ends; waiting is not proven, for no process needs to come."""
    program = compiled(label, "profiled_sessions", tmp_path)
    everybody, double = ("", "0-3"), "MPI_DOUBLE"
    known = {
        ("Allreduce", 24, 24, *everybody, double, "MPI_SUM", None, False): 4 * 5,
        ("Allreduce", 32, 32, "second", "0-3", double, "MPI_MAX", None, False): 4,
        ("Bcast", 32, 32, "half", "0,2", double, "", 1, False): 2,
        ("Bcast", 32, 32, "half", "1,3", double, "", 1, False): 2,
        ("Barrier", 0, 0, "second", "0-3", "", "", None, False): 4,
    }
    ended = profiled(label, 4, program, folder=tmp_path / "sessions")
    assert (ended.exit_code, ended.error) == (0, "")
    profile = load_profile(tmp_path / "sessions")
    assert counted(profile) == known
    assert (profile.n_ranks, profile.waiting_share) == (4, None)
    assert len(profile.warnings) == 1
    assert profile.warnings[0].startswith("waiting is not proven")
    ended = profiled(label, 4, program, "world", folder=tmp_path / "world")
    assert (ended.exit_code, ended.error) == (0, "")
    scan = ("Scan", 8, 8, *WORLD, double, "MPI_SUM", None, False)
    assert counted(load_profile(tmp_path / "world")) == {**known, scan: 4}


@pytest.mark.parametrize("label", EITHER)
def test_messages_in_parts_count_with_all_their_bytes(label: str, tmp_path: Path) -> None:
    """Two parts of three doubles; each part that is ready, and each start."""
    program = compiled(label, "profiled_outside", tmp_path)
    ended = profiled(label, 2, program, "parts", folder=tmp_path / "parts")
    assert (ended.exit_code, ended.error) == (0, "")
    rows = grouped_rows(load_profile(tmp_path / "parts"), "function")
    counted_bytes = {row["operation"]: (row["calls"], row["bytes"]) for row in rows}
    init, once = (1, 2 * 3 * 8), (1, 0)
    assert counted_bytes == {
        "Psend_init": init, "Precv_init": init, "Pready": once, "Pready_list": once, "Pready_range": once,
        "Parrived": once, "Start": (4, 0), "Wait": (4, 0),
    }  # fmt: skip


def test_what_is_beyond_counting_is_told(tmp_path: Path) -> None:
    """A spawned world, and a session that begins after the last one has ended; neither is in the sums."""
    program = compiled("mpich", "profiled_outside", tmp_path)
    ended = profiled("mpich", 2, program, "late", folder=tmp_path / "late")
    assert ended.exit_code == 0, ended.error
    profile = load_profile(tmp_path / "late")
    assert profile.calls["calls"].sum() == 2
    assert "2 of 2 processes began a session after the last one had ended" in " ".join(profile.warnings)
    library = mpi_tree("mpich").folder / "libictus-profile.so"
    variables = (f"LD_PRELOAD={library}", f"ICTUS_PROFILE={tmp_path / 'spawn'}")
    launcher = installation("mpich").wrapper.with_name("mpiexec")  # by itself: bound ranks cannot spawn
    command = (launcher, "-n", "2", "env", *variables, program, "spawn")
    spawned = subprocess.run(command, check=False, capture_output=True, text=True, timeout=HANGS_S)
    assert spawned.returncode == 0, spawned.stderr
    profile = load_profile(tmp_path / "spawn")
    assert [(row["operation"], row["calls"]) for row in profile_rows(profile)] == [("Barrier", 2)]
    assert "calls in spawned worlds are not counted: the program spawned 1, by MPI_Comm_spawn" in profile.warnings


def test_a_large_count_is_no_second_call_where_the_library_makes_the_other_form(tmp_path: Path) -> None:
    """Of an MPI whose MPI_Allreduce_c calls MPI_Allreduce by its public name."""
    program = compiled("mpich", "redirected_calls", tmp_path, "-DLARGE_COUNTS")
    nested = compiled("mpich", "large_by_plain", tmp_path, "-shared", "-fPIC")
    ended = profiled("mpich", 2, program, "others", folder=tmp_path / "nested", behind=str(nested))
    assert ended.exit_code == 0, ended.error
    calls = load_profile(tmp_path / "nested").calls.group_by("operation").agg(pl.col("calls").sum())
    assert dict(calls.iter_rows()) == {"Allreduce": 2 * 2, "Bcast": 2}


@pytest.mark.parametrize("label", EITHER)
def test_where_no_call_is_counted_what_the_program_imports_is_named(label: str, tmp_path: Path) -> None:
    """Of the program, and of a library that it loads behind MPI_Init, in C and Fortran; not the library's own, nor what
    is counted. Nothing is said to be known.
    """
    program = compiled(label, "profiled_beside", tmp_path)
    (tmp_path / "late").mkdir()
    library = compiled(label, "profiled_beside", tmp_path / "late", "-DLIBRARY", "-shared", "-fPIC")
    ended = profiled(label, 2, program, str(library), folder=tmp_path / "beside")
    assert (ended.exit_code, ended.output) == (0, "22"), ended.error
    profile = load_profile(tmp_path / "beside")
    assert records(profile.not_counted) == [
        {
            "file": str(program),
            "functions": ["MPI_Comm_dup", "MPI_Comm_free", "PMPI_Barrier"],
            "local": ["MPI_Comm_size"],
        },
        {
            "file": str(library),
            "functions": ["MPI_Comm_free", "MPI_Comm_split", "MPI_File_open"],
            "local": ["MPI_Comm_rank"],
        },
    ]
    assert (profile.calls.height, profile.mpi_share) == (0, None)
    assert profile_sentence(profile).startswith("Nothing is known of the program's calls: 2 processes called MPI_Init")
    (warning,) = profile.warnings
    assert "MPI_Comm_free, PMPI_Barrier (profiled_beside)" in warning


def test_no_call_is_lost_by_threads_or_a_full_table(tmp_path: Path) -> None:
    """Kinds beyond the table are known by their operation alone, and said."""
    program = compiled("mpich", "profiled_many", tmp_path)
    ended = profiled("mpich", 1, program, folder=tmp_path / "many")
    assert ended.exit_code == 0, ended.error
    profile = load_profile(tmp_path / "many")
    sums: dict[str, int] = {}
    for row in profile_rows(profile):
        sums[row["operation"]] = sums.get(row["operation"], 0) + row["calls"]
    assert sums == {"Bcast": 500 * 64, "Barrier": 4 * 10000}
    assert "calls are known by their operation alone" in profile.warnings[0]


@pytest.mark.parametrize("like", ["MPICH", "OPENMPI"])
def test_calls_from_fortran_count_once(like: str, tmp_path: Path) -> None:
    """In libraries whose Fortran functions call the C functions, and in those where they do not; no wheel has either,
    so the test brings them.
    """
    defined = f"-DLIKE_{like}"
    library = compiled("mpich", "profiled_fortran_library", tmp_path, "-shared", "-fPIC", defined)
    program = compiled("mpich", "profiled_fortran", tmp_path, "-g", "-Wl,--no-as-needed", str(library), defined)
    ended = profiled("mpich", 2, program, folder=tmp_path / "fortran")
    assert ended.exit_code == 0, ended.error
    profile = load_profile(tmp_path / "fortran")
    world = ("MPI_COMM_WORLD", "0-1")
    known: dict[Kind, int] = {
        ("Allreduce", 40, 40, *world, "MPI_DOUBLE", "MPI_SUM", None, False): 2 * 3,
        ("Allreduce", 40, 40, *world, "MPI_DOUBLE", "MPI_SUM", None, True): 2,
        ("Alltoallw", 2 * 2 * 8, 32, *world, "MPI_DOUBLE", "", None, False): 2,
    }
    if like == "MPICH":  # whose mpi_f08 has functions of its own
        known[("Allreduce", 40, 40, *world, "MPI_DOUBLE", "MPI_MAX", None, False)] = 2
    assert counted(profile) == known
    sites = {(row["op"], row["in_place"]): row["site"] for row in profile_rows(profile)}
    assert sites["MPI_SUM", True] == line_of("profiled_fortran", "in place")
    if like == "MPICH":
        assert sites["MPI_MAX", False] == line_of("profiled_fortran", "descriptors")


def test_only_functions_of_mpi_are_seen_from_outside() -> None:
    """Each C function has its Fortran names beside it."""
    seen = seen_from_outside(mpi_tree("mpich").folder / "libictus-profile.so")
    assert all(name.startswith(("MPI_", "mpi_")) for name in seen)
    own = {name for name in seen if name.startswith("MPI_") and name != name.upper()}
    assert {"MPI_Ineighbor_alltoallw", "MPI_Allreduce_init", "MPI_Rget_accumulate", "MPI_Testsome"} <= own
    (library,) = (installation("mpich").wrapper.parents[1] / "lib").glob("libmpi.so.*")
    large = {name for name in seen_from_outside(library) if name.endswith("_c") and name.removesuffix("_c") in own}
    assert len(large) > 80
    assert large <= own
    # Of MPICH's Fortran functions those call the C functions; none has large counts (native/src/profile/program.cpp).
    called_in_c = {"MPI_Abort", "MPI_Session_init", "MPI_Session_finalize", "MPI_Comm_spawn", "MPI_Comm_spawn_multiple"}
    for name in own - large - called_in_c:
        lower = name.lower()
        assert {lower, f"{lower}_", f"{lower}__", name.upper(), f"{lower}_f08_"} <= seen
    recorded = set((Path(__file__).parent / "mpich-f08-names.txt").read_text().split())
    in_c = {name.lower() for name in own - called_in_c}
    of_ours = {name for name in recorded if name.partition("_f08")[0] in in_c}
    assert len(of_ours) > 200
    assert of_ours <= seen, sorted(of_ours - seen)  # else the place of the call would be the Fortran layer
