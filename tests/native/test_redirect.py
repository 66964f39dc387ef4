"""libictus-redirect.so in front of programs that know nothing of it: native/tests/programs/redirected_*.c."""

import json
import re
import subprocess
from collections.abc import Callable
from dataclasses import dataclass
from pathlib import Path
from typing import Any

import pytest
from tests.native.launching import HANGS_S, LIBRARIES, Ended, start
from tests.native.programs import IN_FORTRAN, compiled, compiled_fortran, seen_from_outside
from tests.native.trees import NATIVE, installation, mpi_tree
from tests.programs.test_pgmpi import GIVEN, MISTAKEN, OVERLAPPING
from tests.programs.test_profile import MISTAKES

from ictus.model.errors import UsageError
from ictus.programs.redirect.pgmpi import parse_profiles
from ictus.programs.redirect.profile import HEADER, RedirectProfile, Reroute, format_profile, mockups, parse_profile

pytestmark = [pytest.mark.mpi, pytest.mark.beside]

ALL_SIZES = (1, 2**40)
ROUNDS = 3
"""As many as the operation with the most mock-ups has of them."""


@pytest.fixture(params=LIBRARIES)
def label(request: pytest.FixtureRequest) -> str:
    """A library."""
    name: str = request.param
    return name


@dataclass(frozen=True)
class Run:
    """A program with its calls rerouted, and what the library wrote."""

    ended: Ended
    folder: Path

    @property
    def report(self) -> dict[str, Any]:
        """redirect.json."""
        document: dict[str, Any] = json.loads((self.folder / "redirect.json").read_text())
        return document

    @property
    def used(self) -> set[tuple[str, int]]:
        """The lines that were, as mock-up and number of processes."""
        return {(one["mockup"], one["n"]) for one in self.report["reroutes"] if one["calls"] > 0}


def run(label: str, n: int, profile: str, program: Path, *words: object, behind: str = "", **variables: str) -> Run:
    """Launch `program` with its calls rerouted as `profile` says; `behind` is loaded behind the library."""
    folder = program.parent
    (folder / "faster.txt").write_text(profile)
    library = mpi_tree(label).folder / "libictus-redirect.so"
    environment = {
        "LD_PRELOAD": f"{library}:{behind}" if behind else str(library),
        "ICTUS_REDIRECT_PROFILE": str(folder / "faster.txt"),
        "ICTUS_REDIRECT_REPORT": str(folder / "redirect.json"),
        **variables,
    }
    return Run(start(label, n, program, *words, folder=folder, environment=environment), folder)


def everything(which: int, largest_n: int = 5) -> str:
    """A profile that reroutes all sizes of all operations: the mock-up numbered `which` of each that has so many."""
    reroutes = []
    for operation in sorted(set(mockups().values())):
        names = sorted(name for name, stands_for in mockups().items() if stands_for == operation)
        reroutes += [Reroute(operation, n, *ALL_SIZES, names[which % len(names)]) for n in range(1, largest_n + 1)]
    return format_profile(RedirectProfile("", tuple(reroutes)))


def test_every_mockup_computes_what_it_stands_for(label: str, tmp_path: Path) -> None:
    """On 1 to 5 ranks, by all of a program's datatypes, counts, roots, in place and not; as many checks as without.

    Each mock-up of the registry was used with each number of processes, and what was not rerouted had nothing to move.
    """
    program = compiled(label, "redirected_calls", tmp_path)
    plain = start(label, 5, program, folder=tmp_path)
    assert plain.exit_code == 0, plain.error
    assert re.fullmatch(r"checks \d{4,} wrong 0\n", plain.output)
    used: set[tuple[str, int]] = set()
    for which in range(ROUNDS):
        redirected = run(label, 5, everything(which), program)
        assert (redirected.ended.exit_code, redirected.ended.output) == (0, plain.output), redirected.ended.error
        used |= redirected.used
        report = redirected.report
        assert (report["state"], report["n_ranks"], report["warnings"]) == ("finalised", 5, [])
        assert report["calls"] == sum(one["calls"] for one in report["operations"])
        assert report["rerouted"] == sum(one["rerouted"] for one in report["operations"]) > report["calls"] / 2
        for one in report["operations"]:
            assert one["calls"] == one["rerouted"] + sum(one["passed"].values())
            assert one["passed"].keys() <= {"nothing to move"}
    assert used == {(mockup, n) for mockup in mockups() for n in range(1, 6)}


def test_calls_of_sessions_are_the_librarys_until_the_program_initialises(label: str, tmp_path: Path) -> None:
    """Without MPI_Init nothing is rerouted, and nothing breaks; behind it, what follows is."""
    program = compiled(label, "profiled_sessions", tmp_path)
    sessions = run(label, 4, everything(0), program)
    assert (sessions.ended.exit_code, sessions.ended.error) == (0, "")
    assert not (tmp_path / "redirect.json").exists()
    world = run(label, 4, everything(0), program, "world")
    assert world.ended.exit_code == 0, world.ended.error
    (scan,) = world.report["operations"]
    assert (scan["operation"], scan["rerouted"]) == ("scan", 4)


def test_large_counts_are_rerouted_as_others_are(tmp_path: Path) -> None:
    """MPI_Bcast_c and its kin, of which Open MPI 5 has none: right, and each call counted once as the same operation,
    where the library calls the other form by its public name too. Counts beyond an int are above the limit: the
    library's, and told.
    """
    program = compiled("mpich", "redirected_calls", tmp_path, "-DLARGE_COUNTS")
    redirected = run("mpich", 3, everything(0), program)
    assert redirected.ended.exit_code == 0, redirected.ended.error
    assert redirected.ended.output.endswith(" wrong 0\n")
    passed = {reason for one in redirected.report["operations"] for reason in one["passed"]}
    assert (len(redirected.report["operations"]), passed) == (9, {"nothing to move"})
    assert redirected.report["rerouted"] > redirected.report["calls"] / 2

    nested = compiled("mpich", "large_by_plain", tmp_path, "-shared", "-fPIC")
    others = run("mpich", 3, everything(0), program, "others", behind=str(nested)).report
    calls = {one["operation"]: (one["rerouted"], one["passed"]) for one in others["operations"]}
    assert calls == {"allreduce": (3, {"operator not commutative": 3}), "bcast": (0, {"between two groups": 3})}

    beyond = run("mpich", 1, everything(0), program, "beyond")
    assert (beyond.ended.exit_code, beyond.ended.output) == (0, "checks 1 wrong 0\n"), beyond.ended.error
    calls = {one["operation"]: (one["rerouted"], one["passed"]) for one in beyond.report["operations"]}
    assert calls == {"allreduce": (1, {}), "bcast": (0, {"above the limit": 2})}


def test_where_no_call_could_be_rerouted_what_the_program_imports_is_named(label: str, tmp_path: Path) -> None:
    """Of the calls that move data or wait, those that are not covered; never that there were no calls."""
    program = compiled(label, "profiled_beside", tmp_path)
    (tmp_path / "late").mkdir()
    library = compiled(label, "profiled_beside", tmp_path / "late", "-DLIBRARY", "-shared", "-fPIC")
    redirected = run(label, 2, everything(0), program, library)
    assert redirected.ended.exit_code == 0, redirected.ended.error
    assert redirected.report["not_covered"] == [{"file": str(program), "functions": ["PMPI_Barrier"]}]
    (warning,) = redirected.report["warnings"]
    assert warning.endswith("of MPI's other calls it imports PMPI_Barrier (profiled_beside)")
    said = run(label, 2, everything(0), program, library, ICTUS_REDIRECT_REPORT="").ended.error
    assert said.startswith("ictus-redirect: nothing is known of the program's calls\n")


def test_a_corrupted_mockup_is_seen(label: str, tmp_path: Path) -> None:
    """Where MPI's allgather delivers a wrong byte, the program that gathers by it finds it, and says where."""
    program = compiled(label, "redirected_calls", tmp_path)
    spoiled = compiled(label, "spoiled_allgather", tmp_path, "-shared", "-fPIC", "-std=gnu99")
    profile = f"{HEADER}\ngather 2 1 {2**40} gather_as_allgather\n"
    redirected = run(label, 2, profile, program, behind=str(spoiled))
    assert redirected.ended.exit_code == 1
    assert "wrong: gather p 2" in redirected.ended.error


def test_derived_datatypes_that_begin_elsewhere_are_reduced(tmp_path: Path) -> None:
    """Also below where they are. On Open MPI: MPICH 5.0 overruns memory of its own there, with nothing in front."""
    program = compiled("openmpi", "redirected_calls", tmp_path)
    for which in range(ROUNDS - 1):
        redirected = run("openmpi", 3, everything(which), program, "bounds")
        assert redirected.ended.exit_code == 0, redirected.ended.error
        assert redirected.ended.output.endswith(" wrong 0\n")


def test_threads_call_at_once(label: str, tmp_path: Path) -> None:
    """Two threads of each process on communicators of their own, with MPI_THREAD_MULTIPLE."""
    program = compiled(label, "redirected_calls", tmp_path)
    redirected = run(label, 2, everything(0), program, "threads")
    assert redirected.ended.exit_code == 0, redirected.ended.error
    assert redirected.ended.output.endswith(" wrong 0\n")
    assert redirected.report["rerouted"] > 500


def test_memory_that_cannot_be_had_is_an_error_of_that_call(tmp_path: Path) -> None:
    """Other processes may be in the mock-up already, so that this one cannot go back to the library's call: the
    communicator's error handler is asked, and the next call has memory again.
    """
    program = compiled("mpich", "redirected_memory", tmp_path)
    redirected = run("mpich", 1, everything(0), program)
    assert redirected.ended.exit_code == 0, redirected.ended.error
    assert redirected.ended.output == "no memory, then success: right\n"
    assert "ictus-redirect: no memory for a mock-up" in redirected.ended.error


def test_what_cannot_be_rerouted_is_the_librarys_and_told(label: str, tmp_path: Path) -> None:
    """An operator that does not commute, and a broadcast from one group to another: right, and counted."""
    program = compiled(label, "redirected_calls", tmp_path)
    redirected = run(label, 3, everything(0), program, "others")
    assert redirected.ended.exit_code == 0, redirected.ended.error
    passed = {one["operation"]: one["passed"] for one in redirected.report["operations"]}
    assert passed == {"allreduce": {"operator not commutative": 3}, "bcast": {"between two groups": 3}}


HANDED_ON: dict[str, Callable[[str, str], tuple[str, ...]]] = {
    "mpich": lambda name, value: ("-genv", name, value),
    "openmpi": lambda name, value: ("-x", f"{name}={value}"),
}
"""Words of the launchers that give the ranks a variable."""


@pytest.mark.parametrize(("label", "options"), [("mpich", ()), ("openmpi", ("--oversubscribe", "--allow-run-as-root"))])
def test_beyond_the_world_calls_are_the_librarys(label: str, options: tuple[str, ...], tmp_path: Path) -> None:
    """With a spawned process, loaded (MPICH) or not (Open MPI), which would not know of the mock-up."""
    program = compiled(label, "redirected_calls", tmp_path)
    (tmp_path / "faster.txt").write_text(everything(0))
    variables = {
        "LD_PRELOAD": str(mpi_tree(label).folder / "libictus-redirect.so"),
        "ICTUS_REDIRECT_PROFILE": str(tmp_path / "faster.txt"),
        "ICTUS_REDIRECT_REPORT": str(tmp_path / "redirect.json"),
        "ICTUS_REDIRECT_RANKS": "2",
    }
    passed = (word for name, value in variables.items() for word in HANDED_ON[label](name, value))
    launcher = installation(label).wrapper.with_name("mpiexec")
    command = (launcher, "-n", "2", *options, *passed, program, "spawn")
    ended = subprocess.run(command, check=False, capture_output=True, text=True, timeout=HANGS_S)
    assert ended.returncode == 0, ended.stderr
    assert ended.stdout == "checks 2 wrong 0\n"
    (allreduce,) = json.loads((tmp_path / "redirect.json").read_text())["operations"]
    assert (allreduce["rerouted"], allreduce["passed"]) == (2, {"beyond MPI_COMM_WORLD": 2})


def test_only_the_processes_and_sizes_of_the_profile_are_rerouted(label: str, tmp_path: Path) -> None:
    """The program's last call, of 2 longs, is the one allreduce of 16 bytes on 2 ranks without a thread or a layout."""
    program = compiled(label, "redirected_calls", tmp_path)
    profile = f"{HEADER}\nlibrary somewhere else\nallreduce 2 16 16 allreduce_as_reduce_and_bcast\n"
    redirected = run(label, 2, profile, program, "others")
    (one, bcast) = redirected.report["operations"]
    assert (one["calls"], one["rerouted"], one["passed"]) == (4, 2, {"other size": 2})
    assert bcast["passed"] == {"between two groups": 2}
    assert redirected.report["reroutes"][0]["bytes"] == 32
    (warning,) = redirected.report["warnings"]
    assert warning.startswith("the profile was measured with 'somewhere else', this is '")
    here = " ".join(redirected.report["library_version"].split())
    elsewhere = run(
        label, 2, profile.replace("allreduce 2", "allreduce 7").replace("somewhere else", here), program, "others"
    )
    assert elsewhere.report["operations"][0]["passed"] == {"other number of processes": 4}
    (unused,) = elsewhere.report["warnings"]
    assert "no call was rerouted" in unused, "and it is the library, however many blanks are in its name"
    limited = run(label, 2, profile, program, "others", ICTUS_REDIRECT_LIMIT="15")
    assert limited.report["operations"][0]["passed"] == {"other size": 2, "above the limit": 2}


def test_profiles_of_pgmpitunelib_are_read_as_they_are(tmp_path: Path) -> None:
    """A folder of them, or one: the ranges that Python finds, the first match of a size, and the same remarks; what is
    left to the library, and what has no mock-up here, is not rerouted.
    """
    program = compiled("mpich", "redirected_calls", tmp_path)
    folder = tmp_path / "theirs"
    folder.mkdir()
    allreduce = "MPI_Allreduce\n2\n2\n1 allreduce_as_reduce_bcast\n2 default\n2\n16 16 {}\n1 4096 2\n"
    texts = {"allreduce.prf": allreduce.format(1), "bcast.prf": OVERLAPPING, "alltoall.prf": "MPI_Alltoall # 2"}
    for name, text in texts.items():
        (folder / name).write_text(text)
    redirected = run("mpich", 2, "", program, "others", ICTUS_REDIRECT_PROFILE=str(folder))
    report = redirected.report
    (one, _) = report["operations"]
    assert (one["calls"], one["rerouted"], one["passed"]) == (4, 2, {"other size": 2})
    together = parse_profiles((str(folder / name), texts[name]) for name in sorted(texts))
    names = ("operation", "n", "from_bytes", "to_bytes", "mockup")
    assert [Reroute(*(line[name] for name in names)) for line in report["reroutes"]] == [*together.profile.reroutes]
    assert report["warnings"] == [*together.remarks]
    alone = run("mpich", 2, allreduce.format(2), program, "others")
    assert (alone.report["rerouted"], alone.report["reroutes"]) == (0, [])
    for change, said in MISTAKEN.items():
        ended = run("mpich", 1, GIVEN.replace(*change, 1), program)
        assert refused(ended) == said.replace("x.prf", str(tmp_path / "faster.txt"))
    for name in texts:
        (folder / name).unlink()
    ended = run("mpich", 1, "", program, ICTUS_REDIRECT_PROFILE=str(folder))
    assert f"there is no *.prf in '{folder}'" in refused(ended)


def test_lines_for_people_where_no_file_is_named(tmp_path: Path) -> None:
    """On standard error, from rank 0 alone."""
    program = compiled("mpich", "redirected_calls", tmp_path)
    redirected = run("mpich", 2, everything(0), program, "others", ICTUS_REDIRECT_REPORT="")
    said = [line for line in redirected.ended.error.splitlines() if line.startswith("ictus-redirect: ")]
    reroutes = "2 as allreduce_as_reduce_and_bcast, 2 passed through: operator not commutative"
    assert said == [
        f"ictus-redirect: 2 of 6 calls rerouted by {tmp_path / 'faster.txt'}",
        f"ictus-redirect: allreduce: 4 calls, {reroutes}",
        "ictus-redirect: bcast: 2 calls, 2 passed through: between two groups",
    ]


def test_every_name_that_fortran_compilers_give_is_rerouted_once(label: str, tmp_path: Path) -> None:
    """Five names of each collective, mpi_f08's without its optional argument; in place, and at the bottom of memory."""
    program = compiled(label, "redirected_names", tmp_path, "-rdynamic")
    redirected = run(label, 3, everything(0), program)
    assert redirected.ended.exit_code == 0, redirected.ended.error
    assert redirected.ended.output.count("55 answered, 0 wrong") == 3
    assert (redirected.report["calls"], redirected.report["rerouted"]) == (165, 165)


@pytest.mark.engine("fortran", "debian-mpi")
@pytest.mark.parametrize("label", IN_FORTRAN)
@pytest.mark.parametrize("form", ["INCLUDED", "MODULE", "MODULE_F08"])
def test_fortran_programs_are_rerouted(form: str, label: str, tmp_path: Path) -> None:
    """mpif.h, the module mpi and mpi_f08: each call counts once."""
    program = compiled_fortran(label, "redirected_program", form, tmp_path)
    redirected = run(label, 2, everything(0), program)
    assert redirected.ended.exit_code == 0, redirected.ended.error
    assert redirected.ended.output.split() == ["right", "right"]
    assert (redirected.report["calls"], redirected.report["rerouted"]) == (4, 4)


def refused(redirected: Run) -> str:
    """What the library says when it ends the program at its begin, once."""
    assert (redirected.ended.exit_code, redirected.ended.output) == (2, ""), redirected.ended.error
    (line,) = [line for line in redirected.ended.error.splitlines() if line.startswith("ictus-redirect:")]
    return line.removeprefix("ictus-redirect: ").removeprefix("rank 0: ")


def test_the_library_says_of_a_profile_what_the_reader_in_python_says(tmp_path: Path) -> None:
    """Word for word, with file and line, for every mistake; the program has not begun."""
    program = compiled("mpich", "redirected_calls", tmp_path)
    for text in MISTAKES:
        with pytest.raises(UsageError) as error:
            parse_profile(text, str(tmp_path / "faster.txt"))
        assert refused(run("mpich", 1, text, program)) == str(error.value)


WRONG_VARIABLES = {
    "ICTUS_REDIRECT_PROFILE": ("/nowhere/faster.txt", "'ICTUS_REDIRECT_PROFILE': '/nowhere/faster.txt' cannot be read"),
    "ICTUS_REDIRECT_REPORT": (
        "/nowhere/redirect.json",
        "'ICTUS_REDIRECT_REPORT': cannot create /nowhere/redirect.json",
    ),
    "ICTUS_REDIRECT_LIMIT": ("2Gi", "'ICTUS_REDIRECT_LIMIT': 2147483648 is not between 0 and 1073741824"),
    "ICTUS_REDIRECT_RANKS": ("3", "asked for 3 ranks, but the program has 2"),
    "ICTUS_REDIRECT_PROFIL": ("x", "unknown variable 'ICTUS_REDIRECT_PROFIL'; there are ICTUS_REDIRECT_PROFILE, "),
}


def test_a_wrong_variable_ends_the_program_at_its_begin(tmp_path: Path) -> None:
    """One message that names variable, value and what is allowed."""
    program = compiled("mpich", "redirected_calls", tmp_path)
    for name, (value, said) in WRONG_VARIABLES.items():
        assert said in refused(run("mpich", 2, everything(0), program, **{name: value}))


@pytest.mark.parametrize("label", LIBRARIES)
def test_only_mpi_functions_are_seen_from_outside(label: str) -> None:
    """No symbol of ours meets one of the program's."""
    names = seen_from_outside(mpi_tree(label).folder / "libictus-redirect.so")
    assert {"MPI_Init", "MPI_Gather", "mpi_scan_", "MPI_SCATTER", "mpi_bcast_f08_", "MPI_Finalize"} <= names
    assert {name for name in names if not name.lower().startswith("mpi_")} == set()


@pytest.mark.parametrize("name", ["ictus-redirect", "ictus-preload"])
def test_in_front_of_the_program_of_another_library_it_says_so(name: str, label: str, tmp_path: Path) -> None:
    """Its handles are not ours: one message in MPI_Init and exit code 2, before any of them was used."""
    (other,) = set(LIBRARIES) - {label}
    program = compiled(label, "redirected_calls", tmp_path)
    loaded = {"LD_PRELOAD": str(mpi_tree(other).folder / f"lib{name}.so")}
    ended = start(label, 2, program, folder=tmp_path, environment=loaded)
    assert (ended.exit_code, ended.output) == (2, "")
    built, runs = {"mpich": ("Open MPI", "MPICH"), "openmpi": ("MPICH", "Open MPI")}[label]
    said = re.findall(rf"{name}: lib{name}\.so was built for {built}.*, but the program runs on '{runs}", ended.error)
    assert len(said) == 1, ended.error


def test_what_a_call_costs_is_told_of_calls_that_are_rerouted(label: str, tmp_path: Path) -> None:
    """native/examples/redirect_cost.c, of which `make bench` shows the figures: every scan was, no allreduce."""
    program = compiled(label, "redirect_cost", tmp_path, folder_of_source=NATIVE / "examples")
    told = run(label, 1, f"{HEADER}\nscan 1 1 1024 scan_as_exscan_and_reduce_local\n", program, 4)
    assert re.fullmatch(r"passed_ns = -?[\d.]+\nrerouted_ns = -?[\d.]+\n", told.ended.output), told.ended.error
    scan, allreduce = {"calls": 4000, "rerouted": 4000}, {"calls": 4000, "rerouted": 0}
    found = {one["operation"]: {name: one[name] for name in scan} for one in told.report["operations"]}
    assert found == {"scan": scan, "allreduce": allreduce}
