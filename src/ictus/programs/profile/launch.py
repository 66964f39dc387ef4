"""Starts a user's MPI program with its calls counted."""

import math
from collections.abc import Mapping, Sequence
from dataclasses import dataclass
from pathlib import Path

from ictus.engine.event import Observer, log
from ictus.launch.launchers import with_hosts
from ictus.launch.launchers.mpiexec import Mpiexec
from ictus.launch.process import PassedStreams
from ictus.model.errors import UsageError
from ictus.model.job_size import ANYWHERE, MAPPINGS
from ictus.mpi.build import build_profile
from ictus.programs.profile.analysis import ProgramProfile, load_profile
from ictus.programs.program import (
    check_end,
    check_launch,
    exit_code,
    find_program,
    launch_passed,
    make_folder,
    prepare_library,
    program_job,
    warn_before,
    with_library,
    with_preload,
)
from ictus.programs.request import ProgramRequest


@dataclass(frozen=True)
class ProfiledProgram:
    """How a program ended, and what it called."""

    exit_code: int
    """The launcher's, as a shell would give it."""
    command: tuple[str, ...]
    profile: ProgramProfile | None
    """None where no MPI_Init was seen."""
    warnings: tuple[str, ...]


def profile_program(
    program: Sequence[str],
    folder: Path | str,
    *,
    mpi: str | None = None,
    n: int = 2,
    environment: Mapping[str, str] | None = None,
    pin: bool = True,
    launcher: str = Mpiexec.name,
    nodes: int = ANYWHERE,
    ppn: int = ANYWHERE,
    map_by: str = MAPPINGS[0],
    hosts: Path | str | None = None,
    timeout_s: float = math.inf,
    output: int | None = None,
    observer: Observer = log,
) -> ProfiledProgram:
    """Run a program with MPI and count its calls, as `ictus profile` does; wait for its end.

    Args:
        program: the program, as a path or by its name in PATH, and its arguments.
        folder: the counters go here; it is made, and holds no profile yet.
        mpi: the library that it was built with, by label, flavour or wrapper; the first that is found.
        n: number of processes.
        environment: variables of its ranks.
        pin: whether ranks are placed on cores.
        launcher: how ranks are started: a name of `ictus list launcher`.
        nodes: number of nodes; left out, the launcher decides.
        ppn: processes on each node; with `nodes`, `n` follows.
        map_by: what consecutive ranks take in turn: core, socket or node.
        hosts: a file with one host per line, for the launchers mpiexec, ssh and a template.
        timeout_s: all ranks are ended after this number of seconds.
        output: file descriptor that its standard output goes to; None: that of this process.
        observer: receives what is prepared; by default it goes to the logger `ictus`.

    Raises:
        UsageError: there is no such program, it is linked against another library, or the folder cannot be used.
        MeasurementError: the library does not build, the program cannot be started, or it was stopped.
    """
    started = with_hosts(launcher, None if hosts is None else Path(hosts))
    request = ProgramRequest(program, mpi, n, environment or {}, pin, started, timeout_s, nodes, ppn, map_by).agreed()
    return run_profile(request, Path(folder), output, observer)


def run_profile(request: ProgramRequest, folder: Path, output: int | None, observer: Observer) -> ProfiledProgram:
    """`profile_program` of what a request says."""
    if not request.words:
        raise UsageError("profile: no program")
    file, path = find_program(request.words[0]), folder.absolute()
    if any(path.glob("rank-*.counters")):
        raise UsageError(f"'{folder}' holds a profile already: name another folder with -o, or remove it")
    check_launch(request.launcher, folder, "output")
    installation, library = prepare_library(request.mpi, build_profile, "profile library", observer, file)
    is_new = not folder.exists()
    make_folder(folder, "output")
    warn_before(request, installation, observer)
    variables = {
        **with_preload(with_library(request.environment, file, library, installation), library),
        "ICTUS_PROFILE": str(path),
        "ICTUS_PROFILE_RANKS": str(request.n),
    }
    job = program_job(file, request, installation, variables)
    outcome, warnings = launch_passed(installation, job, request.launcher, PassedStreams(output))
    check_end(outcome, request.timeout_s)
    if not any(path.glob("rank-*.counters")):
        if is_new and not any(folder.iterdir()):
            folder.rmdir()
        unseen = (
            ("no MPI_Init was seen, no call was counted: the program uses no MPI, or brings its own",)
            if outcome.exit_code == 0
            else ()
        )
        return ProfiledProgram(exit_code(outcome), tuple(outcome.command), None, (*warnings, *unseen))
    profile = load_profile(path)
    return ProfiledProgram(exit_code(outcome), tuple(outcome.command), profile, (*warnings, *profile.warnings))
